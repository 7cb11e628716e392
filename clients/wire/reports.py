"""The HTTP bodies of reports, which players send and hosts and moderators settle."""

from typing import Annotated, Literal

from msgspec import Meta

from cadogan.wire.admin import Note, PlayerForStaff, RunForStaff, StaffAct
from cadogan.wire.chat import TalkId
from cadogan.wire.findings import CopyFinding, PaceFinding, RunPace
from cadogan.wire.values import GameId, GroupId, Moment, Player, Value

ReportReason = Annotated[
    Literal["cheating", "name", "conduct", "second_account", "other"],
    Meta(description="What is wrong, in the eyes of who reports it."),
]
Outcome = Annotated[
    Literal["acted", "nothing"],
    Meta(description="How a report was settled: something was done, or nothing had to be."),
]


class NewReport(Value, frozen=True, kw_only=True):
    """Report the object in the URL: a run, a player, or a message."""

    reason: ReportReason
    text: Annotated[str, Meta(max_length=500, pattern=r"^[^\x00-\x09\x0b-\x1f\x7f]*\Z")] = ""


class MyReport(Value, frozen=True, kw_only=True):
    """The requesting player's own report, about a player, a run (`game`), or a message (`quoted`).

    Once it is settled it has an `outcome`.
    """

    player: Player
    game: GameId | None = None
    quoted: str | None = None
    reason: ReportReason
    text: str = ""
    at: Moment
    settled_at: Moment | None = None
    outcome: Outcome | None = None


class MyReports(Value, frozen=True, kw_only=True):
    """The requesting player's own reports, the latest first, a hundred at most."""

    reports: list[MyReport]


class ReportedMessage(Value, frozen=True, kw_only=True):
    """A reported message, with its `text` at the time of the report.

    `group` is set as long as the message exists: it may have been removed or have expired.
    """

    id: TalkId
    text: str
    group: GroupId | None = None


class ReportForStaff(Value, frozen=True, kw_only=True):
    """A report with its context: the player, the run without its cards, and earlier acts on the player.

    A finished run has its `pace`. Once its day was analysed, it has the findings: `copies`, with the run as copy or
    original, and machine-like `paces`. A settled report has the outcome and time; the actor and the note are in the
    log.
    """

    id: str
    by: Player
    about: PlayerForStaff
    run: RunForStaff | None = None
    message: ReportedMessage | None = None
    reason: ReportReason
    text: str = ""
    at: Moment
    pace: RunPace | None = None
    copies: list[CopyFinding] | None = None
    paces: list[PaceFinding] | None = None
    others: Annotated[int, Meta(ge=0, description="How many other players have reported the same.")] = 0
    acts: Annotated[list[StaffAct], Meta(description="The latest acts on the player, without notes.")]
    settled_at: Moment | None = None
    outcome: Outcome | None = None


class ReportsForStaff(Value, frozen=True, kw_only=True):
    """The unsettled reports, the earliest first; or the settled ones, the latest first."""

    reports: list[ReportForStaff]
    more: bool


class Settle(Value, frozen=True, kw_only=True):
    """Settle a report. The note is for other hosts and moderators; the reporter sees only the outcome."""

    outcome: Outcome
    note: Note = ""
