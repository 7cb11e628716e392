"""What the server refuses, each with the stable code and the HTTP status that its asker gets.

    RefusalError
    ├── BadMessage            bad_message 400           no JSON, or not what the contract says
    │   ├── WrongMethod                   405           the address exists, this method does not
    │   ├── NotAcceptable                 406           none of the forms that this address has
    │   ├── TooLarge                      413           a body beyond the limit
    │   └── NotJson                       415           a body of another type
    ├── BadMove               bad_move 400              the text is no move of this game, in any position
    ├── Unauthorized          unauthorized 401          nobody is signed in
    │   └── ForeignOrigin                 403           sent by another site's page
    ├── BadCredentials        bad_credentials 401       no such name and password
    ├── NotYourSeat           not_your_seat 403         somebody else's game
    ├── SpoilerEmbargo        spoiler_embargo 403       one has yet to finish this deal
    ├── NotFound              not_found 404             no such thing
    ├── IllegalMove           illegal_move 409          a move, but not allowed in this position
    ├── StaleVersion          stale_version 409         made against an older position
    ├── GameOver              game_over 409             a finished game takes no commands
    ├── CommandReused         command_reused 409        the same id with another body
    ├── NothingToTakeBack     nothing_to_take_back 409
    ├── TakeBackRevealed      take_back_revealed 409    the move showed a card
    ├── NameTaken             name_taken 409            another player has that name
    ├── AlreadyPlayed         already_played 409        the one attempt at this deal is over
    ├── DayNotOpen            day_not_open 409          too early or too late for this day
    ├── Conflict              conflict 409              does not fit how things are now
    ├── RateLimited           rate_limited 429          too fast
    ├── TooMany               too_many 429              too many at once
    ├── Unavailable           unavailable 503           the database is away: ask again, commands with the same id
    └── Internal              internal 500              our fault; the log says more

Messages are sentences for people and never hold a hidden card, a password or a token. They are written in place, as a
text whose values are named (`TooMany("At most {count} bots.", count=10)`): so clients can say them in other languages.
"""

from typing import ClassVar

from clients.wire import values as wire
from clients.wire.bodies import Refusal
from clients.wire.messages import Refused
from clients.wire.values import RefusalCode
from engine import TranslatableText


class RefusalError(Exception):
    """A request is refused, for a reason in words and the values in it.

    `version` is the game's present one, `retry_after` the seconds to wait.
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
        """What HTTP answers."""
        said = _told(self.said)
        return Refusal(
            code=self.code, message=self.message, said=said, version=self.version, retry_after=self.retry_after
        )

    def reply(self, id: str | None) -> Refused:
        """What the socket answers to the message of that id."""
        body = self.body()
        return Refused(
            code=body.code,
            message=body.message,
            said=body.said,
            id=id,
            version=body.version,
            retry_after=body.retry_after,
        )


def _told(said: TranslatableText) -> wire.Said | None:
    """The words with their values as they are sent; None where the message is the whole."""
    return _sent(said) if said.values else None


def _sent(said: TranslatableText) -> wire.Said:
    values = {
        name: _sent(value) if isinstance(value, TranslatableText) else value for name, value in said.values.items()
    }
    return wire.Said(text=said.text, values=values)


class BadMessage(RefusalError):
    """Not what the contract says."""

    code = "bad_message"
    status = 400


class WrongMethod(BadMessage):
    """The address exists, this method does not."""

    status = 405


class NotAcceptable(BadMessage):
    """The asker takes none of the forms that this address has."""

    status = 406


class TooLarge(BadMessage):
    """A body beyond the limit."""

    status = 413


class NotJson(BadMessage):
    """A body that is not declared to be JSON."""

    status = 415


class BadMove(RefusalError):
    """The text is no move of this game, in any position."""

    code = "bad_move"
    status = 400


class Unauthorized(RefusalError):
    """Nobody is signed in."""

    code = "unauthorized"
    status = 401


class ForeignOrigin(Unauthorized):
    """A page of another site sent the request."""

    status = 403


class BadCredentials(RefusalError):
    """No player has this name and password. It never says which of them is wrong."""

    code = "bad_credentials"
    status = 401


class NotYourSeat(RefusalError):
    """Somebody else plays this game."""

    code = "not_your_seat"
    status = 403


class SpoilerEmbargo(RefusalError):
    """One has yet to finish this deal, so others' cards stay hidden."""

    code = "spoiler_embargo"
    status = 403


class NotFound(RefusalError):
    """There is no such thing."""

    code = "not_found"
    status = 404


class IllegalMove(RefusalError):
    """A move that the rules do not allow in this position."""

    code = "illegal_move"
    status = 409


class StaleVersion(RefusalError):
    """The command was made against an older position."""

    code = "stale_version"
    status = 409


class GameOver(RefusalError):
    """A finished game takes no commands."""

    code = "game_over"
    status = 409


class CommandReused(RefusalError):
    """The id of an earlier command, with another body."""

    code = "command_reused"
    status = 409


class NothingToTakeBack(RefusalError):
    """No move is left to take back."""

    code = "nothing_to_take_back"
    status = 409


class TakeBackRevealed(RefusalError):
    """The move showed a card, and in a ranked game it therefore stands."""

    code = "take_back_revealed"
    status = 409


class NameTaken(RefusalError):
    """Another player has that name, or one that differs in its case alone."""

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
    """The request does not fit how things are now."""

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
    """The database does not answer; what was asked may be written or not."""

    code = "unavailable"
    status = 503


class Internal(RefusalError):
    """The server failed; the log says more than the asker learns."""


def statuses() -> dict[RefusalCode, set[int]]:
    """Every code, with the HTTP statuses it comes with."""
    found: dict[RefusalCode, set[int]] = {}
    pending = RefusalError.__subclasses__()
    while pending:
        kind = pending.pop()
        found.setdefault(kind.code, set()).add(kind.status)
        pending += kind.__subclasses__()
    return found
