"""The HTTP bodies of results: of a finished game with comparisons, and of a player."""

from typing import Annotated

from msgspec import Meta

from cadogan.wire.values import (
    Count,
    GameCard,
    GameId,
    MeanScore,
    Milliseconds,
    Moment,
    Player,
    Score,
    Slug,
    Struck,
    Value,
    Week,
)


class Place(Value, frozen=True, kw_only=True):
    """A place on a leaderboard of `total` players, of whom `behind` stand behind. Equal players share a rank."""

    rank: Annotated[int, Meta(ge=1)]
    total: Count
    behind: Count


class PastGames(Value, frozen=True, kw_only=True):
    """A player's finished games by the same rules that ended before this one."""

    played: Count
    won: Count
    best_score: Score
    mean_score: MeanScore


class GameResult(Value, frozen=True, kw_only=True):
    """How a finished game ended, and how it compares. It reveals no card.

    A ranked run has `points` and places: on the leaderboard of its deal, on that of the day, and, if its own player
    requests it and follows others, on the leaderboard of the deal among them. `past` is set if the player has finished
    a game by the same rules before. `streak` is the number of consecutive days played. `best_run` is the first game on
    the leaderboard of the deal, if it is another one and the requesting player may see its cards. `struck` is set if
    hosts have removed the run from the boards; then it has no places.
    """

    game: GameCard
    score: Score
    maximum: Score
    moves: Count
    milliseconds: Milliseconds
    active: Milliseconds
    streak: Count
    points: Count | None = None
    place: Place | None = None
    day_place: Place | None = None
    friends_place: Place | None = None
    past: PastGames | None = None
    best_run: GameId | None = None
    struck: Struck | None = None


class RulesTally(Value, frozen=True, kw_only=True):
    """A player's results with one set of rules, in finished games. `maximum` is the highest possible score."""

    rules: Slug
    played: Count
    won: Count
    best_score: Score
    mean_score: MeanScore
    maximum: Score


class WeekTally(Value, frozen=True, kw_only=True):
    """A player's results with one set of rules, in the games that ended in one week (UTC)."""

    week: Week
    rules: Slug
    played: Count
    won: Count
    best_score: Score
    mean_score: MeanScore


class RecentGame(Value, frozen=True, kw_only=True):
    """A finished game and its result."""

    game: GameCard
    score: Score
    moves: Count
    milliseconds: Milliseconds


class Profile(Value, frozen=True, kw_only=True):
    """A player, when the account was created, the results of finished games, and the latest of these games.

    A streak counts the days in a row with a ranked run that was played, up to today or yesterday: won, stuck, or given
    up after ten moves or more. `weeks` has the last 26 weeks in which a game ended, up to `week`, which is this one;
    the earliest stand first.
    """

    player: Player
    since: Moment
    streak: Count
    best_streak: Count
    played: Count
    won: Count
    by_game: list[RulesTally]
    recent: list[RecentGame]
    week: Week
    weeks: list[WeekTally]


class WitnessSeen(Value, frozen=True, kw_only=True):
    """A witness that has signed a checkpoint of the log, and when it saw that."""

    name: str
    at: Moment


class LogEntry(Value, frozen=True, kw_only=True):
    """The position of an entry in the host's log: `number`, from 0, of the `size` entries of a signed checkpoint.

    `origin` is the name of the log, and `key` the id of the key that signed the checkpoint, in hex.
    """

    number: Count
    size: Count
    origin: str
    key: Annotated[str, Meta(pattern="^[0-9a-f]{8}$")]
    witnesses: list[WitnessSeen]


class Attestation(Value, frozen=True, kw_only=True):
    """The log entry and the witnesses of a game with a public record, as in the proof of the record.

    `entry` is missing until the game is in the log, some seconds after its end.
    """

    game: GameId
    entry: LogEntry | None = None


class GameReceipt(Value, frozen=True, kw_only=True):
    """The host's signed promise that the end of a game will be in its log by `due_at`.

    `receipt` is a note, with the name of the log, the game, the version of its last event, the digest of its entry, and
    the time at which it is due. Keep it, and the public `key` of the log: with both, anybody can prove that the game
    was left out.
    """

    game: GameId
    receipt: Annotated[str, Meta(max_length=2000)]
    key: Annotated[str, Meta(max_length=500, pattern=r"^[^\x00-\x20+]+[+][0-9a-f]{8}[+][A-Za-z0-9+/]{44}$")]
    due_at: Moment


class OwnRun(Value, frozen=True, kw_only=True):
    """One of a player's games, and the number of its entry in the log, from 0, once it is there."""

    game: GameCard
    entry: Count | None = None


class OwnRuns(Value, frozen=True, kw_only=True):
    """A player's games, the latest first. `more` is whether earlier ones follow."""

    runs: list[OwnRun]
    more: bool
