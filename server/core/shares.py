"""The share of the database that the clients of one network address may use.

A request or a message waits until few enough others of its address hold a connection, and the time for which it holds
one is charged to the address afterwards. What a node does for everybody waits for no address: work in tasks of its own,
such as batched look-ups, and work under a `SharedLock`.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar, Token
from time import perf_counter
from types import TracebackType

from cadogan.server.core.rate_limits import AddressLimit, Turns

FREE_MILLISECONDS = 50.0
"""A use of the database that is as short as this costs nothing: the wait of a busy event loop is in it, too."""


class Share:
    """The share of the database that the current task may use for one network address."""

    __slots__ = ("_address", "_limit", "_turns", "task")

    def __init__(self, address: str, turns: Turns, limit: AddressLimit) -> None:
        self._address = address
        self._turns = turns
        self._limit = limit
        self.task = asyncio.current_task()

    @asynccontextmanager
    async def turn(self, charged: bool) -> AsyncIterator[None]:
        """Wait for a turn and hold it. Raises TooMany if too many of the same address wait.

        If `charged` is set, the time is charged at the end, unless the use has failed. An address in debt is charged
        no more, so an outage of the database leaves nobody with a debt of minutes.
        """
        async with self._turns.of(self._address):
            started = perf_counter()
            token = _share.set(None)
            try:
                yield
            finally:
                _share.reset(token)
            milliseconds = (perf_counter() - started) * 1000
        bucket = self._limit.bucket(self._address)
        if charged and milliseconds > FREE_MILLISECONDS and not bucket.is_in_debt():
            bucket.charge_later(milliseconds)


_share: ContextVar[Share | None] = ContextVar("share", default=None)


def use_share(share: Share) -> None:
    """Let the current task use the database for an address from now on."""
    _share.set(share)


@asynccontextmanager
async def in_turn(*, charged: bool = True) -> AsyncIterator[None]:
    """Hold a turn of the current task's address while the context is open; uses within this one wait for no other."""
    share = _share.get()
    if share is None or share.task is not asyncio.current_task():
        yield
        return
    async with share.turn(charged):
        yield


class SharedLock(asyncio.Lock):
    """A lock whose holder needs no turn, so that the queue for turns does not delay tasks that wait for the lock."""

    def __init__(self) -> None:
        super().__init__()
        self._token: Token[Share | None] | None = None

    async def __aenter__(self) -> None:
        await super().__aenter__()
        self._token = _share.set(None)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        token, self._token = self._token, None  # a token refers to the whole request, which must not stay in memory
        assert token is not None
        _share.reset(token)
        await super().__aexit__(kind, error, trace)
