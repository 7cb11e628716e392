"""The bodies of winnability: how many deals of each game a search has won and lost, and what it cost."""

from typing import Annotated

from msgspec import Meta

from cadogan.wire.values import Count, Slug, Value

Share = Annotated[float, Meta(ge=0, le=1, description="A share of all deals of a game.")]


class Interval(Value, frozen=True, kw_only=True):
    """Between which shares the true one lies, with 95 % confidence."""

    low: Share
    high: Share


class Verdicts(Interval, frozen=True, kw_only=True):
    """How many of the searched deals had this verdict, and which share of all deals that makes credible (Wilson)."""

    deals: Count


class GameWinnability(Value, frozen=True, kw_only=True):
    """What the search found out about one game.

    `won`: a win was found. `lost`: everything was searched, and nothing wins. `unknown`: the `budget` of nodes ran out.
    `can_be_won` holds whatever the unknown deals are. `nodes` is the median of all deals, `seconds` about what that
    takes on one core, `moves` the median length of the wins that were found.
    """

    slug: Slug
    name: str
    level: Annotated[str, Meta(examples=["gentle", "steady", "stern"])]
    rules_version: Annotated[int, Meta(ge=1, description="The version of the rules that was searched.")]
    deals: Annotated[int, Meta(ge=1)]
    budget: Annotated[int, Meta(ge=1)]
    won: Verdicts
    lost: Verdicts
    unknown: Verdicts
    can_be_won: Interval
    nodes: Count
    nodes_per_second: Count | None = None
    seconds: Annotated[float, Meta(ge=0)] | None = None
    moves: Count | None = None


class WinnabilityTable(Value, frozen=True, kw_only=True):
    """The published run of the solver of this version, game by game, sorted by slug.

    The search plays thoughtfully: it knows every face-down card and every later shuffle.
    """

    solver: Annotated[int, Meta(ge=1)]
    games: list[GameWinnability]
