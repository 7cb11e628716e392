"""How often simple players win each game, and how long the games last.

    python -m benchmarks.winnability --deals 100 [SLUG...]

Two players who do not look ahead play many deals of every game. The random player takes any legal move. The greedy
player takes the move that raises the score most; if none does, it takes one to a position that is new in this game.
Both stop when the game is won, when there is no move, or after 500 moves. The table helps to check that the rules were
understood: a game that is always won, or whose score never rises, was probably implemented wrongly.
"""

import argparse
import random
import statistics
import time
from collections.abc import Callable
from hashlib import sha256
from typing import NamedTuple

import engine
from engine import Game, Played, State

MAX_MOVES = 500
Chooser = Callable[[Game, State, set[State], bytes, random.Random], Played | None]


class Run(NamedTuple):
    """The result of one playout."""

    won: bool
    score: int
    moves: int


def any_move(game: Game, state: State, seen: set[State], seed: bytes, rng: random.Random) -> Played | None:
    """Play any legal move. Returns None if there is none."""
    legal = game.legal_moves(state)
    return game.play_legal(state, rng.choice(legal), seed) if legal else None


def greedy_move(game: Game, state: State, seen: set[State], seed: bytes, rng: random.Random) -> Played | None:
    """Play the move that raises the score most, else one to a new position. Returns None if there is neither."""
    plays = [game.play_legal(state, move, seed) for move in game.legal_moves(state)]
    plays = [played for played in plays if played.state not in seen]
    if not plays:
        return None
    best = max(game.score(played.state) for played in plays)
    if best > game.score(state):
        plays = [played for played in plays if game.score(played.state) == best]
    return rng.choice(plays)


def playout(game: Game, deal: int, choose: Chooser) -> Run:
    """Play one deal until it ends, but at most `MAX_MOVES` moves."""
    seed = sha256(b"winnability %d" % deal).digest()
    rng = random.Random(seed)
    state = game.deal(seed)
    seen = {state}
    for moves in range(MAX_MOVES):
        if game.won(state):
            return Run(True, game.score(state), moves)
        played = choose(game, state, seen, seed, rng)
        if played is None:
            return Run(False, game.score(state), moves)
        state = played.state
        seen.add(state)
    return Run(game.won(state), game.score(state), MAX_MOVES)


def measure(game: Game, deals: int) -> str:
    """Measure one game and return its line of the table, in Markdown."""
    cells = [game.slug, str(game.maximum)]
    for choose in (any_move, greedy_move):
        start = time.perf_counter()
        runs = [playout(game, deal, choose) for deal in range(deals)]
        seconds = time.perf_counter() - start
        cells += [
            f"{sum(run.won for run in runs) / deals:.1%}",
            f"{statistics.mean(run.score for run in runs):.1f}",
            str(max(run.score for run in runs)),
            f"{statistics.mean(run.moves for run in runs):.0f}",
            f"{sum(run.moves for run in runs) / seconds:,.0f}",
        ]
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Print the table for the games on the command line, or for all games."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("slugs", nargs="*")
    options = parser.parse_args()
    print("| | | random | | | | | greedy | | | | |")
    print("| game | maximum | won | mean | best | moves | moves/s | won | mean | best | moves | moves/s |")
    print("| --- | ---: |" + " ---: |" * 10)
    for slug in options.slugs or engine.slugs():
        print(measure(engine.game(slug), options.deals), flush=True)


if __name__ == "__main__":
    main()
