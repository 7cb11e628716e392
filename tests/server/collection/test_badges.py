"""Badges that follow from a player's days."""

from hypothesis import given
from hypothesis import strategies as st

from cadogan import engine
from cadogan.engine.difficulty.levels import LEVELS
from cadogan.engine.difficulty.published import level_of
from cadogan.server.core import dates
from cadogan.server.subjects.collection.collected import (
    STREAKS,
    level_badges,
    sort_badges,
    streak_badges,
)
from cadogan.server.subjects.players.sharing import count_streak
from cadogan.wire.collection import Badge

FIRST = "2026-01-01"
OF_LEVEL = {level: next(slug for slug in engine.slugs() if level_of(slug) == level) for level in LEVELS}


def days(*numbers: int) -> list[str]:
    return [dates.add_days(FIRST, number) for number in numbers]


def test_a_streak_has_a_badge_of_the_day_on_which_it_became_so_long() -> None:
    assert streak_badges(days(*range(6))) == []
    assert streak_badges(days(*range(7))) == [Badge(kind="streak", day="2026-01-07", days=7)]
    assert [(badge.days, badge.day) for badge in streak_badges(days(*range(40)))] == [
        (7, "2026-01-07"),
        (30, "2026-01-30"),
    ]


def test_a_second_streak_of_the_same_length_has_no_second_badge() -> None:
    twice = streak_badges(days(*range(8), *range(10, 18)))
    assert twice == [Badge(kind="streak", day="2026-01-07", days=7)]


@given(st.sets(st.integers(0, 60)))
def test_the_badges_are_those_of_the_longest_streak(played: set[int]) -> None:
    longest = count_streak(days(*played), "2030-01-01").longest
    assert [badge.days for badge in streak_badges(days(*played))] == [days for days in STREAKS if days <= longest]


def test_all_levels_count_only_if_they_were_won_on_one_day() -> None:
    gentle, steady, stern = OF_LEVEL.values()
    assert level_badges({}) == []
    assert level_badges({"2026-11-20": [gentle, steady], "2026-11-21": [stern]}) == []
    complete = [gentle, steady, stern]
    won = {"2026-11-21": complete, "2026-11-20": complete, "2026-11-19": [gentle]}
    assert level_badges(won) == [Badge(kind="all_levels", day="2026-11-20")]


def test_the_latest_badge_stands_first() -> None:
    first_win = Badge(kind="first_win", day="2026-11-20", rules="maze", game="g")
    streak, levels = Badge(kind="streak", day="2026-11-20", days=7), Badge(kind="all_levels", day="2026-11-21")
    assert sort_badges([streak, first_win, levels]) == [levels, first_win, streak]
