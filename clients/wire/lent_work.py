"""Bodies of analyses that members carry out on their own machines, with `cadogan analyst --server`."""

from typing import Annotated

from msgspec import Meta, field

from cadogan.wire.analysis import Verdict
from cadogan.wire.values import Count, GameId, MoveText, Slug, Value

MAX_STEPS = 200
"""Steps that one request may have: so many fit into a body, unless their lines are long."""
MAX_DECIDED = 60
"""Verdicts that one step may have."""
Solver = Annotated[int, Meta(ge=1, description="The version of the solver: verdicts of another one are not accepted.")]


class TakeWork(Value, frozen=True, kw_only=True):
    """Ask for a game to analyse, with this version of the solver."""

    solver: Solver


class LentGame(Value, frozen=True, kw_only=True):
    """A finished game to analyse: its rules, its deal with every card, and its moves.

    `piles` are the cards of each pile after the deal, as the engine numbers them, and `counters` its counters. `moves`
    are played from there; null takes the last one back. `seed` determines later shuffles. Submit something every
    `seconds` seconds: after twice as long without it, the game may be given to somebody else.
    """

    id: Annotated[str, Meta(description="The id of this piece of work.")]
    game: GameId
    rules: Slug
    rules_version: Annotated[int, Meta(ge=1)]
    solver: Solver
    seed: Annotated[str, Meta(pattern=r"^[0-9a-f]*\Z", description="In hex.")]
    piles: list[list[Count]]
    counters: list[int]
    moves: list[MoveText | None]
    seconds: Annotated[int, Meta(ge=1)]


class LentWork(Value, frozen=True, kw_only=True):
    """A game to analyse; null if nothing waits."""

    work: LentGame | None


class Decided(Value, frozen=True, kw_only=True):
    """The verdict of one search, and how many positions it looked at.

    `line` has moves that win; it is empty unless a position of the game itself was searched, and is won.
    """

    verdict: Verdict
    nodes: Count
    line: Annotated[list[MoveText], Meta(max_length=2_000)] = field(default_factory=list)


class SearchStep(Value, frozen=True, kw_only=True):
    """One step of an analysis: a position of the game was searched, or the positions after each of its moves.

    A position is counted as the game reached it first, 0 for the deal.
    """

    position: Count
    decided: Annotated[list[Decided], Meta(max_length=MAX_DECIDED)]


class SubmitWork(Value, frozen=True, kw_only=True):
    """The next steps of an analysis, in their order. `after` is how many were submitted before them."""

    after: Count
    steps: Annotated[list[SearchStep], Meta(max_length=MAX_STEPS)]


class WorkState(Value, frozen=True, kw_only=True):
    """How many steps the server has of an analysis, and whether it is complete."""

    id: str
    steps: Count
    done: bool
