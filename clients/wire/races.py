"""The HTTP bodies about races and the pace of finished runs."""

from typing import Annotated

from msgspec import Meta

from cadogan.wire.messages import Race
from cadogan.wire.values import Countdown, GameCard, Nonce, RaceSeconds, RaceSize, Slug, Value


class NewRace(Value, frozen=True, kw_only=True):
    """Open a race and join it as its host."""

    rules: Slug
    nonce: Nonce
    size: RaceSize = 16
    seconds: RaceSeconds = 600
    countdown: Countdown = 5
    open: bool = False


class JoinRace(Value, frozen=True, kw_only=True):
    """Join a race. The token of its link is needed if the race is not open and the player is not invited."""

    nonce: Nonce
    token: Annotated[str, Meta(max_length=64)] | None = None


class Rematch(Value, frozen=True, kw_only=True):
    """Open the next race of the same players, or join it if one of them has opened it."""

    nonce: Nonce


class Races(Value, frozen=True, kw_only=True):
    """The open races that the player may join, the latest first."""

    races: list[Race]


class Pace(Value, frozen=True, kw_only=True):
    """How a finished run progressed, to race against it.

    Each point has the milliseconds since the deal, the cards home and the score; there is one for each change. The
    first point is the deal, the last one the end.
    """

    game: GameCard
    points: Annotated[list[tuple[int, int, int]], Meta(min_length=2)]
