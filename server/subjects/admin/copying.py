"""The copy detector, which compares the runs of a deal, and the process that it works in.

The copy detector: finds runs that agree with another run of the deal more than by chance, and machine-like paces.

It is pure: it maps runs to findings. A finding lists the evidence, choice by choice, and has no automatic effect.
`docs/moderation.md` describes the method, the thresholds and their error rates.

>>> moves = [PlayedMove(position.to_bytes(1), "a", 3, 1000 * position) for position in range(50)]
>>> first = Run("g1", "ann", tuple(moves))
>>> second = Run("g2", "bob", tuple(one._replace(at=one.at + 10**6) for one in moves))
>>> others = [Run(f"h{n}", f"p{n}", (moves[0]._replace(move=f"b{n % 3}"),)) for n in range(8)]
>>> [(found.run, found.of, len(found.choices)) for found in find_copies([first, second, *others])]
[('g2', 'g1', 50)]

Compares the runs of a day in a separate process, so that the server is not blocked.

As a program, it reads the runs of each deal from standard input as JSON, and writes the findings.
"""

import asyncio
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, permutations, takewhile
from math import log2
from statistics import fmean, median, pstdev
from typing import Literal, NamedTuple

import msgspec

from cadogan.engine.state import State

MIN_RUNS = 6
"""With fewer runs of a deal, the usual agreement of independent runs cannot be estimated."""
MIN_EQUAL_CHOICES = 6
"""The minimum number of equal choices in a finding."""
MIN_BITS = 15.0
"""The minimum evidence for a finding: the log2 of the likelihood ratio of copying against independent play."""
MIN_RATIO = 3.0
"""A finding has at least this many times the usual bits of the deal."""
DEVIATION_RATE = 0.1
"""The assumed probability that a copier deviates from the copied run."""
PRIOR_RUNS = 2.0
"""The weight of the deal's overall agreement as a prior, in runs, beside the runs in the same position."""
MAX_REVEALING_MOVES = 6
"""The maximum number of preceding moves that identify a choice."""
REVEALING_SHARE = 0.9
"""The share of a run's choices that the preceding moves must distinguish."""
SAME_ORDER_PRIOR = 0.6
"""The prior probability that two runs with the same two moves have them in the same order."""
EMPTY = 255
"""Stands for an empty pile in the result of `describe_act`."""
MIN_TIMED = 40
"""The minimum number of waits for a finding about pace."""
FASTEST_MILLISECONDS = 250
"""A median wait in milliseconds that is too short for a person."""
REGULAR_SPREAD = 0.15
"""The standard deviation of people's waits exceeds this share of their mean."""
MAX_STEADY_WAIT_MILLISECONDS = 60_000
"""Longer waits are pauses, and are left out."""
Kind = Literal["position", "moves", "first"]


class PlayedMove(NamedTuple):
    """A played move: its position, the number of legal moves there, and the time in milliseconds.

    `act` is the result of `describe_act`; if it is empty, the text of the move is compared instead.
    """

    position: bytes
    move: str
    choices: int
    at: int
    act: bytes = b""


class Run(NamedTuple):
    """A run of a deal by one player: the ids of the game and the player, and all moves in order."""

    game: str
    player: str
    moves: tuple[PlayedMove, ...]


class Choice(NamedTuple):
    """A choice that both runs had. `others` runs had it too; `same` of them did the same as the earlier run.

    `number` is the index of the move in the later run, from 1; `bits` is its evidence for copying. `kind` is the kind
    of comparison: the moves in the same `position`; the moves after the same last `moves`, in any position; or which of
    two moves of both runs came `first`.
    """

    number: int
    move: str
    agrees: bool
    choices: int
    others: int
    same: int
    bits: float
    kind: Kind = "position"


class CopyFinding(NamedTuple):
    """The run `run` copies the run `of`: it agrees in `agreed` of the shared `choices`, an evidence of `bits`.

    `usual` is the number of bits that a quarter of the other runs reach, each compared with its most similar run.
    """

    run: str
    of: str
    agreed: int
    bits: float
    usual: float
    choices: tuple[Choice, ...]


class Pace(NamedTuple):
    """A run's waits before choices, without pauses: the median in milliseconds, the standard deviation divided by the
    mean, and the number of waits."""

    median: float
    spread: float
    waits: int


class PaceFinding(NamedTuple):
    """A run at the pace of a machine. `median` is that of its waits in milliseconds, `spread` as in `Pace`."""

    run: str
    kind: str
    median: float
    spread: float
    waits: int


