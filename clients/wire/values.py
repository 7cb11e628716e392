"""The values that messages and bodies share: ids, cards, players, games.

Durations are whole milliseconds, moments are milliseconds since 1970 (UTC). Digests and secrets are lower-case
hexadecimal.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

MAX_VERSION = 2_147_483_647

GameId = Annotated[str, Meta(min_length=1, max_length=64, description="A game's id.", examples=["k3v7q2m5x4c6z2ab"])]
PlayerId = Annotated[str, Meta(min_length=1, max_length=64, description="A player's id.")]
DealId = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=64,
        description="A sealed deal's id. That of a deal of a day is the day and the deal's number.",
        examples=["2026-11-20.1"],
    ),
]
SlotNumber = Annotated[int, Meta(ge=1, le=9, description="A deal's number on its day, from 1.")]
DealNumber = Annotated[
    int, Meta(ge=1, le=8_589_934_591, description="The number of a deal, as in Microsoft's FreeCell.", examples=[617])
]
RaceId = Annotated[str, Meta(min_length=1, max_length=64, description="A race's id.", examples=["r2s4t6u3v5w7x2yz"])]
Slug = Annotated[
    str, Meta(min_length=1, max_length=64, description="The slug of a set of rules.", examples=["klondike"])
]
CommandId = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=64,
        pattern=r"^[!-~]+\Z",
        description="Chosen by the client, new for each command. A command that is sent again gets its first answer.",
    ),
]
Version = Annotated[
    int,
    Meta(ge=0, le=MAX_VERSION, description="How many events the game has had: the sequence number of its messages."),
]
MoveText = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=512,
        pattern=r"^[a-zA-Z0-9./+~-]+\Z",
        description="A move as text, as it stands in `legal`.",
        examples=["tableau.3/foundation.0", "deal"],
    ),
]
Nonce = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=64,
        pattern=r"^[^\x00-\x1f\x7f]+\Z",
        description="A text of the player, which is mixed into the seed so that the host cannot choose the deal.",
    ),
]
BoardName = Annotated[
    str,
    Meta(
        pattern=r"^(bots:)?(all|(day|deal|game|month|week):[a-zA-Z0-9.-]{1,64})\Z",
        description="The name of a leaderboard; with `bots:` before it, that of the bots.",
        examples=["day:2026-11-20"],
    ),
]
GroupId = Annotated[str, Meta(min_length=1, max_length=64, description="A group's id.")]
Day = Annotated[
    str,
    Meta(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}\Z", description="A day, in UTC.", examples=["2026-11-20"]),
]
Week = Annotated[
    str,
    Meta(
        pattern=r"^[0-9]{4}-W[0-9]{2}\Z",
        description="A week from Monday to Sunday (ISO 8601), in UTC.",
        examples=["2026-W47"],
    ),
]
PlayerName = Annotated[
    str,
    Meta(
        min_length=2,
        max_length=24,
        description="Unique: no two look alike. Letters of one script, digits and simple signs.",
    ),
]
Password = Annotated[str, Meta(min_length=8, max_length=256)]
Moment = Annotated[int, Meta(ge=0, description="Milliseconds since 1970, UTC.")]
Milliseconds = Annotated[int, Meta(ge=0)]
Count = Annotated[int, Meta(ge=0)]
RaceSize = Annotated[int, Meta(ge=2, le=16, description="How many players can race at most.")]
RaceSeconds = Annotated[int, Meta(ge=10, le=7200, description="Seconds from the deal until the time is up.")]
Countdown = Annotated[int, Meta(ge=0, le=60, description="Seconds from the start of the race to the deal.")]
Score = Annotated[int, Meta(description="By the rules of the game; it can be below zero.")]
MeanScore = Annotated[float, Meta(description="A mean of scores.")]
TimeZone = Annotated[str, Meta(min_length=1, max_length=64, examples=["Europe/Budapest"])]
LanguageTag = Annotated[str, Meta(pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}\Z", examples=["de"])]
Hex = Annotated[str, Meta(pattern=r"^([0-9a-f]{2})*\Z")]
Digest = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z", description="32 bytes.")]

PileView = Annotated[
    list[str | int],
    Meta(
        description="Cards from the bottom; a number stands for that many face-down cards.", examples=[[3, "7H", "6S"]]
    ),
]
Piles = dict[str, PileView]
Counters = dict[str, int]
Legal = Annotated[list[MoveText], Meta(description="Every legal move.")]

DayState = Literal["announced", "open", "closed"]
Status = Literal["playing", "stuck", "won", "lost", "resigned", "out_of_time"]
Result = Literal["won", "lost", "resigned", "out_of_time"]
Mode = Annotated[
    Literal["casual", "daily", "practice", "race"],
    Meta(description="A casual game, the ranked attempt at a deal of a day, another run of it, or a game of a race."),
]
CompetitionKey = Annotated[
    str,
    Meta(
        description="A competition of this server besides those that `mode` has words for.",
        pattern=r"^[a-z][a-z0-9_]{1,19}\Z",
        examples=["duplicate"],
    ),
]
About = Annotated[
    str, Meta(description="What a game is played for in its competition.", examples=["k3v7q2m5x4c6z2ab/1"])
]
Sight = Annotated[
    Literal["seat", "board", "meter"],
    Meta(description="What the client may see: its own game, all face-up cards, or only the progress."),
]
RefusalCode = Literal[
    "already_played",
    "archived",
    "bad_credentials",
    "bad_message",
    "bad_move",
    "command_reused",
    "confirmation_needed",
    "conflict",
    "day_not_open",
    "forbidden",
    "game_over",
    "illegal_move",
    "internal",
    "muted",
    "name_taken",
    "no_hints",
    "no_winnable_deal",
    "not_found",
    "not_your_seat",
    "nothing_to_take_back",
    "rate_limited",
    "spoiler_embargo",
    "stale_version",
    "suspended",
    "take_back_revealed",
    "too_many",
    "unauthorized",
    "unavailable",
]


class Value(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The base class of all sent values. Values are immutable; a key with its default value is left out."""


