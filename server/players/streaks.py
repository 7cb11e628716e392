"""Streaks: how many days in a row somebody has finished a deal of."""

from collections.abc import Iterable
from typing import NamedTuple

from server.core import dates


class Streak(NamedTuple):
    """The streak that goes on, 0 if it has broken off, and the longest there has been."""

    now: int
    best: int


def streak(played: Iterable[str], today: str) -> Streak:
    """The streaks of these days; one goes on when it has come to today, or to yesterday and today is not over.

    >>> streak(["2026-11-20", "2026-11-19", "2026-11-11"], "2026-11-21")
    Streak(now=2, best=2)
    """
    now = best = length = 0
    before = ""
    for day in sorted(set(played)):
        length = length + 1 if before and dates.add_days(before, 1) == day else 1
        best = max(best, length)
        before = day
    if before in (today, dates.add_days(today, -1)):
        now = length
    return Streak(now, best)
