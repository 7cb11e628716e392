"""What goes over the socket `/ws/v1`: JSON text frames, one message each, told apart by their key `type`.

A client's frame is at most `codec.LARGEST_FRAME` bytes. Every message of a client has an `id` of its own choosing; what
answers it carries that id (`id`, or `command` for what a play, take-back or resignation did).
"""

from typing import Annotated, Literal

from msgspec import Meta

from clients.wire.values import (
    BoardEntry,
    BoardName,
    CommandId,
    Count,
    Countdown,
    Counters,
    Day,
    Digest,
    GameCard,
    GameId,
    Legal,
    Meter,
    Milliseconds,
    Moment,
    MoveText,
    Nonce,
    Piles,
    Player,
    PlayerId,
    PlayerName,
    RaceId,
    Racer,
    RaceSeconds,
    RaceSize,
    RefusalCode,
    Result,
    Said,
    Score,
    Sight,
    Slug,
    Status,
    Value,
    Version,
)

WatcherNames = Annotated[
    list[PlayerName], Meta(max_length=20, description="The first of those watching that have claimed a name.")
]


def snake_case(name: str) -> str:
    """A class's name as the `type` of its messages.

    >>> snake_case("MoveTakenBack")
    'move_taken_back'
    """
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")


class Message(Value, frozen=True, kw_only=True, tag_field="type", tag=snake_case):
    """One frame."""


class Subscribe(Message, frozen=True, kw_only=True):
    """Follow a game: with `since`, the messages after that version (or a fresh view); without, a view.

    Of a game of the day or of a race only who plays it is told the messages, and whoever says with which `sight` it has
    been seen up to that version and has that sight still; anybody else gets a view.
    """

    id: CommandId
    game: GameId
    since: Version | None = None
    sight: Sight | None = None


class Unsubscribe(Message, frozen=True, kw_only=True):
    """Follow a game no longer."""

    id: CommandId
    game: GameId


class Play(Message, frozen=True, kw_only=True):
    """Play a move in the position after `version`."""

    id: CommandId
    game: GameId
    version: Version
    move: MoveText


class TakeBack(Message, frozen=True, kw_only=True):
    """Take the last move back."""

    id: CommandId
    game: GameId
    version: Version


class Resign(Message, frozen=True, kw_only=True):
    """End one's game here."""

    id: CommandId
    game: GameId
    version: Version


class WatchDay(Message, frozen=True, kw_only=True):
    """Follow everybody's progress in a day's deals."""

    id: CommandId
    day: Day


class UnwatchDay(Message, frozen=True, kw_only=True):
    """Follow a day's progress no longer."""

    id: CommandId
    day: Day


class WatchRace(Message, frozen=True, kw_only=True):
    """Follow a race: who is in it, when it starts, how far everybody is."""

    id: CommandId
    race: RaceId


class UnwatchRace(Message, frozen=True, kw_only=True):
    """Follow a race no longer."""

    id: CommandId
    race: RaceId


class WatchBoard(Message, frozen=True, kw_only=True):
    """Follow the changes of a board."""

    id: CommandId
    board: BoardName


class UnwatchBoard(Message, frozen=True, kw_only=True):
    """Follow a board no longer."""

    id: CommandId
    board: BoardName


class Ping(Message, frozen=True, kw_only=True):
    """Ask for a `pong`."""

    id: CommandId


class View(Message, frozen=True, kw_only=True):
    """A game as one may see it now. Piles, counters and legal moves are there as far as `sight` allows.

    When the game is over `active` is how much of `clock` the player was at it.
    """

    game: GameCard
    sight: Sight
    version: Version
    score: Score
    home: Count
    moves: Count
    status: Status
    watchers: Count
    clock: Annotated[int, Meta(ge=0, description="Milliseconds since the deal was seen, at sending.")]
    id: CommandId | None = None
    piles: Piles | None = None
    counters: Counters | None = None
    legal: Legal | None = None
    can_take_back: bool | None = None
    names: WatcherNames | None = None
    active: Milliseconds | None = None


class Moved(Message, frozen=True, kw_only=True):
    """What a move and a take-back have in common: the piles that changed, and how the game stands now.

    `command`, `legal` and `can_take_back` are for the player alone.
    """

    game: GameId
    version: Version
    piles: Annotated[Piles, Meta(description="Only the piles that changed.")]
    counters: Counters
    score: Score
    home: Count
    moves: Count
    status: Status
    at: Moment
    command: CommandId | None = None
    legal: Legal | None = None
    can_take_back: bool | None = None


