"""The client of one server: every endpoint over HTTP, and live games over the socket."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from math import inf
from pathlib import Path
from string import ascii_lowercase

from msgspec.structs import replace

from cadogan.sdk import receipts
from cadogan.sdk.api import Api
from cadogan.sdk.errors import ClientError
from cadogan.sdk.game import Game
from cadogan.sdk.http import HttpClient
from cadogan.sdk.reconnecting_socket import Listener, ReconnectingSocket
from cadogan.sdk.retries import REQUEST_TIMEOUT_SECONDS
from cadogan.wire import boards
from cadogan.wire import messages as wire
from cadogan.wire.analysis import Analysis, AnalysisChanged, WatchAnalysis
from cadogan.wire.bodies import RulesPage
from cadogan.wire.chat import WatchTalk
from cadogan.wire.evenings import Evening
from cadogan.wire.messages import ServerMessage

SOCKET_PATH = "/ws/v1"
EVENING_POLL_SECONDS = 10.0
"""Seconds after which an evening is requested again, if nothing is due before."""
AFTER_CHANGE_MILLISECONDS = 100
"""Milliseconds after a round is to open or close at which the evening is requested."""


class Client(Api):
    """One player at one server, or without a token an anonymous spectator. Use `connect` to create one.

    It has the methods of `Api`, which send HTTP requests, and those below, which follow games over the socket.
    """

    def __init__(self, http: HttpClient) -> None:
        super().__init__(http)
        self.socket = self._make_socket()
        """The socket for live updates. It opens at the first use."""
        self.language: str | None = None
        """The tag of the language in which `rules` requests a game's name and page, like `de`; None for English."""
        self._rules: dict[tuple[str, str | None], RulesPage] = {}

    @property
    def address(self) -> str:
        """The server's address, like `https://patience.example`."""
        return self.http.origin

    @property
    def token(self) -> str | None:
        """The secret that identifies the player. Store it to be the same player next time; None for a spectator."""
        return self.http.token

    async def enter(self, day: str = "today", slot: int = 1) -> Game:
        """Begin or continue the player's ranked attempt at a deal of a day. `slot` is the deal's number, from 1.

        Raises AlreadyPlayed, DayNotOpen, another RefusalError, or Unreachable.
        """
        return await self.game((await self.enter_daily(day, slot)).game.id)

    async def practise(self, day: str = "today", slot: int = 1) -> Game:
        """Begin an unranked run of a deal of a day. `slot` is the deal's number, from 1.

        Raises SpoilerEmbargo until the player has finished the ranked attempt, and for guests and new accounts until
        the day has closed; another RefusalError, or Unreachable.
        """
        return await self.game((await self.enter_daily(day, slot, practice=True)).game.id)

    async def deal(
        self, rules: str, nonce: str | None = None, number: int | None = None, *, winnable: bool = False
    ) -> Game:
        """Begin a new casual game.

        `rules` is the slug of the rules, like `klondike`. `nonce` is a text that is mixed into the shuffle, so that the
        server cannot choose the cards; without one a random text is used. With a `number` the cards are those of the
        numbered deal, as FreeCell's number 617. A `winnable` deal can be won. Raises NoWinnableDeal if none is found in
        some seconds, another RefusalError, or Unreachable.
        """
        sealed = await self.seal_deal(rules)
        begun = await self.begin_game(sealed.deal, nonce or random_nonce(), number, winnable=winnable)
        return await self.game(begun.game.id)

    async def game(self, id: str) -> Game:
        """Follow a game: the player's own to play it, another player's to watch it. Returns after the first view.

        Raises NotFound, another RefusalError, or Unreachable.
        """
        card = (await self.show_game(id)).game
        game = Game(self.socket, id, await self.rules(card.rules))
        try:
            await game.ready()
        except ClientError:
            game.close()
            raise
        return game

    async def enter_round(self, evening: str) -> Game:
        """Open the deal of the open round of an evening, or the next one of an arena, or go on with it.

        Who has not entered enters. The deal of a round that the player has played comes back as the game that is over.
        Raises Conflict if no round is open, another RefusalError, or Unreachable.
        """
        return await self.game((await self.open_evening_deal(evening)).game)

    async def rules(self, slug: str) -> RulesPage:
        """Return one set of rules in this client's `language`; requested only once. Raises NotFound or Unreachable."""
        key = slug, self.language
        if key not in self._rules:
            self._rules[key] = await self.show_rules(slug, self.language)
        return self._rules[key]

    async def keep_receipt(self, id: str, folder: Path) -> Path:
        """Write the receipt of the player's own finished game into this folder, and return its file.

        It is the host's signed promise that the log will have this end (`cadogan.sdk.receipts`). Raises Conflict before
        the end, another RefusalError, Unreachable, or OSError.
        """
        return receipts.write_receipt(folder, self.address, await self.give_receipt(id))

    def watch_day(self, day: str, listener: Listener) -> Callable[[], None]:
        """Call the listener with each `DayProgress` of a day, or with the RefusalError that ends this.

        Returns a function that stops it.
        """
        return self.socket.watch(wire.WatchDay(id="-", day=day), listener)

    def watch_race(self, race: str, listener: Listener) -> Callable[[], None]:
        """Call the listener with each `Race` message of a race, or with the RefusalError that ends this.

        Returns a function that stops it.
        """
        return self.socket.watch(wire.WatchRace(id="-", race=race), listener)

    def watch_board(self, board: str, listener: Listener) -> Callable[[], None]:
        """Call the listener with each `BoardChanged` of a leaderboard, or with the RefusalError that ends this.

        Returns a function that stops it.
        """
        return self.socket.watch(boards.WatchBoard(id="-", board=board), listener)

    def watch_analysis(self, id: str, listener: Listener) -> Callable[[], None]:
        """Call the listener with each `AnalysisChanged` of a finished game, or with the RefusalError that ends this.

        Returns a function that stops it.
        """
        return self.socket.watch(WatchAnalysis(id="-", game=id), listener)

    def watch_talk(self, group: str, listener: Listener) -> Callable[[], None]:
        """Call the listener with each `Talk` of a group, or with the RefusalError that ends this.

        Returns a function that stops it.
        """
        return self.socket.watch(WatchTalk(id="-", group=group), listener)

    async def follow_analysis(self, id: str) -> AsyncIterator[Analysis]:
        """Request the analysis of a finished game. Yields its state now and after each change, until it is done.

        Raises RefusalError or Unreachable.
        """
        latest = await self.analyse_game(id)
        yield latest
        if latest.state == "done":
            return
        news: asyncio.Queue[ServerMessage | ClientError] = asyncio.Queue()
        stop = self.watch_analysis(id, news.put_nowait)
        try:
            while True:
                message = await news.get()
                if isinstance(message, ClientError):
                    raise message
                if isinstance(message, AnalysisChanged) and message.analysis != latest:
                    latest = message.analysis
                    yield latest
                    if latest.state == "done":
                        return
        finally:
            stop()

    async def follow_evening(self, id: str, poll_seconds: float = EVENING_POLL_SECONDS) -> AsyncIterator[Evening]:
        """Yield an evening now and after each change, until its standing is final or it is void.

        The evening is requested whenever a round, or the arena, is to open or to close, and at least once in
        `poll_seconds`. Raises RefusalError or Unreachable.
        """
        latest: Evening | None = None
        while True:
            evening = await self.show_evening(id)
            if latest is None or replace(evening, at=latest.at) != latest:
                yield evening
            latest = evening
            if evening.state in ("final", "void"):
                return
            await asyncio.sleep(min(poll_seconds, seconds_until_change(evening)))

    async def renew(self) -> None:
        """Close the socket. The next one opens with the present token: call this after the player has changed."""
        await self.socket.close()
        self.socket = self._make_socket()

    async def close(self) -> None:
        """Close the socket and the HTTP connections for good. Further calls raise Unreachable."""
        await self.socket.close()
        await self.http.close()

    def _make_socket(self) -> ReconnectingSocket:
        address = self.http.origin.replace("http", "ws", 1) + SOCKET_PATH
        return ReconnectingSocket(address, lambda: self.http.headers, self.http.timeout_seconds)


