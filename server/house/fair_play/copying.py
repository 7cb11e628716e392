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
from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise
from math import log2
from statistics import fmean, median, pstdev
from typing import NamedTuple

MIN_RUNS = 6
"""Of a deal that fewer have played it is not known how alike independent runs are."""
MIN_AGREED = 10
"""A finding follows at least so many choices."""
MIN_BITS = 15.0
"""A finding is at least so many bits more likely if the later run follows the earlier one than if it does not."""
MIN_RATIO = 3.0
"""A finding has so many times the bits that are usual on the deal."""
STRAY = 0.05
"""How often one who follows another run chooses otherwise."""
PRIOR_RUNS = 2.0
"""How many runs the agreement of the whole deal weighs, beside those that were in the same position."""
MIN_TIMED = 40
"""The pace of a run with fewer waits says nothing."""
FASTEST_MILLISECONDS = 250
"""Nobody sees, decides and moves so fast for half of the choices of a run."""
EVEN_SPREAD = 0.15
"""The waits of people spread by more than this part of their mean."""
MAX_EVEN_WAIT_MILLISECONDS = 60_000
"""A longer wait is a pause, and no wait for a move."""


class PlayedMove(NamedTuple):
    """A move as it was played: in which position, how many legal moves there were, and when, in milliseconds."""

    position: bytes
    move: str
    choices: int
    at: int


class Run(NamedTuple):
    """A run of a deal, by one player: the ids of the game and of the player, and every move in its order."""

    game: str
    player: str
    moves: tuple[PlayedMove, ...]


class Choice(NamedTuple):
    """A position in which both runs had a choice. `others` were there too, of whom `same` moved as the earlier run.

    `number` is the place of the move in the later run, from 1; `bits` is what the choice says for following.
    """

    number: int
    move: str
    agrees: bool
    choices: int
    others: int
    same: int
    bits: float


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


Decisions = dict[bytes, PlayedMove]
"""What a run did in each position in which it had a choice, the first time that it was there."""


def find_copies(runs: Sequence[Run]) -> list[CopyFinding]:
    """Return, for each run of a deal that follows an earlier one, which one it follows most; the surest first."""
    if len(runs) < MIN_RUNS:
        return []
    made = {run.game: _decisions(run) for run in runs}
    owners = {run.game: run.player for run in runs}
    crowd: dict[bytes, Counter[str]] = {}
    for decisions in made.values():
        for position, played in decisions.items():
            crowd.setdefault(position, Counter())[played.move] += 1
    usual = _usual_agreement(made)
    best: dict[str, CopyFinding] = {}
    for later in made:
        for earlier in made:
            if owners[later] == owners[earlier]:
                continue
            found = _compare(later, earlier, made, crowd, usual)
            if later not in best or found.bits > best[later].bits:
                best[later] = found
    findings = []
    for found in best.values():
        rest = sorted(one.bits for one in best.values() if one.run != found.run)
        quartile = max(0.0, rest[3 * len(rest) // 4])
        if found.agreed >= MIN_AGREED and found.bits >= max(MIN_BITS, MIN_RATIO * quartile):
            findings.append(found._replace(usual=quartile))
    return sorted(findings, key=lambda found: -found.bits)


def find_paces(runs: Sequence[Run]) -> list[PaceFinding]:
    """Return the runs that were played too fast, or too evenly, for a person."""
    findings = []
    for run in runs:
        pace = measure_pace(run)
        if pace is None or pace.waits < MIN_TIMED:
            continue
        if pace.median <= FASTEST_MILLISECONDS:
            findings.append(PaceFinding(run.game, "fast", *pace))
        elif pace.spread <= EVEN_SPREAD:
            findings.append(PaceFinding(run.game, "even", *pace))
    return findings


def measure_pace(run: Run) -> Pace | None:
    """Return the pace of a run; None if it has no wait before a choice."""
    waits = [
        after.at - before.at
        for before, after in pairwise(run.moves)
        if after.choices > 1 and after.at - before.at <= MAX_EVEN_WAIT_MILLISECONDS
    ]
    if not waits:
        return None
    mean = fmean(waits)
    return Pace(median(waits), pstdev(waits) / mean if mean else 0.0, len(waits))


def _decisions(run: Run) -> Decisions:
    found: Decisions = {}
    for played in run.moves:
        if played.choices > 1:
            found.setdefault(played.position, played)
    return found


def _usual_agreement(made: Mapping[str, Decisions]) -> float:
    """Return how often two runs of the deal choose the same where both had a choice: the median of all pairs.

    The median is that of independent runs as long as most runs are: a few that follow others do not move it much.
    """
    shares = []
    for one, other in combinations(made.values(), 2):
        both = [played.move == other[position].move for position, played in one.items() if position in other]
        if both:
            shares.append(sum(both) / len(both))
    return min(0.95, max(0.05, median(shares))) if shares else 0.5


def _compare(
    later: str, earlier: str, made: Mapping[str, Decisions], crowd: Mapping[bytes, Counter[str]], usual: float
) -> CopyFinding:
    theirs, choices = made[earlier], []
    for number, (position, own) in enumerate(made[later].items(), 1):
        example = theirs.get(position)
        if example is None or example.at >= own.at:
            continue
        agrees = own.move == example.move
        others = crowd[position].total() - 2
        same = crowd[position][example.move] - 1 - agrees
        chance = min(0.98, (same + PRIOR_RUNS * usual) / (others + PRIOR_RUNS))
        bits = log2((1 - STRAY) / chance) if agrees else log2(STRAY / (1 - chance))
        choices.append(Choice(number, own.move, agrees, own.choices, others, same, bits))
    agreed = sum(choice.agrees for choice in choices)
    return CopyFinding(later, earlier, agreed, sum(choice.bits for choice in choices), 0.0, tuple(choices))
