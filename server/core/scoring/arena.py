"""The standing of an arena: points for wins and draws, doubled in a streak."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from cadogan.server.core.scoring.deals import Refused, id_order
from cadogan.server.core.scoring.forms import Evening, Run

DRAW_POINTS = 500
"""A run that is not won and has so many points counts as a draw."""


class Sheet(NamedTuple):
    """The accepted runs of a player in the order of the deals, and the points of each.

    A struck run has 0 points, and one that is out of time has None: it counts nothing. `streak` is how many runs were
    won in a row at the end.
    """

    runs: list[Run]
    points: list[int | None]
    streak: int


def arena_standings(evening: Evening, struck: Collection[str]) -> tuple[list[dict[str, Any]], bool, list[Refused]]:
    """Return the standings of each field, whether the arena is void, and the runs that are refused."""
    sheets, refused = read_sheets(evening, struck)
    kinds = {entrant.player: entrant.kind for entrant in evening.entrants}
    standings = []
    for field in {"none": ("people",), "apart": ("people", "bots"), "mixed": ("all",)}[evening.settings.bots]:
        rows = [
            _row(player, sheet, struck)
            for player, sheet in sheets.items()
            if field == "all" or (kinds[player] == "bot") == (field == "bots")
            if any(run.run not in struck for run in sheet.runs)
        ]
        rows.sort(key=lambda row: (-row["points"], -row["wins"], row["runs"], id_order(row["player"])))
        for number, row in enumerate(rows):
            above = rows[number - 1] if number else None
            is_shared = above is not None and all(above[name] == row[name] for name in ("points", "wins", "runs"))
            row["place"] = above["place"] if above is not None and is_shared else number + 1
        if rows:
            standings.append({"field": field, "rows": rows})
    refused += [Refused(run, "struck") for sheet in sheets.values() for run in sheet.runs if run.run in struck]
    is_void = {one.deal for one in evening.voided} >= {*evening.deals}
    return standings, is_void or not standings, refused


def read_sheets(evening: Evening, struck: Collection[str]) -> tuple[dict[str, Sheet], list[Refused]]:
    """Return the sheet of each player who has an accepted or a struck run, and the other runs, which are refused."""
    accepted, refused = _accept(evening)
    return {player: _read_sheet(runs, struck) for player, runs in accepted.items()}, refused


def _accept(evening: Evening) -> tuple[dict[str, list[Run]], list[Refused]]:
    kinds = {entrant.player: entrant.kind for entrant in evening.entrants}
    number = {deal: place for place, deal in enumerate(evening.deals)}
    opens_at, closes_at = evening.opens_at or 0, evening.closes_at or 0
    accepted: dict[str, dict[str, Run]] = defaultdict(dict)
    refused = []
    for run in sorted(evening.runs, key=lambda run: (run.opened_at, id_order(run.run))):
        if run.player not in kinds:
            refused.append(Refused(run, "not_entrant"))
        elif kinds[run.player] == "bot" and evening.settings.bots == "none":
            refused.append(Refused(run, "no_bots"))
        elif run.deal not in number:
            refused.append(Refused(run, "unknown_deal"))
        elif not opens_at <= run.opened_at < closes_at:
            refused.append(Refused(run, "outside_round"))
        elif run.deal in accepted[run.player]:
            refused.append(Refused(run, "second_run"))
        else:
            accepted[run.player][run.deal] = run
    in_sequence = {
        player: sorted(runs.values(), key=lambda run: number[run.deal]) for player, runs in accepted.items() if runs
    }
    return in_sequence, refused


def _read_sheet(runs: Sequence[Run], struck: Collection[str]) -> Sheet:
    found, streak = list[int | None](), 0
    for run in runs:
        won = run.result == "won" and run.run not in struck
        points = 2 if won else 1 if run.points >= DRAW_POINTS else 0
        if run.run in struck:
            found.append(0)
        elif run.result == "out_of_time":
            found.append(None)
        else:
            found.append(2 * points if streak >= 2 else points)
        streak = streak + 1 if won else 0
    return Sheet([*runs], found, streak)


def _row(player: str, sheet: Sheet, struck: Collection[str]) -> dict[str, Any]:
    points = [one for one in sheet.points if one is not None]
    counted = [run for run in sheet.runs if run.run not in struck and run.result != "out_of_time"]
    wins = sum(run.result == "won" for run in counted)
    place = 0  # follows from the order of the rows
    return {
        "place": place,
        "player": player,
        "points": sum(points),
        "wins": wins,
        "runs": len(counted),
        "sheet": points,
    }
