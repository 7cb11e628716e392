"""What an analyst has found of a game: a list that grows, kept as JSON with its job, from which all else follows."""

from collections.abc import Sequence

from msgspec import Struct, json

from cadogan.engine import Move
from cadogan.engine.game import Game
from cadogan.engine.solver import RunAnalysis, Solution
from cadogan.engine.solver.solution import Verdict


class SearchedPosition(Struct, frozen=True):
    """One position of a run that was searched: its number in `RunAnalysis`, and what was found."""

    position: int
    verdict: Verdict
    nodes: int
    line: tuple[str, ...]


class CountedChoices(Struct, frozen=True):
    """How many legal moves of a position of a run keep the win, lose it, or were not decided; and the nodes it took."""

    position: int
    keeping: int
    losing: int
    unknown: int
    nodes: int = 0


class Findings(Struct, frozen=True):
    """All that was found of one run so far, in the order in which it was found.

    The answer to a question about one position has this position alone, under the number 0.
    """

    searched: tuple[SearchedPosition, ...] = ()
    choices: tuple[CountedChoices, ...] = ()

    @property
    def nodes(self) -> int:
        """How many positions were searched in all."""
        return sum(one.nodes for one in self.searched) + sum(one.nodes for one in self.choices)

    def encode(self) -> str:
        """Return the findings as JSON."""
        return json.encode(self).decode()

    @classmethod
    def decode(cls, data: str | None) -> "Findings":
        """Return findings from JSON; none if there is no text."""
        return json.decode(data, type=cls) if data else cls()


def analysis_of(rules: Game, played: Sequence[Move | None], findings: Findings) -> RunAnalysis:
    """Return what follows from these findings for a run; None in `played` takes the last move back."""
    run = RunAnalysis(played)
    for found in findings.searched:
        learn(rules, run, found)
    return run


def learn(rules: Game, run: RunAnalysis, found: SearchedPosition) -> None:
    """Let the analysis of a run take note of what was found of one position."""
    line = tuple(map(rules.move, found.line))
    run.learn(found.position, Solution(found.verdict, line, found.nodes, deepest=0, home=0))
