"""Bodies of reviews: how the deals of a closed day were won and lost."""

from typing import Annotated, Literal

from msgspec import Meta

from cadogan.wire.values import Count, Day, DealId, GameId, MoveText, SlotNumber, Slug, Value, Version

Moves = Annotated[int, Meta(ge=0, description="A number of moves, without those that were taken back.")]
Runs = Annotated[int, Meta(ge=1, description="A number of runs.")]


class Losses(Value, frozen=True, kw_only=True):
    """Where most runs lost it: of `known` runs whose losing move is known, `runs` lost with a move of this stretch."""

    first: Annotated[int, Meta(ge=1)]
    last: Annotated[int, Meta(ge=1)]
    runs: Runs
    known: Runs


class Trial(Value, frozen=True, kw_only=True):
    """A position that could still be won, to be tried: a game, its version there, and the number of moves to it.

    So many runs `lost` the win with their next move.
    """

    game: GameId
    version: Version
    moves: Moves
    lost: Runs


class Parting(Trial, frozen=True, kw_only=True):
    """The position at which won and lost runs began to differ. `won` is how many runs that were won came through it.

    `losing_move` is the move that most losers played there, `winning_move` that of most winners.
    """

    losing_move: MoveText
    winning_move: MoveText
    won: Runs


class BestLine(Value, frozen=True, kw_only=True):
    """The shortest line that is known to win: one that was played, that of the certificate, or one that a search found.

    `game` is the run in which it was played. For the other two it is a run of the same deal.
    """

    moves: Moves
    source: Literal["run", "certificate", "search"]
    game: GameId


class DealReview(Value, frozen=True, kw_only=True):
    """How one deal was won and lost.

    `field` counts the finished runs by how much of the way they came, in ten equal parts, and at its end those that
    were won. Of the other runs, `looked_at` are analysed for the review, those that came furthest, and the analysis of
    `analysed` is complete. The lines of all runs that were looked at have so many `positions`, of which it was
    `decided` whether they could be won. What is null is not known.
    """

    slot: SlotNumber
    deal: DealId
    rules: Slug
    level: Annotated[str, Meta(examples=["gentle", "steady", "stern"])]
    runs: Count
    won: Count
    field: Annotated[list[Count], Meta(min_length=11, max_length=11)]
    looked_at: Count
    analysed: Count
    positions: Count
    decided: Count
    losses: Losses | None = None
    parting: Parting | None = None
    to_try: Trial | None = None
    best: BestLine | None = None


class DayReview(Value, frozen=True, kw_only=True):
    """How the deals of a closed day were won and lost. It is `done` when all analyses that it needs are complete."""

    day: Day
    state: Literal["working", "done"]
    deals: list[DealReview]
