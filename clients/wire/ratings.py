"""The HTTP bodies about form and ratings: what the final standings of evenings say about how well somebody plays."""

from typing import Annotated, Literal

from msgspec import Meta

from cadogan.wire.evening_values import EveningId
from cadogan.wire.values import Count, Moment, Player, Value

Pool = Annotated[
    Literal["all", "gentle", "steady", "stern"],
    Meta(description="All evenings, or those of which every deal that counts is of this level."),
]
Rating = Annotated[int, Meta(description="Points, in whole numbers; 1500 at the beginning.")]
MeanShare = Annotated[int, Meta(ge=0, le=10_000, description="A share, in hundredths of a per cent.")]


class RatedEvening(Value, frozen=True, kw_only=True):
    """A rated evening: the place, the rating at which that place would be expected, and the rating afterwards.

    `share` is the total of the standing, if it was scored by matchpoints. `evening` and `title` are left out of an
    evening that the reader is not shown in the list of evenings.
    """

    at: Moment
    place: Annotated[int, Meta(ge=1)]
    performance: Rating
    rating: Rating
    share: MeanShare | None = None
    evening: EveningId | None = None
    title: str | None = None


class PoolForm(Value, frozen=True, kw_only=True):
    """A player's form in one pool: the mean `share` over `evenings`, and the rating.

    The rating is `provisional` below six evenings. `history` has the latest evenings, the latest last.
    """

    pool: Pool
    evenings: Count
    rating: Rating
    history: list[RatedEvening]
    provisional: bool = False
    share: MeanShare | None = None


class PlayerForm(Value, frozen=True, kw_only=True):
    """A player's form in each pool in which an evening of theirs was rated. It is public, as the profile is."""

    player: Player
    pools: list[PoolForm]


class RatingRow(Value, frozen=True, kw_only=True):
    """A player in the list of ratings. Equal ratings share a rank."""

    rank: Annotated[int, Meta(ge=1)]
    player: Player
    rating: Rating
    evenings: Count
    provisional: bool = False
    share: MeanShare | None = None


class RatingList(Value, frozen=True, kw_only=True):
    """The players of a pool, people or bots, the best first; at most 200."""

    pool: Pool
    players: list[RatingRow]
    bots: bool = False
