"""When a day, or all days, are to be looked at again, and what kept the last look from writing what was due."""

import asyncio


class DueWriting:
    """When something was written, or could not be, and when something is due again, in milliseconds since 1970."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.due = 0
        self._done_at = 0
        self._failure: Exception | None = None

    def is_due(self, now: int) -> bool:
        """Return whether to write now. Raises what kept the last one from writing, until it is due again."""
        if not self._done_at <= now < self.due:
            return True
        if self._failure is not None:
            raise self._failure.with_traceback(None)
        return False

    def done(self, now: int, due: int, failure: Exception | None = None) -> None:
        """Say that all was written that was due at `now`, or what kept it from being written."""
        self._done_at, self.due, self._failure = now, due, failure
