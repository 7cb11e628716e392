"""The body of the first page."""

from typing import Annotated

from msgspec import Meta, field

from cadogan.wire.bodies import Daily, Layout, LiveGame, RulesCard, UnfinishedGame
from cadogan.wire.evenings import EveningCard
from cadogan.wire.matches import MatchCard
from cadogan.wire.messages import Race
from cadogan.wire.values import Piles, Slug, Value


class SampleTable(Value, frozen=True, kw_only=True):
    """A sample table: a deal as its player would see it; it is not played."""

    rules: Slug
    layout: Layout
    piles: Piles


class Home(Value, frozen=True, kw_only=True):
    """The data of the first page in one answer. Each part also has an endpoint of its own.

    `today` is the open day; null if it has no deals, or with `today_away` if a part of the server's database does not
    answer. `coming` are the announced days, the next one first. `unfinished` are the player's unfinished games.
    `challenges` are the matches to which others challenge the player, and the player's own that are on or begin within
    a quarter of an hour; `evenings` are those for everybody and of the player's groups that do, and those by link that
    the player is in or leads. `sample` is set for users who are not signed in.
    """

    rules: list[RulesCard]
    live: list[LiveGame]
    coming: list[Daily]
    races: list[Race]
    today: Daily | None = None
    today_away: bool = False
    unfinished: list[UnfinishedGame] = field(default_factory=list)
    challenges: list[MatchCard] = field(default_factory=list)
    evenings: list[EveningCard] = field(default_factory=list)
    sample: SampleTable | None = None
    welcome: Annotated[str, Meta(description="What a host says on the first page, as HTML.")] = ""
