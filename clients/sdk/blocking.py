"""The same for scripts: every call waits for its answer.

    with connect("http://127.0.0.1:8000") as cadogan:
        game = cadogan.deal("klondike")
        game.play("deal")
        print(game)

The socket lives in a thread of its own, so a game is kept up to date while the script does other things. What has no
method here is asked through `run`: ``cadogan.run(cadogan.client.list_live_games())``.
"""

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any, TypeVar

from clients.sdk import client, game
from clients.sdk.moves import Move
from clients.sdk.session import Faces, Session
from clients.wire.boards import Board
from clients.wire.bodies import Daily

Answer = TypeVar("Answer")


class Game:
    """A game whose calls wait. It always shows the latest that the server has told."""

    def __init__(self, client: "Client", game: game.Game) -> None:
        self._client = client
        self._game = game
        self.id = game.id
        self.rules = game.rules

    @property
    def session(self) -> Session:
        """Everything known of it, as a value that never changes."""
        return self._game.session

    @property
    def moves(self) -> tuple[Move, ...]:
        """The legal moves; only one's own game has any."""
        return self._game.moves

    @property
    def piles(self) -> dict[str, Faces]:
        """The cards of each pile, from the bottom."""
        return self._game.piles

    @property
    def status(self) -> str:
        """Whether it is being played, or how it ended."""
        return self._game.status

    @property
    def over(self) -> bool:
        """Whether nothing more can be played."""
        return self._game.over

    @property
    def score(self) -> int:
        """The score by the game's rules."""
        return self._game.score

    @property
    def played(self) -> int:
        """Moves played."""
        return self._game.played

    def play(self, move: Move | str) -> "Game":
        """Play a move; this game, to print or to go on with. Raises RefusalError or Unreachable."""
        self._client.run(self._game.play(move))
        return self

    def take_back(self) -> "Game":
        """Take the last move back. Raises RefusalError or Unreachable."""
        self._client.run(self._game.take_back())
        return self

    def resign(self) -> "Game":
        """Give the game up. Raises RefusalError or Unreachable."""
        self._client.run(self._game.resign())
        return self

    def __str__(self) -> str:
        return str(self._game)


class Client:
    """One player at one server; `client` is the same without waiting, to be used within `run`."""

    def __init__(self, client: client.Client, loop: asyncio.AbstractEventLoop) -> None:
        self.client = client
        self._loop = loop

    @property
    def token(self) -> str | None:
        """What proves who one is: with it one is the same player another time."""
        return self.client.token

    def run(self, work: Coroutine[Any, Any, Answer]) -> Answer:
        """Do something of the client without waiting, and wait for it. Raises what that raises."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def daily(self, day: str = "today") -> Daily:
        """One day's card of deals."""
        return self.run(self.client.show_daily(day))

    def board(self, name: str) -> Board:
        """The best places of a board."""
        return self.run(self.client.show_board(name))

    def enter(self, day: str = "today", slot: int = 1) -> Game:
        """One's ranked attempt at a deal of a day, begun or found."""
        return Game(self, self.run(self.client.enter(day, slot)))

    def practise(self, day: str = "today", slot: int = 1) -> Game:
        """A run of a day's deal that does not count."""
        return Game(self, self.run(self.client.practise(day, slot)))

    def deal(self, rules: str, nonce: str | None = None) -> Game:
        """A new game by these rules."""
        return Game(self, self.run(self.client.deal(rules, nonce)))

    def game(self, id: str) -> Game:
        """A game, one's own to play or another's to watch."""
        return Game(self, self.run(self.client.game(id)))


@contextmanager
def connect(address: str, token: str | None = None, guest: bool = True) -> Iterator[Client]:
    """A client whose calls wait; see `clients.sdk.connect`. Raises BadAddress, Unreachable, or a RefusalError."""
    loop = asyncio.new_event_loop()
    thread = Thread(target=loop.run_forever, name="cadogan", daemon=True)
    thread.start()
    opened = client.connect(address, token, guest)
    try:
        made = asyncio.run_coroutine_threadsafe(opened.__aenter__(), loop).result()
        try:
            yield Client(made, loop)
        finally:
            asyncio.run_coroutine_threadsafe(opened.__aexit__(None, None, None), loop).result()
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
