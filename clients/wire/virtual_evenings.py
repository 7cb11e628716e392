"""The HTTP bodies about playing a final evening later."""

from typing import Literal

from msgspec import field

from cadogan.wire.evening_values import EveningId, Fraction, RoundNumber, Shown
from cadogan.wire.values import Count, GameId, Moment, Slug, Value


class VirtualRound(Value, frozen=True, kw_only=True):
    """A round of an evening on the clock of who plays it later; `own` is their run, if they have opened it."""

    round: RoundNumber
    game: Slug
    level: str
    opens_at: Moment
    closes_at: Moment
    own: GameId | None = None


class VirtualEvening(Value, frozen=True, kw_only=True):
    """The state of a player's virtual evening: a final evening that they play later, with the same deals.

    It is `none` before it has begun; `why` says then why the player may not begin it, and is left out if they may.
    `place`, of so many, and `total` are those at this minute of the evening, or in the end; they are left out for who
    has ended no run.
    """

    evening: EveningId
    at: Moment
    state: Literal["none", "on", "finished"]
    why: Literal["arena", "not_final", "void", "seen", "second_time"] | None = None
    starts_at: Moment | None = None
    rounds: list[VirtualRound] = field(default_factory=list)
    place: Count | None = None
    of: Count | None = None
    total: Fraction | None = None
    shown: Shown | None = None
