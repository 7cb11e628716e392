"""The HTTP bodies for the schedule of the daily challenge, as a host sets it."""

from typing import Annotated

from msgspec import Meta

from cadogan.wire.values import Slug, Value

MAX_GRACE_SECONDS = 43_200
Level = Annotated[
    str, Meta(min_length=1, max_length=24, pattern=r"^[^\x00-\x20\x7f]([^\x00-\x1f\x7f]*[^\x00-\x20\x7f])?\Z")
]


class ScheduledDeal(Value, frozen=True, kw_only=True):
    """One deal of every day: its intended difficulty, and the games that rotate day by day.

    `certified` is whether a winnable deal is searched for; null decides by the known share of winnable deals.
    """

    level: Level
    games: Annotated[list[Slug], Meta(min_length=1, max_length=200)]
    certified: bool | None = None


class Schedule(Value, frozen=True, kw_only=True):
    """A host's settings for future days; null means the settings of the server.

    `grace` is the number of seconds after the end of a day in which its runs may still finish.
    """

    deals: Annotated[list[ScheduledDeal], Meta(min_length=1, max_length=9)] | None = None
    grace: Annotated[int, Meta(ge=0, le=MAX_GRACE_SECONDS)] | None = None


class ChangeSchedule(Schedule, frozen=True, kw_only=True):
    """Change the schedule, or only show the effect."""

    preview: Annotated[bool, Meta(description="Whether nothing is changed, and only the days are shown.")] = False


class PlannedDeal(Value, frozen=True, kw_only=True):
    """A deal of a future day."""

    level: str
    rules: Slug


class PlannedDay(Value, frozen=True, kw_only=True):
    """A future day. An announced day does not change with the settings. `grace` is in seconds."""

    day: str
    announced: bool
    deals: list[PlannedDeal]
    grace: int


class ShownSchedule(Value, frozen=True, kw_only=True):
    """The schedule: the host's settings, the effective ones, and the resulting days, today first."""

    chosen: Schedule
    deals: list[ScheduledDeal]
    grace: int
    days: list[PlannedDay]
