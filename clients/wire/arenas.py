"""The HTTP bodies about arenas: their deals, their standing, and the runs of one player."""

from typing import Annotated, Literal

from msgspec import Meta

from cadogan.wire.evening_values import DealNumber, EveningId
from cadogan.wire.values import Count, Digest, GameId, Milliseconds, Moment, Player, Slug, Value


class Arena(Value, frozen=True, kw_only=True):
    """The arena of an evening: so many `deals`, of these `games` in turn, all of which are open at the same time.

    `playing` and `finished` are how many runs go on, and are over. `next` is the number of the deal that the player
    plays now, or opens next; it is left out if they have played the last one. `own` is their run that goes on.
    """

    opens_at: Moment
    closes_at: Moment
    deals: DealNumber
    games: list[Slug]
    playing: Count = 0
    finished: Count = 0
    next: DealNumber | None = None
    own: GameId | None = None


class ArenaDeal(Value, frozen=True, kw_only=True):
    """A deal of an arena. `commitment` is the SHA-256 of its `secret`, which is published when the arena has closed.

    `own` is the player's run of it.
    """

    number: DealNumber
    game: Slug
    level: str
    deal: str
    commitment: Digest
    secret: Digest | None = None
    own: GameId | None = None


class ArenaDeals(Value, frozen=True, kw_only=True):
    """All deals of an arena, in their order."""

    evening: EveningId
    deals: list[ArenaDeal]


class ArenaRow(Value, frozen=True, kw_only=True):
    """A row of an arena. `sheet` has the points of each run: 2 for a win, 1 for 500 points or more, twice in a streak.

    `streak` is how many runs the player has won in a row now: from 2 on the next one counts double.
    """

    place: Annotated[int, Meta(ge=1)]
    player: Player
    points: Count
    wins: Count
    runs: Count
    sheet: list[Count]
    streak: Count = 0


class ArenaField(Value, frozen=True, kw_only=True):
    """Those who are compared with each other in an arena: people, bots, or all."""

    field: Literal["people", "bots", "all"]
    rows: list[ArenaRow]


class ArenaRun(Value, frozen=True, kw_only=True):
    """A run of an arena that is over: its points, or None if it is `out_of_time` and counts nothing.

    `counts` is false for a run that hosts have struck, or that is refused.
    """

    number: DealNumber
    rules: Slug
    game: GameId
    result: Literal["won", "lost", "resigned", "out_of_time"]
    score: int
    moves: Count
    milliseconds: Milliseconds
    points: Count | None = None
    counts: bool = True


class ArenaSheet(Value, frozen=True, kw_only=True):
    """The runs of one player in an arena that are over, in the order of the deals."""

    evening: EveningId
    player: Player
    runs: list[ArenaRun]
