"""Playouts and replays per second, for every game: ``python -m benchmarks.engine [SLUG...]``.

A playout asks for the legal moves, takes one by a fixed draw and plays it, to the end of the game or 300 moves. A
replay folds the recorded effects of the same playouts, asking no rules. Each figure is the median of the rounds; the
last column is how much cheaper folding a move is than finding and playing it.
"""

import random
import statistics
import sys
import time
from collections.abc import Callable
from hashlib import sha256

import engine
from engine import Game, State
from engine.effects import Effect

ROUNDS, DEALS, MOVES = 5, 4, 300
Playout = tuple[bytes, list[tuple[Effect, ...]]]


def playout(game: Game, seed: bytes) -> Playout:
    """One game of random legal moves: its seed, and the effects of each move."""
    draw = random.Random(seed)
    state = game.deal(seed)
    effects = []
    for _ in range(MOVES):
        legal = game.legal_moves(state)
        if not legal:
            break
        played = game.play_legal(state, draw.choice(legal), seed)
        effects.append(played.effects)
        state = played.state
    return seed, effects


def replay(game: Game, played: Playout) -> State:
    """The last position of the same game, folded from its effects."""
    seed, moves = played
    state = game.deal(seed)
    for effects in moves:
        state = game.fold(state, effects)
    return state


def median_seconds(work: Callable[[], object]) -> float:
    """The median time of the rounds, after one that does not count."""
    work()
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def measure(game: Game) -> str:
    """One line of the table."""
    seeds = [sha256(b"benchmark %d" % number).digest() for number in range(DEALS)]
    games = [playout(game, seed) for seed in seeds]
    moves = sum(len(effects) for _, effects in games) or 1
    dealing = median_seconds(lambda: [game.deal(seed) for seed in seeds])
    playing = max(median_seconds(lambda: [playout(game, seed) for seed in seeds]) - dealing, 1e-9)
    folding = max(median_seconds(lambda: [replay(game, played) for played in games]) - dealing, 1e-9)
    return (
        f"{game.slug:24} {moves:6} {moves / playing:12,.0f} {playing / moves * 1e6:9.1f}"
        f" {moves / folding:12,.0f} {folding / moves * 1e6:9.1f} {playing / folding:7.1f}"
    )


def main(slugs: list[str]) -> None:
    """Print the table for these games, or for all."""
    print(f"{'game':24} {'moves':>6} {'played/s':>12} {'µs':>9} {'folded/s':>12} {'µs':>9} {'ratio':>7}")
    for slug in slugs or engine.slugs():
        print(measure(engine.game(slug)))


if __name__ == "__main__":
    main(sys.argv[1:])
