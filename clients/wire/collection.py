"""The bodies of a player's collection, and of the first page of somebody who comes back."""

from typing import Annotated, Literal

from msgspec import Meta, field

from cadogan.wire.bodies import DailyDeal
from cadogan.wire.results import Place
from cadogan.wire.values import (
    BoardEntry,
    Count,
    Day,
    DealId,
    GameId,
    Milliseconds,
    Moment,
    Player,
    Result,
    Score,
    SlotNumber,
    Slug,
    Value,
)

Month = Annotated[str, Meta(pattern=r"^[0-9]{4}-[0-9]{2}\Z", description="A month, in UTC.", examples=["2026-11"])]
BadgeKind = Literal["streak", "all_levels", "first_win", "only_win"]


class Win(Value, frozen=True, kw_only=True):
    """A won game, and when it was won."""

    game: GameId
    at: Moment
    score: Score
    moves: Count
    milliseconds: Milliseconds


class CollectedGame(Value, frozen=True, kw_only=True):
    """A player's finished games by one set of rules. Games that continue another one do not count.

    `first_win` and `best_win` are null until the player has won one. The best win has the fewest moves, and
    of these the least time.
    """

    rules: Slug
    maximum: Score
    played: Count
    won: Count
    best_score: Score
    first_win: Win | None = None
    best_win: Win | None = None


class Badge(Value, frozen=True, kw_only=True):
    """Something that a player has done, and on which day.

    `streak`: played on `days` days in a row. `all_levels`: won a daily deal of every level on one day. `first_win`: the
    first person here to win a game by these rules. `only_win`: alone among the `runs` of a daily deal to win it; the
    day has closed.
    """

    kind: BadgeKind
    day: Day
    days: Count | None = None
    rules: Slug | None = None
    game: GameId | None = None
    runs: Count | None = None


class Shield(Value, frozen=True, kw_only=True):
    """The shield of a game: this player leads it in this month.

    `sum` adds up the best three shares of the player's runs of the game, each from 0 to 1.
    """

    rules: Slug
    sum: Annotated[float, Meta(ge=0, le=3)]


class HeldShield(Value, frozen=True, kw_only=True):
    """The shield of a game that this player holds, and the month for which it was won or kept last."""

    rules: Slug
    month: Month
    sum: Annotated[float, Meta(ge=0, le=3)]


class Collection(Value, frozen=True, kw_only=True):
    """The collection of a player. It is public, like the player's profile.

    `games` are those that the player has finished, sorted by slug. `shields` are the games that the player
    leads in the month `month`, and `held` the shields of the months before. `badges`
    are sorted by day, the latest first. Bots have neither.
    """

    player: Player
    month: Month
    games: list[CollectedGame]
    shields: list[Shield]
    badges: list[Badge]
    held: list[HeldShield] = field(default_factory=list)


class OwnYesterday(Value, frozen=True, kw_only=True):
    """How the player's ranked run of a deal ended, and its place."""

    game: GameId
    result: Result
    score: Score
    points: Count
    place: Place | None = None


class FieldOfDeal(Value, frozen=True, kw_only=True):
    """A deal of yesterday: how many ranked runs of people ended, how many were won, and the best score.

    `maximum` is the highest possible score, and `yours` the player's own run.
    """

    slot: SlotNumber
    deal: DealId
    rules: Slug
    maximum: Score
    runs: Count
    won: Count
    best_score: Score
    yours: OwnYesterday | None = None


class Glance(Value, frozen=True, kw_only=True):
    """The top of yesterday's board, and the player's own entry: among friends, in a group, or of the whole server.

    `among` is as in the query of a leaderboard; it is missing for the server. `name` is the name of a group. Ranks and
    `total` count only the players of this board.
    """

    among: Annotated[str, Meta(examples=["friends", "group:k3v7q2m5x4c6z2ab"])] | None = None
    name: str | None = None
    total: Count
    entries: list[BoardEntry]
    you: BoardEntry | None = None


class FriendRun(Value, frozen=True, kw_only=True):
    """A finished ranked run of a friend, of today or yesterday."""

    player: Player
    day: Day
    deal: DealId
    rules: Slug
    game: GameId
    result: Result
    score: Score
    maximum: Score


class Returning(Value, frozen=True, kw_only=True):
    """A summary for a returning player.

    `day` is yesterday, and `deals` are those deals of it that somebody has finished. `place` is the player's place on
    the board of that day. `boards` are the friends' board, then those of groups, then that of the server. `today` are
    the deals of today.
    """

    day: Day
    deals: list[FieldOfDeal]
    points: Count
    streak: Count
    best_streak: Count
    place: Place | None = None
    boards: list[Glance] = field(default_factory=list)
    friends: list[FriendRun] = field(default_factory=list)
    today: list[DailyDeal] = field(default_factory=list)
