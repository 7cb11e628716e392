"""What goes over the socket `/ws/v1`: JSON text frames, one message each, told apart by their key `type`.

A client's frame is at most `codec.LARGEST_FRAME` bytes. Every message of a client has an `id` of its own choosing; what
answers it carries that id (`id`, or `command` for what a play, take-back or resignation did).
"""

from typing import Annotated

from msgspec import Meta

from clients.wire.values import (
    CommandId,
    Count,
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
    Piles,
    RefusalCode,
    Result,
    Score,
    Sight,
    Status,
    Value,
    Version,
)


def snake_case(name: str) -> str:
    """A class's name as the `type` of its messages.

    >>> snake_case("MoveTakenBack")
    'move_taken_back'
    """
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")


class Message(Value, frozen=True, kw_only=True, tag_field="type", tag=snake_case):
    """One frame."""


class Subscribe(Message, frozen=True, kw_only=True):
    """Follow a game: with `since`, the messages after that version (or a fresh view); without, a view."""

    id: CommandId
    game: GameId
    since: Version | None = None


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
    """Follow everybody's progress in a day's challenge."""

    id: CommandId
    day: Day


class UnwatchDay(Message, frozen=True, kw_only=True):
    """Follow a day's progress no longer."""

    id: CommandId
    day: Day


class Ping(Message, frozen=True, kw_only=True):
    """Ask for a `pong`."""

    id: CommandId


class View(Message, frozen=True, kw_only=True):
    """A game as one may see it now. Piles, counters and legal moves are there as far as `sight` allows."""

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
    """A game is over."""

    game: GameId
    version: Version
    result: Result
    score: Score
    moves: Count
    milliseconds: Milliseconds
    command: CommandId | None = None


class DealRevealed(Message, frozen=True, kw_only=True):
    """The secret of a finished game's deal: it fits the commitment, and the cards follow from it."""

    game: GameId
    version: Version
    secret: Digest


class Advanced(Message, frozen=True, kw_only=True):
    """Something happened that one may not see: only its version, so that a gap always means loss."""

    game: GameId
    version: Version


class Presence(Message, frozen=True, kw_only=True):
    """How many watch a game; at most once a second."""

    game: GameId
    watchers: Count


class DayProgress(Message, frozen=True, kw_only=True):
    """Progress in a day's challenge: with the request's `id` every run of the day, then what changed, once a second."""

    day: Day
    games: list[Meter]
    id: CommandId | None = None


class Done(Message, frozen=True, kw_only=True):
    """A request was carried out, and there is nothing more to say about it."""

    id: CommandId


class Pong(Message, frozen=True, kw_only=True):
    """The answer to `ping`, with the server's time."""

    id: CommandId
    at: Moment


class Refused(Message, frozen=True, kw_only=True):
    """A request was refused: a stable code, and a sentence for people.

    `version` is the game's present version where that helps, `retry_after` the seconds to wait before asking again.
    """

    code: RefusalCode
    message: str
    id: CommandId | None = None
    version: Version | None = None
    retry_after: float | None = None


ClientMessage = Subscribe | Unsubscribe | Play | TakeBack | Resign | WatchDay | UnwatchDay | Ping
ServerMessage = (
    View
    | MovePlayed
    | MoveTakenBack
    | GameFinished
    | DealRevealed
    | Advanced
    | Presence
    | DayProgress
    | Done
    | Pong
    | Refused
)