class Decision(NamedTuple):
    """A run's decision: the index of the choice, from 1, the number of the act, and the move."""

    number: int
    act: int
    played: PlayedMove


Decisions = dict[int, Decision]
"""A run's decisions by situation, each from the first time that the run was in it."""


def find_copies(runs: Sequence[Run]) -> list[CopyFinding]:
    """Return for each copying run of a deal the run with the most evidence; the strongest evidence first."""
    if len(runs) < MIN_RUNS:
        return []
    deal = _Deal(runs)
    best = {run.game: CopyFinding(run.game, "", 0, 0.0, 0.0, ()) for run in runs}
    for later, earlier in permutations((run for run in runs if run.moves), 2):
        if later.player != earlier.player and earlier.moves[0].at < later.moves[-1].at:
            bits = sum(shared.bits for shared in deal.compare(later.game, earlier.game))
            if bits > best[later.game].bits:
                best[later.game] = best[later.game]._replace(of=earlier.game, bits=bits)
    findings = []
    for found in best.values():
        rest = sorted(one.bits for one in best.values() if one.run != found.run)
        quartile = rest[3 * len(rest) // 4]
        if found.bits >= max(MIN_BITS, MIN_RATIO * quartile):
            choices = tuple(sorted(deal.compare(found.run, found.of)))
            agreed = sum(choice.agrees for choice in choices)
            if agreed >= MIN_EQUAL_CHOICES:
                findings.append(found._replace(agreed=agreed, usual=quartile, choices=choices))
    return sorted(findings, key=lambda found: -found.bits)


def describe_act(before: State, after: State) -> bytes:
    """Return which cards a move put on which cards, without the piles; empty if none."""
    parts = []
    for old, new in zip(before.piles, after.piles, strict=True):
        if old != new and len(new) >= len(old):
            same = takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False))
            same_length = sum(1 for _ in same)
            parts.append(bytes((new[same_length - 1] if same_length else EMPTY, *new[same_length:])))
    return b"/".join(parts)


def find_paces(runs: Sequence[Run]) -> list[PaceFinding]:
    """Return the runs played too fast, or too evenly, for a person."""
    findings = []
    for run in runs:
        pace = measure_pace(run)
        if pace is None or pace.waits < MIN_TIMED:
            continue
        if pace.median <= FASTEST_MILLISECONDS:
            findings.append(PaceFinding(run.game, "fast", *pace))
        elif pace.spread <= REGULAR_SPREAD:
            findings.append(PaceFinding(run.game, "even", *pace))
    return findings


def measure_pace(run: Run) -> Pace | None:
    """Return the pace of a run; None if it has no wait before a choice."""
    waits = [
        after.at - before.at
        for before, after in pairwise(run.moves)
        if after.choices > 1 and after.at - before.at <= MAX_STEADY_WAIT_MILLISECONDS
    ]
    if not waits:
        return None
    mean = fmean(waits)
    return Pace(median(waits), pstdev(waits) / mean if mean else 0.0, len(waits))


class _Deal:
    """The decisions of all runs of a deal, by situation. Situations and acts are numbered for speed."""

    def __init__(self, runs: Sequence[Run]) -> None:
        numbers: dict[object, int] = {}
        acts = [[numbers.setdefault(one.act or one.move, len(numbers)) for one in run.moves] for run in runs]
        length = _count_revealing_moves(acts)
        self._positions = _Situations("position")
        self._contexts = _Situations("moves")
        self._firsts: dict[str, Decisions] = {}
        for run, own in zip(runs, acts, strict=True):
            positions, contexts, firsts = Decisions(), Decisions(), Decisions()
            places = [place for place, played in enumerate(run.moves) if played.choices > 1]
            for number, place in enumerate(places, 1):
                decision = Decision(number, own[place], run.moves[place])
                positions.setdefault(numbers.setdefault(decision.played.position, len(numbers)), decision)
                firsts.setdefault(decision.act, decision)
                if place >= length:
                    context = tuple(own[place - length : place])
                    contexts.setdefault(numbers.setdefault(context, len(numbers)), decision)
            self._positions.made[run.game] = positions
            self._contexts.made[run.game] = contexts
            self._firsts[run.game] = firsts
        self._positions.count()
        self._contexts.count()
        self._orders: dict[tuple[int, int], tuple[int, int]] = {}

    def compare(self, later: str, earlier: str) -> Iterator[Choice]:
        """Yield the choices of the later run that the earlier run had, too, each once."""
        compared = set[int]()
        for situations in (self._positions, self._contexts):
            yield from situations.compare(later, earlier, compared)
        yield from self._compare_order(later, earlier, compared)

    def _compare_order(self, later: str, earlier: str, compared: set[int]) -> Iterator[Choice]:
        theirs, before = self._firsts[earlier], None
        for act, own in self._firsts[later].items():
            example = theirs.get(act)
            if example is None or example.played.at >= own.played.at:
                continue
            if before is not None and own.number not in compared:
                agrees = theirs[before].number < example.number
                same, both = self._order(before, act) if agrees else self._order(act, before)
                yield _compute_evidence(own, agrees, both - 2, same - 1 - agrees, SAME_ORDER_PRIOR, "first")
            before = act

    def _order(self, one: int, other: int) -> tuple[int, int]:
        """Return how many runs have one act before the other, and how many have both."""
        if (one, other) not in self._orders:
            made = [
                (first[one].number, first[other].number)
                for first in self._firsts.values()
                if one in first and other in first
            ]
            self._orders[one, other] = sum(a < b for a, b in made), len(made)
        return self._orders[one, other]


