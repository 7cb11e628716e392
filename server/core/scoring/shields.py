"""The shield of each game for a month, awarded to the player with the largest sum of their best three shares."""

from collections import defaultdict
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

from cadogan.server.core.scoring.deals import id_order
from cadogan.server.core.scoring.fields import fraction
from cadogan.server.core.scoring.forms import Shields
from cadogan.server.core.scoring.seasons import read_fraction

MIN_RUNS = 4
BEST = 3


def award_shields(form: Shields) -> dict[str, Any]:
    """Return who holds the shield of each game after a month."""
    shares: dict[str, dict[str, list[tuple[Fraction, int]]]] = defaultdict(lambda: defaultdict(list))
    for run in form.runs:
        share = read_fraction(run.share)
        if run.n >= MIN_RUNS and month_of(run.ended_at) == form.month:
            shares[run.game][run.player].append((share, run.ended_at))
    found = []
    for game in sorted({*shares, *form.holders}, key=id_order):
        holder = form.holders.get(game)
        best = [(player, *_sum(own)) for player, own in shares.get(game, {}).items()]
        if not best:
            found.append({"game": game, "holder": holder, "sum": None, "kept": True})
            continue
        winner = min(best, key=lambda one: (-one[1], one[0] != holder, one[2], id_order(one[0])))
        found.append({"game": game, "holder": winner[0], "sum": fraction(winner[1]), "kept": winner[0] == holder})
    return {"format": "cadogan shield list 1", "month": form.month, "shields": found}


def month_of(at: int) -> str:
    """Return the month of a moment in UTC, as 2026-11; empty for one out of range."""
    try:
        return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m")
    except (OverflowError, ValueError, OSError):
        return ""


def _sum(runs: list[tuple[Fraction, int]]) -> tuple[Fraction, int]:
    """Return the sum of the best three shares, and when the last of these ended; of equal shares the first count."""
    best = sorted(runs, key=lambda run: (-run[0], run[1]))[:BEST]
    return sum((share for share, _ in best), Fraction(0)), max(at for _, at in best)
