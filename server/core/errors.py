"""The errors with which the server refuses a request, each with its stable code and its HTTP status.

    RefusalError
    ├── BadMessage            bad_message 400           not JSON, or not as the wire contract says
    │   ├── WrongMethod                   405           the address exists, this method does not
    │   ├── NotAcceptable                 406           the client accepts no format of this address
    │   ├── TooLarge                      413           the body is larger than the limit
    │   ├── NotJson                       415           the body is not declared to be JSON, or it is compressed
    │   ├── HeadTooLarge                  431           the query or the headers are larger than the limit
    │   └── UnknownHost                   421           the name in the address is none of this server
    ├── BadMove               bad_move 400              the text is not a move of this game, in any position
    ├── Unauthorized          unauthorized 401          nobody is signed in
    │   ├── InvalidToken                  401           the token in `Authorization` is not valid
    │   ├── MissingScope                  403           the personal token may not do that
    │   └── ForeignOrigin                 403           a page of another site sent the request
    ├── Forbidden             forbidden 403             only for others: moderators, hosts, or who was invited
    ├── ConfirmationNeeded    confirmation_needed 403   the asker has to confirm first that it is they
    ├── Suspended             suspended 403             the account may not be used, for some time or for good
    ├── Muted                 muted 403                 the player may say nothing for some time
    ├── BadCredentials        bad_credentials 401       no player has this name and password
    ├── NotYourSeat           not_your_seat 403         somebody else's game
    ├── SpoilerEmbargo        spoiler_embargo 403       the asker has not finished this deal yet
    ├── NotFound              not_found 404             there is no such thing
    ├── Archived              archived 410              the game went into a file that the hosts have
    ├── IllegalMove           illegal_move 409          a move that is not allowed in this position
    ├── StaleVersion          stale_version 409         the command was made for an older position
    ├── GameOver              game_over 409             a finished game takes no commands
    ├── CommandReused         command_reused 409        an earlier command with other content has this id
    ├── NothingToTakeBack     nothing_to_take_back 409
    ├── TakeBackRevealed      take_back_revealed 409    the move has revealed a card
    ├── NoHints               no_hints 409              the game counts, so that everybody plays it without hints
    ├── NameTaken             name_taken 409            another player has that name
    ├── AlreadyPlayed         already_played 409        the one attempt at this deal is over
    ├── DayNotOpen            day_not_open 409          too early or too late for this day
    ├── Conflict              conflict 409              does not fit the present state
    ├── RateLimited           rate_limited 429          asked too often
    ├── TooMany               too_many 429              too many at once
    ├── Unavailable           unavailable 503           the database does not answer: try again, same id
    └── Internal              internal 500              a bug in the server; the log says more

Messages are sentences for people. They never contain a hidden card, a password or a token. A message is written where
the error is raised, as a text with named values (`TooMany("At most {count} bots.", count=10)`), so that clients can
translate the text.
"""

from typing import ClassVar

from cadogan.engine import TranslatableText
from cadogan.wire import values as wire
from cadogan.wire.bodies import Refusal
from cadogan.wire.messages import Refused
from cadogan.wire.values import RefusalCode


class RefusalError(Exception):
    """A request is refused. `words` is the text of the reason, and `values` are the values in the text.

    `version` is the present version of the game, and `retry_after` is the number of seconds to wait.
    """

    code: ClassVar[RefusalCode] = "internal"
    status: ClassVar[int] = 500

    def __init__(
        self,
        words: str | TranslatableText,
        /,
        *,
        version: int | None = None,
        retry_after: float | None = None,
        **values: str | int,
    ) -> None:
        self.said = TranslatableText(words, values) if isinstance(words, str) else words
        self.message = str(self.said)
        super().__init__(self.message)
        self.version = version
        self.retry_after = retry_after

    def body(self) -> Refusal:
        """Return the body of the HTTP response."""
        said = _with_values(self.said)
        return Refusal(
            code=self.code, message=self.message, said=said, version=self.version, retry_after=self.retry_after
        )

    def reply(self, id: str | None) -> Refused:
        """Return the answer on the socket to the message with this id."""
        body = self.body()
        return Refused(
            code=body.code,
            message=body.message,
            said=body.said,
            id=id,
            version=body.version,
            retry_after=body.retry_after,
        )


def _with_values(said: TranslatableText) -> wire.Said | None:
    """Return the text and its values as they are sent, or None if there are no values: the message is the text then."""
    return as_said(said) if said.values else None


