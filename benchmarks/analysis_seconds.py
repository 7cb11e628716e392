"""How long the analysis of a finished run takes, by the library of the compiled rules or by Python.

    python -m benchmarks.analysis_seconds                   the library, if there is one
    python -m benchmarks.analysis_seconds --python golf     Python, for one game

Each game is played at random, up to 150 moves, and then searched as an analyst does it, without a database: first the
verdicts on all positions, then what follows from each move. Prints the seconds until the verdicts and until the end,
the nodes of both, the seconds that were not spent in searches, and how many positions have a verdict that is known.
"""

from __future__ import annotations

import argparse
from random import Random
from time import perf_counter
from typing import NamedTuple

from cadogan import engine
from cadogan.engine.compiled import choice
from cadogan.engine.game import Game
from cadogan.engine.moves import Move
from cadogan.engine.solver.steps import run_steps
from cadogan.engine.solver.winnability import deal_seed
from cadogan.server.subjects.analysis.decided_positions import DecidedPosition, position_key
from cadogan.server.subjects.analysis.findings import Findings, Run
from cadogan.server.subjects.analysis.jobs import WHOLE_GAME
from cadogan.server.subjects.analysis.run_search import SHORTEN_NODES, RunSearch, decide_in_steps

GAMES = ("klondike", "freecell", "spider-two-suits", "yukon", "golf", "pyramid", "salic-law", "anna")
MOVES = 150


class Analysed(NamedTuple):
    """How long an analysis took. `verdict_seconds` is the time until all positions had a verdict."""

    moves: int
    verdict_seconds: float
    seconds: float
    verdict_nodes: int
    nodes: int
    seconds_beside: float
    known: int


def play(game: Game, number: int) -> Run:
    """Play a deal at random, the same each time, until no move is left or there were `MOVES`."""
    seed, random = deal_seed(game.slug, number), Random(number)
    state = deal = game.deal(seed)
    moves = list[Move | None]()
    while len(moves) < MOVES and (legal := game.legal_moves(state)) and not game.won(state):
        moves.append(move := random.choice(legal))
        state = game.play_legal(state, move, seed).state
    return Run(game, seed, deal, moves, [])


def analyse(run: Run) -> Analysed:
    """Search a run to the end, as an analyst does it."""
    started, searching = perf_counter(), 0.0
    search, decided = RunSearch(run, WHOLE_GAME, Findings()), dict[str, DecidedPosition]()
    verdicts_at, verdict_nodes = None, 0
    while (step := search.next_step()) is not None:
        if step.known is not None and verdicts_at is None:
            verdicts_at, verdict_nodes = perf_counter() - started, search.findings.nodes
        found = []
        for state in step.states:
            key = position_key(run.rules, run.seed, state)
            if key not in decided or not decided[key].answers(step.nodes):
                begun, shorten_nodes = perf_counter(), SHORTEN_NODES if step.known is None else 0
                decided[key] = run_steps(decide_in_steps(run.rules, state, run.seed, step.nodes, shorten_nodes))
                searching += perf_counter() - begun
            found.append(decided[key])
        search.record(step, found)
    seconds = perf_counter() - started
    known = sum(verdict in ("won", "lost") for verdict in search.analysis.verdicts)
    nodes = search.findings.nodes
    return Analysed(
        len(run.played), verdicts_at or seconds, seconds, verdict_nodes or nodes, nodes, seconds - searching, known
    )


def main() -> None:
    """Analyse one run of each game, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--python", action="store_true", help="search in Python, also where there is a library")
    parser.add_argument("--deal", type=int, default=0, help="the number of the deal")
    asked = parser.parse_args()
    choice.configure(uses_library=not asked.python)
    print(f"searched by {'Python' if choice.find_library()[0] is None else 'the library'}")
    print("| game | moves | verdicts s | all s | nodes of verdicts | nodes | beside s | known |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for slug in asked.games:
        one = analyse(play(engine.game(slug), asked.deal))
        times = f"{one.verdict_seconds:.2f} | {one.seconds:.2f} | {one.verdict_nodes} | {one.nodes}"
        print(f"| {slug} | {one.moves} | {times} | {one.seconds_beside:.2f} | {one.known} |", flush=True)


if __name__ == "__main__":
    main()
