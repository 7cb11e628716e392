"""Checks the clock before irreversible actions: opening, drawing and closing days, ending races.

The time of day is compared with the steady clock, which runs since the machine was started and cannot be set, and with
the clock of the database, if it has its own. While they differ by more than `MAX_DIFFERENCE_MILLISECONDS`, nothing
irreversible is done.

    SQLite        the time of day must go on as it was when the process began
    PostgreSQL    the database's clock must do so, and the time of day must agree with it

A clock that was set and then runs evenly for `STEADY_MILLISECONDS` is trusted again: it was wrong at the start. An
operator who knows that it is right restarts the server instead of waiting. A suspended machine makes no difference
where the steady clock includes suspended time (Linux).
"""

import time
from collections.abc import Awaitable, Callable

import structlog

from cadogan.server.core import clock
from cadogan.server.core.clock import Clock

MAX_DIFFERENCE_MILLISECONDS = 60_000
STEADY_MILLISECONDS = 3_600_000
"""A clock that was set is trusted after running evenly for this long."""
MAX_SLEW_MILLISECONDS = 1_000
"""A clock that moves by less against the steady one is being adjusted, and was not set."""
ASK_MILLISECONDS = 30_000
"""Milliseconds between two queries of the database's time."""
ASK_AGAIN_MILLISECONDS = 1_000
"""Milliseconds between two queries while the clocks differ."""

AskTime = Callable[[], Awaitable[int]]
"""Returns the database's time in milliseconds since 1970."""
log = structlog.stdlib.get_logger("cadogan.clock")


def steady_now() -> int:
    """Return the milliseconds since this machine was started, including suspended time where the system supports it."""
    return time.clock_gettime_ns(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)) // 1_000_000


class _Track:
    """The offset of one clock from the steady one: when it was first trusted, and now. Times are milliseconds."""

    def __init__(self, ahead: int, at: int) -> None:
        self.believed = self.ahead = ahead
        self.trusted_since = self._steady_since = at

    def record(self, ahead: int, at: int) -> None:
        """Record the offset at a time of the steady clock; trust it if it has been stable for long enough."""
        if abs(ahead - self.ahead) > MAX_SLEW_MILLISECONDS:
            self.ahead, self._steady_since = ahead, at
        elif at - self._steady_since >= STEADY_MILLISECONDS:
            if self.difference:
                self.trusted_since = at
            self.believed = self.ahead = ahead
            self._steady_since = at

    @property
    def difference(self) -> int:
        """By how much the clock was set since it was trusted; 0 within the limit."""
        return _beyond_limit(self.ahead - self.believed)


class ClockCheck:
    """Compares the clocks of one process: the time of day `now`, a steady one, and optionally the database's.

    The machine's own time is compared with `steady_now`. An injected clock, as in tests, always agrees, unless a steady
    clock is injected as well.
    """

    def __init__(self, now: Clock, steady: Clock | None = None, ask_database: AskTime | None = None) -> None:
        self._now = now
        self._steady = steady = steady_now if steady is None and now is clock.now else steady
        self._ask_database = ask_database
        self._asked_at: int | None = None
        self._track = None if steady is None or ask_database else _Track(now() - steady(), steady())
        self._clocks_differ = False

    async def agree(self) -> bool:
        """Return whether irreversible actions are allowed now. Raises what the driver raises."""
        if self._steady is None:
            return True
        if self._ask_database is not None and self._must_ask(self._steady()):
            await self._ask(self._steady, self._ask_database)
        difference = self.difference()
        if bool(difference) != self._clocks_differ:
            self._clocks_differ = bool(difference)
            if difference:
                log.error("clocks_part", seconds=round(difference / 1000), then="nothing is opened, drawn or closed")
            else:
                log.warning("clocks_agree")
        return not difference

    def difference(self) -> int:
        """Return the clocks' difference in milliseconds: negative if the time of day is behind, 0 if they agree."""
        if self._steady is None or self._track is None:
            return 0
        at = self._steady()
        ahead = self._now() - at
        if self._ask_database is not None:
            return _beyond_limit(ahead - self._track.ahead) or self._track.difference
        self._track.record(ahead, at)
        return self._track.difference

    def agreed_milliseconds(self) -> int:
        """Return for how many milliseconds the clocks have agreed; without a steady clock, `EVEN_MILLISECONDS`."""
        if self._steady is None:
            return STEADY_MILLISECONDS
        return 0 if self._track is None or self.difference() else self._steady() - self._track.trusted_since

    def _must_ask(self, at: int) -> bool:
        pause = ASK_AGAIN_MILLISECONDS if self._clocks_differ else ASK_MILLISECONDS
        return self._asked_at is None or at - self._asked_at >= pause

    async def _ask(self, steady: Clock, ask: AskTime) -> None:
        before = steady()
        network_time = await ask()
        self._asked_at = steady()
        ahead = network_time - (before + self._asked_at) // 2
        if self._track is None:
            self._track = _Track(ahead, self._asked_at)
        else:
            self._track.record(ahead, self._asked_at)


def _beyond_limit(difference: int) -> int:
    return difference if abs(difference) > MAX_DIFFERENCE_MILLISECONDS else 0
