"""The errors of the wire contract: one class for each refusal code.

The server raises them to refuse a request, and the SDK raises the same class for its caller. The name of a class is its
code: `BadMove` is `bad_move`. `status` is the HTTP status. Messages are sentences for people. They never contain a
hidden card, a password or a token. A message is written where the error is raised, as a text with named values
(`TooMany("At most {count} bots.", count=10)`), so that clients can translate the text.
"""

from typing import ClassVar, cast

from cadogan.wire.bodies import Refusal
from cadogan.wire.message import snake_case
from cadogan.wire.messages import Refused
from cadogan.wire.values import RefusalCode, Said


class ClientError(Exception):
    """The base class of every error of a client: a refusal, or no answer."""


class RefusalError(ClientError):
    """A request is refused. `message` is a sentence for people, and also the text of the exception.

    `code` is the wire contract's code of the reason. `version` is the game's present version, if it matters.
    `retry_after` is the number of seconds to wait before a retry. `said` is the sentence with its values separate, for
    translation; None if the sentence has no values.
    """

    code: str = "internal"
    status: ClassVar[int] = 500

    def __init__(
        self,
        words: str | Said,
        /,
        *,
        version: int | None = None,
        retry_after: float | None = None,
        **values: str | int | Said,
    ) -> None:
        said = Said(text=words, values=values) if isinstance(words, str) else words
        self.message = str(said)
        super().__init__(self.message)
        self.said = said if said.values else None
        self.version = version
        self.retry_after = retry_after

    def __init_subclass__(cls, status: int | None = None) -> None:
        if RefusalError in cls.__bases__:
            cls.code = snake_case(cls.__name__)
        if status is not None:
            cls.status = status

    def body(self) -> Refusal:
        """Return the body of the HTTP response."""
        return Refusal(
            code=cast(RefusalCode, self.code),
            message=self.message,
            said=self.said,
            version=self.version,
            retry_after=self.retry_after,
        )

    def reply(self, id: str | None) -> Refused:
        """Return the answer on the socket to the message with this id."""
        return Refused(
            code=cast(RefusalCode, self.code),
            message=self.message,
            said=self.said,
            id=id,
            version=self.version,
            retry_after=self.retry_after,
        )


class AlreadyPlayed(RefusalError, status=409):
    """The one attempt at this deal is over."""


class Archived(RefusalError, status=410):
    """The game was moved from the database to an archive file of the hosts."""


class BadCredentials(RefusalError, status=401):
    """No player has this name and password. The message never says which of the two is wrong."""


class BadMessage(RefusalError, status=400):
    """The request is not JSON, or violates the wire contract."""


class BadMove(RefusalError, status=400):
    """The text is not a move of this game, in any position."""


class CommandReused(RefusalError, status=409):
    """An earlier command with different content has the same id."""


class ConfirmationNeeded(RefusalError, status=403):
    """The player must confirm their identity first, because the action is irreversible."""


class Conflict(RefusalError, status=409):
    """The request does not fit the present state."""


class DayNotOpen(RefusalError, status=409):
    """Too early or too late for this day's challenge."""


class Forbidden(RefusalError, status=403):
    """The player's role, or the entry rules of the server, do not allow this."""


class GameOver(RefusalError, status=409):
    """A finished game takes no commands."""


class IllegalMove(RefusalError, status=409):
    """The rules do not allow this move in this position."""


class Internal(RefusalError):
    """The server has a bug. Its log has the details."""


class Muted(RefusalError, status=403):
    """A host or a moderator has muted the player: they may play, but not send messages or signs."""


class NameTaken(RefusalError, status=409):
    """Another player has this name, or a name that counts as the same (see `username_rules.name_key`)."""


class NoHints(RefusalError, status=409):
    """There are no hints in ranked games and races."""


class NoWinnableDeal(RefusalError, status=409):
    """No deal of this game that can be won was found in time."""


class NotFound(RefusalError, status=404):
    """The requested object does not exist."""


class NotYourSeat(RefusalError, status=403):
    """Somebody else plays this game."""


class NothingToTakeBack(RefusalError, status=409):
    """No move is left to take back."""


class RateLimited(RefusalError, status=429):
    """The rate limit is exceeded."""


class SpoilerEmbargo(RefusalError, status=403):
    """The player has not finished this deal yet, so other players' cards stay hidden."""


class StaleVersion(RefusalError, status=409):
    """The command is for an older version of the game."""


class Suspended(RefusalError, status=403):
    """A host or a moderator has suspended or banned the account."""


class TakeBackRevealed(RefusalError, status=409):
    """The move has revealed a card, so it cannot be taken back in a ranked game."""


class TooMany(RefusalError, status=429):
    """A limit on the number of objects is reached."""


class Unauthorized(RefusalError, status=401):
    """Nobody is signed in."""


class Unavailable(RefusalError, status=503):
    """The database does not answer. The request may have been carried out or not."""


BY_CODE: dict[str, type[RefusalError]] = {kind.code: kind for kind in RefusalError.__subclasses__()}
"""The error class by code."""
