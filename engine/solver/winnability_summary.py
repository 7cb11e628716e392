"""The summary of results: for each game the number of deals won, lost and unknown, and the cost of the search."""

from collections.abc import Iterable
from math import ceil, log, sqrt
from statistics import median
from typing import NamedTuple

from cadogan.engine.errors import WrongResult
from cadogan.engine.solver.winnability import DealResult

QUICK_NODES = 10_000
"""A win within this many nodes counts as quick, so runs with different budgets can be compared."""
CERTIFIED_SHARE = 0.9
"""The share of days for which a search is to find a deal that can be won."""
_Z = 1.959964
"""The interval of this many standard deviations around the mean holds 95 % of a normal distribution."""
_HEAD = (
    *("game", "deals", "budget", "won", "lost", "unknown", "can be won"),
    *("nodes", "nodes/s", "seconds", "moves of a win"),
)

Interval = tuple[float, float]
"""The lowest and the highest share, from 0 to 1."""


class GameSummary(NamedTuple):
    """The results of a run for one game, with these versions of its rules and of the solver.

    `won` and `lost` count deals; the rest of `deals` is unknown. `budget` is the minimum number of nodes searched in
    each unknown deal. `nodes` is the median of all deals, `moves` that of the wins that were found (None without a
    win). `quick_wins` counts the wins within `QUICK_NODES`. `quickness` is the mean of `win_quickness` over all deals,
    with 0 for no win. `nodes_per_second` is the speed of the search on one core of the machine that made the summary; 0
    if it was not measured.
    """

    game: str
    rules: int
    solver: int
    deals: int
    budget: int
    won: int
    lost: int
    nodes: int
    moves: int | None
    quick_wins: int
    quickness: float
    nodes_per_second: int = 0

    @property
    def unknown(self) -> int:
        """How many deals are neither won nor lost."""
        return self.deals - self.won - self.lost

    @property
    def can_be_won(self) -> Interval:
        """The range of the share of winnable deals, with 95 % confidence, for any verdict on the unknown ones."""
        return self.interval(self.won)[0], self.interval(self.won + self.unknown)[1]

    @property
    def seconds(self) -> float | None:
        """About how many seconds the median deal takes on one core; None if the speed was not measured."""
        return self.nodes / self.nodes_per_second if self.nodes_per_second else None

    @property
    def candidates(self) -> int | None:
        """How many deals one has to search to win one of them within `QUICK_NODES`, nine times of ten; None if none is.

        It follows from the share of quick wins in the run.
        """
        share = self.quick_wins / self.deals
        if share >= CERTIFIED_SHARE:
            return 1
        return ceil(log(1 - CERTIFIED_SHARE) / log(1 - share)) if share else None

    @property
    def certificate_seconds(self) -> float | None:
        """At most how many seconds of one core the search of these `candidates` takes; None if nothing is known."""
        if self.candidates is None or not self.nodes_per_second:
            return None
        return self.candidates * QUICK_NODES / self.nodes_per_second

    def interval(self, count: int) -> Interval:
        """Return the 95 % confidence interval of the share of `count` deals."""
        return wilson_interval(count, self.deals)


def wilson_interval(count: int, total: int) -> Interval:
    """Return the 95 % Wilson score interval of the share `count` / `total`.

    >>> [round(share, 3) for share in wilson_interval(10, 20)]
    [0.299, 0.701]
    """
    share, square = count / total, _Z * _Z / total
    middle = (share + square / 2) / (1 + square)
    radius = _Z * sqrt(share * (1 - share) / total + square / (4 * total)) / (1 + square)
    return max(0.0, middle - radius), min(1.0, middle + radius)


def latest_results(results: Iterable[DealResult]) -> dict[tuple[str, int], DealResult]:
    """Return the last result of each deal: a repeated search with more nodes comes later."""
    return {(one.game, one.deal): one for one in results}


def summarize(results: Iterable[DealResult]) -> list[GameSummary]:
    """Return the summary of each game, in the order of their names, from the last result of each deal.

    Raises WrongResult when the results of one game are of several versions of the solver or of the rules.
    """
    games: dict[str, list[DealResult]] = {}
    for result in latest_results(results).values():
        games.setdefault(result.game, []).append(result)
    for game, found in games.items():
        if len({(one.solver, one.rules) for one in found}) > 1:
            raise WrongResult(
                f"the results of {game} are of several versions of the solver or of the rules, and make no one table"
            )
    return [_summarize_game(found) for _, found in sorted(games.items())]


def _summarize_game(found: list[DealResult]) -> GameSummary:
    wins = [one for one in found if one.verdict == "won"]
    unknown = [one.budget for one in found if one.verdict == "unknown"]
    quick = [one.nodes for one in wins if one.nodes <= QUICK_NODES]
    return GameSummary(
        game=found[0].game,
        rules=found[0].rules,
        solver=found[0].solver,
        deals=len(found),
        budget=min(unknown) if unknown else max(one.budget for one in found),
        won=len(wins),
        lost=sum(one.verdict == "lost" for one in found),
        nodes=round(median(one.nodes for one in found)),
        moves=round(median(len(one.moves) for one in wins)) if wins else None,
        quick_wins=len(quick),
        quickness=round(sum(map(win_quickness, quick)) / len(found), 4),
    )


def win_quickness(nodes: int) -> float:
    """Return the quickness of a win: 1 for no nodes, 0 for `QUICK_NODES` or more, on a logarithmic scale.

    >>> win_quickness(1), round(win_quickness(100), 2), win_quickness(50_000)
    (1.0, 0.5, 0.0)
    """
    return max(0.0, 1 - log(max(nodes, 1)) / log(QUICK_NODES))


def winnability_table(summaries: Iterable[GameSummary]) -> list[str]:
    """Return the table in Markdown, line by line, one line for each game.

    Each count has its share with the interval in brackets. What *can be won* lies between the lower end of the
    interval if every unknown deal were lost, and the upper end if every one of them could be won.
    """
    lines = [f"| {' | '.join(_HEAD)} |", "| --- |" + " ---: |" * (len(_HEAD) - 1)]
    return lines + [f"| {' | '.join(_cells(summary))} |" for summary in summaries]


def _cells(summary: GameSummary) -> list[str]:
    return [
        summary.game,
        f"{summary.deals:,}",
        f"{summary.budget:,}",
        *(
            f"{count:,} ({format_range(summary.interval(count))})"
            for count in (summary.won, summary.lost, summary.unknown)
        ),
        format_range(summary.can_be_won),
        f"{summary.nodes:,}",
        f"{summary.nodes_per_second:,}" if summary.nodes_per_second else "",
        "" if summary.seconds is None else _seconds(summary.seconds),
        "" if summary.moves is None else str(summary.moves),
    ]


def _seconds(seconds: float) -> str:
    """Write seconds with their significant digits.

    >>> _seconds(0.0314), _seconds(2.34), _seconds(1234.5)
    ('0.031', '2.3', '1,234')
    """
    return f"{seconds:.2g}" if seconds < 10 else f"{seconds:,.0f}"


def format_range(shares: Interval) -> str:
    """Write two shares, from 0 to 1, in percent.

    >>> format_range((0.299, 0.701))
    '30–70 %'
    """
    low, high = shares
    return f"{100 * low:.0f}–{100 * high:.0f} %"
