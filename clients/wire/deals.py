"""A deal that was played, or a numbered one, and its board."""

from typing import Annotated

from msgspec import Meta

from cadogan.wire.values import (
    Count,
    Day,
    DealId,
    DealNumber,
    GameId,
    Milliseconds,
    Player,
    RaceId,
    Result,
    Score,
    Slug,
    Value,
)

MAX_RUNS = 100
"""How many players the board of a deal shows."""


class DealRun(Value, frozen=True, kw_only=True):
    """The best finished game of one player with the cards of a deal."""

    game: GameId
    player: Player
    result: Result
    score: Score
    moves: Count
    milliseconds: Milliseconds


class PlayedDeal(Value, frozen=True, kw_only=True):
    """A deal that everybody may play: one that was played, or a numbered one.

    `day` or `race` is set if it was dealt for one, `number` if it was asked for by its number. `players` have finished
    a game of it; `runs` has the best game of each, the best first: by score, then by fewer moves, then by time. Games
    that began from a later position do not count.
    """

    deal: DealId
    rules: Slug
    players: Count
    runs: Annotated[list[DealRun], Meta(max_length=MAX_RUNS)]
    day: Day | None = None
    race: RaceId | None = None
    number: DealNumber | None = None
