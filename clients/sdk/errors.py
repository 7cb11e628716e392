"""What goes wrong between a program and a server.

    ClientError
    ├── BadAddress           no address of a server
    ├── Unreachable          the server does not answer, or no more
    └── RefusalError         the server refuses; one class for each code of the wire contract
        ├── BadMessage, BadMove, IllegalMove, StaleVersion, NotYourSeat, GameOver, CommandReused
        ├── NothingToTakeBack, TakeBackRevealed
        ├── Unauthorized, BadCredentials, NameTaken
        ├── NotFound, SpoilerEmbargo, AlreadyPlayed, DayNotOpen, Conflict
        └── RateLimited, TooMany, Unavailable, Internal

What the server says and no one can read is `clients.wire.codec.UnreadableMessage`.
"""

from typing import ClassVar

from clients.wire.bodies import Refusal
from clients.wire.messages import Refused
from clients.wire.values import RefusalCode, Said


class ClientError(Exception):
    """Something that a program that talks to a server has to reckon with."""


class BadAddress(ClientError):
    """No address of a server: one is `http://` or `https://`, a host, and perhaps a port."""


class Unreachable(ClientError):
    """The server does not answer, or no more; whether it carried out what was asked last is not known."""


class RefusalError(ClientError):
    """The server refuses, in a sentence for people.

    `version` is the game's present version where that helps, `retry_after` the seconds to wait before asking again;
    `said` is how the sentence is made where it has values in it, to say it in another language.
    """

    code: ClassVar[RefusalCode]

    def __init__(
        self,
        message: str,
        *,
        version: int | None = None,
        retry_after: float | None = None,
        said: Said | None = None,
    ) -> None:
        super().__init__(message)
        self.said = said
        self.message = message
        self.version = version
        self.retry_after = retry_after


class AlreadyPlayed(RefusalError):
    """One's attempt at this deal is over, or counts no more."""

    code = "already_played"


class BadCredentials(RefusalError):
    """No player has this name and password."""

    code = "bad_credentials"


class BadMessage(RefusalError):
    """Not what the contract says."""

    code = "bad_message"


class BadMove(RefusalError):
    """The text is no move of this game, in any position."""

    code = "bad_move"


class CommandReused(RefusalError):
    """The id of another command."""

    code = "command_reused"


class Conflict(RefusalError):
    """It does not fit how things are now."""

    code = "conflict"


class DayNotOpen(RefusalError):
    """Too early or too late for this day."""

    code = "day_not_open"


class GameOver(RefusalError):
    """A finished game takes no commands."""

    code = "game_over"


class IllegalMove(RefusalError):
    """A move that the rules do not allow in this position."""

    code = "illegal_move"


class Internal(RefusalError):
    """The server failed."""

    code = "internal"


class NameTaken(RefusalError):
    """Another player has that name."""

    code = "name_taken"


class NotFound(RefusalError):
    """There is no such thing."""

    code = "not_found"


class NotYourSeat(RefusalError):
    """Somebody else plays this game."""

    code = "not_your_seat"


class NothingToTakeBack(RefusalError):
    """No move was played yet."""

    code = "nothing_to_take_back"


class RateLimited(RefusalError):
    """Too fast."""

    code = "rate_limited"


class SpoilerEmbargo(RefusalError):
    """One has yet to finish this deal, so others' cards stay hidden."""

    code = "spoiler_embargo"


class StaleVersion(RefusalError):
    """The game has moved on meanwhile."""

    code = "stale_version"


class TakeBackRevealed(RefusalError):
    """The move showed a card, so it stays."""

    code = "take_back_revealed"


class TooMany(RefusalError):
    """More at once than the server allows."""

    code = "too_many"


class Unauthorized(RefusalError):
    """Nobody is signed in."""

    code = "unauthorized"


class Unavailable(RefusalError):
    """The server's database does not answer; what was asked may be written or not."""

    code = "unavailable"


BY_CODE: dict[RefusalCode, type[RefusalError]] = {kind.code: kind for kind in RefusalError.__subclasses__()}
"""The class for each code."""


def error_of(refused: Refused | Refusal) -> RefusalError:
    """The exception for what the server answered."""
    return BY_CODE[refused.code](
        refused.message, version=refused.version, retry_after=refused.retry_after, said=refused.said
    )
