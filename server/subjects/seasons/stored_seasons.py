"""The seasons in the log, and whether a host has switched them on."""

import re

from msgspec import Struct
from sqlalchemy import select

from cadogan.server.core.clock import Clock
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import events
from cadogan.server.core.errors import NotFound
from cadogan.server.core.eventlog.events import HouseActed
from cadogan.server.core.eventlog.season_events import SeasonState, fold_season
from cadogan.server.core.eventlog.streams import SEASONS, id_of, season_stream
from cadogan.server.core.storage.rating_rows import read_stream
from cadogan.server.subjects.admin.admin_log import lock_house, record_act
from cadogan.server.subjects.admin.stored_settings import as_setting, read_setting, select_setting, write_setting
from cadogan.wire.seasons import SeasonSettings

_NAME = "seasons"
_ID = re.compile("[0-9]{4}-W[0-9]{2}")
_FIRST = select(events.c.stream).where(
    events.c.stream >= SEASONS, events.c.stream < SEASONS + "\x7f", events.c.version == 1
)


class Chosen(Struct, frozen=True):
    """What a host has set for the seasons to come, and when they were switched on, in milliseconds since 1970."""

    settings: SeasonSettings = SeasonSettings()
    since: int = 0


class StoredSeasons:
    """The seasons in a database."""

    def __init__(self, database: Database, now: Clock) -> None:
        self._database = database
        self._now = now

    async def chosen(self) -> Chosen:
        """Return what a host has set; seasons are off by default."""
        return as_setting(await self._database.fetch_value(select_setting(_NAME)), Chosen) or Chosen()

    async def change(self, by: str, wanted: SeasonSettings) -> None:
        """Change the settings of the seasons to come. `by` is the id of the acting host."""
        async with self._database.writing() as connection:
            await lock_house(connection)
            before = await read_setting(connection, _NAME, Chosen) or Chosen()
            if before.settings != wanted:
                since = before.since if before.settings.on else self._now()
                await write_setting(connection, _NAME, Chosen(wanted, since))
                await record_act(connection, HouseActed("seasons_changed", by=by), self._now())

    async def ids(self) -> list[str]:
        """Return the ids of all seasons, the earliest first."""
        return sorted([id_of(row.stream) for row in await self._database.fetch(_FIRST)])

    async def get(self, id: str) -> SeasonState:
        """Return a season. Raises NotFound."""
        if _ID.fullmatch(id) is not None:
            async with self._database.reading() as connection:
                state = fold_season(id, await read_stream(connection, season_stream(id)))
            if state is not None:
                return state
        raise NotFound("There is no such season.")
