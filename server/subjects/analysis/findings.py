"""The findings of an analyst about a run, and the part shown for each version of the game."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct, json

from cadogan.engine import Move
from cadogan.engine.game import Game
from cadogan.engine.solver import SOLVER_VERSION, RunAnalysis, Solution
from cadogan.engine.solver.solution import Verdict
from cadogan.engine.state import State
from cadogan.server.core.errors import Conflict
from cadogan.server.core.eventlog.events import MovePlayed, MoveTakenBack
from cadogan.server.core.games.competition_rules import GameOutline
from cadogan.server.core.games.game_messages import changed_piles, public_effects
from cadogan.server.core.games.game_reader import GameReader
from cadogan.server.core.games.game_state import Step
from cadogan.wire.analysis import Analysis, AnalysisState, Choices, ComparedRun, Comparison, WayStep
from cadogan.wire.analysis import Verdict as AnalysisVerdict


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
        add_finding(rules, run, found)
    return run


def add_finding(rules: Game, run: RunAnalysis, found: SearchedPosition) -> None:
    """Add the finding about one position to the analysis of a run."""
    line = tuple(map(rules.move, found.line))
    run.learn(found.position, Solution(found.verdict, line, found.nodes, deepest=0, home=0))


MAX_VERSIONS = 3000
"""Longer games are not analysed."""


class Run(NamedTuple):
    """A game up to some version. `seed` is the 32-byte seed of its deal, `deal` its first position.

    `played` are the moves in order; None takes the last one back. `played_at[v - 1]` is how many of them were played at
    version `v`.
    """

    rules: Game
    seed: bytes
    deal: State
    played: list[Move | None]
    played_at: list[int]

    def moves_left(self) -> list[Move]:
        """Return the moves that were not taken back."""
        moves = list[Move]()
        for move in self.played:
            if move is None:
                moves.pop()
            else:
                moves.append(move)
        return moves


async def read_run(reader: GameReader, game_id: str, version: int | None = None) -> Run:
    """Return a game up to this version, or all of it. Raises NotFound, or Conflict for a game that is too long."""
    if version is not None:
        _require_short(version)
    played: list[Move | None] = []
    played_at: list[int] = []
    deals: list[State] = []

    def use(step: Step) -> None:
        match step.event:
            case MovePlayed(move):
                played.append(step.after.rules.move(move))
            case MoveTakenBack():
                played.append(None)
        if step.before is None:
            deals.append(step.after.position.state)
        played_at.append(len(played))

    game = await reader.read_steps(game_id, use, version)
    _require_short(game.version)
    return Run(game.rules, game.seed, deals[0], played, played_at)


def _require_short(version: int) -> None:
    if version > MAX_VERSIONS:
        raise Conflict("A game of more than {count} moves and take-backs is not analysed.", count=MAX_VERSIONS)


class AnalysedRun:
    """A run with the verdicts on its positions, numbered as in `RunAnalysis`."""

    def __init__(self, run: Run, findings: Findings) -> None:
        self.run = run
        self.findings = findings
        self.positions: RunAnalysis = analysis_of(run.rules, run.played, findings)
        self._first_versions: dict[int, int] = {}
        for version, played in enumerate(run.played_at, 1):
            self._first_versions.setdefault(self.positions.path[played], version)

    def position_at(self, version: int) -> int:
        """Return the number of the position at a version of the game."""
        return self.positions.path[self.run.played_at[version - 1]]

    def version_of(self, position: int) -> int:
        """Return the first version at which the game had a position."""
        return self._first_versions[position]

    def moves_to(self, position: int) -> list[Move]:
        """Return the moves from the deal to a position, without those that were taken back."""
        moves, at = list[Move](), position
        while (move := self.positions.moves[at]) is not None and (before := self.positions.parents[at]) is not None:
            moves.append(move)
            at = before
        return moves[::-1]

    @property
    def losses(self) -> list[int]:
        """The versions with which a win was lost."""
        return sorted(self.version_of(position) for position in self.positions.losing_positions())

    def version(self, state: AnalysisState) -> int:
        """Return a version number that increases with every finding."""
        return len(self.findings.searched) + len(self.findings.choices) + (state == "done")

    def show(self, game_id: str, state: AnalysisState, ahead: int | None) -> Analysis:
        """Return the analysis as a wire message."""
        return Analysis(
            game=game_id,
            state=state,
            solver=SOLVER_VERSION,
            nodes=self.findings.nodes,
            verdicts=[self._verdict(self.positions.path[played], state) for played in self.run.played_at],
            losses=self.losses,
            choices=[
                Choices(
                    version=self.version_of(one.position),
                    keeping=one.keeping,
                    losing=one.losing,
                    unknown=one.unknown,
                )
                for one in self.findings.choices
            ],
            ahead=ahead,
        )

    def _verdict(self, position: int, state: AnalysisState) -> AnalysisVerdict | None:
        """Return the verdict on a position; "unknown" if the analysis is done without one."""
        found = self.positions.verdicts[position]
        return "unknown" if found is None and state == "done" else found


def follow(rules: Game, seed: bytes, start: State, moves: Sequence[Move], steps: list[WayStep]) -> Iterator[None]:
    """Play legal moves from a position, and append each to `steps` as a wire message; yield after each."""
    state = start
    for move in moves:
        played = rules.play_legal(state, move, seed)
        steps.append(
            WayStep(
                move=move.text,
                effects=public_effects(rules, map(rules.effect_text, played.effects)),
                piles=changed_piles(rules, state, played.state),
                counters=rules.write_counters(played.state),
                score=rules.score(played.state),
                home=rules.home(played.state),
            )
        )
        state = played.state
        yield


def compare(games: Sequence[GameOutline], runs: Sequence[AnalysedRun]) -> Comparison:
    """Compare two finished games of one deal: their common moves, and the result of each."""
    lines = [run.moves_to(run.positions.path[-1]) for run in runs]
    common = next(
        (index for index, (one, other) in enumerate(zip(*lines, strict=False)) if one != other), min(map(len, lines))
    )
    compared, known = list[ComparedRun](), list[AnalysisVerdict]()
    for game, run, line in zip(games, runs, lines, strict=True):
        assert game.finished is not None
        path = positions_of(run, line)
        if (before := run.positions.verdicts[path[common]]) is not None:
            known.append(before)
        own = path[common + 1] if len(path) > common + 1 else None
        compared.append(
            ComparedRun(
                game=game.id,
                result=game.finished.result,
                score=game.finished.score,
                moves=game.finished.moves,
                version=None if own is None else run.version_of(own),
                verdict=None if own is None else run.positions.verdicts[own],
                losses=run.losses,
            )
        )
    decided = [verdict for verdict in known if verdict != "unknown"]
    return Comparison(common_moves=common, verdict=next(iter(decided or known), None), runs=compared)


def positions_of(run: AnalysedRun, line: Sequence[Move]) -> list[int]:
    """Return the positions of the moves that were not taken back, the deal first."""
    path, at = list[int](), run.positions.path[-1]
    for _ in line:
        path.append(at)
        before = run.positions.parents[at]
        assert before is not None
        at = before
    return [at, *reversed(path)]
