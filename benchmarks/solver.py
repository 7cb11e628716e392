"""Speed of the solver and its share of decided deals, for every game, compared with a plain best-first search.

    python -m benchmarks.solver --deals 4 --nodes 5000 [SLUG...]

The peer is a simple implementation: a heap ordered by score, and a set of visited positions; it uses the same rules.
Both search the same deals with the same node budget. A deal is decided when it is won or lost. Seconds are processor
time, medians of several rounds. The ratios are nodes a second and decided deals a second, ours divided by the peer's:
higher is better. The ratio of decided deals is empty if the peer decides none.

Three lines follow the games: the sums over all games, the sums over the games in which the peer decides a deal, and the
medians of the two ratios, the second one over these games.
"""

import argparse
import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from cadogan import engine
from cadogan.engine import Game, State
from cadogan.engine.solver import solve
from cadogan.engine.solver.solution import Verdict
from cadogan.engine.solver.winnability import deal_seed

ROUNDS = 3
Search = Callable[[Game, State, bytes, int], tuple[Verdict, int]]


class Speed(NamedTuple):
    """The result of one search on the deals of a game."""

    decided: int
    nodes: int
    seconds: float

    def __add__(self, other: object) -> "Speed":
        assert isinstance(other, Speed)
        return Speed(self.decided + other.decided, self.nodes + other.nodes, self.seconds + other.seconds)


def ours(game: Game, start: State, seed: bytes, budget: int) -> tuple[Verdict, int]:
    """Search a deal with the solver; return the verdict and the nodes searched."""
    found = solve(game, start, seed, budget)
    return found.verdict, found.nodes


def peer(game: Game, start: State, seed: bytes, budget: int) -> tuple[Verdict, int]:
    """Search a deal with the plain search: always expand the position with the highest score."""
    known = {start}
    frontier = [(-game.score(start), 0, start)]
    for node in range(budget):
        if not frontier:
            return "lost", node
        _, _, state = heappop(frontier)
        for move in game.legal_moves(state):
            after = game.play_legal(state, move, seed).state
            if after in known:
                continue
            if game.won(after):
                return "won", node + 1
            known.add(after)
            heappush(frontier, (-game.score(after), -len(known), after))
    return "unknown", budget


def measure(game: Game, search: Search, deals: int, budget: int) -> Speed:
    """Search the first deals of a game, in several rounds, and return the result with the median time."""
    seeds = [deal_seed(game.slug, number) for number in range(deals)]
    starts = [game.deal(seed) for seed in seeds]
    times = []
    for _ in range(ROUNDS):
        began = time.process_time()
        found = [search(game, start, seed, budget) for start, seed in zip(starts, seeds, strict=True)]
        times.append(time.process_time() - began)
    decided = sum(verdict != "unknown" for verdict, _ in found)
    return Speed(decided, sum(nodes for _, nodes in found), statistics.median(times))


class Comparison(NamedTuple):
    """The solver and its peer on the same deals."""

    solver: Speed
    plain: Speed

    @property
    def nodes_ratio(self) -> float:
        """The solver's nodes a second divided by the peer's."""
        return self.solver.nodes / self.solver.seconds / (self.plain.nodes / self.plain.seconds)

    @property
    def decided_ratio(self) -> float:
        """The solver's decided deals a second divided by the peer's, which must have decided some."""
        return self.solver.decided / self.solver.seconds / (self.plain.decided / self.plain.seconds)

    def line(self, name: str) -> str:
        """Return one line of the table, in Markdown."""
        cells = [name]
        for one in self:
            cells += [f"{one.nodes / one.seconds:,.0f}", str(one.decided), f"{one.decided / one.seconds:.2f}"]
        cells.append(f"{self.nodes_ratio:.2f}")
        cells.append(f"{self.decided_ratio:.1f}" if self.plain.decided else "")
        return f"| {' | '.join(cells)} |"


def add_up(compared: Iterable[Comparison]) -> Comparison:
    """Return the sums over several games."""
    nothing = Speed(0, 0, 0.0)
    solvers, peers = zip(*compared, strict=True)
    return Comparison(sum(solvers, nothing), sum(peers, nothing))


def summary(compared: Sequence[Comparison]) -> list[str]:
    """Return the lines that follow those of the games."""
    lines = [add_up(compared).line(f"all {len(compared)} games")]
    decided = [one for one in compared if one.plain.decided]
    nodes_ratio = f"{statistics.median(one.nodes_ratio for one in compared):.2f}"
    decided_ratio = ""
    if decided:
        lines.append(add_up(decided).line(f"the {len(decided)} where the peer decides"))
        decided_ratio = f"{statistics.median(one.decided_ratio for one in decided):.1f}"
    return [*lines, f"| median of the ratios | | | | | | | {nodes_ratio} | {decided_ratio} |"]


def main() -> None:
    """Print the table for the games on the command line, or for all games, and its summary lines."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=4)
    parser.add_argument("--nodes", type=int, default=5000)
    parser.add_argument("slugs", nargs="*")
    options = parser.parse_args()
    print("| | solver | | | peer | | | ratio of | |")
    print("| game | nodes/s | decided | decided/s | nodes/s | decided | decided/s | nodes/s | decided/s |")
    print("| --- |" + " ---: |" * 8)
    compared = []
    for slug in options.slugs or engine.slugs():
        speeds = [measure(engine.game(slug), search, options.deals, options.nodes) for search in (ours, peer)]
        compared.append(Comparison(*speeds))
        print(compared[-1].line(slug), flush=True)
    print("\n".join(summary(compared)))


if __name__ == "__main__":
    main()
