"""Who may see what."""

from itertools import product

import pytest

from server.standing import Sight, may_have_record, sight


def test_whoever_plays_a_game_sees_it_from_the_seat_whatever_the_day() -> None:
    for daily, closed, finished in product((False, True), repeat=3):
        assert sight(own=True, daily=daily, closed=closed, finished=finished) is Sight.SEAT


def test_a_casual_game_of_another_is_seen_as_a_board() -> None:
    assert sight(own=False, daily=False, closed=False, finished=False) is Sight.BOARD


@pytest.mark.parametrize(
    ("closed", "finished", "seen"),
    [
        (False, False, Sight.METER),
        (False, True, Sight.BOARD),
        (True, False, Sight.BOARD),
        (True, True, Sight.BOARD),
    ],
)
def test_a_daily_of_another_is_a_meter_until_ones_own_run_or_the_day_is_over(
    closed: bool, finished: bool, seen: Sight
) -> None:
    assert sight(own=False, daily=True, closed=closed, finished=finished) is seen


def test_a_record_is_had_after_the_game_or_for_a_daily_after_its_day() -> None:
    assert may_have_record(daily=False, closed=False, over=True)
    assert not may_have_record(daily=False, closed=False, over=False)
    assert may_have_record(daily=True, closed=True, over=False)
    assert not may_have_record(daily=True, closed=False, over=True)
