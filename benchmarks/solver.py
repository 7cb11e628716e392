"""How fast the solver searches and how many deals it decides, for every game, beside a plain best-first search.

    python -m benchmarks.solver --deals 4 --nodes 5000 [SLUG...]

The peer is what one would write in an evening: a heap ordered by the score, and a set of the positions that are known;
it plays by the same rules. Both search the same deals with the same budget of nodes. A deal is decided when it is won
or lost. Seconds are those of the processor, medians of some rounds. The ratios are those of nodes a second and of
decided deals a second, ours divided by the peer's: higher is better. The ratio of decided deals is empty where the peer
decides none.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from heapq import heappop, heappush
from typing import NamedTuple

import engine
from engine import Game, State
from engine.solver import solve
from engine.solver.solution import Verdict
from engine.solver.winnability import deal_seed

ROUNDS = 3
Search = Callable[[Game, State, bytes, int], tuple[Verdict, int]]


class Speed(NamedTuple):
    """What one search did with the deals of a game."""

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
    """Search a deal in the plainest way: always go on from the position with the highest score."""
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


def line(name: str, solver: Speed, plain: Speed) -> str:
    """Return one line of the table, in Markdown."""
    cells = [name]
    for one in (solver, plain):
        cells += [f"{one.nodes / one.seconds:,.0f}", str(one.decided), f"{one.decided / one.seconds:.2f}"]
    cells.append(f"{solver.nodes / solver.seconds / (plain.nodes / plain.seconds):.2f}")
    cells.append(f"{solver.decided / solver.seconds / (plain.decided / plain.seconds):.1f}" if plain.decided else "")
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Print the table for the games on the command line, or for all games, and a line for all of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=4)
    parser.add_argument("--nodes", type=int, default=5000)
    parser.add_argument("slugs", nargs="*")
    options = parser.parse_args()
    print("| | solver | | | peer | | | ratio of | |")
    print("| game | nodes/s | decided | decided/s | nodes/s | decided | decided/s | nodes/s | decided/s |")
    print("| --- |" + " ---: |" * 8)
    totals = [Speed(0, 0, 0.0), Speed(0, 0, 0.0)]
    for slug in options.slugs or engine.slugs():
        speeds = [measure(engine.game(slug), search, options.deals, options.nodes) for search in (ours, peer)]
        print(line(slug, *speeds), flush=True)
        totals = [total + speed for total, speed in zip(totals, speeds, strict=True)]
    print(line("all", *totals))


if __name__ == "__main__":
    main()
