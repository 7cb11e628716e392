"""Days in UTC, as text like `2026-11-20`; when a day opens, ends and closes; time zones, and weeks by local time."""

from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

MILLISECONDS_PER_DAY = 24 * 60 * 60 * 1000
LAST_MOMENT = 253_402_300_799_999
"""The end of the year 9999, the last that a day can have, in milliseconds since 1970."""
MILLISECONDS_PER_WEEK = 7 * MILLISECONDS_PER_DAY
FIRST_MONDAY = -3 * MILLISECONDS_PER_DAY
"""The Monday of the week of 1970-01-01, in milliseconds since then. Week numbers count from this week, which is 0."""
_EPOCH_DAY = date(1970, 1, 1).toordinal()


class DayTimes(NamedTuple):
    """When a day's games may be played, in milliseconds since 1970.

    A game may begin from `opens_at` until `ends_at`, and may finish until `closes_at`.
    """

    opens_at: int
    ends_at: int
    closes_at: int


def day_of(now: int) -> str:
    """Return the day of a time in milliseconds since 1970.

    >>> day_of(0)
    '1970-01-01'
    """
    return datetime.fromtimestamp(now // 1000, UTC).date().isoformat()


def second_text(at_seconds: int) -> str:
    """Return a time in seconds since 1970 as text for display; one after the year 9999 as the end of that year.

    >>> second_text(0), second_text(2**64 - 1)
    ('1970-01-01 00:00:00+00:00', '9999-12-31 23:59:59+00:00')
    """
    moment = datetime.fromtimestamp(min(at_seconds, LAST_MOMENT // 1000), UTC)
    return moment.isoformat(sep=" ", timespec="seconds")


def moment_text(at: int) -> str:
    """Return a time in milliseconds since 1970 as text for display.

    >>> moment_text(0)
    '1970-01-01 00:00 UTC'
    """
    return f"{datetime.fromtimestamp(at // 1000, UTC):%Y-%m-%d %H:%M} UTC"


def add_days(day: str, days: int) -> str:
    """Return the day that is `days` days later, or earlier if `days` is negative.

    >>> add_days("2026-12-31", 1)
    '2027-01-01'
    """
    return (date.fromisoformat(day) + timedelta(days)).isoformat()


def week_number(now: int) -> int:
    """Return the number of the week of a time in milliseconds since 1970."""
    return (now - FIRST_MONDAY) // MILLISECONDS_PER_WEEK


def week_name(number: int) -> str:
    """Return the name of the week with this number, by ISO 8601.

    >>> week_name(week_number(0)), week_name(week_number(1_795_168_800_000))
    ('1970-W01', '2026-W47')
    """
    monday = date.fromordinal(_EPOCH_DAY - 3 + 7 * number)
    year, week, _ = monday.isocalendar()
    return f"{year}-W{week:02}"


def first_day(week: str) -> str:
    """Return the Monday of a week that has a name by ISO 8601.

    >>> first_day("2026-W48")
    '2026-11-23'
    """
    return date.fromisocalendar(int(week[:4]), int(week[6:]), 1).isoformat()


def week_begins(week: str) -> int:
    """Return when a week begins, in milliseconds since 1970."""
    return day_times(first_day(week), 0).opens_at


def is_valid(day: str) -> bool:
    """Whether the text is a day, such as `2026-11-20`."""
    try:
        return date.fromisoformat(day).isoformat() == day
    except ValueError:
        return False


def day_times(day: str, grace: int) -> DayTimes:
    """Return when the day opens and ends, and when it closes: `grace` milliseconds after its end."""
    opens = (date.fromisoformat(day).toordinal() - _EPOCH_DAY) * MILLISECONDS_PER_DAY
    return DayTimes(opens, opens + MILLISECONDS_PER_DAY, opens + MILLISECONDS_PER_DAY + grace)


def read_zone(name: str) -> ZoneInfo:
    """Return the time zone with this name of the IANA. Raises ValueError for one that is not known.

    >>> read_zone("Europe/Budapest").key
    'Europe/Budapest'
    """
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError("is not the name of a time zone") from None


def weeks_later(at: int, zone: ZoneInfo, after: int) -> int:
    """Return the first moment after another one at which clocks of a time zone show the weekday and time of `at`.

    It is a week later at least. Moments are in milliseconds since 1970. In an hour that clocks leave out, it is as much
    later as they are put forward.

    >>> weeks_later(0, ZoneInfo("UTC"), 0) == MILLISECONDS_PER_WEEK
    True
    """
    local = datetime.fromtimestamp(at / 1000, zone).replace(tzinfo=None)
    weeks = max(1, (after - at) // MILLISECONDS_PER_WEEK)
    while True:
        found = int((local + timedelta(weeks=weeks)).replace(tzinfo=zone).timestamp() * 1000)
        if found > after:
            return found
        weeks += 1
