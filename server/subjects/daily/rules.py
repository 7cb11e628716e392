"""The rules of the daily challenge, and its schedule: which games a day has. Pure.

The schedule of the daily challenge: the games of each day. The games of a level rotate day by day.

A host can write another schedule, the calendar: a TOML file with one table for each deal of the day:

    [[deal]]
    level = "gentle"
    games = ["louis", "quatorze"]

    [[deal]]
    level = "stern"
    games = ["klondike"]
    certified = false

Before the first deal, `certified` may be set for all deals, and `nodes`, the node limit of the search per candidate.

    CalendarError    the file is invalid; the text has the reason and a remedy
"""

import tomllib
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated, NamedTuple

import msgspec

from cadogan import engine
from cadogan.engine.difficulty.levels import LEVELS
from cadogan.engine.difficulty.published import is_certified_soon, level_of
from cadogan.engine.solver.winnability_summary import QUICK_NODES
from cadogan.server.core import dates
from cadogan.server.core.cluster.bus import day_topic
from cadogan.server.core.eventlog.events import GameDealt
from cadogan.server.core.fairness.certificates import MAX_BUDGET
from cadogan.server.core.fairness.commit_reveal import (
    NONCE_DIGITS,
    beacon_digits,
    daily_deal_id,
    is_candidate_nonce,
)
from cadogan.server.core.games.competition_rules import CompetitionRules
from cadogan.wire.values import Mode


class DailyRules(CompetitionRules):
    """The decisions of the daily challenge about its games. A practice run also belongs to the day, but is unranked."""

    key = "daily"

    def owns(self, dealt: GameDealt) -> bool:
        """Return whether the deal belongs to a day."""
        return dealt.day is not None and dealt.competition is None

    def mode(self, dealt: GameDealt) -> Mode:
        return "daily" if dealt.ranked else "practice"

    def may_take_back_revealing_moves(self, ranked: bool) -> bool:
        """Return whether the run is unranked; see `docs/fairness.md`."""
        return not ranked

    def may_have_hints(self, ranked: bool) -> bool:
        """Return whether the run is unranked."""
        return not ranked

    def earliest_timeout(self, dealt: GameDealt, ranked: bool) -> int | None:
        """Return the end of the day for a ranked run, which the day's close ends; None for practice."""
        if not ranked or dealt.day is None:
            return None
        return dates.day_times(dealt.day, 0).ends_at

    def ends_when_idle(self, ranked: bool) -> bool:
        """Return whether the run is unranked: a ranked one is ended by the day's close."""
        return not ranked

    def lifts_embargo(self, dealt: GameDealt) -> bool:
        """Return whether this is the ranked run. Practice comes after it and does not matter."""
        return dealt.ranked

    def topics(self, dealt: GameDealt) -> Collection[str]:
        """Return the topic of the day's runs, for a ranked run."""
        return (day_topic(dealt.day),) if dealt.day is not None and dealt.ranked else ()

    def board_day(self, dealt: GameDealt) -> str | None:
        """Return the day of a ranked run."""
        return dealt.day if dealt.ranked else None

    def draws_from_beacon(self, dealt: GameDealt) -> bool:
        return beacon_digits(dealt.nonce) is not None

    def find_fault(self, dealt: GameDealt) -> str | None:
        """Return the contradiction between the deal's id, nonce, day and slot, as text; None if there is none."""
        if not dates.is_valid(dealt.day or ""):
            return f"{dealt.day!r} is not a day"
        deal = daily_deal_id(dealt.day or "", dealt.slot or 0)
        if dealt.deal == deal and is_candidate_nonce(dealt.nonce, deal, NONCE_DIGITS):
            return None
        return f"the nonce of a day's deal is its name, {deal}, or that of one of its candidates, not {dealt.nonce!r}"


MAX_DEALS = 9
"""The maximum number of deals of a day."""
DEFAULT_BUDGET = QUICK_NODES
"""The node limit of the search for a win, for each candidate."""


class CalendarError(ValueError):
    """The host's calendar is invalid."""


