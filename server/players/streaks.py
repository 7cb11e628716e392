"""Streaks: the number of consecutive days with a played ranked run (`Profiles.days_played`)."""

from collections.abc import Iterable
from typing import NamedTuple

from cadogan.server.core import dates


class Streak(NamedTuple):
    """The length in days of the current streak (0 if the last one has ended), and of the longest one ever."""

    current: int
    longest: int


def count_streak(played: Iterable[str], today: str) -> Streak:
    """Return the streak of a player who has played on these days, in any order.

    A streak is current if its last day is today, or yesterday: today is not over yet.

    >>> count_streak(["2026-11-20", "2026-11-19", "2026-11-11"], "2026-11-21")
    Streak(current=2, longest=2)
    """
    current = longest = length = 0
    before = ""
    for day in sorted(set(played)):
        length = length + 1 if before and dates.add_days(before, 1) == day else 1
        longest = max(longest, length)
        before = day
    if before in (today, dates.add_days(today, -1)):
        current = length
    return Streak(current, longest)
