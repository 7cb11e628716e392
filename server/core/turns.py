"""Turns: how many requests and messages of one network address are carried out at the same time.

What is beyond that waits, in the order in which it came. So whoever asks for much waits for itself, and everybody else
waits for a few requests of each address and not for all that it has sent.
"""

from asyncio import Semaphore
from types import TracebackType
from weakref import WeakValueDictionary

from cadogan.server.core.errors import TooMany
from cadogan.server.core.rate_limits import network_of


class _Line(Semaphore):
    """Those of one address who have their turn, and those who wait."""

    waiting = 0


class Turn:
    """The turn of one request or message. Use it as a context, which waits for the turn and gives it back."""

    __slots__ = ("_is_taken", "_line", "_most_waiting")

    def __init__(self, line: _Line, most_waiting: int) -> None:
        self._line = line
        self._most_waiting = most_waiting
        self._is_taken = False

    async def take(self) -> None:
        """Wait for the turn. Raises TooMany if too many of the same address wait."""
        if self._line.waiting >= self._most_waiting:
            raise TooMany("Too many open connections from one address: at most {count}.", count=self._most_waiting)
        self._line.waiting += 1
        try:
            await self._line.acquire()
        finally:
            self._line.waiting -= 1
        self._is_taken = True

    def give_back(self) -> None:
        """Let the next one have its turn; do nothing if this one was given back before."""
        if self._is_taken:
            self._is_taken = False
            self._line.release()

    async def __aenter__(self) -> "Turn":
        await self.take()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.give_back()


class Turns:
    """The turns of each network address; all IPv6 addresses of one /64 network count as one."""

    def __init__(self, at_once: int, most_waiting: int) -> None:
        self._concurrency_limit = at_once
        self._most_waiting = most_waiting
        self._lines: WeakValueDictionary[str, _Line] = WeakValueDictionary()

    def of(self, address: str) -> Turn:
        """Return a turn of this address, not taken yet."""
        network = network_of(address)
        line = self._lines.get(network)
        if line is None:
            line = self._lines[network] = _Line(self._concurrency_limit)
        return Turn(line, self._most_waiting)
