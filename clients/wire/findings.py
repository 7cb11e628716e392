"""The HTTP bodies of what the copy detector has found about a closed day."""

from typing import Annotated, Literal

from msgspec import Meta

from cadogan.wire.house import HouseRun
from cadogan.wire.values import Count, Day, Milliseconds, Moment, MoveText, Player, Value


class SharedChoice(Value, frozen=True, kw_only=True):
    """A choice that both runs had: the move of the later run, and whether the earlier one did the same.

    `others` had the choice as well, of whom `same` did as the earlier run. `bits` is what it says for following: much
    if few others did so, less than 0 if the runs differ.
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
    """Somebody was shown the earlier run, before the later one was over."""

    player: Player
    at: Moment


class CopyFinding(Value, frozen=True, kw_only=True):
    """The run follows the run `of` further than chance explains.

    `usual` is how many bits a quarter of the other runs of the deal reach.
    """

    run: HouseRun
    of: HouseRun
    agreed: Count
    bits: float
    usual: float
    choices: list[SharedChoice]
    views: list[RunView]


class PaceFinding(Value, frozen=True, kw_only=True):
    """The run was played at the pace of a machine: too fast, or too evenly."""

    run: HouseRun
    kind: Literal["fast", "even"]
    median: Annotated[Milliseconds, Meta(description="Half of the waits before choices are no longer.")]
    spread: Annotated[float, Meta(ge=0, description="The standard deviation of the waits, by their mean.")]
    waits: Count


class RunPace(Value, frozen=True, kw_only=True):
    """How long a run waited before its choices, pauses left out: half of the waits are no longer than `median`."""

    median: Milliseconds
    spread: Annotated[float, Meta(ge=0, description="The standard deviation of the waits, by their mean.")]
    waits: Count


class FindingsDay(Value, frozen=True, kw_only=True):
    """A closed day in which something was found; `seen` once a host or a moderator has read what."""

    day: Day
    found: Annotated[int, Meta(ge=1, description="How many findings there are.")]
    at: Annotated[Moment, Meta(description="When the runs of the day were compared.")]
    seen: bool


class HouseWaiting(Value, frozen=True, kw_only=True):
    """What waits for hosts and moderators: how many reports are not settled, and the latest days with findings."""

    reports: Count
    days: Annotated[list[FindingsDay], Meta(description="The latest day first, at most 30.")]


class DayFindings(Value, frozen=True, kw_only=True):
    """What was found about the runs of people on a closed day, the surest first. Nothing follows by itself."""

    day: Day
    runs: Annotated[Count, Meta(description="How many runs were compared.")]
    copies: list[CopyFinding]
    paces: list[PaceFinding]
