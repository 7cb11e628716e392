"""Error rates of the copy detector: simulated days on which some players copy, and the detector's findings.

Honest players differ in skill: greedy ones mostly play the best-looking move, careless ones often a random one, and
some let the solver finish from a position of their own. Copiers follow another player's run as described by `COPIES`.
`python -m benchmarks.copying` prints the rates with 95 % Wilson intervals.
"""

import argparse
import random
from collections.abc import Callable, Sequence
from functools import partial
from hashlib import sha256
from math import exp, sqrt
from typing import NamedTuple

from cadogan import engine
from cadogan.engine.game import Game
from cadogan.engine.moves import Move
from cadogan.engine.solver import solve
from cadogan.engine.state import pack_state
from cadogan.server.subjects.admin.copying import PlayedMove, Run, describe_act, find_copies, find_paces

GAMES = ("klondike", "olga", "quatorze", "caesar", "louis")
MAX_MOVES = 160
SOLVER_NODES = 3_000
SLIP = 0.03
"""The probability that a copier plays a move of their own."""
NEXT_EVENING = 72_000_000
"""When copiers begin, in milliseconds, unless they play at the same time as the example."""
TRIES = 6
"""A copier tries this many variations, and uses the one that follows most of the example."""
LOOK_AHEAD = 8
"""The number of next moves of the example among which a copier looks for a legal one."""


class Simulated(NamedTuple):
    """A run and its type of player: `greedy`, `careless`, `solver` or one of `COPIES`."""

    run: Run
    kind: str


class Copy(NamedTuple):
    """How a run is copied: this part of it by its positions; with 0, all of it by its moves, whatever the position.

    At the choices `differs_at` the copier plays another move, and never returns to a position of the example; the share
    `swaps` of the moves is swapped with the next move, if that leads to the same position; with `behind`, each move is
    played at least this many milliseconds after the example's, while that run is in progress.
    """

    part: float = 0.0
    differs_at: tuple[int, ...] = ()
    swaps: float = 0.0
    behind: int = 0


COPIES = {
    "to 1st slip": Copy(part=1.0),
    "half of it": Copy(part=0.5),
    "6th differs": Copy(differs_at=(6,)),
    "four differ": Copy(differs_at=(6, 15, 25, 40)),
    "differs+swaps": Copy(differs_at=(6,), swaps=0.2),
    "20 s behind": Copy(differs_at=(6,), behind=20_000),
    "swaps only": Copy(swaps=0.2),
}


class _Player:
    """Plays one deal from its start, at a human pace."""

    def __init__(self, game: Game, seed: bytes, name: str, chance: random.Random, begins_at: int) -> None:
        self.game, self.seed, self.name, self.chance = game, seed, name, chance
        self.state = game.deal(seed)
        self.at = begins_at
        self.moves: list[PlayedMove] = []
        self.seen: set[bytes] = set()

    def legal(self) -> list[Move]:
        return self.game.legal_moves(self.state)

    def find(self, wanted: PlayedMove, legal: Sequence[Move]) -> Move | None:
        """Return the legal move of the same cards to the same place, or with the same text."""
        by_act = {describe_act(self.state, self.game.successor(self.state, move, self.seed)): move for move in legal}
        return by_act.get(wanted.act) or next((move for move in legal if move.text == wanted.move), None)

    def can_swap(self, moves: Sequence[Move]) -> bool:
        """Return whether these two moves lead to the same position in both orders."""
        ends = set()
        for order in (moves, moves[::-1]) if len(moves) == 2 else ():
            state = self.state
            for move in order:
                if move not in self.game.legal_moves(state):
                    return False
                state = self.game.successor(state, move, self.seed)
            ends.add(state)
        return len(ends) == 1

    def play(self, move: Move, legal: Sequence[Move]) -> None:
        position = pack_state(self.state)
        self.at += round(1000 * self.chance.lognormvariate(0.7, 0.7)) + 300
        before, self.state = self.state, self.game.play_legal(self.state, move, self.seed).state
        act = describe_act(before, self.state)
        self.moves.append(PlayedMove(position, move.text, len(legal), self.at, act))
        self.seen.add(position)

    def choose(self, legal: Sequence[Move], heat: float) -> Move:
        """Return a move by its quality (cards home, new positions); the higher `heat`, the more random."""
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


def follow_positions(player: _Player, example: Run, part: float) -> None:
    """Follow this part of a run, or up to a slip without a way back, and play on alone."""
    followed = {played.position: played.move for played in example.moves[: round(part * len(example.moves))]}
    while len(player.moves) < MAX_MOVES and (legal := player.legal()) and not player.game.won(player.state):
        wanted = followed.get(pack_state(player.state))
        by_text = {move.text: move for move in legal}
        if wanted is None or player.chance.random() < SLIP:
            player.play(player.choose(legal, 0.8), legal)
        else:
            player.play(by_text[wanted], legal)


