"""The table of results: how many deals of each game are won, lost and unknown, with intervals of 95 % confidence."""

from collections.abc import Iterable
from math import sqrt
from statistics import median

from engine.solver.winnability import DealResult

_Z = 1.959964
"""So many standard deviations around the mean hold 95 % of a normal distribution."""
_HEAD = ("game", "deals", "budget", "won", "lost", "unknown", "can be won", "nodes", "moves of a win")


def wilson_interval(count: int, total: int) -> tuple[float, float]:
    """Return the lowest and highest share that `count` of `total` make credible, by Wilson's score with 95 %.

    >>> [round(share, 3) for share in wilson_interval(10, 20)]
    [0.299, 0.701]
    """
    share, square = count / total, _Z * _Z / total
    middle = (share + square / 2) / (1 + square)
    radius = _Z * sqrt(share * (1 - share) / total + square / (4 * total)) / (1 + square)
    return max(0.0, middle - radius), min(1.0, middle + radius)


def winnability_table(results: Iterable[DealResult]) -> list[str]:
    """Return the table in Markdown, line by line, one line for each game.

    Each count has its share with the interval in brackets. What *can be won* lies between the lower end of the
    interval if every unknown deal were lost, and the upper end if every one of them could be won. Nodes and moves are
    medians, of all deals and of the wins.
    """
    games: dict[str, list[DealResult]] = {}
    for result in results:
        games.setdefault(result.game, []).append(result)
    lines = [f"| {' | '.join(_HEAD)} |", "| --- |" + " ---: |" * (len(_HEAD) - 1)]
    for slug, found in sorted(games.items()):
        lines.append(f"| {' | '.join(_cells(slug, found))} |")
    return lines


def _cells(slug: str, found: list[DealResult]) -> list[str]:
    total = len(found)
    won, lost, unknown = (sum(one.verdict == verdict for one in found) for verdict in ("won", "lost", "unknown"))
    lengths = [len(one.moves) for one in found if one.verdict == "won"]
    budgets = sorted({one.budget for one in found})
    return [
        slug,
        str(total),
        "–".join(f"{budget:,}" for budget in {budgets[0]: None, budgets[-1]: None}),
        _share(won, total),
        _share(lost, total),
        _share(unknown, total),
        _range(wilson_interval(won, total)[0], wilson_interval(won + unknown, total)[1]),
        f"{median(one.nodes for one in found):,.0f}",
        f"{median(lengths):.0f}" if lengths else "",
    ]


def _share(count: int, total: int) -> str:
    return f"{count} ({_range(*wilson_interval(count, total))})"


def _range(low: float, high: float) -> str:
    return f"{100 * low:.0f}–{100 * high:.0f} %"
