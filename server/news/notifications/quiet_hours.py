"""Quiet hours: between two times of the reader's day, on the reader's own clock, nothing is sent."""

from datetime import UTC, datetime, time, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError


class QuietHours(NamedTuple):
    """From one time of the day to another, in minutes after midnight; they may go past midnight."""

    begin: int
    end: int


def read_zone(name: str) -> ZoneInfo:
    """Return the time zone with this name of the IANA. Raises ValueError for one that is not known.

    >>> read_zone("Europe/Budapest").key
    'Europe/Budapest'
    """
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError("is not the name of a time zone") from None


def end_of_quiet(now: int, zone: ZoneInfo, quiet: QuietHours | None) -> int:
    """Return when something may be sent, if it is to be sent `now`: at once, or at the end of the quiet hours.

    Moments are in milliseconds since 1970.

    >>> night = QuietHours(22 * 60, 7 * 60)
    >>> end_of_quiet(3_600_000, ZoneInfo("UTC"), night) == 7 * 3_600_000
    True
    >>> end_of_quiet(8 * 3_600_000, ZoneInfo("UTC"), night) == 8 * 3_600_000
    True
    """
    local = datetime.fromtimestamp(now / 1000, UTC).astimezone(zone)
    minute = local.hour * 60 + local.minute
    if quiet is None or not _is_within(minute, quiet):
        return now
    day = local.date() + timedelta(days=1 if minute >= quiet.end else 0)
    over = time(quiet.end // 60, quiet.end % 60)
    # Where the clock is put back amid them, the time of their end comes twice: the second one may be ahead alone.
    ends = [int(datetime.combine(day, over, zone).replace(fold=fold).timestamp() * 1000) for fold in (0, 1)]
    return next((end for end in sorted(ends) if end > now), now)


def _is_within(minute: int, quiet: QuietHours) -> bool:
    if quiet.begin <= quiet.end:
        return quiet.begin <= minute < quiet.end
    return minute >= quiet.begin or minute < quiet.end
