"""The exceptions of the SDK.

    ClientError
    ├── BadAddress           the text is not the address of a server
    ├── Unreachable          the server does not answer, or not as a Cadogan server does
    └── RefusalError         the server refused a request; one class for each code of the wire contract
        ├── BadMessage, BadMove, IllegalMove, StaleVersion, NotYourSeat, GameOver, CommandReused
        ├── NothingToTakeBack, TakeBackRevealed, NoHints
        ├── Unauthorized, BadCredentials, Forbidden, ConfirmationNeeded, Suspended, Muted, NameTaken
        ├── NotFound, Archived, SpoilerEmbargo, AlreadyPlayed, DayNotOpen, Conflict
        ├── RateLimited, TooMany, Unavailable, Internal
        └── OtherRefusal     for a reason that only newer servers know

An error has the same meaning over HTTP and over the socket, with `async` and without. A refusal that says when to try
again is raised only if the request's time would be over by then. An answer that breaks the wire contract is
`Unreachable`.
"""

from msgspec import Struct

from cadogan.wire.bodies import Refusal
from cadogan.wire.messages import Refused
from cadogan.wire.values import Said


class ClientError(Exception):
    """The base class of every exception that the SDK raises for a server or a connection."""


class BadAddress(ClientError):
    """The text is not the address of a server: `http://` or `https://`, a host, and optionally a port."""


class Unreachable(ClientError):
    """No answer, or none that can be read. Whether the server carried out the last request is not known."""


class RefusalError(ClientError):
    """The server refused a request. `message` is a sentence for people, and also the text of the exception.

    `code` is the server's word for the reason. `version` is the game's present version, where that helps. `retry_after`
    is how many seconds to wait before the next attempt. `said` is the sentence with its values apart, to translate it;
    None if the sentence has no values.
    """

    code: str

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
    """The player's ranked attempt at this deal has ended, or is not ranked any more."""

    code = "already_played"


class BadCredentials(RefusalError):
    """No player has this name with this password."""

    code = "bad_credentials"


class BadMessage(RefusalError):
    """The request breaks the wire contract."""

    code = "bad_message"


class BadMove(RefusalError):
    """The text is not a move of this game in any position."""

    code = "bad_move"


class CommandReused(RefusalError):
    """Another command had this id already."""

    code = "command_reused"


class ConfirmationNeeded(RefusalError):
    """The password must be entered again before this."""

    code = "confirmation_needed"


class Conflict(RefusalError):
    """The request does not fit the present state."""

    code = "conflict"


class DayNotOpen(RefusalError):
    """It is too early or too late to play this day."""

    code = "day_not_open"


class Forbidden(RefusalError):
    """Only others may do this: moderators, hosts, or who was invited."""

    code = "forbidden"


class GameOver(RefusalError):
    """The game has ended and takes no more commands."""

    code = "game_over"


class IllegalMove(RefusalError):
    """The rules do not allow this move in this position."""

    code = "illegal_move"


class Internal(RefusalError):
    """The server has failed: an error in the server itself."""

    code = "internal"


class NoHints(RefusalError):
    """The game counts, so there are no hints in it."""

    code = "no_hints"


class Archived(RefusalError):
    """The game was taken out of the database, and is in a file that the hosts have."""

    code = "archived"


class Muted(RefusalError):
    """A host or a moderator has muted the player, who may play and say nothing."""

    code = "muted"


class NameTaken(RefusalError):
    """Another player has this name."""

    code = "name_taken"


class NotFound(RefusalError):
    """Nothing has this id or name."""

    code = "not_found"


class NotYourSeat(RefusalError):
    """Another player plays this game."""

    code = "not_your_seat"


class NothingToTakeBack(RefusalError):
    """No move has been played yet."""

    code = "nothing_to_take_back"


class RateLimited(RefusalError):
    """Too many requests in a short time; `retry_after` says when to try again."""

    code = "rate_limited"


class SpoilerEmbargo(RefusalError):
    """The player has not finished this deal yet, so the cards of other players' games stay hidden."""

    code = "spoiler_embargo"


class StaleVersion(RefusalError):
    """The game has changed since the version that the command names."""

    code = "stale_version"


class Suspended(RefusalError):
    """A host or a moderator has suspended or banned the account."""

    code = "suspended"


class TakeBackRevealed(RefusalError):
    """The move revealed a card, so it cannot be taken back."""

    code = "take_back_revealed"


class TooMany(RefusalError):
    """The player has as many of these as the server allows."""

    code = "too_many"


class Unauthorized(RefusalError):
    """The request needs a player who is signed in."""

    code = "unauthorized"


class Unavailable(RefusalError):
    """The server's database does not answer. Whether the request was carried out is not known."""

    code = "unavailable"


BY_CODE: dict[str, type[RefusalError]] = {kind.code: kind for kind in RefusalError.__subclasses__()}
"""The exception class of each refusal code."""


class OtherRefusal(RefusalError):
    """A refusal whose `code` this version does not know: a newer server may have more of them."""


class AnyRefusal(Struct, frozen=True, kw_only=True):
    """What a refusal has, whatever its code."""

    code: str
    message: str
    id: str | None = None
    said: Said | None = None
    version: int | None = None
    retry_after: float | None = None


def error_from_refusal(refused: Refused | Refusal | AnyRefusal) -> RefusalError:
    """Return the exception for a refusal of the server, from the socket or from HTTP."""
    kind = BY_CODE.get(refused.code, OtherRefusal)
    error = kind(refused.message, version=refused.version, retry_after=refused.retry_after, said=refused.said)
    error.code = refused.code
    return error
