"""The HTTP bodies for hosts and moderators: players, acts on players and runs, and the log of these acts."""

from typing import Annotated, Literal

from msgspec import Meta

from cadogan.wire.values import (
    About,
    CompetitionKey,
    Count,
    Day,
    Digest,
    GameId,
    Milliseconds,
    Mode,
    Moment,
    Password,
    Player,
    PlayerName,
    RaceId,
    Reason,
    Score,
    SlotNumber,
    Slug,
    Status,
    Struck,
    Value,
)

StaffRole = Annotated[
    Literal["moderator", "host"],
    Meta(description="A moderator keeps the peace; a host decides everything, also who is a host or a moderator."),
]
Act = Literal[
    "role_changed",
    "renamed",
    "muted",
    "unmuted",
    "suspended",
    "banned",
    "restored",
    "signed_out",
    "access_reset",
    "run_struck",
    "run_returned",
    "report_settled",
    "message_removed",
    "entry_changed",
    "invited",
    "invitation_ended",
    "profile_changed",
    "erased",
    "schedule_changed",
    "seasons_changed",
    "webhook_added",
    "webhook_removed",
    "archived",
    "analyst_dropped",
    "analyst_restored",
]
ChangedSetting = Annotated[
    Literal["name", "announcement", "welcome", "rules", "colours", "crest", "calendar", "grace"],
    Meta(description="What of the server was changed."),
]
Note = Annotated[
    str,
    Meta(
        max_length=200,
        pattern=r"^[^\x00-\x1f\x7f]*\Z",
        description="A few words for the other hosts. They are not in the log, and are erased with the player.",
    ),
]
Code = Annotated[str, Meta(min_length=20, max_length=100, pattern=r"^[A-Za-z0-9_-]+\Z", description="From a link.")]
Accounts = Annotated[
    Literal["open", "invitation", "closed"],
    Meta(description="Who may create an account: everybody, who has an invitation, or nobody."),
]


class Why(Value, frozen=True, kw_only=True):
    """The reason of an act by a host or a moderator: a code for the log, and a note for the other hosts."""

    reason: Reason
    note: Note = ""


class ChangeRole(Why, frozen=True, kw_only=True):
    """Make a player a host or a moderator, or, with null, an ordinary player again."""

    role: StaffRole | None


class Rename(Why, frozen=True, kw_only=True):
    """Give a player another name, because the present one is offensive."""

    name: PlayerName


class Mute(Why, frozen=True, kw_only=True):
    """Mute a player until a time, or, with null, end the mute. A muted player cannot send messages or signs."""

    until: Moment | None


class Suspend(Why, frozen=True, kw_only=True):
    """Suspend a player until a time, or, with null, end the suspension."""

    until: Moment | None


class Ban(Why, frozen=True, kw_only=True):
    """Ban a player permanently, or end the ban."""

    banned: bool


class Erase(Value, frozen=True, kw_only=True):
    """Erase a player. It has no note, because a note would keep data about the erased player."""

    reason: Reason


class Strike(Why, frozen=True, kw_only=True):
    """Remove a finished run from the boards and all statistics, or restore it."""

    struck: bool


class RunForStaff(Value, frozen=True, kw_only=True):
    """A run as hosts and moderators see it: its kind and its result, without cards.

    `day` and `slot` are set for a run of a deal of a day, `race` for a game of a race; `score` and the later fields are
    set once the run is over. `competition` and `about` are as in a game's card.
    """

    game: GameId
    player: Player
    rules: Slug
    mode: Mode
    ranked: bool
    status: Status
    started_at: Moment
    day: Day | None = None
    slot: SlotNumber | None = None
    race: RaceId | None = None
    competition: CompetitionKey | None = None
    about: About | None = None
    score: Score | None = None
    moves: Count | None = None
    milliseconds: Milliseconds | None = None
    struck: Struck | None = None


class PlayerForStaff(Value, frozen=True, kw_only=True):
    """A player as hosts and moderators see them. A banned player has no `suspended_until`."""

    player: Player
    created_at: Moment
    role: StaffRole | None = None
    suspended_until: Moment | None = None
    banned: bool = False
    muted_until: Moment | None = None


class PlayersForStaff(Value, frozen=True, kw_only=True):
    """A page of the players, by name; guests, who have no name of their own, come last."""

    players: list[PlayerForStaff]
    more: Annotated[bool, Meta(description="Whether there are others after these.")]


class StaffAct(Value, frozen=True, kw_only=True):
    """An act of a host or a moderator. Without `by` it was done at the command line of the server.

    `version` is the number of the act in the log. Fields that do not apply to an act are left out.
    """

    version: Annotated[int, Meta(ge=1)]
    at: Moment
    act: Act
    by: Player | None = None
    player: Player | None = None
    code: Annotated[str, Meta(description="The id of an invitation.")] | None = None
    role: StaffRole | None = None
    until: Moment | None = None
    accounts: Accounts | None = None
    guests: bool | None = None
    uses: Count | None = None
    changed: list[ChangedSetting] | None = None
    game: GameId | None = None
    archive: Annotated[Digest, Meta(description="The SHA-256 of what is in the file of an archive.")] | None = None
    games: Annotated[Count, Meta(description="How many games went into the file.")] | None = None
    reason: Reason | None = None
    note: Note = ""


class StaffLog(Value, frozen=True, kw_only=True):
    """The acts of hosts and moderators, the latest first."""

    acts: list[StaffAct]
    more: Annotated[bool, Meta(description="Whether there are earlier acts.")]


class OneTimeLink(Value, frozen=True, kw_only=True):
    """A link, shown once: the server stores only a hash of its code. `path` is that of the page it opens."""

    path: str
    expires_at: Moment


class BecomeHost(Value, frozen=True, kw_only=True):
    """Become the first host, with the code that the server has printed."""

    code: Code


class ConfirmPassword(Value, frozen=True, kw_only=True):
    """The password of the signed-in player, entered again."""

    password: Password


class WaysToConfirm(Value, frozen=True, kw_only=True):
    """The player's ways to confirm their identity. `provider` is the name of the linked provider, if any."""

    password: bool
    passkey: bool
    provider: str | None = None


class RegainAccess(Value, frozen=True, kw_only=True):
    """Set a new password, with the code from the link of a host."""

    code: Code
    password: Password


class Entry(Value, frozen=True, kw_only=True):
    """Who may create an account or begin as a guest. Existing players are not affected."""

    accounts: Accounts
    guests: Annotated[bool, Meta(description="Whether one may begin as a guest.")]


class NewInvitation(Value, frozen=True, kw_only=True):
    """Create a link with which some people may create an account until it expires."""

    uses: Annotated[int, Meta(ge=1, le=500)] = 1
    days: Annotated[int, Meta(ge=1, le=365)] = 7


class Invitation(Value, frozen=True, kw_only=True):
    """A valid invitation, without its link."""

    id: str
    uses: Annotated[Count, Meta(description="How many may still use it.")]
    created_at: Moment
    expires_at: Moment


class Invitations(Value, frozen=True, kw_only=True):
    """The valid invitations, the latest first."""

    invitations: list[Invitation]


class MadeInvitation(Invitation, frozen=True, kw_only=True):
    """A new invitation. `token` is its link's code; the server stores only a hash of it."""

    token: str
