"""What an analyst searches of one run, in which order, and when it is enough.

First the verdicts: `RunAnalysis` says which position tells most. Then the choices at the positions before each loss,
then those of all other positions that are won, the last one first. What is searched follows from the run and the nodes
that each search took, not from the time it took: so every analyst finds the same.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from cadogan.engine.game import Game
from cadogan.engine.solver import RunAnalysis
from cadogan.engine.solver.solution import Verdict
from cadogan.engine.state import State
from cadogan.server.analysis.decided_positions import DecidedPosition
from cadogan.server.analysis.findings import CountedChoices, Findings, SearchedPosition, analysis_of, learn
from cadogan.server.analysis.jobs import WHOLE_GAME
from cadogan.server.analysis.run import Run

NODES = 10_000
"""Nodes for the verdict on one position."""
CHOICE_NODES = 2_000
"""Nodes for the verdict on what follows from one move."""
MAX_UNDECIDED_SEARCHES = 12
"""After so many searches without a verdict no more positions of a run are searched."""
MAX_NODES = 200_000
"""After so many nodes nothing more of a run is searched."""
MAX_CHOICES = 60
"""Positions with more legal moves than this have none of them searched."""


class RunSearch:
    """The search of one run, as far as it is; or that of the last position of a run alone."""

    def __init__(self, run: Run, version: int, findings: Findings) -> None:
        """Go on from these findings. `version` is that of the job: `WHOLE_GAME`, or another for the last position."""
        self._is_question = version != WHOLE_GAME
        self._run = run
        self.findings = findings
        self.analysis = analysis_of(run.rules, [] if self._is_question else run.played, findings)
        self._counted = {counted.position for counted in findings.choices}

    @property
    def rules(self) -> Game:
        """The rules of the game."""
        return self._run.rules

    @property
    def seed(self) -> bytes:
        """The seed of the deal, of 32 bytes."""
        return self._run.seed

    @cached_property
    def states(self) -> list[State]:
        """The state of each position of the analysis. Raises EngineError if the present rules forbid a move."""
        path = RunAnalysis(self._run.played)
        states = [self._run.deal]
        for before, move in zip(path.parents[1:], path.moves[1:], strict=True):
            assert before is not None
            assert move is not None
            states.append(self.rules.play(states[before], move, self.seed).state)
        return [states[path.path[-1]]] if self._is_question else states

    def next_position(self) -> int | None:
        """Return the position whose verdict is to be searched next, or None."""
        unknown = sum(one.verdict == "unknown" for one in self.findings.searched)
        return self.analysis.next_position() if unknown < MAX_UNDECIDED_SEARCHES and self._may_search else None

    def next_choices(self) -> int | None:
        """Return the position whose legal moves are to be searched next, or None."""
        if self._is_question or not self._may_search:
            return None
        before_losses = [self.analysis.parents[lost] for lost in self.analysis.losing_positions()]
        won = [n for n, verdict in enumerate(self.analysis.verdicts) if verdict == "won"]
        for position in (*before_losses, *reversed(won)):
            assert position is not None
            if position not in self._counted and self._has_choices(position):
                return position
        return None

    def choices(self, position: int) -> list[tuple[State, Verdict | None]]:
        """Return what follows from each legal move at a position, with its verdict if it is a position of the run."""
        run, state = self.analysis, self.states[position]
        played = {run.moves[n]: run.verdicts[n] for n, before in enumerate(run.parents) if before == position}
        return [
            (self.rules.play_legal(state, move, self.seed).state, played.get(move))
            for move in self.rules.legal_moves(state)
        ]

    def learn(self, position: int, found: DecidedPosition) -> None:
        """Take note of the verdict on a position."""
        searched = SearchedPosition(position, found.verdict, found.nodes, found.line)
        self.findings = Findings((*self.findings.searched, searched), self.findings.choices)
        learn(self.rules, self.analysis, searched)

    def count(self, position: int, verdicts: Sequence[Verdict], nodes: int) -> None:
        """Take note of the verdicts on what follows from each legal move at a position, and of the nodes they took."""
        counts = Counter(verdicts)
        counted = CountedChoices(position, counts["won"], counts["lost"], counts["unknown"], nodes)
        self.findings = Findings(self.findings.searched, (*self.findings.choices, counted))
        self._counted.add(position)

    @property
    def _may_search(self) -> bool:
        return self.findings.nodes < MAX_NODES

    def _has_choices(self, position: int) -> bool:
        state = self.states[position]
        return not self.rules.won(state) and len(self.rules.legal_moves(state)) <= MAX_CHOICES
