"""Logs why the database cannot do its work, in its own words: a full disk is not a lost network."""

import math
import time
from collections.abc import Iterator

import structlog

from cadogan.wire.printable import printable

INTERVAL_SECONDS = 60.0
"""The same words are logged once in so many seconds."""
MAX_WORDS = 300
"""Of what the database says so many characters are logged."""

log = structlog.stdlib.get_logger("cadogan.database")


class OutageLog:
    """Logs errors of the database, each with its own words once a minute; what came meanwhile is counted."""

    def __init__(self) -> None:
        self._logged_at: dict[str, float] = {}
        self._left_out = 0

    def note(self, error: BaseException) -> None:
        """Log an error as `database_unavailable`, unless the database said the same less than a minute ago."""
        words, now = describe_cause(error), time.monotonic()
        if now - self._logged_at.get(words, -math.inf) < INTERVAL_SECONDS:
            self._left_out += 1
            return
        recent = {each: at for each, at in self._logged_at.items() if now - at < INTERVAL_SECONDS}
        self._logged_at = {**recent, words: now}
        log.error("database_unavailable", reason=words, left_out=self._left_out)
        self._left_out = 0


def describe_cause(error: BaseException) -> str:
    """Return what the driver says of an error, on one line: of all its causes the first one, which has the reason."""
    *_, first = causes(error)
    text = printable(str(first)).strip() or "no answer came in time"
    return f"{type(first).__name__}: {text}"[:MAX_WORDS]


def causes(error: BaseException | None) -> Iterator[BaseException]:
    """Iterate over the error, the driver's error that SQLAlchemy has wrapped in it, and their causes."""
    while error is not None:
        yield error
        wrapped = getattr(error, "orig", None)
        error = wrapped if isinstance(wrapped, BaseException) else error.__cause__
