"""The HTTP bodies about the player's own account: passwords, sessions, recovery codes, and all stored data."""

from typing import Annotated, Any, Literal

from msgspec import Meta, field

from cadogan.wire.boards import Group
from cadogan.wire.bodies import Record
from cadogan.wire.values import Count, Moment, Password, Player, PlayerName, Value

RecoveryCode = Annotated[str, Meta(examples=["m3x5-q7a2-b4c6-d2ef"])]


class Credentials(Value, frozen=True, kw_only=True):
    """A name and a password, to sign in or to claim the name."""

    name: PlayerName
    password: Password


class NewAccount(Credentials, frozen=True, kw_only=True):
    """The name and the password of a new account. `invitation` is the code of a link, if the server requires one."""

    invitation: Annotated[str, Meta(max_length=100)] | None = None


class NewPassword(Value, frozen=True, kw_only=True):
    """The present password and the new one."""

    old: Password
    new: Password


class SignedIn(Value, frozen=True, kw_only=True):
    """A new session. Programs send its token as `Authorization: Bearer`; browsers also get it as a cookie."""

    player: Player
    token: str


class Session(Value, frozen=True, kw_only=True):
    """The signed-in player, or null. `role` is set for hosts and moderators."""

    player: Player | None
    role: Literal["moderator", "host"] | None = None


class PasswordChanged(Value, frozen=True, kw_only=True):
    """The player whose password was changed, and the token of the new session."""

    player: Player | None
    token: str


class AccountMade(SignedIn, frozen=True, kw_only=True):
    """A new account, and its session. `recovery_codes` are sent only once; a repeated request gets none."""

    recovery_codes: list[RecoveryCode] = field(default_factory=list)


class RecoveryCodes(Value, frozen=True, kw_only=True):
    """New recovery codes, sent only once. Each can be used once, to set a new password."""

    codes: list[RecoveryCode]


class RecoveryCodesLeft(Value, frozen=True, kw_only=True):
    """The number of unused recovery codes, and when they were created."""

    left: Count
    made_at: Moment | None = None


class RecoverAccount(Value, frozen=True, kw_only=True):
    """Set a new password with a recovery code. Case and separators in a code are ignored."""

    name: PlayerName
    code: Annotated[str, Meta(min_length=1, max_length=64)]
    password: Password


class OwnSession(Value, frozen=True, kw_only=True):
    """A session of the player. A program has no `browser`. `current` marks the session of this request."""

    id: str
    browser: str | None = None
    system: str | None = None
    created_at: Moment
    used_at: Moment | None = None
    current: bool = False


class OwnSessions(Value, frozen=True, kw_only=True):
    """The player's sessions, the one used last first."""

    sessions: list[OwnSession]


class OwnData(Value, frozen=True, kw_only=True):
    """All data that the server stores about the requesting player.

    `tables` has the player's rows by table name, without passwords, tokens and their hashes. `records` has the record
    of each finished game, except games that are still secret, such as a run of today: their results are in `tables`,
    under `games`.
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
