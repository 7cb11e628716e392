"""How often the copy detector is wrong: days of simulated players, of whom some copy, and what it finds.

Honest players differ in skill: greedy ones mostly take the move that looks best, careless ones often any, and some
have the solver find them a way from a position of their own. A copier follows the run of another player, with a slip
now and then, to its end or for its first half. Each deal has all kinds. `python -m benchmarks.copying` prints the rates
with intervals (Wilson, 95 %).
"""

import argparse
import random
from collections.abc import Sequence
from hashlib import sha256
from math import exp, sqrt
from typing import NamedTuple

import engine
from engine.game import Game
from engine.moves import Move
from engine.solver import solve
from engine.state import pack_state
from server.house.fair_play.copying import PlayedMove, Run, find_copies, find_paces

GAMES = ("klondike", "olga", "quatorze", "caesar", "louis")
MAX_MOVES = 160
SOLVER_NODES = 3_000
SLIP = 0.03
"""How often a copier plays a move of their own."""


class Simulated(NamedTuple):
    """A run and who played it: `greedy`, `careless`, `solver`, `copier` or `half copier`."""

    run: Run
    kind: str


class _Player:
    """Plays one deal from its start, with the pace of a person."""

    def __init__(self, game: Game, seed: bytes, name: str, chance: random.Random, begins_at: int) -> None:
        self.game, self.seed, self.name, self.chance = game, seed, name, chance
        self.state = game.deal(seed)
        self.at = begins_at
        self.moves: list[PlayedMove] = []
        self.seen: set[bytes] = set()

    def legal(self) -> list[Move]:
        return self.game.legal_moves(self.state)

    def play(self, move: Move, legal: Sequence[Move]) -> None:
        position = pack_state(self.state)
        self.at += round(1000 * self.chance.lognormvariate(0.7, 0.7)) + 300
        self.moves.append(PlayedMove(position, move.text, len(legal), self.at))
        self.seen.add(position)
        self.state = self.game.play_legal(self.state, move, self.seed).state

    def choose(self, legal: Sequence[Move], heat: float) -> Move:
        """A move by how good it looks: cards home, new positions; the hotter, the more by chance."""
        values = [self._value(move) for move in legal]
        best = max(values)
        return self.chance.choices(legal, [exp((value - best) / heat) for value in values])[0]

    def _value(self, move: Move) -> float:
        after = self.game.successor(self.state, move, self.seed)
        home = self.game.home(after) - self.game.home(self.state)
        ahead = len(self.game.legal_moves(after))
        return 3.0 * home + 0.15 * ahead - (4.0 if pack_state(after) in self.seen else 0.0)

    def run(self, game_id: str) -> Run:
        return Run(game_id, self.name, tuple(self.moves))


def play_alone(player: _Player, kind: str) -> None:
    """Play to the end, or for `MAX_MOVES` moves."""
    heat = {"greedy": 0.4, "careless": 3.0, "solver": 1.0}[kind]
    line: list[Move] = []
    while len(player.moves) < MAX_MOVES and (legal := player.legal()) and not player.game.won(player.state):
        if kind == "solver" and len(player.moves) == 6:
            found = solve(player.game, player.state, player.seed, SOLVER_NODES)
            line = list(found.line) if found.verdict == "won" else []
        move = line.pop(0) if line else player.choose(legal, heat)
        player.play(move, legal)


def copy(player: _Player, example: Run, part: float) -> None:
    """Follow a run for this part of it, and play on alone."""
    followed = {played.position: played.move for played in example.moves[: round(part * len(example.moves))]}
    while len(player.moves) < MAX_MOVES and (legal := player.legal()) and not player.game.won(player.state):
        wanted = followed.get(pack_state(player.state))
        by_text = {move.text: move for move in legal}
        if wanted is None or player.chance.random() < SLIP:
            player.play(player.choose(legal, 0.8), legal)
        else:
            player.play(by_text[wanted], legal)


def play_deal(slug: str, number: int, people: int, copiers: int) -> list[Simulated]:
    """All runs of one deal, the copiers after the others."""
    chance = random.Random(f"{slug}/{number}")
    game, seed = engine.game(slug), sha256(f"{slug}/{number}".encode()).digest()
    played: list[Simulated] = []
    for place in range(people):
        kind = chance.choices(["greedy", "careless", "solver"], [5, 4, 1])[0]
        player = _Player(game, seed, f"honest{place}", chance, chance.randrange(36_000_000))
        play_alone(player, kind)
        played.append(Simulated(player.run(f"{slug}/{number}/honest{place}"), kind))
    for place in range(copiers):
        example, part = chance.choice(played[:people]).run, (1.0, 0.5)[place % 2]
        player = _Player(game, seed, f"copier{place}", chance, 72_000_000)
        copy(player, example, part)
        played.append(Simulated(player.run(f"{slug}/{number}/copier{place}"), "copier" if part == 1 else "half copier"))
    return played


def interval(hits: int, of: int) -> tuple[float, float]:
    """The Wilson interval of a rate, 95 %."""
    if not of:
        return 0.0, 1.0
    z, rate = 1.96, hits / of
    middle, width = rate + z * z / (2 * of), z * sqrt(rate * (1 - rate) / of + z * z / (4 * of * of))
    return max(0.0, middle - width) / (1 + z * z / of), (middle + width) / (1 + z * z / of)


def main() -> None:
    """Simulate the deals and print the rates."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=10, help="deals of each game")
    parser.add_argument("--first", type=int, default=100, help="the first deal; the thresholds were chosen on 0 to 5")
    parser.add_argument("--people", type=int, default=24, help="honest players of each deal")
    parser.add_argument("--copiers", type=int, default=4, help="copiers of each deal, half of them for half of a run")
    parser.add_argument("--games", nargs="*", default=GAMES)
    options = parser.parse_args()
    print(f"{'game':10} {'kind':12} {'found':>5} {'of':>5}  {'rate':>6}  interval")
    sums: dict[str, list[int]] = {}
    for slug in options.games:
        counts: dict[str, list[int]] = {}
        for number in range(options.first, options.first + options.deals):
            played = play_deal(slug, number, options.people, options.copiers)
            runs = [one.run for one in played]
            found = {one.run for one in find_copies(runs)} | {one.run for one in find_paces(runs)}
            for one in played:
                for count in (counts.setdefault(one.kind, [0, 0]), sums.setdefault(one.kind, [0, 0])):
                    count[0] += one.run.game in found
                    count[1] += 1
        for kind, (hits, of) in sorted(counts.items()):
            print_row(slug, kind, hits, of)
    for kind, (hits, of) in sorted(sums.items()):
        print_row("all", kind, hits, of)
    honest = [sums[kind] for kind in ("greedy", "careless", "solver") if kind in sums]
    print_row("all", "honest", sum(hits for hits, _ in honest), sum(of for _, of in honest))


def print_row(game: str, kind: str, hits: int, of: int) -> None:
    """Print one rate."""
    low, high = interval(hits, of)
    print(f"{game:10} {kind:12} {hits:5} {of:5}  {hits / max(1, of):6.1%}  {low:.1%} to {high:.1%}", flush=True)


if __name__ == "__main__":
    main()