class _Situations:
    """The decisions of a deal's runs in one kind of situation, by game, and how often runs agree."""

    def __init__(self, kind: Kind) -> None:
        self.made: dict[str, Decisions] = {}
        self._kind: Kind = kind
        self._crowd: dict[int, Counter[int]] = {}
        self._usual_share = 0.5

    def count(self) -> None:
        """Count the decisions of all runs.

        The usual agreement is the share of equal decisions in common situations, as the median over all pairs of runs.
        A few copying runs hardly change the median, so it estimates the agreement of independent runs.
        """
        for decisions in self.made.values():
            for situation, decision in decisions.items():
                self._crowd.setdefault(situation, Counter())[decision.act] += 1
        shares = []
        for one, other in combinations(self.made.values(), 2):
            if both := one.keys() & other.keys():
                shares.append(sum(one[situation].act == other[situation].act for situation in both) / len(both))
        if shares:
            self._usual_share = min(0.95, max(0.05, median(shares)))

    def compare(self, later: str, earlier: str, compared: set[int]) -> Iterator[Choice]:
        """Yield the choices that are not in `compared`, and add their numbers to it."""
        mine, theirs = self.made[later], self.made[earlier]
        for situation in mine.keys() & theirs.keys():
            own, example, crowd = mine[situation], theirs[situation], self._crowd[situation]
            if example.played.at < own.played.at and own.number not in compared:
                compared.add(own.number)
                agrees = own.act == example.act
                same = crowd[example.act] - 1 - agrees
                yield _compute_evidence(own, agrees, crowd.total() - 2, same, self._usual_share, self._kind)


def _compute_evidence(own: Decision, agrees: bool, others: int, same: int, usual: float, kind: Kind) -> Choice:
    chance = min(0.98, (same + PRIOR_RUNS * usual) / (others + PRIOR_RUNS))
    bits = log2((1 - DEVIATION_RATE) / chance) if agrees else log2(DEVIATION_RATE / (1 - chance))
    return Choice(own.number, own.played.move, agrees, own.played.choices, others, same, bits, kind)


def _count_revealing_moves(acts: Sequence[Sequence[int]]) -> int:
    """Return the least number of preceding moves that distinguishes most choices of a run."""
    for length in range(1, MAX_REVEALING_MOVES):
        contexts = [[*zip(*(own[start:] for start in range(length)), strict=False)] for own in acts]
        if sum(len(set(one)) for one in contexts) >= REVEALING_SHARE * sum(map(len, contexts)):
            return length
    return MAX_REVEALING_MOVES


NICENESS = 10
"""The niceness of the process."""


class Compared(NamedTuple):
    """The findings about the runs of one deal."""

    copies: list[CopyFinding]
    paces: list[PaceFinding]


async def compare_runs(deals: Sequence[Sequence[Run]]) -> list[Compared]:
    """Return the findings about each deal, in the order of the deals. Raises RuntimeError if the process fails."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", __name__, stdin=pipe, stdout=pipe)
    try:
        written, _ = await process.communicate(msgspec.json.encode(deals))
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode:
        raise RuntimeError(f"the process that compares runs has ended with {process.returncode}")
    return msgspec.json.decode(written, type=list[Compared])


def _main() -> None:
    os.nice(NICENESS)
    deals = msgspec.json.decode(sys.stdin.buffer.read(), type=list[list[Run]])
    found = [Compared(find_copies(runs), find_paces(runs)) for runs in deals]
    sys.stdout.buffer.write(msgspec.json.encode(found))


if __name__ == "__main__":
    _main()
