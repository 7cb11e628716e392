"""The body of what the first page shows."""

from typing import Annotated

from msgspec import Meta, field

from cadogan.wire.bodies import Daily, Layout, LiveGame, RulesCard, UnfinishedGame
from cadogan.wire.messages import Race
from cadogan.wire.values import Piles, Slug, Value


class SampleTable(Value, frozen=True, kw_only=True):
    """A table to look at: a deal of a game that nobody plays, as a person sees it."""

    rules: Slug
    layout: Layout
    piles: Piles


class Home(Value, frozen=True, kw_only=True):
    """What the first page shows, in one answer: each part is also at an address of its own.

    `today` is the open day, null where it has no deals, or where `today_away` says that they cannot be read just now,
    because a part of the server's database does not answer. `coming` are the announced days, the next one first.
    `unfinished` are the asker's games that can be continued. `sample` is there for somebody who is not signed in.
    """

    rules: list[RulesCard]
    live: list[LiveGame]
    coming: list[Daily]
    races: list[Race]
    today: Daily | None = None
    today_away: bool = False
    unfinished: list[UnfinishedGame] = field(default_factory=list)
    sample: SampleTable | None = None
    welcome: Annotated[str, Meta(description="What a host says on the first page, as HTML.")] = ""
