"""The seasons in the log, of the server and of groups, and whether they are switched on."""

import re

from msgspec import Struct
from sqlalchemy import select

from cadogan.server.core.clock import Clock
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import events, house_settings
from cadogan.server.core.errors import NotFound
from cadogan.server.core.eventlog.events import HouseActed
from cadogan.server.core.eventlog.season_events import SeasonState, fold_season
from cadogan.server.core.eventlog.streams import id_of, season_stream
from cadogan.server.core.storage.rating_rows import read_stream
from cadogan.server.subjects.admin.admin_log import lock_admin_log, record_act
from cadogan.server.subjects.admin.stored_settings import as_setting, read_setting, select_setting, write_setting
from cadogan.wire.seasons import SeasonSettings

_NAME = "seasons"
_ID = re.compile("(?:([a-z2-7]{16})-)?([0-9]{4}-W[0-9]{2})")
_FIRST = select(events.c.stream).where(events.c.version == 1)
_OF_GROUPS = select(house_settings.c.name).where(house_settings.c.name.like(f"{_NAME}/%"))


class Chosen(Struct, frozen=True):
    """The settings for future seasons, and when seasons were enabled, in milliseconds since 1970."""

    settings: SeasonSettings = SeasonSettings()
    since: int = 0


class StoredSeasons:
    """The seasons in a database. A `group` is the id of a group; None is the server."""

    def __init__(self, database: Database, now: Clock) -> None:
        self._database = database
        self._now = now

    async def chosen(self, group: str | None = None) -> Chosen:
        """Return the settings; seasons are off by default."""
        return as_setting(await self._database.fetch_value(select_setting(_name(group))), Chosen) or Chosen()

    async def change(self, by: str | None, wanted: SeasonSettings, group: str | None = None) -> None:
        """Change the settings of the seasons to come.

        `by` is the id of who acts, None on the command line. What hosts do for the server is written down as their act.
        """
        async with self._database.writing() as connection:
            await lock_admin_log(connection)
            before = await read_setting(connection, _name(group), Chosen) or Chosen()
            if before.settings != wanted:
                since = before.since if before.settings.on else self._now()
                await write_setting(connection, _name(group), Chosen(wanted, since))
                if group is None:
                    await record_act(connection, HouseActed("seasons_changed", by=by), self._now())

    async def forget(self, group: str) -> None:
        """Delete what is set for the seasons of a group."""
        async with self._database.writing() as connection:
            await lock_admin_log(connection)
            await write_setting(connection, _name(group), None)

    async def groups(self) -> list[str]:
        """Return the ids of the groups for which something is set."""
        return sorted([row.name.removeprefix(f"{_NAME}/") for row in await self._database.fetch(_OF_GROUPS)])

    async def ids(self, group: str | None = None) -> list[str]:
        """Return the ids of the seasons, the earliest first."""
        begins = season_stream(f"{group}-" if group else "")
        within = _FIRST.where(events.c.stream >= begins, events.c.stream < begins + "\x7f")
        own = within.where(events.c.stream.like(f"{begins}____-W__"))
        return sorted([id_of(row.stream) for row in await self._database.fetch(own)])

    async def get(self, id: str) -> SeasonState:
        """Return a season. Raises NotFound."""
        if _ID.fullmatch(id) is not None:
            async with self._database.reading() as connection:
                state = fold_season(id, await read_stream(connection, season_stream(id)))
            if state is not None:
                return state
        raise NotFound("There is no such season.")


def group_and_week(id: str) -> tuple[str | None, str]:
    """Return the group of a season, None for one of the server, and its first week.

    >>> group_and_week("aaaabbbbccccdddd-2026-W48")
    ('aaaabbbbccccdddd', '2026-W48')
    """
    found = _ID.fullmatch(id)
    assert found is not None
    return found[1], found[2]


def season_id(group: str | None, week: str) -> str:
    """Return the id of a season that begins with this week; the inverse of `group_and_week`."""
    return f"{group}-{week}" if group else week


def _name(group: str | None) -> str:
    return f"{_NAME}/{group}" if group else _NAME
