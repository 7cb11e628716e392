"""The HTTP bodies about the seasons of the server and of groups: weeks in one table, in divisions."""

from typing import Annotated, Literal

from msgspec import Meta

from cadogan.wire.ratings import MeanShare
from cadogan.wire.values import Count, Digest, Moment, Player, Value

SeasonId = Annotated[
    str,
    Meta(
        description="The name of its first week by ISO 8601, such as `2026-W48`; that of a group has its id "
        "and a hyphen before it."
    ),
]
SeasonWeek = Annotated[str, Meta(pattern=r"^[0-9]{4}-W[0-9]{2}\Z", description="A week by ISO 8601, in UTC.")]
SeasonMove = Literal["up", "down"]


class SeasonSettings(Value, frozen=True, kw_only=True):
    """The settings for the seasons to come; the one that runs keeps those with which it opened.

    With `on`, a season follows another. `weeks` is its length, and `size` how many members a division is to have. The
    best `best_of_week` sessions of a week count. Who has fewer than `least_sessions` neither rises nor falls, and
    without `demotion` nobody falls.
    """

    on: bool = False
    weeks: Annotated[int, Meta(ge=1, le=26)] = 12
    size: Annotated[int, Meta(ge=8, le=20)] = 12
    best_of_week: Annotated[int, Meta(ge=1, le=20)] = 5
    least_sessions: Annotated[int, Meta(ge=0, le=200)] = 10
    demotion: bool = True


class ListedSeason(Value, frozen=True, kw_only=True):
    """A season in the list. `closed` is whether its table is final."""

    id: SeasonId
    weeks: list[SeasonWeek]
    begins_at: Moment
    ends_at: Moment
    closed: bool


class SeasonList(Value, frozen=True, kw_only=True):
    """The settings for future seasons, and the seasons, the latest first; at most 100."""

    settings: SeasonSettings
    seasons: list[ListedSeason]


class SeasonRow(Value, frozen=True, kw_only=True):
    """A member of a division: the place, and the score of the season and of each week, which are shares.

    `active` is whether there are enough sessions to rise or fall; `moves` is whether they would if this were the end.
    `left` is whether the player has left the season.
    """

    place: Annotated[int, Meta(ge=1)]
    player: Player
    score: MeanShare
    weeks: list[MeanShare]
    sessions: Count
    active: bool
    moves: SeasonMove | None = None
    left: bool = False


class SeasonDivision(Value, frozen=True, kw_only=True):
    """A division with its members, the best first. Division 1 is the highest."""

    division: Annotated[int, Meta(ge=1)]
    rows: list[SeasonRow]


class Season(ListedSeason, frozen=True, kw_only=True):
    """A season with its divisions, the reader's `own` one first. `digest` is that of the final table."""

    closes_at: Moment
    least_sessions: Count
    demotion: bool
    divisions: list[SeasonDivision]
    own: Annotated[int, Meta(ge=1)] | None = None
    digest: Digest | None = None