class MovePlayed(Moved, frozen=True, kw_only=True):
    """A move was played, with everything that followed of itself."""

    move: MoveText
    effects: Annotated[
        list[str],
        Meta(description="What happened, in order, for animation.", examples=[["moved waste foundation.0 1"]]),
    ]


class MoveTakenBack(Moved, frozen=True, kw_only=True):
    """The last move was taken back."""


class GameFinished(Message, frozen=True, kw_only=True):
    """A game is over; of every wait in it at most a minute is `active`."""

    game: GameId
    version: Version
    result: Result
    score: Score
    moves: Count
    milliseconds: Milliseconds
    active: Milliseconds
    command: CommandId | None = None


class DealRevealed(Message, frozen=True, kw_only=True):
    """The secret of a finished game's deal: it fits the commitment, and the cards follow from it."""

    game: GameId
    version: Version
    secret: Digest


class ChallengeSpoiled(Message, frozen=True, kw_only=True):
    """The player asked to be shown the deal while playing it: the run is not ranked any more."""

    game: GameId
    version: Version
    can_take_back: bool | None = None


class Advanced(Message, frozen=True, kw_only=True):
    """Something happened that one may not see: only its version, so that a gap always means loss."""

    game: GameId
    version: Version


class Presence(Message, frozen=True, kw_only=True):
    """How many watch a game, and who; at most once a second."""

    game: GameId
    watchers: Count
    names: WatcherNames | None = None


class DayProgress(Message, frozen=True, kw_only=True):
    """Progress in a day's deals: with the request's `id` the furthest runs and one's own; then changes, each second."""

    day: Day
    games: list[Meter]
    id: CommandId | None = None


class Race(Message, frozen=True, kw_only=True):
    """A race as it stands: told whole at every change, of the meters at most once a second.

    The racers stand in the order of their joining; for those invited a place is kept. The cards are dealt at
    `starts_at`, the time is up at `ends_at`; `at` is the server's time at sending. Over HTTP those in the race get the
    `token` of its link: with it anyone may join a race that is not open. At the end there are ranks and the secret.
    """

    race: RaceId
    rules: Slug
    state: Literal["open", "abandoned", "countdown", "running", "over"]
    size: RaceSize
    seconds: RaceSeconds
    countdown: Countdown
    open: Annotated[bool, Meta(description="Whether it is listed, and anyone may join it without its link.")]
    commitment: Digest
    opened_at: Moment
    version: Version
    at: Moment
    racers: list[Racer]
    invited: list[Player]
    host: PlayerId | None = None
    id: CommandId | None = None
    starts_at: Moment | None = None
    ends_at: Moment | None = None
    nonce: Nonce | None = None
    secret: Digest | None = None
    rematch: RaceId | None = None
    token: str | None = None


class BoardChanged(Message, frozen=True, kw_only=True):
    """Runs have finished: the places that changed by them, best first, as they are now; at most once a second.

    Of many the best are told; with none at all anything may have changed.
    """

    board: BoardName
    total: Count
    entries: list[BoardEntry]


class Done(Message, frozen=True, kw_only=True):
    """A request was carried out, and there is nothing more to say about it."""

    id: CommandId


class Pong(Message, frozen=True, kw_only=True):
    """The answer to `ping`, with the server's time."""

    id: CommandId
    at: Moment


class Refused(Message, frozen=True, kw_only=True):
    """A request was refused: a stable code, and a sentence for people; `said` where that has values in it.

    `version` is the game's present version where that helps, `retry_after` the seconds to wait before asking again.
    """

    code: RefusalCode
    message: str
    id: CommandId | None = None
    said: Said | None = None
    version: Version | None = None
    retry_after: float | None = None


ClientMessage = (
    Subscribe
    | Unsubscribe
    | Play
    | TakeBack
    | Resign
    | WatchDay
    | UnwatchDay
    | WatchRace
    | UnwatchRace
    | WatchBoard
    | UnwatchBoard
    | Ping
)
GameMessage = View | MovePlayed | MoveTakenBack | GameFinished | DealRevealed | ChallengeSpoiled | Advanced | Presence
"""What is told of a game."""
ServerMessage = GameMessage | DayProgress | Race | BoardChanged | Done | Pong | Refused
