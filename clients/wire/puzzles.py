"""Bodies of puzzles: a position of a lost game that could still be won, and the players who have solved it."""

from typing import Annotated, Literal

from msgspec import Meta

from cadogan.wire.values import Count, Day, GameId, Moment, Origin, Player, Slug, Value

Tries = Annotated[int, Meta(ge=1, description="A number of tries.")]


class OwnTries(Value, frozen=True, kw_only=True):
    """The state of the current player's tries at a puzzle; `game` is the unfinished try."""

    tries: Count
    solved: bool
    given_up: bool
    game: GameId | None = None


class PuzzleLine(Value, frozen=True, kw_only=True):
    """Who solved a puzzle: with which try, in how many moves of it. Equal tries and moves share a rank."""

    rank: Annotated[int, Meta(ge=1)]
    player: Player
    tries: Tries
    moves: Count


class PuzzleDays(Value, frozen=True, kw_only=True):
    """The days whose puzzles are open now, the latest first."""

    days: list[Day]


class Puzzle(Value, frozen=True, kw_only=True):
    """The puzzle of a day, which is open until `closes_at`.

    `moves` led to its position, and `line` is how many moves the known way has. `tried` players have begun a try, and
    `solved` have won one; `board` has the first of them. `origin` is the game that it comes from, for whoever may see
    the way. `days` are the days whose puzzles are open now, the latest first.
    """

    day: Day
    rules: Slug
    state: Literal["open", "closed"]
    closes_at: Moment
    moves: Count
    line: Annotated[int, Meta(ge=1)]
    tried: Count
    solved: Count
    board: list[PuzzleLine]
    days: list[Day]
    your: OwnTries | None = None
    origin: Origin | None = None
