"""A game one can play, watch and print."""

import asyncio
from collections.abc import AsyncIterator, Callable

from clients.sdk.errors import ClientError, Unreachable
from clients.sdk.moves import Move
from clients.sdk.reconnecting_socket import PATIENCE, Line
from clients.sdk.session import UNKNOWN, Faces, Session
from clients.sdk.text_canvas import draw
from clients.sdk.text_layout import PLAIN, arrange
from clients.wire import messages as wire
from clients.wire.bodies import RulesPage
from clients.wire.messages import ServerMessage
from clients.wire.values import Status


class Game:
    """A game that is followed: what is known of it is always the latest the server has told.

    `print(game)` draws it. It is heard until `close`.
    """

    def __init__(self, line: Line, id: str, rules: RulesPage) -> None:
        self.id = id
        self.rules = rules
        self._line = line
        self._heard: set[Callable[[ServerMessage], None]] = set()
        self._following: set[asyncio.Queue[Session | ClientError]] = set()
        self._ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._kept: Session | None = None
        self._stop = line.follow(id, self._hear)
        if self.session.game is not None:
            self._ready.set_result(None)

    @property
    def session(self) -> Session:
        """Everything known of it, as a value that never changes."""
        return self._kept or self._line.conversation.sessions.get(self.id, UNKNOWN)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The legal moves; only one's own game has any."""
        return self.session.moves

    @property
    def piles(self) -> dict[str, Faces]:
        """The cards of each pile, from the bottom; nothing while the board may not be seen."""
        return self.session.piles or {}

    @property
    def status(self) -> Status:
        """Whether it is being played, or how it ended."""
        return self.session.status

    @property
    def over(self) -> bool:
        """Whether nothing more can be played."""
        return self.session.over

    @property
    def score(self) -> int:
        """The score by the game's rules."""
        return self.session.score

    @property
    def home(self) -> int:
        """Cards home."""
        return self.session.home

    @property
    def played(self) -> int:
        """Moves played."""
        return self.session.played

    @property
    def connected(self) -> bool:
        """Whether the socket stands open; while it does not, moves wait."""
        return self._line.is_open

    async def ready(self) -> None:
        """Wait for the first view of it. Raises RefusalError where it may not be followed, or Unreachable."""
        try:
            async with asyncio.timeout(PATIENCE):
                await self._ready
        except TimeoutError:
            raise Unreachable(f"the server has not shown the game for {PATIENCE:g} seconds") from None

    async def play(self, move: Move | str) -> None:
        """Play a move, and wait until the server has it for good.

        Raises IllegalMove, StaleVersion, NotYourSeat, GameOver or another RefusalError; Unreachable.
        """
        line = self._line
        await line.request(
            wire.Play(id=line.conversation.new_id(), game=self.id, version=self.session.version, move=str(move))
        )

    async def take_back(self) -> None:
        """Take the last move back. Raises NothingToTakeBack, TakeBackRevealed or another RefusalError; Unreachable."""
        line = self._line
        await line.request(wire.TakeBack(id=line.conversation.new_id(), game=self.id, version=self.session.version))

    async def resign(self) -> None:
        """Give the game up. Raises GameOver or another RefusalError; Unreachable."""
        line = self._line
        await line.request(wire.Resign(id=line.conversation.new_id(), game=self.id, version=self.session.version))

    def listen(self, heard: Callable[[ServerMessage], None]) -> Callable[[], None]:
        """Be told of every message of this game, after the session has taken it in, until the answer is called."""
        self._heard.add(heard)
        return lambda: self._heard.discard(heard)

    async def changes(self) -> AsyncIterator[Session]:
        """The session now and after each change, to the end of the game.

        Raises what ends the connection for good: Unauthorized once one is signed out, Unreachable.
        """
        news: asyncio.Queue[Session | ClientError] = asyncio.Queue()
        self._following.add(news)
        try:
            latest: Session | ClientError = self.session
            while not isinstance(latest, ClientError):
                yield latest
                if latest.over:
                    return
                latest = await news.get()
            raise latest
        finally:
            self._following.discard(news)

    def close(self) -> None:
        """Hear nothing more of it; what is known stays."""
        self._kept = self.session
        self._stop()

    def __str__(self) -> str:
        session = self.session
        heading = f"{self.rules.name}: score {session.score} of {self.rules.maximum}, "
        heading += f"{session.home} home, {session.played} moves, {session.status.replace('_', ' ')}"
        if session.piles is None:
            return heading
        return f"{heading}\n\n{draw(arrange(self.rules.layout.piles, session.piles, PLAIN))}"

    def _hear(self, message: ServerMessage | ClientError) -> None:
        if isinstance(message, ClientError):
            if not self._ready.done():
                self._ready.set_exception(message)
            self._publish(message)
            return
        if not self._ready.done() and self.session.game is not None:
            self._ready.set_result(None)
        self._publish(self.session)
        for heard in tuple(self._heard):
            heard(message)

    def _publish(self, news: Session | ClientError) -> None:
        for following in self._following:
            following.put_nowait(news)
