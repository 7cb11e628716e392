"""The SDK without `async`: every call waits for its answer.

    with connect("http://127.0.0.1:8000") as cadogan:
        game = cadogan.deal("klondike")
        game.play("deal")
        print(game)

The socket lives in a thread of its own, so games stay up to date while the script does other things. For everything
that has no method here use `run` with the asynchronous client: ``cadogan.run(cadogan.client.list_live_games())``.
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
    """A game whose methods wait for the server. Its properties have the latest state that the server has sent."""

    def __init__(self, client: "Client", game: game.Game) -> None:
        self._client = client
        self._game = game
        self.id = game.id
        self.rules = game.rules

    @property
    def session(self) -> Session:
        """The state of the game as this client may see it, as a value that never changes."""
        return self._game.session

    @property
    def moves(self) -> tuple[Move, ...]:
        """The legal moves. Empty for a game of another player."""
        return self._game.moves

    @property
    def piles(self) -> dict[str, Faces]:
        """The cards of each pile, from the bottom. Empty while the player may not see the cards."""
        return self._game.piles

    @property
    def status(self) -> str:
        """`playing`, `stuck`, or how the game ended."""
        return self._game.status

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._game.over

    @property
    def score(self) -> int:
        """The score by the rules of the game."""
        return self._game.score

    @property
    def played(self) -> int:
        """How many moves have been played."""
        return self._game.played

    def play(self, move: Move | str) -> "Game":
        """Play a move, and return this game. Raises RefusalError or Unreachable."""
        self._client.run(self._game.play(move))
        return self

    def take_back(self) -> "Game":
        """Take back the last move, and return this game. Raises RefusalError or Unreachable."""
        self._client.run(self._game.take_back())
        return self

    def resign(self) -> "Game":
        """Resign the game, and return it. Raises RefusalError or Unreachable."""
        self._client.run(self._game.resign())
        return self

    def __str__(self) -> str:
        return str(self._game)


class Client:
    """One player at one server. `client` is the asynchronous client, whose methods are called through `run`."""

    def __init__(self, client: client.Client, loop: asyncio.AbstractEventLoop) -> None:
        self.client = client
        self._loop = loop

    @property
    def token(self) -> str | None:
        """The secret that identifies the player. Keep it to be the same player next time; None for nobody."""
        return self.client.token

    def run(self, call: Coroutine[Any, Any, Answer]) -> Answer:
        """Run a method of the asynchronous client, wait for its result and return it. Raises what the method raises."""
        return asyncio.run_coroutine_threadsafe(call, self._loop).result()

    def daily(self, day: str = "today") -> Daily:
        """Return a day with its deals. Raises NotFound or Unreachable."""
        return self.run(self.client.show_daily(day))

    def board(self, name: str) -> Board:
        """Return the best places of a leaderboard. Raises NotFound or Unreachable."""
        return self.run(self.client.show_board(name))

    def enter(self, day: str = "today", slot: int = 1) -> Game:
        """Begin or continue the player's ranked attempt at a deal of a day. See `cadogan.sdk.Client.enter`."""
        return Game(self, self.run(self.client.enter(day, slot)))

    def practise(self, day: str = "today", slot: int = 1) -> Game:
        """Begin an unranked run of a deal of a day. See `cadogan.sdk.Client.practise`."""
        return Game(self, self.run(self.client.practise(day, slot)))

    def deal(self, rules: str, nonce: str | None = None) -> Game:
        """Begin a new casual game by these rules. See `cadogan.sdk.Client.deal`."""
        return Game(self, self.run(self.client.deal(rules, nonce)))

    def game(self, id: str) -> Game:
        """Follow a game: the player's own to play it, another player's to watch it. See `cadogan.sdk.Client.game`."""
        return Game(self, self.run(self.client.game(id)))


@contextmanager
def connect(address: str, token: str | None = None, guest: bool = True) -> Iterator[Client]:
    """Yield a client whose methods wait for the server. See `cadogan.sdk.connect` for the parameters and errors."""
    loop = asyncio.new_event_loop()
    thread = Thread(target=loop.run_forever, name="cadogan", daemon=True)
    thread.start()
    connecting = client.connect(address, token, guest)
    try:
        connected = asyncio.run_coroutine_threadsafe(connecting.__aenter__(), loop).result()
        try:
            yield Client(connected, loop)
        finally:
            asyncio.run_coroutine_threadsafe(connecting.__aexit__(None, None, None), loop).result()
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
