"""The order in which the positions of one run are searched, and when the search stops.

First the verdicts: `RunAnalysis` chooses the most informative position. Then the moves from the position before each
loss, then those from all other won positions, the last one first. The order depends on the run and on the nodes of each
search, not on time, so that every analyst has the same findings.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from cadogan.engine.compiled.choice import solve_in_steps
from cadogan.engine.game import Game
from cadogan.engine.solver import RunAnalysis, Steps, shorten_in_steps
from cadogan.engine.solver.solution import Verdict
from cadogan.engine.state import State
from cadogan.server.subjects.analysis.decided_positions import DecidedPosition
from cadogan.server.subjects.analysis.findings import (
    CountedChoices,
    Findings,
    Run,
    SearchedPosition,
    add_finding,
    analysis_of,
)
from cadogan.server.subjects.analysis.jobs import WHOLE_GAME

SHORTEN_NODES = 400
"""The node limit for shortening the winning line of a position of a run."""
NODES = 10_000
"""The node limit for the verdict on one position."""
CHOICE_NODES = 2_000
"""The node limit for the verdict on the position after one move."""
MAX_UNDECIDED_SEARCHES = 6
"""Searches without a verdict after which no more positions of a run are searched."""
MAX_NODES = 100_000
"""Total nodes after which the search of a run stops."""
MAX_CHOICES = 60
"""The moves of a position with more legal moves than this are not searched."""


class SearchStep(NamedTuple):
    """The next positions to search, with a limit of nodes: a position of a run, or those after each of its moves.

    `known` are the verdicts on those moves that need no search; it is None for a position of the run itself.
    """

    position: int
    states: list[State]
    nodes: int
    known: list[Verdict] | None


class RunSearch:
    """The state of the search of one run, or of its last position only."""

    def __init__(self, run: Run, version: int, findings: Findings) -> None:
        """Continue from these findings. `version` is the job's: `WHOLE_GAME`, or another for the last position."""
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
        for _ in self.replay():
            pass
        return self.states

    def replay(self) -> Iterator[None]:
        """Find `states`; yield after each move."""
        path = RunAnalysis(self._run.played)
        states = [self._run.deal]
        for before, move in zip(path.parents[1:], path.moves[1:], strict=True):
            assert before is not None
            assert move is not None
            states.append(self.rules.play(states[before], move, self.seed).state)
            yield
        self.states = [states[path.path[-1]]] if self._is_question else states

    def next_position(self) -> int | None:
        """Return the number of the position to search for a verdict next, or None."""
        unknown = sum(one.verdict == "unknown" for one in self.findings.searched)
        return self.analysis.next_position() if unknown < MAX_UNDECIDED_SEARCHES and self._may_search else None

    def next_choices(self) -> int | None:
        """Return the number of the position whose legal moves to search next, or None."""
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
        """Return the position after each legal move, with its verdict if it is a position of the run."""
        run, state = self.analysis, self.states[position]
        played = {run.moves[n]: run.verdicts[n] for n, before in enumerate(run.parents) if before == position}
        return [
            (self.rules.play_legal(state, move, self.seed).state, played.get(move))
            for move in self.rules.legal_moves(state)
        ]

    def next_step(self) -> SearchStep | None:
        """Return the next step of the search; None at the end."""
        if (position := self.next_position()) is not None:
            return SearchStep(position, [self.states[position]], NODES, None)
        if (position := self.next_choices()) is not None:
            choices = self.choices(position)
            unknown = [state for state, verdict in choices if verdict is None]
            known = [verdict for _, verdict in choices if verdict is not None]
            return SearchStep(position, unknown, CHOICE_NODES, known)
        return None

    def record(self, step: SearchStep, found: Sequence[DecidedPosition]) -> None:
        """Record the results of the positions of a step."""
        if step.known is None:
            self.record_verdict(step.position, found[0])
        else:
            verdicts = [*step.known, *(one.verdict for one in found)]
            self.count(step.position, verdicts, sum(one.nodes for one in found))

    def record_verdict(self, position: int, found: DecidedPosition) -> None:
        """Record the verdict on a position."""
        searched = SearchedPosition(position, found.verdict, found.nodes, found.line)
        self.findings = Findings((*self.findings.searched, searched), self.findings.choices)
        add_finding(self.rules, self.analysis, searched)

    def count(self, position: int, verdicts: Sequence[Verdict], nodes: int) -> None:
        """Record the verdicts on the positions after each legal move of a position, and the searched nodes."""
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


def decide_in_steps(rules: Game, state: State, seed: bytes, nodes: int, shorten_nodes: int) -> Steps[DecidedPosition]:
    """Search a position within `nodes`, and shorten a winning line within `shorten_nodes`."""
    found = yield from solve_in_steps(rules, state, seed, nodes)
    line = found.line
    if line and shorten_nodes:
        line = yield from shorten_in_steps(rules, state, seed, line, shorten_nodes)
    return DecidedPosition(found.verdict, found.nodes, tuple(move.text for move in line))
