"""The settings made by hosts, and the schedule of days among them."""

from collections.abc import Callable
from typing import TypeVar

import msgspec
from sqlalchemy import Select, delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan import engine
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import house_settings
from cadogan.server.core.errors import BadMessage
from cadogan.server.core.eventlog.events import HouseActed
from cadogan.server.subjects.admin.admin_log import lock_admin_log, record_act
from cadogan.server.subjects.daily.rules import Calendar, Level, Schedule
from cadogan.wire import schedule as wire

Kind = TypeVar("Kind")


async def read_setting(connection: AsyncConnection, name: str, kind: type[Kind]) -> Kind | None:
    """Return the setting with this name; None if it is unset, or if this version of the server cannot read it."""
    return as_setting(await connection.scalar(select_setting(name)), kind)


def select_setting(name: str) -> Select[tuple[str]]:
    """Return the statement that selects the setting with this name: one value, or none."""
    return select(house_settings.c.value).where(house_settings.c.name == name)


def as_setting(text: str | None, kind: type[Kind]) -> Kind | None:
    """Parse a stored value; None for None, or if this version of the server cannot read it."""
    try:
        return None if text is None else msgspec.json.decode(text, type=kind)
    except msgspec.DecodeError:
        return None


async def write_setting(connection: AsyncConnection, name: str, value: object) -> None:
    """Store the setting with this name, or with None delete it. `lock_admin_log` must have been called before."""
    await connection.execute(delete(house_settings).where(house_settings.c.name == name))
    if value is not None:
        row = {"name": name, "value": msgspec.json.encode(value).decode()}
        await connection.execute(insert(house_settings).values(row))


_NAME = "schedule"


class StoredSchedule:
    """The schedule in a database, read each time. `usual` is the default schedule."""

    def __init__(self, database: Database, usual: Calendar, now: Callable[[], int]) -> None:
        self._database = database
        self.usual = usual
        self._now = now

    async def chosen(self) -> wire.Schedule:
        """Return the settings of the host."""
        return as_setting(await self._database.fetch_value(select_setting(_NAME)), wire.Schedule) or wire.Schedule()

    async def current(self) -> Schedule:
        """Return the schedule for the next day that is announced."""
        return self.as_schedule(await self.chosen())

    def as_schedule(self, chosen: wire.Schedule) -> Schedule:
        """Return the schedule for these settings. Games that this version of the server lacks are left out."""
        known = engine.slugs()
        levels = [
            Level(deal.level, tuple(slug for slug in deal.games if slug in known), deal.certified)
            for deal in chosen.deals or ()
        ]
        calendar = Calendar(tuple(level for level in levels if level.games), self.usual.budget)
        grace = None if chosen.grace is None else chosen.grace * 1000
        return Schedule(calendar if calendar.levels else self.usual, grace)

    async def change(self, by: str | None, wanted: wire.Schedule) -> None:
        """Change the schedule. `by` is the id of the acting host. Raises BadMessage for an unknown game."""
        self.check(wanted)
        wanted = wire.Schedule(deals=wanted.deals, grace=wanted.grace)
        async with self._database.writing() as connection:
            await lock_admin_log(connection)
            before = await read_setting(connection, _NAME, wire.Schedule) or wire.Schedule()
            names = (("calendar", before.deals != wanted.deals), ("grace", before.grace != wanted.grace))
            changed = tuple(name for name, differs in names if differs)
            if changed:
                await write_setting(connection, _NAME, wanted)
                await record_act(connection, HouseActed("schedule_changed", by=by, changed=changed), self._now())

    def check(self, wanted: wire.Schedule) -> None:
        """Check that every game is known. Raises BadMessage."""
        for deal in wanted.deals or ():
            for slug in deal.games:
                if slug not in engine.slugs():
                    raise BadMessage("There is no game called {game}.", game=slug)


def as_deals(calendar: Calendar) -> list[wire.ScheduledDeal]:
    """Return a calendar in its wire form."""
    return [
        wire.ScheduledDeal(level=one.name, games=list(one.games), certified=one.certified) for one in calendar.levels
    ]
