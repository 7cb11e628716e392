"""A program's way into a server: what HTTP answers, and games that are alive."""

import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from string import ascii_lowercase

from clients.sdk.api import Api
from clients.sdk.errors import ClientError
from clients.sdk.game import Game
from clients.sdk.http import Http
from clients.sdk.protocol import Watch
from clients.sdk.reconnecting_socket import Line, Listener
from clients.wire import messages as wire
from clients.wire.bodies import RulesPage

SOCKET = "/ws/v1"


class Client(Api):
    """One player at one server, or nobody who only looks on. `connect` makes one.

    Its methods are those of `Api`, which ask over HTTP, and these, which give games over the socket.
    """

    def __init__(self, http: Http) -> None:
        super().__init__(http)
        self._line: Line | None = None
        self._rules: dict[str, RulesPage] = {}

    @property
    def address(self) -> str:
        """The server's address."""
        return self.http.origin

    @property
    def token(self) -> str | None:
        """What proves who one is: with it one is the same player another time."""
        return self.http.token

    @property
    def line(self) -> Line:
        """The socket."""
        if self._line is None:
            self._line = Line(self.http.origin.replace("http", "ws", 1) + SOCKET, self.http.headers)
        return self._line

    async def enter(self, day: str = "today", slot: int = 1) -> Game:
        """One's ranked attempt at a deal of a day, begun or found. Raises AlreadyPlayed, DayNotOpen, …"""
        return await self.game((await self.enter_daily(day, slot)).game.id)

    async def practise(self, day: str = "today", slot: int = 1) -> Game:
        """A run of a day's deal that does not count. Raises SpoilerEmbargo while one's own attempt still may."""
        return await self.game((await self.enter_daily(day, slot, practice=True)).game.id)

    async def deal(self, rules: str, nonce: str | None = None) -> Game:
        """A new game by these rules; one's own words, drawn by chance if they are not given, make its cards."""
        sealed = await self.seal_deal(rules)
        return await self.game((await self.begin_game(sealed.deal, nonce or chance_words())).game.id)

    async def game(self, id: str) -> Game:
        """A game, one's own to play or another's to watch, as soon as its first view is there.

        Raises NotFound, another RefusalError, or Unreachable.
        """
        card = (await self.show_game(id)).game
        game = Game(self.line, id, await self.rules(card.rules))
        try:
            await game.ready()
        except ClientError:
            game.close()
            raise
        return game

    async def rules(self, slug: str) -> RulesPage:
        """One set of rules, asked for once. Raises NotFound."""
        if slug not in self._rules:
            self._rules[slug] = await self.show_rules(slug)
        return self._rules[slug]

    def watch_day(self, day: str, heard: Listener) -> Callable[[], None]:
        """Be told `DayProgress` until the answer is called; a RefusalError where that is refused."""
        return self._watch(wire.WatchDay(id="-", day=day), heard)

    def watch_race(self, race: str, heard: Listener) -> Callable[[], None]:
        """Be told `Race` until the answer is called; a RefusalError where that is refused."""
        return self._watch(wire.WatchRace(id="-", race=race), heard)

    def watch_board(self, board: str, heard: Listener) -> Callable[[], None]:
        """Be told `BoardChanged` until the answer is called; a RefusalError where that is refused."""
        return self._watch(wire.WatchBoard(id="-", board=board), heard)

    async def renew(self) -> None:
        """Drop the socket, so that the next is opened as whoever one is now."""
        if self._line is not None:
            await self._line.close()
            self._line = None

    async def close(self) -> None:
        """Close everything."""
        await self.renew()
        await self.http.close()

    def _watch(self, watch: Watch, heard: Listener) -> Callable[[], None]:
        return self.line.watch(watch, heard)


def chance_words() -> str:
    """Sixteen letters drawn by chance, mixed into a deal so that nobody else can choose it."""
    return "".join(secrets.choice(ascii_lowercase) for _ in range(16))


@asynccontextmanager
async def connect(address: str, token: str | None = None, guest: bool = True) -> AsyncIterator[Client]:
    """A client of the server at this address, as whoever the token belongs to.

    Without a token one is a new guest, or with `guest=False` nobody, who may only look on.

    Raises BadAddress, Unreachable, or a RefusalError.
    """
    client = Client(Http(address, token))
    try:
        if token is None and guest:
            await client.begin_as_guest()
        yield client
    finally:
        await client.close()
