"""Quiet hours: their end is soon, it is not quiet any more then, and nothing waits outside of them."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cadogan.server.core.dates import read_zone
from cadogan.server.subjects.news.notifications.queue import QuietHours, end_of_quiet

ZONES = ("Europe/Budapest", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe", "Pacific/Apia", "UTC")
HOUR = 3_600_000
MINUTES = st.integers(0, 24 * 60 - 1)
MOMENTS = st.integers(1_767_225_600_000, 1_830_297_600_000)


def local_minute(at: int, zone: str) -> int:
    """The minute of the day on a clock there."""
    local = datetime.fromtimestamp(at / 1000, UTC).astimezone(ZoneInfo(zone))
    return local.hour * 60 + local.minute


def is_within(minute: int, begin: int, end: int) -> bool:
    """Whether somebody who counts the minutes on from the beginning comes to this one before the end."""
    return (minute - begin) % 1440 < (end - begin) % 1440


@given(MOMENTS, st.sampled_from(ZONES), MINUTES, MINUTES)
def test_what_waits_comes_within_a_day_and_a_bit_and_only_what_is_within_waits(
    now: int, zone: str, begin: int, end: int
) -> None:
    due = end_of_quiet(now, ZoneInfo(zone), QuietHours(begin, end))
    if not is_within(local_minute(now, zone), begin, end):
        assert due == now
    else:
        assert now <= due <= now + 26 * HOUR


@given(MOMENTS, MINUTES, MINUTES)
def test_where_no_clock_is_ever_changed_it_comes_at_the_minute_at_which_they_end(
    now: int, begin: int, end: int
) -> None:
    due = end_of_quiet(now, ZoneInfo("Asia/Kathmandu"), QuietHours(begin, end))
    if due != now:
        assert local_minute(due, "Asia/Kathmandu") == end
        assert due % 60_000 == 0


@pytest.mark.parametrize(
    ("now", "due"),
    [
        (
            "2026-03-29T00:30Z",
            "2026-03-29T01:30Z",
        ),  # 1:30; half past two is left out, and it is half past three at once
        ("2026-10-24T23:00Z", "2026-10-25T00:30Z"),  # one; half past two comes twice, and the first is their end
        ("2026-10-25T01:10Z", "2026-10-25T01:30Z"),  # ten past two for the second time
    ],
)
def test_in_the_nights_in_which_the_clock_is_changed_they_end_too(now: str, due: str) -> None:
    moments = [round(datetime.fromisoformat(text).timestamp() * 1000) for text in (now, due)]
    assert end_of_quiet(moments[0], ZoneInfo("Europe/Budapest"), QuietHours(22 * 60, 150)) == moments[1]


def test_without_quiet_hours_everything_comes_at_once() -> None:
    assert end_of_quiet(5, ZoneInfo("UTC"), None) == 5
    assert end_of_quiet(5, ZoneInfo("UTC"), QuietHours(60, 60)) == 5


@pytest.mark.parametrize("name", ["", "Europe/Nowhere", "../etc/passwd", "/etc/passwd", "Europe", "a\0b"])
def test_what_is_no_time_zone_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="not the name of a time zone"):
        read_zone(name)