class Said(Value, frozen=True, kw_only=True):
    """An English sentence with placeholders, like `{pile} is empty`, and their values, for translation.

    The name of a placeholder is the kind of its value, with a number if there are several. `card`, `pile`, `verb` and
    `move` are written as everywhere, `piles` and `moves` are separated by commas, other values are plain texts or
    numbers.
    """

    text: str
    values: "dict[str, str | int | Said]" = field(default_factory=dict)

    def __str__(self) -> str:
        return self.text.format_map(self.values) if self.values else self.text


class Player(Value, frozen=True, kw_only=True):
    """A player. A guest has not claimed a name yet and has a name generated by the server.

    A bot is a program; bots have leaderboards of their own. A player who has `left` was erased and has no name.
    """

    id: PlayerId
    name: str
    guest: bool
    bot: bool = False
    left: bool = False


class Origin(Value, frozen=True, kw_only=True):
    """The position that a game was played on from: another game of the same deal, at this version."""

    game: GameId
    version: Version


class GameCard(Value, frozen=True, kw_only=True):
    """A game without its cards.

    `day` and `slot` are set for a run of a deal of a day, `race` for a game of a race. Only the first attempt at a deal
    of a day is `ranked`, and only until its player chooses to see the deal. `origin` is set if it was played on from
    another game, `number` if its cards are those of a numbered deal, `winnable` if the player asked for a deal that can
    be won. `competition` and `about` are there if it is played for something that `mode` has no word for: `mode` is
    then the nearest word, for clients that do not know the competition.
    """

    id: GameId
    rules: Slug
    rules_version: int
    player: Player
    deal: DealId
    mode: Mode
    ranked: bool
    status: Status
    started_at: Moment
    commitment: Digest
    day: Day | None = None
    slot: SlotNumber | None = None
    race: RaceId | None = None
    origin: Origin | None = None
    competition: CompetitionKey | None = None
    about: About | None = None
    number: DealNumber | None = None
    winnable: bool = False


Reason = Annotated[
    Literal["cheating", "name", "conduct", "second_account", "security", "request", "mistake", "other"],
    Meta(description="Why something was done. It stays in the log for ever, so it is a word and never a text."),
]


class Meter(Value, frozen=True, kw_only=True):
    """The progress of a game: the only data that players may see of a deal which they have not finished.

    A run with `struck` was removed from the boards by a host, for that reason. It is sent once, to be removed from
    lists.
    """

    game: GameId
    deal: DealId
    player: Player
    home: Annotated[int, Meta(ge=0, description="Cards home.")]
    score: Score
    moves: Count
    milliseconds: Milliseconds
    status: Status
    ranked: bool
    struck: Reason | None = None


class Struck(Value, frozen=True, kw_only=True):
    """Why and when a run was removed from the boards. Its record does not change."""

    reason: Reason
    at: Moment


class StruckRun(Struck, frozen=True, kw_only=True):
    """A run that was removed from a board."""

    game: GameId
    player: Player


class Racer(Value, frozen=True, kw_only=True):
    """A player in a race: the nonce, the progress once it runs, and at the end the rank. Equal racers share a rank.

    A run that hosts have struck has no rank, but a reason in `struck`; the others are ranked without it.
    """

    player: Player
    nonce: Nonce
    meter: Meter | None = None
    rank: Annotated[int, Meta(ge=1)] | None = None
    struck: Reason | None = None


class BoardEntry(Value, frozen=True, kw_only=True):
    """A player's place on a leaderboard. Equal players share a rank.

    On the leaderboard of a deal it is one run, with `score`, `game`, `result` and `active`: the part of `milliseconds`
    in which the player was active, which does not count for the order. On every other leaderboard it is the sum of
    several `runs`, with `points`.
    """

    rank: Annotated[int, Meta(ge=1)]
    player: Player
    moves: Count
    milliseconds: Milliseconds
    score: Score | None = None
    game: GameId | None = None
    result: Result | None = None
    active: Milliseconds | None = None
    points: Count | None = None
    runs: Count | None = None
