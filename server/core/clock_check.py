"""Whether the clock may be trusted with what cannot be undone: opening, drawing and closing days, ending races.

The time of day is compared with a clock that nobody can set, the one that runs since the machine was started, and with
the clock of the database, if it has one of its own. Where they part by more than `MAX_DIFFERENCE_MILLISECONDS`, nothing
irreversible is done until they agree again.

    SQLite        the time of day must go on as it was when the process began
    PostgreSQL    the database's clock must do so, and the time of day must agree with it

A clock that was set and then runs evenly for `STEADY_MILLISECONDS` counts as right from then on: it was wrong at the
start. Whoever knows that it is right now restarts the server instead of waiting. A machine that slept is no difference:
the steady clock goes on meanwhile, where the system has one that does (Linux).
"""

import time
from collections.abc import Awaitable, Callable

import structlog

from cadogan.server.core import clock
from cadogan.server.core.clock import Clock

MAX_DIFFERENCE_MILLISECONDS = 60_000
STEADY_MILLISECONDS = 3_600_000
"""For so long a clock that was set must run evenly until it is believed."""
MAX_SLEW_MILLISECONDS = 1_000
"""A clock that moves by less against the steady one is being adjusted, and was not set."""
ASK_MILLISECONDS = 30_000
"""Milliseconds between two questions to the database."""
ASK_AGAIN_MILLISECONDS = 1_000
"""Milliseconds between two questions while the clocks part."""

AskTime = Callable[[], Awaitable[int]]
"""Returns the database's time in milliseconds since 1970."""
log = structlog.stdlib.get_logger("cadogan.clock")


def steady_now() -> int:
    """Return the milliseconds since this machine was started, with the time in which it slept where that is known."""
    return time.clock_gettime_ns(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)) // 1_000_000


class _Track:
    """What one clock is ahead of the steady one: when it was believed first, and now. Times are milliseconds."""

    def __init__(self, ahead: int, at: int) -> None:
        self.believed = self.ahead = ahead
        self.trusted_since = self._steady_since = at

    def note(self, ahead: int, at: int) -> None:
        """Note what it is ahead at a moment of the steady clock; believe it if it has long been so."""
        if abs(ahead - self.ahead) > MAX_SLEW_MILLISECONDS:
            self.ahead, self._steady_since = ahead, at
        elif at - self._steady_since >= STEADY_MILLISECONDS:
            if self.difference:
                self.trusted_since = at
            self.believed = self.ahead = ahead
            self._steady_since = at

    @property
    def difference(self) -> int:
        """By how much it was set since it was believed; 0 within the limit."""
        return _beyond_limit(self.ahead - self.believed)


class ClockCheck:
    """Compares the clocks of one process: the time of day `now`, a steady one, and the database's if it is asked.

    The machine's own time is compared with `steady_now`. Another one, as tests set it, always agrees, unless a steady
    clock comes with it.
    """

    def __init__(self, now: Clock, steady: Clock | None = None, ask_database: AskTime | None = None) -> None:
        self._now = now
        self._steady = steady = steady_now if steady is None and now is clock.now else steady
        self._ask_database = ask_database
        self._asked_at: int | None = None
        self._track = None if steady is None or ask_database else _Track(now() - steady(), steady())
        self._clocks_differ = False

    async def agree(self) -> bool:
        """Return whether what cannot be undone may be done now. Raises what the driver raises."""
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
        """Return by how many milliseconds the clocks part: negative if the time of day is behind, 0 if they agree."""
        if self._steady is None or self._track is None:
            return 0
        at = self._steady()
        ahead = self._now() - at
        if self._ask_database is not None:
            return _beyond_limit(ahead - self._track.ahead) or self._track.difference
        self._track.note(ahead, at)
        return self._track.difference

    def agreed_milliseconds(self) -> int:
        """Return for how long the clock was believed by now; without a steady clock, for ever."""
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
            self._track.note(ahead, self._asked_at)


def _beyond_limit(difference: int) -> int:
    return difference if abs(difference) > MAX_DIFFERENCE_MILLISECONDS else 0
