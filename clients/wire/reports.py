"""The HTTP bodies of reports: players say what is wrong, hosts and moderators settle it."""

from typing import Annotated, Literal

from msgspec import Meta

from cadogan.wire.findings import CopyFinding, PaceFinding, RunPace
from cadogan.wire.house import HouseAct, HousePlayer, HouseRun, Note
from cadogan.wire.talk import TalkId
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
    """Report what the address names: a run, a player, or a message."""

    reason: ReportReason
    text: Annotated[str, Meta(max_length=500, pattern=r"^[^\x00-\x09\x0b-\x1f\x7f]*\Z")] = ""


class MyReport(Value, frozen=True, kw_only=True):
    """A report of the asker's own: about a player, with `game` about that run, with `quoted` about what they wrote.

    Once settled it has an `outcome`.
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
    """The asker's own reports, the latest first, a hundred at most."""

    reports: list[MyReport]


class ReportedMessage(Value, frozen=True, kw_only=True):
    """A message that was reported, with its `text` as it was then.

    `group` is there as long as the message is: it may be removed, or too old to be kept.
    """

    id: TalkId
    text: str
    group: GroupId | None = None


class HouseReport(Value, frozen=True, kw_only=True):
    """A report with what is known beside it: the player, the run without its cards, and earlier acts on the player.

    A run that is over has its `pace`. Once its day was looked at, it has what was found: `copies`, which it follows or
    which follow it, and `paces` of a machine. Once the report is settled, it says how and when; by whom, and with which
    note, is in the log.
    """

    id: str
    by: Player
    about: HousePlayer
    run: HouseRun | None = None
    message: ReportedMessage | None = None
    reason: ReportReason
    text: str = ""
    at: Moment
    pace: RunPace | None = None
    copies: list[CopyFinding] | None = None
    paces: list[PaceFinding] | None = None
    others: Annotated[int, Meta(ge=0, description="How many other players have reported the same.")] = 0
    acts: Annotated[list[HouseAct], Meta(description="The latest acts on the player, without notes.")]
    settled_at: Moment | None = None
    outcome: Outcome | None = None


class HouseReports(Value, frozen=True, kw_only=True):
    """The reports that wait, the earliest first; or those that are settled, the latest first."""

    reports: list[HouseReport]
    more: bool


class Settle(Value, frozen=True, kw_only=True):
    """Settle a report. The note is for other hosts and moderators; who reported is told the outcome alone."""

    outcome: Outcome
    note: Note = ""
