"""The scores of the deals of a week, and of an evening, as sessions of a season. Pure."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from fractions import Fraction
from typing import Any

from cadogan.server.core.scoring.deals import matchpoints, mean, neuberg
from cadogan.server.core.scoring.fields import fraction
from cadogan.server.core.scoring.forms import Evening, Run, Session


def score_week(week: str, rows: Iterable[Any], struck: Collection[str]) -> list[Session]:
    """Return one session for each deal of a week: the shares of those with a run of it, less time being better.

    `rows` are the runs of people on the boards, and `struck` the ids of those that do not count.
    The deals are scored together: N of Neuberg's formula is the largest number of runs on one of them.
    """
    deals: dict[str, dict[str, Run]] = defaultdict(dict)
    for row in rows:
        if row.game_id not in struck:
            deals[row.deal][row.player] = Run(
                run=row.game_id,
                deal=row.deal,
                player=row.player,
                opened_at=row.finished_at - row.milliseconds,
                ended_at=row.finished_at,
                result=row.result,
                score=row.score,
                points=row.points,
                moves=row.moves,
                milliseconds=row.milliseconds,
            )
    largest = max(map(len, deals.values()), default=0)
    points = {deal: matchpoints(runs, time_counts=True) for deal, runs in sorted(deals.items())}
    return [Session(deal, week, _shares(own, largest)) for deal, own in points.items()]


def _shares(points: dict[str, int], largest: int) -> dict[str, str]:
    shares: dict[str, Fraction] = {player: neuberg(own, len(points), largest) for player, own in points.items()}
    return {player: fraction(share) for player, share in sorted(shares.items())}


def read_shares(form: Evening, answer: dict[str, Any]) -> dict[str, str]:
    """Return the total of the first stage of each person in a standing, as a fraction."""
    people = {one.player for one in form.entrants if one.kind == "person"}
    totals: dict[str, list[Fraction]] = {}
    for field in answer["standings"]:
        for score in next(stage["scores"] for stage in field["stages"] if stage["stage"] == "first"):
            if score["player"] in people:
                totals.setdefault(score["player"], []).append(Fraction(score["value"]))
    means = {player: mean(values) or Fraction(0) for player, values in sorted(totals.items())}
    return {player: fraction(value) for player, value in means.items()}