class Slot(NamedTuple):
    """One deal of a day: its number, from 1, its level and its game.

    `budget` is the node limit of the search for a win, for each candidate; 0 if the deal is not to be certified.
    """

    number: int
    level: str
    game: str
    budget: int = 0


class Level(NamedTuple):
    """One deal of every day: its intended difficulty, and the games that rotate.

    `certified` says whether a deal that can be won is searched for; None leaves it to the
    published run of the solver (`is_certified_soon`).
    """

    name: str
    games: tuple[str, ...]
    certified: bool | None = None

    def slot(self, number: int, turn: int, budget: int) -> Slot:
        """Return the slot with this number for the day `turn`, counted from the year 1. `budget` is as in `Slot`."""
        game = self.games[turn % len(self.games)]
        certified = is_certified_soon(game) if self.certified is None else self.certified
        return Slot(number, self.name, game, budget if certified else 0)


@dataclass(frozen=True, slots=True)
class Calendar:
    """Which games are played on which day.

    >>> Calendar((Level("gentle", ("louis", "quatorze")),)).card("2026-11-20")
    (Slot(number=1, level='gentle', game='louis', budget=10000),)
    """

    levels: tuple[Level, ...]
    budget: int = DEFAULT_BUDGET

    def card(self, day: str) -> tuple[Slot, ...]:
        """Return the deals of a day."""
        turn = date.fromisoformat(day).toordinal()
        return tuple(level.slot(number, turn, self.budget) for number, level in enumerate(self.levels, 1))


class Schedule(NamedTuple):
    """The settings for a day that is announced now: the calendar, and the grace period in milliseconds.

    A grace period of None means that of the server's settings.
    """

    calendar: Calendar
    grace: int | None = None


ReadSchedule = Callable[[], Awaitable[Schedule]]
"""Returns the schedule for a day that is announced now."""


def default_calendar() -> Calendar:
    """Return three deals a day, one of each level; the games of a level rotate (`cadogan.engine.difficulty`)."""
    slugs = engine.slugs()
    return Calendar(tuple(Level(level, tuple(slug for slug in slugs if level_of(slug) == level)) for level in LEVELS))


class _Deal(msgspec.Struct, forbid_unknown_fields=True):
    level: str
    games: list[str]
    certified: bool | None = None


class _File(msgspec.Struct, forbid_unknown_fields=True):
    deal: list[_Deal]
    certified: bool | None = None
    nodes: Annotated[int, msgspec.Meta(ge=1, le=MAX_BUDGET)] = DEFAULT_BUDGET


def read_calendar(path: str) -> Calendar:
    """Read a host's calendar from a file. Raises CalendarError."""
    try:
        text = Path(path).read_text("utf-8")
        file = msgspec.convert(tomllib.loads(text), _File)
    except OSError as error:
        raise CalendarError(f"the calendar {path!r} cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise CalendarError(f"the calendar {path!r} is no UTF-8 text: save it as such") from None
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise CalendarError(
            f"the calendar {path!r} is not as it must be: {error}; "
            'write for each deal of the day [[deal]], level = "…" and games = ["…"]'
        ) from None
    count = len(file.deal)
    if not 1 <= count <= MAX_DEALS:
        raise CalendarError(f"the calendar {path!r} has {count} deals: write [[deal]] once to {MAX_DEALS} times")
    levels = tuple(_level(path, number, deal, file.certified) for number, deal in enumerate(file.deal, 1))
    return Calendar(levels, file.nodes)


def _level(path: str, number: int, deal: _Deal, certified: bool | None) -> Level:
    where = f"deal {number} of the calendar {path!r}"
    name = deal.level.strip()
    if not (0 < len(name) <= 24 and name.isprintable()):
        raise CalendarError(f"{where} needs a level of 1 to 24 characters")
    if not deal.games:
        raise CalendarError(f"{where} has no games: name at least one, `cadogan games` lists them")
    if unknown := _first_unknown(deal.games):
        raise CalendarError(f"{where} names {unknown!r}, which is no game: `cadogan games` lists them")
    return Level(name, tuple(deal.games), certified if deal.certified is None else deal.certified)


def _first_unknown(games: Sequence[str]) -> str | None:
    return next((slug for slug in games if slug not in engine.slugs()), None)
