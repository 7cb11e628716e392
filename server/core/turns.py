"""Turns: a limit on the concurrent requests and messages of one network address.

Requests above the limit wait in order of arrival. A client that sends many requests therefore delays mainly itself:
others wait for only a few of its requests at a time.
"""

from asyncio import Semaphore
from types import TracebackType
from weakref import WeakValueDictionary

from cadogan.server.core.errors import TooMany
from cadogan.server.core.rate_limits import network_of


class _Line(Semaphore):
    """The running and the waiting requests of one address."""

    waiting = 0


class Turn:
    """The turn of one request or message. Use it as a context manager, which acquires and releases it."""

    __slots__ = ("_is_taken", "_line", "_most_waiting")

    def __init__(self, line: _Line, most_waiting: int) -> None:
        self._line = line
        self._most_waiting = most_waiting
        self._is_taken = False

    async def take(self) -> None:
        """Wait for the turn. Raises TooMany if too many requests of the same address wait."""
        if self._line.waiting >= self._most_waiting:
            raise TooMany("Too many open connections from one address: at most {count}.", count=self._most_waiting)
        self._line.waiting += 1
        try:
            await self._line.acquire()
        finally:
            self._line.waiting -= 1
        self._is_taken = True

    def give_back(self) -> None:
        """Release the turn to the next request; do nothing if it was released before."""
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
        """Return a turn of this address that is not acquired yet."""
        network = network_of(address)
        line = self._lines.get(network)
        if line is None:
            line = self._lines[network] = _Line(self._concurrency_limit)
        return Turn(line, self._most_waiting)