def follow_moves(player: _Player, example: Run, copy: Copy) -> int:
    """Play the legal moves of a run in order; return their number, or -1 if no difference from the run remains."""
    left, differs_at, choices, followed = list(example.moves), list(copy.differs_at), 0, 0
    positions = {one.position for one in example.moves}
    while len(player.moves) < MAX_MOVES and (legal := player.legal()) and not player.game.won(player.state):
        if copy.differs_at and not differs_at and pack_state(player.state) in positions:
            return -1
        matches = [(one, move) for one in left[:LOOK_AHEAD] if (move := player.find(one, legal))]
        if left and not matches:
            del left[0]
            continue
        choices += len(legal) > 1
        others = [move for move in legal if not matches or move.text != matches[0][1].text]
        if others and differs_at and choices >= differs_at[0]:
            del differs_at[0]
            player.play(player.choose(others, 0.8), legal)
        elif matches:
            swapped = player.chance.random() < copy.swaps and player.can_swap([move for _, move in matches[:2]])
            wanted, move = matches[swapped]
            if copy.behind:
                player.at = max(player.at, wanted.at + copy.behind)
            player.play(move, legal)
            left.remove(wanted)
            followed += 1
        else:
            player.play(player.choose(legal, 0.8), legal)
    return followed


def play_copy(player: Callable[[int], _Player], example: Run, copy: Copy) -> _Player | None:
    """Copy a run; of `TRIES` variations, return the one that followed most of it."""
    if copy.part:
        one = player(NEXT_EVENING)
        follow_positions(one, example, copy.part)
        return one
    tries = [player(example.moves[0].at if copy.behind else NEXT_EVENING) for _ in range(TRIES)]
    followed = [follow_moves(one, example, copy) for one in tries]
    return tries[followed.index(max(followed))] if max(followed) >= 0 else None


def play_deal(slug: str, number: int, people: int, copiers: int) -> list[Simulated]:
    """Return all runs of one deal, the copiers last; the types take turns."""
    chance = random.Random(f"{slug}/{number}")
    game, seed = engine.game(slug), sha256(f"{slug}/{number}".encode()).digest()
    played: list[Simulated] = []
    for place in range(people):
        kind = chance.choices(["greedy", "careless", "solver"], [5, 4, 1])[0]
        player = _Player(game, seed, f"honest{place}", chance, chance.randrange(36_000_000))
        play_alone(player, kind)
        played.append(Simulated(player.run(f"{slug}/{number}/honest{place}"), kind))
    for place in range(copiers):
        kind, copy = list(COPIES.items())[(number * copiers + place) % len(COPIES)]
        example = chance.choice(played[:people]).run
        if copier := play_copy(partial(_Player, game, seed, f"copier{place}", chance), example, copy):
            played.append(Simulated(copier.run(f"{slug}/{number}/copier{place}"), kind))
    return played


def interval(hits: int, of: int) -> tuple[float, float]:
    """Return the 95 % Wilson interval of a rate."""
    if not of:
        return 0.0, 1.0
    z, rate = 1.96, hits / of
    middle, width = rate + z * z / (2 * of), z * sqrt(rate * (1 - rate) / of + z * z / (4 * of * of))
    return max(0.0, middle - width) / (1 + z * z / of), (middle + width) / (1 + z * z / of)


def main() -> None:
    """Simulate the deals and print the rates."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=10, help="deals of each game")
    parser.add_argument(
        "--first", type=int, default=200, help="the first deal; the thresholds were chosen on 0 to 6 and 100 to 115"
    )
    parser.add_argument("--people", type=int, default=24, help="honest players of each deal")
    parser.add_argument("--copiers", type=int, default=4, help="copiers of each deal, of each kind in turn")
    parser.add_argument("--games", nargs="*", default=GAMES)
    options = parser.parse_args()
    print(f"{'game':10} {'kind':13} {'found':>5} {'of':>5}  {'rate':>6}  interval")
    sums: dict[str, list[int]] = {}
    pairs = 0
    for slug in options.games:
        counts: dict[str, list[int]] = {}
        for number in range(options.first, options.first + options.deals):
            played = play_deal(slug, number, options.people, options.copiers)
            runs = [one.run for one in played]
            found = {one.run for one in find_copies(runs)} | {one.run for one in find_paces(runs)}
            pairs += options.people * (options.people - 1)
            for one in played:
                names = [one.kind] if one.kind in COPIES else [one.kind, "honest"]
                for count in [at.setdefault(name, [0, 0]) for name in names for at in (counts, sums)]:
                    count[0] += one.run.game in found
                    count[1] += 1
        for kind, (hits, of) in sorted(counts.items()):
            print_row(slug, kind, hits, of)
    for kind, (hits, of) in sorted(sums.items()):
        print_row("all", kind, hits, of)
    print(f"{pairs} ordered pairs of honest runs of one deal")


def print_row(game: str, kind: str, hits: int, of: int) -> None:
    """Print one rate."""
    low, high = interval(hits, of)
    print(f"{game:10} {kind:13} {hits:5} {of:5}  {hits / max(1, of):6.1%}  {low:.1%} to {high:.1%}", flush=True)


if __name__ == "__main__":
    main()
