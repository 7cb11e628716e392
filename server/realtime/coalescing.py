"""Coalescing: changes within an interval are sent once, at its end, with the state at that time."""

import asyncio
from collections.abc import Callable, Hashable

INTERVAL_SECONDS = 1.0
"""Seconds between two messages about presence or progress."""


class Coalescer:
    """Runs each requested action once at the end of the interval, however often it was requested meanwhile."""

    def __init__(self, interval_seconds: float | None = None) -> None:
        self._interval_seconds = INTERVAL_SECONDS if interval_seconds is None else interval_seconds
        self._actions: dict[Hashable, Callable[[], None]] = {}
        self._timer: asyncio.TimerHandle | None = None

    def request(self, key: Hashable, action: Callable[[], None]) -> None:
        """Run the action at the end of this interval, replacing an earlier request with the same key."""
        self._actions[key] = action
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self._interval_seconds, self.flush)

    def cancel(self, key: Hashable) -> None:
        """Cancel the request with this key."""
        self._actions.pop(key, None)

    def flush(self) -> None:
        """Run all requested actions now. Requests made meanwhile wait for the next interval."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        actions, self._actions = self._actions, {}
        for action in actions.values():
            action()

    def close(self) -> None:
        """Stop running actions."""
        self._actions.clear()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
