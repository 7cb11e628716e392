"""Badges that follow from a player's days: streaks, and a day on which a deal of every level was won. Pure."""

from collections.abc import Iterable, Mapping

from cadogan.engine.difficulty.levels import LEVELS
from cadogan.engine.difficulty.published import level_of
from cadogan.server.core import dates
from cadogan.wire.collection import Badge

STREAKS = (7, 30, 100, 365)
"""The streaks that have a badge, in days."""


def streak_badges(played: Iterable[str]) -> list[Badge]:
    """Return a badge for each of `STREAKS` that a player has reached, with the day on which it was first reached.

    `played` are the days that count for streaks, in any order.

    >>> streak_badges(f"2026-11-{day:02}" for day in range(1, 10))
    [Badge(kind='streak', day='2026-11-07', days=7, rules=None, game=None, runs=None)]
    """
    reached: dict[int, str] = {}
    length, before = 0, ""
    for day in sorted({*played}):
        length = length + 1 if before and dates.add_days(before, 1) == day else 1
        before = day
        if length in STREAKS:
            reached.setdefault(length, day)
    return [Badge(kind="streak", day=day, days=days) for days, day in reached.items()]


def level_badges(won: Mapping[str, Iterable[str]]) -> list[Badge]:
    """Return the badge for the first day on which a player has won a game of every level; empty if there is none.

    `won` are the slugs of the games that the player won in ranked runs, by day.

    >>> level_badges({"2026-11-20": ["caesar", "orchard-walk", "queens"], "2026-11-19": ["caesar", "queens"]})
    [Badge(kind='all_levels', day='2026-11-20', days=None, rules=None, game=None, runs=None)]
    """
    complete = [day for day, slugs in won.items() if {*LEVELS} <= {level_of(slug) for slug in slugs}]
    return [Badge(kind="all_levels", day=min(complete))] if complete else []


def sort_badges(badges: Iterable[Badge]) -> list[Badge]:
    """Return badges with the latest first; those of one day by what they are for."""
    by_subject = sorted(badges, key=lambda badge: (badge.kind, badge.rules or "", badge.game or "", badge.days or 0))
    return sorted(by_subject, key=lambda badge: badge.day, reverse=True)
