"""The exceptions of the SDK.

    ClientError
    ├── BadAddress           the text is not the address of a server
    ├── Unreachable          the server does not answer, or not as a Cadogan server does
    └── RefusalError         the server refused a request; one class for each code of the wire contract
        ├── BadMessage, BadMove, IllegalMove, StaleVersion, NotYourSeat, GameOver, CommandReused
        ├── NothingToTakeBack, TakeBackRevealed, NoHints, NoWinnableDeal
        ├── Unauthorized, BadCredentials, Forbidden, ConfirmationNeeded, Suspended, Muted, NameTaken
        ├── NotFound, Archived, SpoilerEmbargo, AlreadyPlayed, DayNotOpen, Conflict
        ├── RateLimited, TooMany, Unavailable, Internal
        └── OtherRefusal     for a reason that only newer servers know

An error has the same meaning over HTTP and over the socket, with `async` and without. A refusal with a `retry_after` is
retried, and raised only if the request would time out before the retry. An answer that breaks the wire contract is
`Unreachable`.
"""

from msgspec import Struct

from cadogan.wire.bodies import Refusal
from cadogan.wire.messages import Refused
from cadogan.wire.refusals import *  # noqa: F403
from cadogan.wire.refusals import BY_CODE, ClientError, RefusalError
from cadogan.wire.values import Said


class BadAddress(ClientError):
    """The text is not the address of a server: `http://` or `https://`, a host, and optionally a port."""


class Unreachable(ClientError):
    """No answer, or none that can be read. Whether the server carried out the last request is not known."""


class OtherRefusal(RefusalError):
    """A refusal whose `code` this version does not know: a newer server may have more of them."""


class AnyRefusal(Struct, frozen=True, kw_only=True):
    """The common fields of refusals with any code."""

    code: str
    message: str
    id: str | None = None
    said: Said | None = None
    version: int | None = None
    retry_after: float | None = None


def error_from_refusal(refused: Refused | Refusal | AnyRefusal) -> RefusalError:
    """Return the exception for a refusal of the server, from the socket or from HTTP."""
    error = BY_CODE.get(refused.code, OtherRefusal)(
        refused.message, version=refused.version, retry_after=refused.retry_after
    )
    error.code, error.said = refused.code, refused.said
    return error
