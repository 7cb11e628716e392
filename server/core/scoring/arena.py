"""The standing of an arena: points for wins and draws, doubled in a streak."""

from collections import defaultdict
from collections.abc import Collection
from typing import Any

from cadogan.server.core.scoring.deals import Refused, id_order
from cadogan.server.core.scoring.forms import Evening, Run

DRAW_POINTS = 500
"""A run that is not won and has so many points counts as a draw."""


def arena_standings(evening: Evening, struck: Collection[str]) -> tuple[list[dict[str, Any]], bool, list[Refused]]:
    """Return the standings of each field, whether the arena is void, and the runs that are refused."""
    accepted, refused = _accept(evening)
    kinds = {entrant.player: entrant.kind for entrant in evening.entrants}
    standings = []
    for field in {"none": ("people",), "apart": ("people", "bots"), "mixed": ("all",)}[evening.settings.bots]:
        rows = [
            _row(player, runs, struck)
            for player, runs in accepted.items()
            if field == "all" or (kinds[player] == "bot") == (field == "bots")
            if any(run.run not in struck for run in runs)
        ]
        rows.sort(key=lambda row: (-row["points"], -row["wins"], row["runs"], id_order(row["player"])))
        for number, row in enumerate(rows):
            above = rows[number - 1] if number else None
            is_shared = above is not None and all(above[name] == row[name] for name in ("points", "wins", "runs"))
            row["place"] = above["place"] if above is not None and is_shared else number + 1
        if rows:
            standings.append({"field": field, "rows": rows})
    refused += [Refused(run, "struck") for runs in accepted.values() for run in runs if run.run in struck]
    return standings, not standings, refused


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


def _row(player: str, runs: list[Run], struck: Collection[str]) -> dict[str, Any]:
    sheet, wins, counted, streak = list[int](), 0, 0, 0
    for run in runs:
        if run.run in struck:
            sheet.append(0)
            streak = 0
        elif run.result == "out_of_time":
            streak = 0
        else:
            won = run.result == "won"
            points = 2 if won else 1 if run.points >= DRAW_POINTS else 0
            sheet.append(2 * points if streak >= 2 else points)
            streak = streak + 1 if won else 0
            wins += won
            counted += 1
    return {"player": player, "points": sum(sheet), "wins": wins, "runs": counted, "sheet": sheet}
