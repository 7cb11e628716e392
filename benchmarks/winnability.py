"""How often a game is won, and how long it lasts: ``python -m benchmarks.winnability [--deals N] [SLUG...]``.

Two players who never think ahead play many deals of every game: one takes any legal move, one takes a move that raises
the score, else one that leads to a position not seen before in this game. Both stop when the game is won, when no move
is left, or after so many moves. The table is the sanity check of a rule sheet: a game that wins by itself, or whose
score never rises, has probably been read wrongly.
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

MOST_MOVES = 500
Chooser = Callable[[Game, State, set[State], bytes, random.Random], Played | None]


class Run(NamedTuple):
    """How one playout ended."""

    won: bool
    score: int
    moves: int


def any_move(game: Game, state: State, seen: set[State], seed: bytes, draw: random.Random) -> Played | None:
    """Any legal move."""
    legal = game.legal_moves(state)
    return game.play_legal(state, draw.choice(legal), seed) if legal else None


def greedy_move(game: Game, state: State, seen: set[State], seed: bytes, draw: random.Random) -> Played | None:
    """A move that raises the score most, else one to a position not seen before; None when there is neither."""
    plays = [game.play_legal(state, move, seed) for move in game.legal_moves(state)]
    plays = [played for played in plays if played.state not in seen]
    if not plays:
        return None
    best = max(game.score(played.state) for played in plays)
    if best > game.score(state):
        plays = [played for played in plays if game.score(played.state) == best]
    return draw.choice(plays)


def playout(game: Game, deal: int, choose: Chooser) -> Run:
    """Play one deal to its end, or so far."""
    seed = sha256(b"winnability %d" % deal).digest()
    draw = random.Random(seed)
    state = game.deal(seed)
    seen = {state}
    for moves in range(MOST_MOVES):
        if game.won(state):
            return Run(True, game.score(state), moves)
        played = choose(game, state, seen, seed, draw)
        if played is None:
            return Run(False, game.score(state), moves)
        state = played.state
        seen.add(state)
    return Run(game.won(state), game.score(state), MOST_MOVES)


def measure(game: Game, deals: int) -> str:
    """One line of the table, in Markdown."""
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
    """Print the table for the games named, or for all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
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
