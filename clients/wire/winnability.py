"""The bodies of winnability: the share of each game's deals that a search won and lost, and its cost."""

from typing import Annotated

from msgspec import Meta

from cadogan.wire.values import Count, Slug, Value

Share = Annotated[float, Meta(ge=0, le=1, description="A share of all deals of a game.")]


class Interval(Value, frozen=True, kw_only=True):
    """The 95 % confidence interval of a share."""

    low: Share
    high: Share


class Verdicts(Interval, frozen=True, kw_only=True):
    """The number of searched deals with this verdict, and the (Wilson) interval of its share of all deals."""

    deals: Count


class GameWinnability(Value, frozen=True, kw_only=True):
    """The results of the search for one game.

    `won`: a win was found. `lost`: the whole search has no win. `unknown`: the `budget` of nodes ran out. `can_be_won`
    is valid whatever the unknown deals are. `nodes` is the median of all deals, `seconds` its approximate time on one
    core, `moves` the median length of the wins found.
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
    """The published results of the solver, by game, sorted by slug.

    The search has full information (thoughtful play): every face-down card and every later shuffle. `solver` is the
    newest version of it that searched a game; an earlier one may have searched others.
    """

    solver: Annotated[int, Meta(ge=1)]
    games: list[GameWinnability]
