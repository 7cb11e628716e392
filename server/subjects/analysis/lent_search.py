"""The search of a run by another machine, accepted step by step as far as it is plausible.

Everybody searches a run in the same order, so the steps of others must be those that this server would search next. A
winning line of a position of the run is played to its end. All other verdicts are claims, of which some are chosen at
random, to be searched again by the server.
"""

from collections.abc import Iterator, Sequence
from random import SystemRandom

from msgspec import Struct, json

from cadogan.engine.compiled.choice import solve_in_steps
from cadogan.engine.errors import EngineError
from cadogan.engine.game import Game
from cadogan.engine.solver import Steps
from cadogan.engine.solver.solution import Verdict
from cadogan.engine.solver.solve import MOST_POSITIONS
from cadogan.engine.state import State, pack_state, unpack_state
from cadogan.server.core.errors import Conflict
from cadogan.server.subjects.analysis.decided_positions import DecidedPosition
from cadogan.server.subjects.analysis.findings import Findings, Run
from cadogan.server.subjects.analysis.jobs import WHOLE_GAME
from cadogan.server.subjects.analysis.run_search import RunSearch
from cadogan.wire.lent_work import Decided, SearchStep

MAX_CHOSEN = 6
"""The claims of one analysis that are chosen to be searched again."""
_random = SystemRandom()


class FalseWin(Exception):
    """A line does not win, or has a move that the rules forbid."""


class Claim(Struct, frozen=True, array_like=True):
    """The verdict of a search on a packed position, in hex, with the limit of nodes."""

    position: str
    nodes: int
    verdict: Verdict


class Claims(Struct, frozen=True):
    """How many claims there were, and those that were chosen at random, each with the same probability."""

    count: int = 0
    chosen: tuple[Claim, ...] = ()

    def add(self, claim: Claim) -> "Claims":
        """Return these claims and one more."""
        count, chosen = self.count + 1, self.chosen
        place = len(chosen) if count <= MAX_CHOSEN else _random.randrange(count)
        if place < MAX_CHOSEN:
            chosen = (*chosen[:place], claim, *chosen[place + 1 :])
        return Claims(count, chosen)

    def encode(self) -> str:
        """Return the claims as JSON."""
        return json.encode(self).decode()

    @classmethod
    def decode(cls, data: str | None) -> "Claims":
        """Return claims from JSON; none for an empty text."""
        return json.decode(data, type=cls) if data else cls()


class LentSearch:
    """The search of a run by somebody else, as far as it was submitted."""

    def __init__(self, run: Run, findings: Findings, claims: Claims) -> None:
        self.claims = claims
        self._search = RunSearch(run, WHOLE_GAME, findings)

    @property
    def findings(self) -> Findings:
        """All findings so far."""
        return self._search.findings

    @property
    def steps(self) -> int:
        """How many steps there were so far."""
        return len(self.findings.searched) + len(self.findings.choices)

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to search. Call `take` first, which replays the run in pieces."""
        return self._search.next_step() is None

    def take(self, after: int, steps: Sequence[SearchStep]) -> Iterator[None]:
        """Accept these steps; `after` is the number of steps before the first one. Yields after each piece of work.

        Known steps are skipped. Raises Conflict for steps that are not the next ones, and FalseWin.
        """
        if after > self.steps:
            raise Conflict("Steps of this analysis are missing: submit those after step {count}.", count=self.steps)
        yield from self._search.replay()
        for submitted in steps[self.steps - after :]:
            yield from self._take_step(submitted)
            yield

    def _take_step(self, submitted: SearchStep) -> Iterator[None]:
        wanted, rules, seed = self._search.next_step(), self._search.rules, self._search.seed
        given = submitted.decided
        if (
            wanted is None
            or (submitted.position, len(given)) != (wanted.position, len(wanted.states))
            or any(one.nodes > wanted.nodes for one in given)
        ):
            raise Conflict("These steps are not those that this analysis needs next.")
        for state, one in zip(wanted.states, given, strict=True):
            if wanted.known is None and one.verdict == "won":
                yield from _require_win(rules, state, seed, one.line)
            else:
                self.claims = self.claims.add(Claim(pack_state(state).hex(), wanted.nodes, one.verdict))
        found = [DecidedPosition(one.verdict, one.nodes, _line_of(wanted.known is None, one)) for one in given]
        self._search.record(wanted, found)


def contradict_in_steps(rules: Game, seed: bytes, claim: Claim) -> Steps[bool]:
    """Search a position again, as whoever claims its verdict, and return whether the verdict is another one."""
    state = unpack_state(bytes.fromhex(claim.position), len(rules.piles))
    found = yield from solve_in_steps(rules, state, seed, claim.nodes, MOST_POSITIONS)
    return found.verdict != claim.verdict


def _line_of(is_of_run: bool, decided: Decided) -> tuple[str, ...]:
    return tuple(decided.line) if is_of_run and decided.verdict == "won" else ()


def _require_win(rules: Game, state: State, seed: bytes, line: Sequence[str]) -> Iterator[None]:
    """Play a line, and yield after each move. Raises FalseWin."""
    try:
        for text in line:
            state = rules.play(state, rules.move(text), seed).state
            yield
    except EngineError as error:
        raise FalseWin(str(error)) from None
    if not rules.won(state):
        raise FalseWin("the last position is not won")
