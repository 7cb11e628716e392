"""The HTTP bodies about one's own account: everything that is kept about a player."""

from typing import Annotated, Any, Literal

from msgspec import Meta, field

from cadogan.wire.boards import Group
from cadogan.wire.bodies import Record, SignedIn
from cadogan.wire.values import Count, Moment, Password, Player, PlayerName, Value

RecoveryCode = Annotated[str, Meta(examples=["m3x5-q7a2-b4c6-d2ef"])]


class AccountMade(SignedIn, frozen=True, kw_only=True):
    """A new account, and its session. `recovery_codes` are told only now; a request that is sent again gets none."""

    recovery_codes: list[RecoveryCode] = field(default_factory=list)


class RecoveryCodes(Value, frozen=True, kw_only=True):
    """New recovery codes, told only now. With each of them one can set a new password once."""

    codes: list[RecoveryCode]


class RecoveryCodesLeft(Value, frozen=True, kw_only=True):
    """How many recovery codes have not been used, and when they were made."""

    left: Count
    made_at: Moment | None = None


class RecoverAccount(Value, frozen=True, kw_only=True):
    """Set a new password with a recovery code. Capital letters and signs between the letters of a code do not count."""

    name: PlayerName
    code: Annotated[str, Meta(min_length=1, max_length=64)]
    password: Password


class OwnSession(Value, frozen=True, kw_only=True):
    """A place where the player is signed in. A program has no `browser`. `current` is the session that asks."""

    id: str
    browser: str | None = None
    system: str | None = None
    created_at: Moment
    used_at: Moment | None = None
    current: bool = False


class OwnSessions(Value, frozen=True, kw_only=True):
    """Where the player is signed in, the session used last first."""

    sessions: list[OwnSession]


class OwnData(Value, frozen=True, kw_only=True):
    """Everything that the server keeps about the player who asks.

    `tables` has the rows that are about the player, by the names of the database's tables; no password and no token is
    in them, nor a hash of one. `records` has the record of each finished game, but for those that are still secret, as
    a run of today is: their results are in `tables`, under `games`.
    """

    format: Literal["cadogan player 1"]
    at: Moment
    player: Player
    role: Literal["moderator", "host"] | None = None
    friends: list[Player]
    groups: list[Group]
    bots: list[Player]
    tables: Annotated[dict[str, list[dict[str, Any]]], Meta(examples=[{"settings": [{"chosen": "{}"}]}])]
    records: list[Record]
