"""The HTTP bodies about duplicate matches: evenings of two."""

from typing import Annotated, Literal

from msgspec import Meta

from cadogan.wire.evening_values import EveningId, EveningLevel, RoundSeconds
from cadogan.wire.values import Moment, Player, Value


class NewMatch(Value, frozen=True, kw_only=True):
    """Challenge a player by name, or create a match for anybody with its link, or play against a waiting player.

    Without `starts_at` the match begins some seconds after it was accepted, and waits for this a quarter of an hour.
    Against whoever waits it is theirs, with their choices, if somebody does.
    """

    against: Literal["player", "link", "anyone"]
    opponent: Annotated[str, Meta(min_length=1, max_length=64, description="The name of a player.")] | None = None
    starts_at: Moment | None = None
    deals: Annotated[int, Meta(ge=1, le=9)] = 3
    level: EveningLevel = "mixed"
    seconds: RoundSeconds = 600


class MatchCard(Value, frozen=True, kw_only=True):
    """A match, as the list shows it: an evening with this id. It is `waiting` until the opponent has accepted."""

    id: EveningId
    challenger: Player
    state: Literal["waiting", "coming", "on", "over", "void"]
    starts_at: Moment
    ends_at: Moment
    opponent: Player | None = None


class MatchList(Value, frozen=True, kw_only=True):
    """The matches of the player, and open matches of others."""

    at: Moment
    matches: list[MatchCard]
    waiting: list[MatchCard]
