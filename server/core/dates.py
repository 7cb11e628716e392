"""Days: when one opens, ends and closes. All in UTC, from the time passed in."""

from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

MILLISECONDS = 24 * 60 * 60 * 1000
_EPOCH = date(1970, 1, 1).toordinal()


class Span(NamedTuple):
    """Runs begin from `opens_at` until `ends_at` and may finish until `closes_at`, in milliseconds since 1970."""

    opens_at: int
    ends_at: int
    closes_at: int


def day_of(now: int) -> str:
    """The day of a moment.

    >>> day_of(0)
    '1970-01-01'
    """
    return datetime.fromtimestamp(now // 1000, UTC).date().isoformat()


def later(day: str, days: int) -> str:
    """The day so many days later, or earlier."""
    return (date.fromisoformat(day) + timedelta(days)).isoformat()


def readable(day: str) -> bool:
    """Whether the text is a day, as ``2026-11-20``."""
    try:
        return date.fromisoformat(day).isoformat() == day
    except ValueError:
        return False


def span(day: str, grace: int) -> Span:
    """When the day opens, ends and, `grace` milliseconds later, closes."""
    opens = (date.fromisoformat(day).toordinal() - _EPOCH) * MILLISECONDS
    return Span(opens, opens + MILLISECONDS, opens + MILLISECONDS + grace)
