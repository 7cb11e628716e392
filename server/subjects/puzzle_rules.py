"""The events of puzzles, and the rules of the games that are tries at them. Pure.

The stream `puzzle/<day>` tells of the puzzle of a day: where it comes from, who has tried it, and how. Its `puzzle_set`
holds a line that wins, so the stream is shown to nobody before it has ended.
"""

from typing import ClassVar

from msgspec import UNSET

from cadogan.server.core import dates
from cadogan.server.core.eventlog.events import CompetitionEvent, GameDealt
from cadogan.server.core.games.competition_rules import CompetitionRules
from cadogan.wire.values import Mode

KEY = "puzzle"


class PuzzleSet(CompetitionEvent, frozen=True):
    """A position of a lost game, which could still be won there, became the puzzle of a day.

    `version` is that of the game in this position, and `moves` led there. `line` wins from it. After `closes_at`, in
    milliseconds since 1970, no try counts.
    """

    name: ClassVar[str] = "puzzle_set"
    rules: str
    game: str
    version: int
    moves: int
    line: tuple[str, ...]
    closes_at: int


class PuzzleTried(CompetitionEvent, frozen=True):
    """A player began a try: a game that begins at the position."""

    name: ClassVar[str] = "puzzle_tried"
    player: str
    game: str


class PuzzleTryEnded(CompetitionEvent, frozen=True):
    """A try has ended: its result as in `GameFinished`, and how many moves the player played in it."""

    name: ClassVar[str] = "puzzle_try_ended"
    player: str
    game: str
    result: str
    moves: int


class PuzzleGivenUp(CompetitionEvent, frozen=True):
    """A player gave up and requested the solution."""

    name: ClassVar[str] = "puzzle_given_up"
    player: str


class PuzzleClosed(CompetitionEvent, frozen=True):
    """The puzzle has closed: no try that ends later counts, and the solution is public."""

    name: ClassVar[str] = "puzzle_closed"
    ends: ClassVar[bool] = True


class PuzzleRules(CompetitionRules):
    """The rules of the tries. Each is a game of its player's own, so nothing of it is a secret from spectators.

    A move that revealed a card cannot be taken back and there are no hints: else tries would say nothing.
    """

    key = KEY
    events = (PuzzleSet, PuzzleTried, PuzzleTryEnded, PuzzleGivenUp, PuzzleClosed)
    is_shared = False
    reveals_secret_at_end = True

    def mode(self, dealt: GameDealt) -> Mode:
        return "casual"

    def tells_origin(self, over: bool) -> bool:
        """Return False: the analysis of that game shows the way. The puzzle tells it to those who may see the way."""
        return False

    def ends_when_idle(self, ranked: bool) -> bool:
        return True

    def find_fault(self, dealt: GameDealt) -> str | None:
        if (dealt.day, dealt.slot, dealt.race, dealt.ranked) != (None, None, None, False):
            return "a try at a puzzle has no day, no slot and no race, and is not ranked"
        if dealt.origin is None or dealt.origin.moves is UNSET or not dates.is_valid(dealt.about or ""):
            return "a try at a puzzle names the day of the puzzle, its position, and how many moves led there"
        return None