def seconds_until_change(evening: Evening) -> float:
    """Return after how many seconds an evening changes by the clock, not counting what people do; inf for never."""
    times = [evening.entry_opens_at, evening.final_at]
    spans = evening.rounds if evening.arena is None else [evening.arena]
    times += [time for one in spans for time in (one.opens_at, one.closes_at)]
    coming = [time - evening.at for time in times if time > evening.at]
    return (min(coming) + AFTER_CHANGE_MILLISECONDS) / 1000 if coming else inf


def random_nonce() -> str:
    """Return sixteen random letters, to mix into a deal so that nobody else can choose its cards."""
    return "".join(secrets.choice(ascii_lowercase) for _ in range(16))


@asynccontextmanager
async def connect(
    address: str, token: str | None = None, guest: bool = True, timeout_seconds: float = REQUEST_TIMEOUT_SECONDS
) -> AsyncIterator[Client]:
    """Yield a client of the server at this address, and close it at the end.

        async with connect("https://patience.example") as cadogan:
            game = await cadogan.deal("klondike")

    With a `token` the client is the player whose token it is. Without one it begins as a new guest, or with
    `guest=False` as an anonymous spectator. Every request waits at most `timeout_seconds` for its answer, all attempts
    together.

    Raises BadAddress, Unreachable, or a RefusalError.
    """
    client = Client(HttpClient(address, token, timeout_seconds))
    try:
        if token is None and guest:
            await client.begin_as_guest()
        yield client
    finally:
        await client.close()
