"""Logs the driver's error message when the database is unavailable: a full disk is not a lost network."""

import math
import time
from collections.abc import Iterator

import structlog

from cadogan.wire.printable import printable

INTERVAL_SECONDS = 60.0
"""The same message is logged once per this many seconds."""
MAX_WORDS = 300
"""Maximum number of characters of a message that are logged."""

log = structlog.stdlib.get_logger("cadogan.database")


class OutageLog:
    """Logs database errors, each message once a minute; repetitions are counted."""

    def __init__(self) -> None:
        self._logged_at: dict[str, float] = {}
        self._left_out = 0

    def note(self, error: BaseException) -> None:
        """Log an error as `database_unavailable`, unless the same message was logged less than a minute ago."""
        words, now = describe_cause(error), time.monotonic()
        if now - self._logged_at.get(words, -math.inf) < INTERVAL_SECONDS:
            self._left_out += 1
            return
        recent = {each: at for each, at in self._logged_at.items() if now - at < INTERVAL_SECONDS}
        self._logged_at = {**recent, words: now}
        log.error("database_unavailable", reason=words, left_out=self._left_out)
        self._left_out = 0


def describe_cause(error: BaseException) -> str:
    """Return the driver's message of an error, on one line: that of its root cause, which has the reason."""
    *_, first = causes(error)
    text = printable(str(first)).strip() or "no answer came in time"
    return f"{type(first).__name__}: {text}"[:MAX_WORDS]


def causes(error: BaseException | None) -> Iterator[BaseException]:
    """Iterate over the error, the driver's error that SQLAlchemy has wrapped in it, and their causes."""
    while error is not None:
        yield error
        wrapped = getattr(error, "orig", None)
        error = wrapped if isinstance(wrapped, BaseException) else error.__cause__
