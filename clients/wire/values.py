"""Values that several messages share: ids, cards, players, games.

Times are whole milliseconds, points in time count from 1970 (UTC); digests and secrets are lower-case hexadecimal.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

LARGEST_VERSION = 2_147_483_647

GameId = Annotated[str, Meta(min_length=1, max_length=64, description="A game's id.", examples=["k3v7q2m5x4c6z2ab"])]
PlayerId = Annotated[str, Meta(min_length=1, max_length=64, description="A player's id.")]
DealId = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=64,
        description="A sealed deal's id; a daily's is its day and its number on that day's card.",
        examples=["2026-11-20.1"],
    ),
]
SlotNumber = Annotated[int, Meta(ge=1, le=9, description="A deal's number on its day's card.")]
RaceId = Annotated[str, Meta(min_length=1, max_length=64, description="A race's id.", examples=["r2s4t6u3v5w7x2yz"])]
Slug = Annotated[
    str, Meta(min_length=1, max_length=64, description="A set of rules by its name.", examples=["klondike"])
]
CommandId = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=64,
        pattern=r"^[!-~]+(?!\n)$",
        description="Chosen by the client, new for each command; the same command sent again gets its first answer.",
    ),
]
Version = Annotated[
    int,
    Meta(ge=0, le=LARGEST_VERSION, description="How many events a game has had: the sequence number of its messages."),
]
MoveText = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=512,
        pattern=r"^[a-zA-Z0-9./+~-]+(?!\n)$",
        description="A move as text; clients take it from `legal`.",
        examples=["tableau.3/foundation.0", "deal"],
    ),
]
Nonce = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=64,
        pattern=r"^[^\u0000-\u001f\u007f]+(?!\n)$",
        description="The player's own text, mixed into the seed so that the host cannot pick the deal.",
    ),
]
BoardName = Annotated[
    str,
    Meta(
        pattern=r"^(bots:)?(all|(day|deal|game|month|week):[a-zA-Z0-9.-]{1,64})(?!\n)$",
        description="A board's name; with `bots:` before it the board of the bots.",
        examples=["day:2026-11-20"],
    ),
]
GroupId = Annotated[str, Meta(min_length=1, max_length=64, description="A group's id.")]
Day = Annotated[
    str,
    Meta(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}(?!\n)$", description="A day, in UTC.", examples=["2026-11-20"]),
]
PlayerName = Annotated[
    str,
    Meta(
        min_length=2,
        max_length=24,
        description="Unique, whatever its case: characters that can be seen, a letter or digit among them.",
    ),
]
Password = Annotated[str, Meta(min_length=8, max_length=256)]
Moment = Annotated[int, Meta(ge=0, description="Milliseconds since 1970, UTC.")]
Milliseconds = Annotated[int, Meta(ge=0)]
Count = Annotated[int, Meta(ge=0)]
RaceSize = Annotated[int, Meta(ge=2, le=16, description="How many may race.")]
RaceSeconds = Annotated[int, Meta(ge=10, le=7200, description="Seconds until the time is up.")]
Countdown = Annotated[int, Meta(ge=0, le=60, description="Seconds between the start's being given and the cards.")]
Score = Annotated[int, Meta(description="By the rules of the game; some count below zero.")]
Hex = Annotated[str, Meta(pattern=r"^([0-9a-f]{2})*(?!\n)$")]
Digest = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}(?!\n)$", description="32 bytes.")]

PileView = Annotated[
    list[str | int],
    Meta(
        description="Cards from the bottom up; a number stands for so many face-down cards.", examples=[[3, "7H", "6S"]]
    ),
]
Piles = dict[str, PileView]
Counters = dict[str, int]
Legal = Annotated[list[MoveText], Meta(description="Every move that is legal now.")]

Status = Literal["playing", "stuck", "won", "lost", "resigned", "out_of_time"]
Result = Literal["won", "lost", "resigned", "out_of_time"]
Mode = Annotated[
    Literal["casual", "daily", "practice", "race"],
    Meta(description="A deal of one's own, the one attempt at a day's deal, such a deal once more, or a race."),
]
Sight = Annotated[
    Literal["seat", "board", "meter"],
    Meta(description="What one may see: one's own game, all face-up cards, or the progress alone."),
]
RefusalCode = Literal[
    "already_played",
    "bad_credentials",
    "bad_message",
    "bad_move",
    "command_reused",
    "conflict",
    "day_not_open",
    "game_over",
    "illegal_move",
    "internal",
    "name_taken",
    "not_found",
    "not_your_seat",
    "nothing_to_take_back",
    "rate_limited",
    "spoiler_embargo",
    "stale_version",
    "take_back_revealed",
    "too_many",
    "unauthorized",
    "unavailable",
]


class Value(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Whatever goes over the wire: immutable; a key that holds its default is left out."""


class Said(Value, frozen=True, kw_only=True):
    """A sentence in English with places, `{pile} is empty`, and what stands in them: to say it in another language.

    What a place holds is known by its name, with a number after it where there are several: `card`, `pile`, `verb` and
    `move` are written as everywhere, `piles` and `moves` with commas between; others stand as they are.
    """

    text: str
    values: "dict[str, str | int | Said]" = field(default_factory=dict)


class Player(Value, frozen=True, kw_only=True):
    """Somebody who plays. A guest has not claimed a name yet; the name then is one the server made up.

    A bot is a program, and has boards of its own.
    """

    id: PlayerId
    name: str
    guest: bool
    bot: bool = False


class GameCard(Value, frozen=True, kw_only=True):
    """What a game is, apart from its cards.

    `day` and `slot` are there if it is a run of a deal of that day's card, `race` if it is one of that race. Only the
    one attempt at a day's deal is `ranked`, and no longer when its player has asked to be shown the deal.
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


class Meter(Value, frozen=True, kw_only=True):
    """How far a game is: all that others may know of a deal they have yet to play."""

    game: GameId
    deal: DealId
    player: Player
    home: Annotated[int, Meta(ge=0, description="Cards home.")]
    score: Score
    moves: Count
    milliseconds: Milliseconds
    status: Status
    ranked: bool


class Racer(Value, frozen=True, kw_only=True):
    """Somebody in a race: the nonce, from the start how far the game is, and at the end the rank; equals share one."""

    player: Player
    nonce: Nonce
    meter: Meter | None = None
    rank: Annotated[int, Meta(ge=1)] | None = None


class BoardEntry(Value, frozen=True, kw_only=True):
    """A player's place on a board; equals share a rank.

    On the board of a deal it is a run, with `score`, `game` and `result`; else it sums up so many `runs`, as `points`.
    """

    rank: Annotated[int, Meta(ge=1)]
    player: Player
    moves: Count
    milliseconds: Milliseconds
    score: Score | None = None
    game: GameId | None = None
    result: Result | None = None
    points: Count | None = None
    runs: Count | None = None
