"""A game that a program can play, watch and print."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable
from typing import Self

from cadogan.sdk.errors import ClientError, Unreachable
from cadogan.sdk.moves import Move
from cadogan.sdk.reconnecting_socket import ReconnectingSocket
from cadogan.sdk.session import UNKNOWN, Faces, Session
from cadogan.sdk.text_canvas import draw
from cadogan.sdk.text_layout import PLAIN_SCALE, lay_out
from cadogan.wire import messages as wire
from cadogan.wire.analysis import AskIfWinnable, Winnability
from cadogan.wire.bodies import RulesPage
from cadogan.wire.messages import ServerMessage
from cadogan.wire.values import Status


class GameProperties(ABC):
    """The properties of a game in both SDKs, read from its `session`."""

    rules: RulesPage

    @property
    @abstractmethod
    def session(self) -> Session:
        """The state of the game as this client may see it, as a value that never changes."""

    @property
    def moves(self) -> tuple[Move, ...]:
        """The legal moves. Empty for a game of another player."""
        return self.session.moves

    @property
    def piles(self) -> dict[str, Faces]:
        """The cards of each pile, from the bottom. Empty while the player may not see the cards."""
        return self.session.piles or {}

    @property
    def status(self) -> Status:
        """`playing`, `stuck`, or how the game ended."""
        return self.session.status

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.session.over

    @property
    def score(self) -> int:
        """The score by the rules of the game."""
        return self.session.score

    @property
    def home(self) -> int:
        """How many cards lie on the foundations."""
        return self.session.home

    @property
    def played(self) -> int:
        """How many moves have been played."""
        return self.session.played

    def __str__(self) -> str:
        session = self.session
        heading = f"{self.rules.name}: score {session.score} of {self.rules.maximum}, "
        heading += f"{session.home} home, {session.played} moves, {session.status.replace('_', ' ')}"
        if session.piles is None:
            return heading
        return f"{heading}\n\n{draw(lay_out(self.rules.layout.piles, session.piles, PLAIN_SCALE))}"


class Game(GameProperties):
    """A game that is followed over the socket: its properties always have the latest state that the server has sent.

    `Client.game`, `deal`, `enter` and `practise` return one. `print(game)` draws it. `close` ends the subscription.
    """

    def __init__(self, socket: ReconnectingSocket, id: str, rules: RulesPage) -> None:
        self.id = id
        self.rules = rules
        self.socket = socket
        self._listeners: set[Callable[[ServerMessage], None]] = set()
        self._queues: set[asyncio.Queue[Session | ClientError | None]] = set()
        """One for each running `changes`. None ends it."""
        self._error: ClientError | None = None
        """The error that has ended the connection."""
        self._ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._last_session: Session | None = None
        """The session at the moment of closing; None before."""
        self._stop = socket.subscribe(id, self._receive)
        if self.session.game is not None:
            self._ready.set_result(None)

    @property
    def session(self) -> Session:
        """The state of the game as this client may see it, as a value that never changes."""
        return self._last_session or self.socket.protocol.sessions.get(self.id, UNKNOWN)

    @property
    def connected(self) -> bool:
        """Whether the socket is open. While it is not, commands wait."""
        return self.socket.is_open

    async def ready(self) -> None:
        """Wait for the first view of the game. Raises RefusalError if the player may not follow it, or Unreachable."""
        try:
            async with asyncio.timeout(seconds := self.socket.timeout_seconds):
                await self._ready
        except TimeoutError:
            raise Unreachable(f"the server has not shown the game for {seconds:g} seconds") from None

    async def play(self, move: Move | str) -> Self:
        """Play a move, and return this game when the server has stored the move.

        Raises IllegalMove, StaleVersion, NotYourSeat, GameOver or another RefusalError; Unreachable.
        """
        await self.socket.request(
            wire.Play(id=self._new_id(), game=self.id, version=self.session.version, move=str(move))
        )
        return self

    async def take_back(self) -> Self:
        """Take back the last move, and return this game.

        Raises NothingToTakeBack, TakeBackRevealed or another RefusalError; Unreachable.
        """
        await self.socket.request(wire.TakeBack(id=self._new_id(), game=self.id, version=self.session.version))
        return self

    async def resign(self) -> Self:
        """Resign the game, and return it. Where no move is left (status `stuck`) this finishes it as `lost`.

        Raises GameOver or another RefusalError; Unreachable.
        """
        await self.socket.request(wire.Resign(id=self._new_id(), game=self.id, version=self.session.version))
        return self

    async def finish(self) -> Self:
        """Play the rest of the game while nothing is left to decide, as `session.finish` says, and return this game.

        Raises RefusalError or Unreachable; the moves until then stay played.
        """
        while self.session.mine and (move := self.session.finish):
            await self.play(move)
        return self

    async def hint(self) -> str | None:
        """Return a legal move that the server suggests; None if it finds none.

        It uses only the cards that the player sees. Raises NoHints in ranked games and races, or another RefusalError;
        Unreachable.
        """
        answer = await self.socket.request(
            wire.AskForHint(id=self._new_id(), game=self.id, version=self.session.version)
        )
        return answer.move if isinstance(answer, wire.Hint) else None

    async def ask_if_winnable(self) -> Winnability:
        """Return whether this position can still be won, with the `steps` of a winning line if it can.

        The server searches with every card open. If that takes longer than the timeout of a request, `verdict` is None:
        call again later. Raises NoHints in ranked games and in deals that others may still play, or another
        RefusalError; Unreachable.
        """
        request = AskIfWinnable(id=self._new_id(), game=self.id, version=self.session.version)
        said: list[ServerMessage] = []
        stop = self.listen(said.append)
        try:
            answer = await self.socket.request(request)
        except Unreachable:
            if not (asked := [one for one in said if isinstance(one, Winnability) and one.id == request.id]):
                raise
            answer = asked[-1]
        finally:
            stop()
        assert isinstance(answer, Winnability)
        return answer

    def listen(self, listener: Callable[[ServerMessage], None]) -> Callable[[], None]:
        """Call the listener with every message about this game, once `session` includes it.

        Returns a function that removes the listener.
        """
        self._listeners.add(listener)
        return lambda: self._listeners.discard(listener)

    async def changes(self) -> AsyncIterator[Session]:
        """Yield the session now and after each change, until the game ends or `close` is called.

        Raises the error that ends the connection: Unauthorized when the player was signed out, or Unreachable.
        """
        queue: asyncio.Queue[Session | ClientError | None] = asyncio.Queue()
        queue.put_nowait(self.session)
        if self._last_session is not None or self._error is not None:
            queue.put_nowait(self._error)
        self._queues.add(queue)
        try:
            while (latest := await queue.get()) is not None:
                if isinstance(latest, ClientError):
                    raise latest
                yield latest
                if latest.over:
                    return
        finally:
            self._queues.discard(queue)

    def close(self) -> None:
        """End the subscription. The properties keep the last state."""
        self._last_session = self.session
        self._stop()
        self._publish(None)

    def _new_id(self) -> str:
        return self.socket.protocol.new_id()

    def _receive(self, message: ServerMessage | ClientError) -> None:
        if isinstance(message, ClientError):
            self._error = message
            if not self._ready.done():
                self._ready.set_exception(message)
            self._publish(message)
            return
        if not self._ready.done() and self.session.game is not None:
            self._ready.set_result(None)
        self._publish(self.session)
        for listener in tuple(self._listeners):
            listener(message)

    def _publish(self, news: Session | ClientError | None) -> None:
        for queue in self._queues:
            queue.put_nowait(news)
