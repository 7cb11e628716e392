"""Statistics of all runs of a deal: where most lost, which move separated winners from losers, the best line. Pure.

All runs of a deal begin at the same position, so a verdict on a position holds for every run that reached it. Three
things decide positions:

1. the analysis of a run (`cadogan.server.subjects.analysis`);
2. a run that was won: each position of its line could be won;
3. what follows: before a position that can be won all of a line could be won, after a lost one nothing can.

A position that none of them decides is unknown, and nothing is said about it. The *line* of a run has the moves that
were not taken back; the numbers of moves below count along the line.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from cadogan.engine import Move
from cadogan.engine.solver.solution import Verdict
from cadogan.engine.state import pack_state
from cadogan.server.subjects.analysis.findings import AnalysedRun, positions_of

BIN_MOVES = 10
"""Losses are counted in stretches of so many moves: 1 to 10, 11 to 20, and so on."""
Source = Literal["run", "certificate", "search"]


class FieldRun(NamedTuple):
    """A run of the deal, with the known verdicts on its positions."""

    game: str
    won: bool
    analysed: AnalysedRun


class Stretch(NamedTuple):
    """The moves `first` to `last`, within which most runs lost it: `runs` of them, of `known` whose loss is known."""

    first: int
    last: int
    runs: int
    known: int


class Place(NamedTuple):
    """A position that could be won, as it was in a run: its game and version there, and the number of moves to it."""

    game: str
    version: int
    moves: int
    lost: int
    """How many runs lost the win with their next move."""


class Parting(NamedTuple):
    """A position where winners and losers parted: the move that most losers played, and that of most winners."""

    place: Place
    losing_move: str
    winning_move: str
    won: int
    """How many runs that were won came through it."""


class Line(NamedTuple):
    """A line that wins. `game` is the run it was played in, or was found for; a certificate's is that of any run."""

    moves: tuple[str, ...]
    source: Source
    game: str


class Review(NamedTuple):
    """The statistics of one deal. `lost` counts the analysed runs that were not won."""

    positions: int
    decided: int
    lost: int
    stretch: Stretch | None
    parting: Parting | None
    to_try: Place | None
    best: Line | None


class _Line:
    """The line of one run: its moves, its positions as bytes, and their numbers in the analysis."""

    def __init__(self, run: FieldRun) -> None:
        self.run = run
        analysed = run.analysed
        self.moves: list[Move] = analysed.moves_to(analysed.positions.path[-1])
        self.numbers = positions_of(analysed, self.moves)
        self.packed: list[bytes] = []

    def replay(self) -> Iterator[None]:
        """Play the moves again; yield after each."""
        rules, seed, state = self.run.analysed.run.rules, self.run.analysed.run.seed, self.run.analysed.run.deal
        self.packed.append(pack_state(state))
        for move in self.moves:
            state = rules.play_legal(state, move, seed).state
            self.packed.append(pack_state(state))
            yield

    def add_verdicts(self, known: dict[bytes, Verdict]) -> None:
        """Add the verdicts on the positions of this run, and those that follow from them."""
        for number, packed in zip(self.numbers, self.packed, strict=True):
            verdict = self.run.analysed.positions.verdicts[number]
            if verdict in ("won", "lost"):
                known.setdefault(packed, verdict)
        verdicts = [known.get(packed) for packed in self.packed]
        last_won = len(verdicts) - 1 if self.run.won else max(_where(verdicts, "won"), default=-1)
        first_lost = min(_where(verdicts, "lost"), default=len(verdicts))
        known.update(dict.fromkeys(self.packed[first_lost:], "lost"))
        known.update(dict.fromkeys(self.packed[: last_won + 1], "won"))  # a line proves it, and nothing proves a loss

    def losing_move(self, known: dict[bytes, Verdict]) -> int | None:
        """Return the number of the move that lost the win, from 1; None if it is not known."""
        for index, (before, after) in enumerate(zip(self.packed, self.packed[1:], strict=False), 1):
            if (known.get(before), known.get(after)) == ("won", "lost"):
                return index
        return None

    def place(self, moves: int, lost: int) -> Place:
        """Return the position after this many moves."""
        return Place(self.run.game, self.run.analysed.version_of(self.numbers[moves]), moves, lost)


