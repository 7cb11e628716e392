"""Streaks: days in a row, up to today or yesterday."""

from hypothesis import given
from hypothesis import strategies as st

from cadogan.server.core import dates
from cadogan.server.subjects.players.sharing import Streak, count_streak

DAY = "2026-11-20"


def ago(*numbers: int) -> list[str]:
    """The days so long before today."""
    return [dates.add_days(DAY, -number) for number in numbers]


def test_without_a_run_there_is_no_streak() -> None:
    assert count_streak([], DAY) == Streak(0, 0)


def test_today_and_the_days_before_it_count() -> None:
    assert count_streak(ago(0, 1, 2), DAY) == Streak(3, 3)


def test_a_streak_goes_on_until_today_is_over() -> None:
    assert count_streak(ago(1, 2), DAY) == Streak(2, 2)
    assert count_streak(ago(2, 3), DAY) == Streak(0, 2)


def test_a_missed_day_ends_the_streak_and_the_longest_one_is_kept() -> None:
    assert count_streak(ago(0, 2, 3, 4, 6), DAY) == Streak(1, 3)


def test_a_day_with_several_runs_counts_once_in_any_order() -> None:
    assert count_streak([*ago(1, 0), *ago(0, 1)], DAY) == Streak(2, 2)


@given(st.sets(st.integers(0, 60)))
def test_streaks_equal_those_counted_day_by_day(played: set[int]) -> None:
    longest = length = 0
    for number in range(60, -1, -1):
        length = length + 1 if number in played else 0
        longest = max(longest, length)
    running = next((number for number in range(62) if number not in played), 0)
    if running == 0:
        running = next(number for number in range(1, 63) if number not in played) - 1
    assert count_streak(ago(*played), DAY) == Streak(running, longest)