def as_said(said: TranslatableText) -> wire.Said:
    """Return a sentence as it is sent, its values apart."""
    values = {
        name: as_said(value) if isinstance(value, TranslatableText) else value for name, value in said.values.items()
    }
    return wire.Said(text=said.text, values=values)


class BadMessage(RefusalError):
    """The request is not JSON, or not as the wire contract says."""

    code = "bad_message"
    status = 400


class WrongMethod(BadMessage):
    """The address exists, but not with this method."""

    status = 405


class NotAcceptable(BadMessage):
    """The client accepts no format that this address offers."""

    status = 406


class TooLarge(BadMessage):
    """The body is larger than the limit."""

    status = 413


class HeadTooLarge(BadMessage):
    """The query or the headers are larger than the limit."""

    status = 431


class NotJson(BadMessage):
    """The body is not declared to be JSON, or it is compressed."""

    status = 415


class UnknownHost(BadMessage):
    """The request was sent to a name that is not one of this server."""

    status = 421


class BadMove(RefusalError):
    """The text is not a move of this game, in any position."""

    code = "bad_move"
    status = 400


class Unauthorized(RefusalError):
    """Nobody is signed in."""

    code = "unauthorized"
    status = 401


class InvalidToken(Unauthorized):
    """The token in the header `Authorization` proves nothing: it has ended, or it never was one."""


class MissingScope(Unauthorized):
    """The request came with a personal token that may not do that."""

    status = 403


class ForeignOrigin(Unauthorized):
    """A page of another site sent the request."""

    status = 403


class BadCredentials(RefusalError):
    """No player has this name and password. The message never says which of the two is wrong."""

    code = "bad_credentials"
    status = 401


class Forbidden(RefusalError):
    """The asker's role does not allow this, or the entry of the house does not."""

    code = "forbidden"
    status = 403


class ConfirmationNeeded(RefusalError):
    """The asker must confirm that it is they before this, because it cannot be undone."""

    code = "confirmation_needed"
    status = 403


class Suspended(RefusalError):
    """A host or a moderator has suspended or banned the account."""

    code = "suspended"
    status = 403


class Muted(RefusalError):
    """A host or a moderator has muted the player: they may play, and say nothing."""

    code = "muted"
    status = 403


class NotYourSeat(RefusalError):
    """Somebody else plays this game."""

    code = "not_your_seat"
    status = 403


class SpoilerEmbargo(RefusalError):
    """The asker has not finished this deal yet, so other players' cards stay hidden."""

    code = "spoiler_embargo"
    status = 403


class NotFound(RefusalError):
    """There is no such thing."""

    code = "not_found"
    status = 404


class Archived(RefusalError):
    """The game was taken out of the database, and is in a file that the hosts have."""

    code = "archived"
    status = 410


class IllegalMove(RefusalError):
    """The rules do not allow this move in this position."""

    code = "illegal_move"
    status = 409


class StaleVersion(RefusalError):
    """The command was made for an older position."""

    code = "stale_version"
    status = 409


class GameOver(RefusalError):
    """A finished game takes no commands."""

    code = "game_over"
    status = 409


class CommandReused(RefusalError):
    """An earlier command with other content has the same id."""

    code = "command_reused"
    status = 409


class NothingToTakeBack(RefusalError):
    """No move is left to take back."""

    code = "nothing_to_take_back"
    status = 409


class TakeBackRevealed(RefusalError):
    """The move has revealed a card, so it cannot be taken back in a ranked game."""

    code = "take_back_revealed"
    status = 409


class NoHints(RefusalError):
    """There are no hints in a game that counts."""

    code = "no_hints"
    status = 409


class NameTaken(RefusalError):
    """Another player has this name, or a name that counts as the same (see `username_rules.name_key`)."""

    code = "name_taken"
    status = 409


class AlreadyPlayed(RefusalError):
    """The one attempt at this deal is over."""

    code = "already_played"
    status = 409


class DayNotOpen(RefusalError):
    """Too early or too late for this day's challenge."""

    code = "day_not_open"
    status = 409


class Conflict(RefusalError):
    """The request does not fit the present state."""

    code = "conflict"
    status = 409


class RateLimited(RefusalError):
    """Asked too often."""

    code = "rate_limited"
    status = 429


class TooMany(RefusalError):
    """Too many at once."""

    code = "too_many"
    status = 429


class Unavailable(RefusalError):
    """The database does not answer. The request may have been carried out or not."""

    code = "unavailable"
    status = 503


class Internal(RefusalError):
    """The server has a bug. The log says more than the answer does."""
