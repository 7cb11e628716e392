"""A puzzle folded from its stream: its tries, what each player may do, and the order of those who solved it. Pure."""

from typing import NamedTuple, Self

from msgspec import Struct, field
from msgspec.structs import replace

from cadogan.server.core.eventlog.events import CompetitionEvent, UnreadableEvent
from cadogan.server.core.games.stream_state import StreamState
from cadogan.server.subjects.puzzle_rules import (
    PuzzleClosed,
    PuzzleGivenUp,
    PuzzleSet,
    PuzzleTried,
    PuzzleTryEnded,
)


class Try(Struct, frozen=True):
    """One try: a game, its result once it has ended, and the number of its moves."""

    game: str
    result: str | None = None
    moves: int = 0


class Solved(NamedTuple):
    """Who solved a puzzle: with which try, counted from 1, in how many moves, and when."""

    player: str
    tries: int
    moves: int
    at: int

    @property
    def key(self) -> tuple[int, int]:
        """The key of the order: fewer tries, then fewer moves. Equal keys share a rank."""
        return self.tries, self.moves


class Puzzle(StreamState, frozen=True, kw_only=True):
    """A puzzle at one version of its stream."""

    set: PuzzleSet | None = None
    tries: dict[str, tuple[Try, ...]] = field(default_factory=dict)
    """The tries of each player who has tried, in their order."""
    solved: dict[str, Solved] = field(default_factory=dict)
    given_up: tuple[str, ...] = ()
    is_closed: bool = False

    @property
    def due_at(self) -> int | None:
        return None if self.set is None or self.is_closed else self.set.closes_at

    def pending(self, player: str) -> Try | None:
        """Return the player's try that has not ended."""
        return next((one for one in self.tries.get(player, ()) if one.result is None), None)

    def has_try(self, player: str, game: str) -> bool:
        """Return whether this game is a try of the player."""
        return any(one.game == game for one in self.tries.get(player, ()))

    def may_see_solution(self, player: str | None) -> bool:
        """Return whether a player may see the solution: once they have solved it or given it up, or it is closed."""
        return self.is_closed or (player is not None and (player in self.solved or player in self.given_up))

    def board(self) -> list[Solved]:
        """Return who solved it, best first; equal ones in the order of their solving."""
        return sorted(self.solved.values(), key=lambda one: (*one.key, one.at, one.player))

    def apply(self, event: CompetitionEvent, at: int) -> Self:
        match event:
            case PuzzleSet():
                return replace(self, set=event)
            case PuzzleTried(player, game):
                return self._with(player, (*self.tries.get(player, ()), Try(game)))
            case PuzzleTryEnded(player, game, result, moves):
                ended = [Try(game, result, moves) if one.game == game else one for one in self.tries.get(player, ())]
                after = self._with(player, tuple(ended))
                if result != "won" or player in self.solved or player in self.given_up:
                    return after
                number = next((index for index, one in enumerate(ended, 1) if one.game == game), len(ended))
                return replace(after, solved={**self.solved, player: Solved(player, number, moves, at)})
            case PuzzleGivenUp(player):
                return replace(self, given_up=(*self.given_up, player))
            case PuzzleClosed():
                return replace(self, is_closed=True)
        raise UnreadableEvent(f"{event.name} is no event of a puzzle")

    def _with(self, player: str, tries: tuple[Try, ...]) -> Self:
        return replace(self, tries={**self.tries, player: tries})
