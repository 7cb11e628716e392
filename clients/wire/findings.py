"""The HTTP bodies of the copy detector's findings about a closed day."""

from typing import Annotated, Literal

from msgspec import Meta

from cadogan.wire.admin import RunForStaff
from cadogan.wire.values import Count, Day, Milliseconds, Moment, MoveText, Player, Value


class SharedChoice(Value, frozen=True, kw_only=True):
    """A choice that both runs had: the move of the later run, and whether the earlier one did the same.

    `others` runs had the choice, too; `same` of them did the same as the earlier run. `bits` is the evidence for
    copying: large if few others did the same, negative if the two runs differ.
    """

    number: Annotated[int, Meta(ge=1, description="The place among the choices of the later run.")]
    kind: Annotated[
        Literal["position", "moves", "first"],
        Meta(
            description="What was compared: the move in the same `position`; the move after the same last `moves`, "
            "wherever the other cards were; or which came `first`, this move or the one before it that both runs have."
        ),
    ]
    move: MoveText
    agrees: bool
    choices: Annotated[int, Meta(ge=2, description="How many moves were legal.")]
    others: Count
    same: Count
    bits: float


class RunView(Value, frozen=True, kw_only=True):
    """A view of the earlier run by `player`, before the later run was over."""

    player: Player
    at: Moment


class CopyFinding(Value, frozen=True, kw_only=True):
    """The run agrees with the run `of` more than by chance.

    `usual` is how many bits a quarter of the other runs of the deal reach.
    """

    run: RunForStaff
    of: RunForStaff
    agreed: Count
    bits: float
    usual: float
    choices: list[SharedChoice]
    views: list[RunView]


class PaceFinding(Value, frozen=True, kw_only=True):
    """The run was played at the pace of a machine: too fast, or too evenly."""

    run: RunForStaff
    kind: Literal["fast", "even"]
    median: Annotated[Milliseconds, Meta(description="Half of the waits before choices are no longer.")]
    spread: Annotated[float, Meta(ge=0, description="The standard deviation of the waits, by their mean.")]
    waits: Count


class RunPace(Value, frozen=True, kw_only=True):
    """The waits of a run before its choices, without pauses; `median` is in milliseconds."""

    median: Milliseconds
    spread: Annotated[float, Meta(ge=0, description="The standard deviation of the waits, by their mean.")]
    waits: Count


class FindingsDay(Value, frozen=True, kw_only=True):
    """A closed day with findings; `seen` once a host or a moderator has read them."""

    day: Day
    found: Annotated[int, Meta(ge=1, description="How many findings there are.")]
    at: Annotated[Moment, Meta(description="When the runs of the day were compared.")]
    seen: bool


class StaffWork(Value, frozen=True, kw_only=True):
    """Open work of hosts and moderators: the number of unsettled reports, and the latest days with findings."""

    reports: Count
    days: Annotated[list[FindingsDay], Meta(description="The latest day first, at most 30.")]


class DayFindings(Value, frozen=True, kw_only=True):
    """The findings about people's runs on a closed day, the strongest evidence first. They have no automatic effect."""

    day: Day
    runs: Annotated[Count, Meta(description="How many runs were compared.")]
    copies: list[CopyFinding]
    paces: list[PaceFinding]
