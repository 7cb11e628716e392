"""When to check for due events again, of one day or of all, and the error of the last attempt to write them."""

import asyncio


class DueWriting:
    """The times of the last write and the next due event, in milliseconds since 1970, and the last error."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.due = 0
        self._done_at = 0
        self._failure: Exception | None = None

    def is_due(self, now: int) -> bool:
        """Return whether to write now. After a failed write, raises its error until the next retry is due."""
        if not self._done_at <= now < self.due:
            return True
        if self._failure is not None:
            raise self._failure.with_traceback(None)
        return False

    def done(self, now: int, due: int, failure: Exception | None = None) -> None:
        """Note that everything due at `now` was written, or the error if it was not."""
        self._done_at, self.due, self._failure = now, due, failure
