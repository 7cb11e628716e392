"""When digests are sent: the weeks, and the moment of each, in milliseconds since 1970 (UTC)."""

from cadogan.server.core import dates
from cadogan.server.core.dates import FIRST_MONDAY, MILLISECONDS_PER_DAY, MILLISECONDS_PER_WEEK

HOUR = 3_600_000
SEND_AFTER_MILLISECONDS = 6 * HOUR
"""So long after the beginning of Monday the digests are due."""
WAIT_FOR_CLOSE_MILLISECONDS = MILLISECONDS_PER_DAY
"""So long after that they wait for Sunday's close, should its runs still go on."""
GIVE_UP_MILLISECONDS = 48 * HOUR
"""So long after it is due a digest is sent; then it is given up."""


def due_at(week: int) -> int:
    """Return when the digests are due that are sent in the week of this number.

    >>> dates.moment_text(due_at(dates.week_number(1_795_176_000_000)))
    '2026-11-16 06:00 UTC'
    """
    return FIRST_MONDAY + week * MILLISECONDS_PER_WEEK + SEND_AFTER_MILLISECONDS


def next_week(now: int) -> int:
    """Return the number of the first week whose digests become due after this moment."""
    return dates.week_number(now - SEND_AFTER_MILLISECONDS) + 1


def digest_days(week: int) -> list[str]:
    """Return the days that the digests of a week tell of: those of the week before.

    >>> digest_days(dates.week_number(1_795_176_000_000))[::6]
    ['2026-11-09', '2026-11-15']
    """
    monday = dates.day_of(FIRST_MONDAY + (week - 1) * MILLISECONDS_PER_WEEK)
    return [dates.add_days(monday, number) for number in range(7)]
