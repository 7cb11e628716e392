"""The table of a season: scores by week, who rises and falls, and the divisions of the next season."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction
from hashlib import sha256
from itertools import pairwise
from typing import Any, NamedTuple

import msgspec

from cadogan.server.core.scoring.deals import id_order
from cadogan.server.core.scoring.fields import fraction, shown
from cadogan.server.core.scoring.forms import InvalidForm, Member, Season

VERSION = "season@1"
_FRACTION = re.compile("[0-9]{1,400}/[0-9]{1,400}")
"""A share has up to some 200 digits, as a mean of 24 deals with 2,000 runs each."""
LABEL = b"cadogan/season/1\0"
_encode = msgspec.json.Encoder(order="sorted").encode


class Scored(NamedTuple):
    """A member of a division in a season."""

    member: Member
    score: Fraction
    weeks: list[Fraction]
    sessions: int
    is_active: bool
    place: int
    order: int

    @property
    def player(self) -> str:
        """The player's id."""
        return self.member.player


def read_fraction(text: str) -> Fraction:
    """Return a fraction from its text `a/b`. Raises InvalidForm."""
    above, _, below = text.partition("/")
    if not _FRACTION.fullmatch(text) or not below.strip("0"):
        raise InvalidForm(f"{text[:40]!r} is no fraction: write it as a/b")
    value = Fraction(int(above), int(below))
    if value > 1:
        raise InvalidForm(f"the share {text[:40]} is not from 0 to 1")
    return value


def ballot(season: str, player: str) -> str:
    """Return the tie-break between equal members: a hash that anybody can compute."""
    return sha256(f"{season}\0{player}".encode()).hexdigest()


def score_season(form: Season) -> dict[str, Any]:
    """Return the table of a season."""
    divisions = [_score_division(form, members) for members in form.divisions]
    left = {*form.left}
    gone = {
        row.player
        for rows in divisions
        for row in rows
        if row.player in left or (row.sessions == 0 and row.member.absent_seasons >= 1)
    }
    up, down = _exchanges(form, divisions, left)
    table: dict[str, Any] = {
        "format": "cadogan season table 1",
        "season": form.season,
        "version": VERSION,
        "divisions": [
            {"division": number, "rows": [_row(row) for row in rows]} for number, rows in enumerate(divisions, 1)
        ],
        "promoted": sorted({name for names in up for name in names}, key=id_order),
        "relegated": sorted({name for names in down for name in names}, key=id_order),
        "gone": sorted(gone, key=id_order),
        "next": _next(form, divisions, up, down, gone),
    }
    named = {name: value for name, value in table.items() if name != "format"}
    table["digest"] = sha256(LABEL + _encode(named)).hexdigest()
    return table


def _score_division(form: Season, members: Sequence[Member]) -> list[Scored]:
    settings = form.settings
    best_weeks = settings.best_weeks if settings.best_weeks is not None else max(1, len(form.weeks) - 2)
    shares: dict[str, dict[str, list[Fraction]]] = defaultdict(lambda: defaultdict(list))
    for session in form.sessions:
        for player, text in session.shares.items():
            shares[player][session.week].append(read_fraction(text))
    rows = []
    for member in members:
        own = shares.get(member.player, {})
        weeks = [_best(own.get(week, ()), settings.best_of_week) for week in form.weeks]
        sessions = sum(len(own.get(week, ())) for week in form.weeks)
        is_active = sessions >= settings.least_sessions
        rows.append(Scored(member, _best(weeks, best_weeks), weeks, sessions, is_active, 0, 0))

    def place_key(row: Scored) -> tuple[Fraction, list[Fraction]]:
        return -row.score, [-week for week in sorted(row.weeks, reverse=True)]

    rows.sort(key=lambda row: (*place_key(row), -row.member.rating, ballot(form.season, row.player)))
    placed: list[Scored] = []
    for number, row in enumerate(rows, 1):
        is_shared = number > 1 and place_key(placed[-1]) == place_key(row)
        placed.append(row._replace(order=number, place=placed[-1].place if is_shared else number))
    return placed


def _best(values: Iterable[Fraction], count: int) -> Fraction:
    return sum(sorted(values, reverse=True)[:count], Fraction(0)) / count


def _exchanges(
    form: Season, divisions: Sequence[list[Scored]], left: set[str]
) -> tuple[list[list[str]], list[list[str]]]:
    """Return who rises into each division but the last, and who falls out of it, from the top."""
    up, down = list[list[str]](), list[list[str]]()
    risen: set[str] = set()
    for upper, lower in pairwise(divisions):
        count = max(1, min(len(upper), len(lower)) // 5)
        rise = [row.player for row in lower if row.is_active and row.player not in left][:count]
        fall = [row.player for row in upper if row.is_active and row.player not in left and row.player not in risen]
        fall = fall[-count:] if form.settings.demotion else []
        if form.settings.demotion:
            both = min(len(rise), len(fall))
            rise, fall = rise[:both], fall[len(fall) - both :]
        up.append(rise)
        down.append(fall)
        risen = {*rise}
    return up, down


def _next(
    form: Season, divisions: Sequence[list[Scored]], up: list[list[str]], down: list[list[str]], gone: set[str]
) -> list[list[str]]:
    size = form.settings.size
    newcomers = sorted(form.newcomers, key=lambda one: (-one.rating, ballot(form.season, one.player)))
    names = [one.player for one in newcomers if one.player not in gone]
    if not divisions:
        return _cut(names, size)
    found: list[list[str]] = []
    for number, rows in enumerate(divisions):
        fallen = down[number - 1] if number else []
        risen = up[number] if number < len(up) else []
        moved = {*(up[number - 1] if number else []), *(down[number] if number < len(down) else [])}
        stay = [row.player for row in rows if row.player not in moved]
        found.append([player for player in (*fallen, *stay, *risen) if player not in gone])
    found[-1] += names
    if len(found) > 1 and 2 * len(found[-1]) < size:
        found[-2:] = [found[-2] + found[-1]]
    last = found[-1]
    if len(last) > 3 * size // 2:
        upper = -(-len(last) // 2)
        found[-1:] = [last[:upper], last[upper:]]
    return [division for division in found if division]


def _cut(names: Sequence[str], size: int) -> list[list[str]]:
    """Cut the members of a first season into divisions, as even as can be, larger ones on top."""
    if not names:
        return []
    count = max(1, (2 * len(names) + size) // (2 * size))
    small, larger = divmod(len(names), count)
    found, at = list[list[str]](), 0
    for number in range(count):
        length = small + (number < larger)
        found.append([*names[at : at + length]])
        at += length
    return found


def _row(row: Scored) -> dict[str, Any]:
    return {
        "order": row.order,
        "place": row.place,
        "player": row.player,
        "score": fraction(row.score),
        "shown": shown(row.score, "matchpoints"),
        "sessions": row.sessions,
        "active": row.is_active,
        "weeks": [fraction(week) for week in row.weeks],
    }
