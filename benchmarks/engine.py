"""How many moves a second the engine plays and replays, for every game.

    python -m benchmarks.engine [SLUG...]

A playout repeatedly plays a random legal move with a fixed seed, until the game ends or 300 moves are played. A replay
applies the recorded effects of the same playouts, without the rules. Each figure is the median of several rounds. The
ratio is the time of a played move divided by the time of a replayed move.
"""

import random
import statistics
import sys
import time
from collections.abc import Callable
from hashlib import sha256

from cadogan import engine
from cadogan.engine import Game, State
from cadogan.engine.effects import Effect

ROUNDS, DEALS, MAX_MOVES = 5, 4, 300
Playout = tuple[bytes, list[tuple[Effect, ...]]]


def playout(game: Game, seed: bytes) -> Playout:
    """Play one game by random legal moves; return its seed, and the effects of each move."""
    rng = random.Random(seed)
    state = game.deal(seed)
    effects = []
    for _ in range(MAX_MOVES):
        legal = game.legal_moves(state)
        if not legal:
            break
        played = game.play_legal(state, rng.choice(legal), seed)
        effects.append(played.effects)
        state = played.state
    return seed, effects


def replay(game: Game, played: Playout) -> State:
    """Apply the effects of a playout, and return the last position."""
    seed, moves = played
    state = game.deal(seed)
    for effects in moves:
        state = game.fold(state, effects)
    return state


def median_seconds(work: Callable[[], object]) -> float:
    """Do the work in several rounds after a warm-up round, and return the median time."""
    work()
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def measure(game: Game) -> str:
    """Measure one game and return its line of the table."""
    seeds = [sha256(b"benchmark %d" % number).digest() for number in range(DEALS)]
    games = [playout(game, seed) for seed in seeds]
    moves = sum(len(effects) for _, effects in games) or 1
    dealing = median_seconds(lambda: [game.deal(seed) for seed in seeds])
    playing = max(median_seconds(lambda: [playout(game, seed) for seed in seeds]) - dealing, 1e-9)
    replaying = max(median_seconds(lambda: [replay(game, played) for played in games]) - dealing, 1e-9)
    return (
        f"{game.slug:24} {moves:6} {moves / playing:12,.0f} {playing / moves * 1e6:9.1f}"
        f" {moves / replaying:12,.0f} {replaying / moves * 1e6:9.1f} {playing / replaying:7.1f}"
    )


def main(slugs: list[str]) -> None:
    """Print the table for these games, or for all games."""
    print(f"{'game':24} {'moves':>6} {'played/s':>12} {'µs':>9} {'replayed/s':>12} {'µs':>9} {'ratio':>7}")
    for slug in slugs or engine.slugs():
        print(measure(engine.game(slug)))


if __name__ == "__main__":
    main(sys.argv[1:])