def _where(verdicts: Sequence[Verdict | None], wanted: Verdict) -> list[int]:
    return [index for index, verdict in enumerate(verdicts) if verdict == wanted]


def review_runs(runs: Sequence[FieldRun], certified: Sequence[str], found: list[Review]) -> Iterator[None]:
    """Append the review of these runs of one deal to `found`; yield after each move.

    The runs were played by the present rules. `certified` are the moves of the deal's certificate, if it has one. Of
    equal choices the first run's is taken.
    """
    lines, known = [_Line(run) for run in runs], dict[bytes, Verdict]()
    for line in lines:
        yield from line.replay()
    for line in (*lines, *lines):  # what one run says of a position may decide others of a run before it
        line.add_verdicts(known)
    losses = [(line, at) for line in lines if not line.run.won and (at := line.losing_move(known)) is not None]
    parting = _find_parting([line for line in lines if line.run.won], losses)
    seen = {packed for line in lines for packed in line.packed}
    found.append(
        Review(
            positions=len(seen),
            decided=len(seen & known.keys()),
            lost=sum(not run.won for run in runs),
            stretch=_find_stretch([at for _, at in losses]),
            parting=parting,
            to_try=parting.place if parting else _find_place(losses),
            best=_find_best(lines, certified),
        )
    )


def _find_stretch(losses: Sequence[int]) -> Stretch | None:
    """Return the stretch with the most losses, among equals the earliest."""
    if not losses:
        return None
    counts = Counter((at - 1) // BIN_MOVES for at in losses)
    number = min(counts, key=lambda one: (-counts[one], one))
    return Stretch(number * BIN_MOVES + 1, (number + 1) * BIN_MOVES, counts[number], len(losses))


def _by_position(losses: Sequence[tuple[_Line, int]]) -> dict[bytes, list[tuple[_Line, int]]]:
    found: dict[bytes, list[tuple[_Line, int]]] = {}
    for line, at in losses:
        found.setdefault(line.packed[at - 1], []).append((line, at))
    return found


def _find_place(losses: Sequence[tuple[_Line, int]]) -> Place | None:
    """Return the position at which the most runs lost the win; among equals the latest, the shortest to try."""
    groups = _by_position(losses).values()
    if not groups:
        return None
    most = max(groups, key=lambda group: (len(group), group[0][1]))
    return most[0][0].place(most[0][1] - 1, len(most))


def _find_parting(winners: Sequence[_Line], losses: Sequence[tuple[_Line, int]]) -> Parting | None:
    """Return the position, reached by a winner too, at which the most runs lost; then the one with the most winners."""
    found: Parting | None = None
    for packed, group in _by_position(losses).items():
        through = [line for line in winners if packed in line.packed[:-1]]
        if through and (found is None or (len(group), len(through)) > (found.place.lost, found.won)):
            losing = Counter(line.moves[at - 1].text for line, at in group)
            winning = Counter(line.moves[line.packed.index(packed)].text for line in through)
            line, at = group[0]
            ((lost_by, _),), ((won_by, _),) = losing.most_common(1), winning.most_common(1)
            found = Parting(line.place(at - 1, len(group)), lost_by, won_by, len(through))
    return found


def _find_best(lines: Sequence[_Line], certified: Sequence[str]) -> Line | None:
    """Return the shortest line that is known to win; among equals one that was played."""
    if not lines:
        return None
    known = [Line(tuple(move.text for move in line.moves), "run", line.run.game) for line in lines if line.run.won]
    if certified:
        known.append(Line(tuple(certified), "certificate", lines[0].run.game))
    for line in lines:
        if way := line.run.analysed.positions.line(0):
            known.append(Line(tuple(move.text for move in way), "search", line.run.game))
    return min(known, key=lambda one: len(one.moves), default=None)
