"""Speed of the solver and its share of decided deals, for every game, compared with a plain search and compiled.

    python -m benchmarks.solver --deals 4 --nodes 5000 [SLUG...]

The peer is a simple implementation: a heap ordered by score, and a set of visited positions; it uses the same rules.
Both search the same deals with the same node budget. A deal is decided when it is won or lost. Seconds are processor
time, medians of several rounds. The ratios are nodes a second and decided deals a second, ours divided by the peer's:
higher is better. The ratio of decided deals is empty if the peer decides none.

After ``make native`` the same searches are also made by the compiled engine, in the same rounds: the last two columns
are its nodes a second, and these divided by those in Python. They are empty for a game that is not compiled.

Three lines follow the games: the sums over all games, the sums over the games in which the peer decides a deal, and the
medians of the three ratios, each over the games that have it.
"""

import argparse
import statistics
import time
from collections.abc import Callable, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from cadogan import engine
from cadogan.engine import Game, State
from cadogan.engine.compiled import choice
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
    """Search a deal with the solver in Python; return the verdict and the nodes searched."""
    found = solve(game, start, seed, budget)
    return found.verdict, found.nodes


def compiled(game: Game, start: State, seed: bytes, budget: int) -> tuple[Verdict, int]:
    """Search a deal with the compiled solver; return the verdict and the nodes searched, which are the same."""
    found = choice.solve(game, start, seed, budget)
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


def measure(game: Game, searches: Sequence[Search], deals: int, budget: int) -> list[Speed]:
    """Search the first deals of a game with each search in turn, in several rounds; return their median times."""
    seeds = [deal_seed(game.slug, number) for number in range(deals)]
    starts = [game.deal(seed) for seed in seeds]
    times: list[list[float]] = [[] for _ in searches]
    for _ in range(ROUNDS):
        answers = []
        for search, seconds in zip(searches, times, strict=True):
            began = time.process_time()
            answers.append([search(game, start, seed, budget) for start, seed in zip(starts, seeds, strict=True)])
            seconds.append(time.process_time() - began)
    return [
        Speed(
            sum(verdict != "unknown" for verdict, _ in found),
            sum(nodes for _, nodes in found),
            statistics.median(seconds),
        )
        for found, seconds in zip(answers, times, strict=True)
    ]


class Comparison(NamedTuple):
    """The solver, its peer, and the compiled solver on the same deals; None for a game that is not compiled."""

    solver: Speed
    plain: Speed
    compiled: Speed | None = None

    @property
    def nodes_ratio(self) -> float:
        """The solver's nodes a second divided by the peer's."""
        return self.solver.nodes / self.solver.seconds / (self.plain.nodes / self.plain.seconds)

    @property
    def decided_ratio(self) -> float | None:
        """The solver's decided deals a second divided by the peer's; None if the peer decided none."""
        if not self.plain.decided:
            return None
        return self.solver.decided / self.solver.seconds / (self.plain.decided / self.plain.seconds)

    @property
    def compiled_ratio(self) -> float | None:
        """The compiled solver's nodes a second divided by those in Python."""
        if self.compiled is None:
            return None
        return self.compiled.nodes / self.compiled.seconds / (self.solver.nodes / self.solver.seconds)

    def line(self, name: str) -> str:
        """Return one line of the table, in Markdown."""
        cells = [name]
        for one in (self.solver, self.plain):
            cells += [f"{one.nodes / one.seconds:,.0f}", str(one.decided), f"{one.decided / one.seconds:.2f}"]
        cells += [f"{self.nodes_ratio:.2f}", _write(self.decided_ratio)]
        cells.append(f"{self.compiled.nodes / self.compiled.seconds:,.0f}" if self.compiled else "")
        cells.append(_write(self.compiled_ratio))
        return f"| {' | '.join(cells)} |"


def _write(ratio: float | None) -> str:
    return "" if ratio is None else f"{ratio:.1f}"


def add_up(compared: Sequence[Comparison]) -> Comparison:
    """Return the sums over several games; of the compiled solver only if all of them are compiled."""
    nothing = Speed(0, 0, 0.0)
    fast = [one.compiled for one in compared if one.compiled]
    return Comparison(
        sum([one.solver for one in compared], nothing),
        sum([one.plain for one in compared], nothing),
        sum(fast, nothing) if len(fast) == len(compared) else None,
    )


def summary(compared: Sequence[Comparison]) -> list[str]:
    """Return the lines that follow those of the games."""
    lines = [add_up(compared).line(f"all {len(compared)} games")]
    decided = [one for one in compared if one.plain.decided]
    if decided:
        lines.append(add_up(decided).line(f"the {len(decided)} where the peer decides"))
    nodes_ratio = statistics.median(one.nodes_ratio for one in compared)
    others = " |  | ".join(
        _write(statistics.median(known) if (known := [ratio for ratio in ratios if ratio is not None]) else None)
        for ratios in zip(*((one.decided_ratio, one.compiled_ratio) for one in compared), strict=True)
    )
    return [*lines, f"| median of the ratios | | | | | | | {nodes_ratio:.2f} | {others} |"]


def searches_of(game: Game) -> list[Search]:
    """Return the solver, its peer, and the compiled solver if the library has the game."""
    library = choice.find_library()[0]
    return [ours, peer, compiled] if library is not None and library.has(game) else [ours, peer]


def main() -> None:
    """Print the table for the games on the command line, or for all games, and its summary lines."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=4)
    parser.add_argument("--nodes", type=int, default=5000)
    parser.add_argument("slugs", nargs="*")
    options = parser.parse_args()
    print("| | solver | | | peer | | | ratio of | | compiled | ratio |")
    print("| game | nodes/s | decided | decided/s | nodes/s | decided | decided/s | nodes/s | decided/s | nodes/s | |")
    print("| --- |" + " ---: |" * 10)
    compared = []
    for slug in options.slugs or engine.slugs():
        game = engine.game(slug)
        compared.append(Comparison(*measure(game, searches_of(game), options.deals, options.nodes)))
        print(compared[-1].line(slug), flush=True)
    print("\n".join(summary(compared)))


if __name__ == "__main__":
    main()
