"""The copy detector: which runs of a deal follow another run further than chance explains, and which are machine-like.

Pure: runs go in, findings come out. A finding says why, choice by choice, and never does anything by itself.
`docs/moderation.md` has the method, the thresholds and how often they are wrong.

>>> moves = [PlayedMove(position.to_bytes(1), "a", 3, 1000 * position) for position in range(50)]
>>> first = Run("g1", "ann", tuple(moves))
>>> second = Run("g2", "bob", tuple(one._replace(at=one.at + 10**6) for one in moves))
>>> others = [Run(f"h{n}", f"p{n}", (moves[0]._replace(move=f"b{n % 3}"),)) for n in range(8)]
>>> [(found.run, found.of, len(found.choices)) for found in find_copies([first, second, *others])]
[('g2', 'g1', 50)]
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, permutations, takewhile
from math import log2
from statistics import fmean, median, pstdev
from typing import Literal, NamedTuple

from cadogan.engine.state import State

MIN_RUNS = 6
"""Of a deal that fewer have played it is not known how alike independent runs are."""
MIN_EQUAL_CHOICES = 6
"""A finding follows at least so many choices."""
MIN_BITS = 15.0
"""A finding is at least so many bits more likely if the later run follows the earlier one than if it does not."""
MIN_RATIO = 3.0
"""A finding has so many times the bits that are usual on the deal."""
DEVIATION_RATE = 0.1
"""How often one who follows another run chooses otherwise."""
PRIOR_RUNS = 2.0
"""How many runs the agreement of the whole deal weighs, beside those that were in the same position."""
MAX_REVEALING_MOVES = 6
"""Of the moves before a choice, at most so many say which choice it is."""
REVEALING_SHARE = 0.9
"""So many of the choices of a run are told from each other by the moves before them."""
EITHER_FIRST = 0.6
"""How often two runs that both made two moves made them in the same order, before the deal says otherwise."""
EMPTY = 255
"""In what `describe_act` returns: no card, but an empty pile."""
MIN_TIMED = 40
"""The pace of a run with fewer waits says nothing."""
FASTEST_MILLISECONDS = 250
"""Nobody sees, decides and moves so fast for half of the choices of a run."""
REGULAR_SPREAD = 0.15
"""The waits of people spread by more than this part of their mean."""
MAX_STEADY_WAIT_MILLISECONDS = 60_000
"""A longer wait is a pause, and no wait for a move."""


Kind = Literal["position", "moves", "first"]


class PlayedMove(NamedTuple):
    """A move as it was played: in which position, how many legal moves there were, and when, in milliseconds.

    `act` is what `describe_act` says of it; where it is empty, the text of the move stands for it.
    """

    position: bytes
    move: str
    choices: int
    at: int
    act: bytes = b""


class Run(NamedTuple):
    """A run of a deal, by one player: the ids of the game and of the player, and every move in its order."""

    game: str
    player: str
    moves: tuple[PlayedMove, ...]


class Choice(NamedTuple):
    """A choice that both runs had. `others` had it too, of whom `same` did as the earlier run.

    `number` is the place of the move in the later run, from 1; `bits` is what the choice says for following. `kind` is
    what was compared: the moves in the same `position`; the moves after the same last `moves`, wherever the other cards
    were; or which was made `first`, this move or the one before it that both runs have.
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
    """The run `run` follows the run `of`: in `agreed` of the shared `choices`, which is worth so many `bits`.

    `usual` is how many bits a quarter of the other runs of the deal reach, each for the run that it is most like.
    """

    run: str
    of: str
    agreed: int
    bits: float
    usual: float
    choices: tuple[Choice, ...]


class Pace(NamedTuple):
    """How long a run waited before its choices, pauses left out: the median in milliseconds, the standard deviation by
    the mean, and how many waits there were."""

    median: float
    spread: float
    waits: int


class PaceFinding(NamedTuple):
    """A run at the pace of a machine: half of its waits are no longer than `median`; `spread` is that of the waits."""

    run: str
    kind: str
    median: float
    spread: float
    waits: int


class Decision(NamedTuple):
    """What a run did where it had a choice: the place of the choice, from 1, the number of the act, and the move."""

    number: int
    act: int
    played: PlayedMove


Decisions = dict[int, Decision]
"""What a run did in each situation in which it had a choice, the first time that it was there."""


def find_copies(runs: Sequence[Run]) -> list[CopyFinding]:
    """Return, for each run of a deal that follows an earlier one, which one it follows most; the surest first."""
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
    """Return what a move did, as cards: which came to lie on which, wherever the piles are; empty if none did."""
    parts = []
    for old, new in zip(before.piles, after.piles, strict=True):
        if old != new and len(new) >= len(old):
            same = takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False))
            same_length = sum(1 for _ in same)
            parts.append(bytes((new[same_length - 1] if same_length else EMPTY, *new[same_length:])))
    return b"/".join(parts)


def find_paces(runs: Sequence[Run]) -> list[PaceFinding]:
    """Return the runs that were played too fast, or too evenly, for a person."""
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
    """The runs of a deal: what each did in which situation. Situations and acts are numbers, because that is faster."""

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
        """Yield the choices of the later run that the earlier run had before, each once."""
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
                yield _compute_evidence(own, agrees, both - 2, same - 1 - agrees, EITHER_FIRST, "first")
            before = act

    def _order(self, one: int, other: int) -> tuple[int, int]:
        """Return how many runs made one act before the other, and how many made both."""
        if (one, other) not in self._orders:
            made = [
                (first[one].number, first[other].number)
                for first in self._firsts.values()
                if one in first and other in first
            ]
            self._orders[one, other] = sum(a < b for a, b in made), len(made)
        return self._orders[one, other]


class _Situations:
    """What the runs of a deal did in situations of one kind, by game, and how often they do the same."""

    def __init__(self, kind: Kind) -> None:
        self.made: dict[str, Decisions] = {}
        self._kind: Kind = kind
        self._crowd: dict[int, Counter[int]] = {}
        self._usual_share = 0.5

    def count(self) -> None:
        """Count what all runs did.

        The usual agreement is how often two runs choose the same where both had a choice: the median of all pairs. It
        is that of independent runs as long as most runs are: a few that follow others do not move it much.
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
        """Yield the choices that were not compared yet, and add their numbers to those that were."""
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
    """Return how many moves before a choice say which choice it is: as few as tell most of a run from each other."""
    for length in range(1, MAX_REVEALING_MOVES):
        contexts = [[*zip(*(own[start:] for start in range(length)), strict=False)] for own in acts]
        if sum(len(set(one)) for one in contexts) >= REVEALING_SHARE * sum(map(len, contexts)):
            return length
    return MAX_REVEALING_MOVES
