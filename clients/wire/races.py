"""What goes over HTTP about races and ghosts."""

from typing import Annotated

from msgspec import Meta

from clients.wire.messages import Race
from clients.wire.values import Countdown, GameCard, Nonce, RaceSeconds, RaceSize, Slug, Value


class NewRace(Value, frozen=True, kw_only=True):
    """Open a race and take the first place in it."""

    rules: Slug
    nonce: Nonce
    size: RaceSize = 16
    seconds: RaceSeconds = 600
    countdown: Countdown = 5
    open: bool = False


class JoinRace(Value, frozen=True, kw_only=True):
    """Take a place in a race, with the token of its link if it is neither open nor kept for one."""

    nonce: Nonce
    token: Annotated[str, Meta(max_length=64)] | None = None


class Rematch(Value, frozen=True, kw_only=True):
    """Open the next race of the same people, or join the one that another of them has opened."""

    nonce: Nonce


class Races(Value, frozen=True, kw_only=True):
    """The open races that one may join, the latest first."""

    races: list[Race]


class Pace(Value, frozen=True, kw_only=True):
    """How a finished run went, to race it: milliseconds since the deal, cards home and score, whenever they changed.

    The first point is the deal, the last the end.
    """

    game: GameCard
    points: Annotated[list[tuple[int, int, int]], Meta(min_length=2)]
