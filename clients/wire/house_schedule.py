"""The HTTP bodies for the schedule of the daily challenge, as a host sets it."""

from typing import Annotated

from msgspec import Meta

from cadogan.wire.values import Slug, Value

MAX_GRACE_SECONDS = 43_200
Level = Annotated[
    str, Meta(min_length=1, max_length=24, pattern=r"^[^\x00-\x20\x7f]([^\x00-\x1f\x7f]*[^\x00-\x20\x7f])?\Z")
]


class ScheduledDeal(Value, frozen=True, kw_only=True):
    """One deal of every day: how hard it is meant to be, and the games that take turns, day by day.

    `certified` says whether a deal that can be won is searched for; null leaves it to what is known of the game.
    """

    level: Level
    games: Annotated[list[Slug], Meta(min_length=1, max_length=200)]
    certified: bool | None = None


class Schedule(Value, frozen=True, kw_only=True):
    """What a host has set for the days to come; null is as the settings of the server say.

    `grace` is how many seconds after the end of a day a run may still finish that began on it.
    """

    deals: Annotated[list[ScheduledDeal], Meta(min_length=1, max_length=9)] | None = None
    grace: Annotated[int, Meta(ge=0, le=MAX_GRACE_SECONDS)] | None = None


class ChangeSchedule(Schedule, frozen=True, kw_only=True):
    """Change the schedule, or only show what would follow."""

    preview: Annotated[bool, Meta(description="Whether nothing is changed, and only the days are shown.")] = False


class PlannedDeal(Value, frozen=True, kw_only=True):
    """A deal of a day to come."""

    level: str
    rules: Slug


class PlannedDay(Value, frozen=True, kw_only=True):
    """A day to come; one that is announced stays as it is, whatever is set. `grace` is in seconds."""

    day: str
    announced: bool
    deals: list[PlannedDeal]
    grace: int


class ShownSchedule(Value, frozen=True, kw_only=True):
    """The schedule: what a host has set, what holds, and the days that follow from it, today first."""

    chosen: Schedule
    deals: list[ScheduledDeal]
    grace: int
    days: list[PlannedDay]
