"""The share of the database that the clients of one network address may use.

A request or a message waits until few enough others of its address hold a connection, and the time for which it holds
one is charged to the address afterwards. What a node does for everybody waits for no address: work in tasks of its own,
such as batched look-ups, and work under a `SharedLock`.
"""

import asyncio
from contextvars import ContextVar, Token
from time import perf_counter
from types import TracebackType

from cadogan.server.core.rate_limits import AddressLimit, Turns

FREE_MILLISECONDS = 50.0
"""A use of the database that is as short as this costs nothing: the wait of a busy event loop is in it, too."""


class Share:
    """The share of the database that the current task may use for one network address."""

    __slots__ = ("_address", "_limit", "task", "turn")

    def __init__(self, address: str, turns: Turns, limit: AddressLimit) -> None:
        self._address = address
        self._limit = limit
        self.task = asyncio.current_task()
        self.turn = turns.of(address)

    def charge(self, milliseconds: float) -> None:
        """Charge the time of a use.

        An address in debt is charged no more, so an outage of the database leaves nobody with a debt of minutes.
        """
        if milliseconds > FREE_MILLISECONDS and not (bucket := self._limit.bucket(self._address)).is_in_debt():
            bucket.charge_later(milliseconds)


_share: ContextVar[Share | None] = ContextVar("share", default=None)


def use_share(share: Share) -> None:
    """Let the current task use the database for an address from now on."""
    _share.set(share)


class InTurn:
    """Holds a turn of the current task's address while the context is open; uses within this one wait for no other.

    Raises TooMany if too many of the same address wait. If `charged` is set, the time is charged at the end, unless the
    use has failed. It is a class because every use of the database opens one: a generator takes five times as long.
    """

    __slots__ = ("_charged", "_share", "_started", "_token")

    def __init__(self, *, charged: bool = True) -> None:
        self._charged = charged
        self._share: Share | None = None

    async def __aenter__(self) -> None:
        share = _share.get()
        if share is None or share.task is not asyncio.current_task():
            return
        await share.turn.take()
        self._share = share
        self._token = _share.set(None)
        self._started = perf_counter()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._share is None:
            return
        _share.reset(self._token)
        self._share.turn.give_back()
        if self._charged and kind is None:
            self._share.charge((perf_counter() - self._started) * 1000)


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
