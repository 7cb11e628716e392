"""The findings of an analyst about a game: an append-only list, stored as JSON with the job."""

from collections.abc import Sequence

from msgspec import Struct, json

from cadogan.engine import Move
from cadogan.engine.game import Game
from cadogan.engine.solver import RunAnalysis, Solution
from cadogan.engine.solver.solution import Verdict


class SearchedPosition(Struct, frozen=True):
    """One searched position of a run: its number in `RunAnalysis`, and the result."""

    position: int
    verdict: Verdict
    nodes: int
    line: tuple[str, ...]


class CountedChoices(Struct, frozen=True):
    """How many legal moves of a position keep the win, lose it, or are undecided; and the searched nodes."""

    position: int
    keeping: int
    losing: int
    unknown: int
    nodes: int = 0


class Findings(Struct, frozen=True):
    """All findings about one run so far, in the order of the searches.

    A job for one position has only this position, with the number 0.
    """

    searched: tuple[SearchedPosition, ...] = ()
    choices: tuple[CountedChoices, ...] = ()

    @property
    def nodes(self) -> int:
        """The total number of searched nodes."""
        return sum(one.nodes for one in self.searched) + sum(one.nodes for one in self.choices)

    def encode(self) -> str:
        """Return the findings as JSON."""
        return json.encode(self).decode()

    @classmethod
    def decode(cls, data: str | None) -> "Findings":
        """Return findings from JSON; empty ones for an empty text."""
        return json.decode(data, type=cls) if data else cls()


def analysis_of(rules: Game, played: Sequence[Move | None], findings: Findings) -> RunAnalysis:
    """Return the analysis of a run from these findings. None in `played` takes the last move back."""
    run = RunAnalysis(played)
    for found in findings.searched:
        learn(rules, run, found)
    return run


def learn(rules: Game, run: RunAnalysis, found: SearchedPosition) -> None:
    """Add the finding about one position to the analysis of a run."""
    line = tuple(map(rules.move, found.line))
    run.learn(found.position, Solution(found.verdict, line, found.nodes, deepest=0, home=0))
