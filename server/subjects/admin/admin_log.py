"""The log of hosts and moderators, and the player whom an act is about.

It is the stream `house`, a hash chain like every stream.

An event has ids and codes, never a name or a free text. A host's comment on an act is a note in a separate table, which
is deleted when the player it is about is erased.
"""

from collections.abc import AsyncIterator
from typing import Any, NamedTuple

from sqlalchemy import Row, insert, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.core import ids
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import events, house_notes, players
from cadogan.server.core.errors import NotFound
from cadogan.server.core.eventlog.event_store import Append
from cadogan.server.core.eventlog.events import HouseActed, decode_event
from cadogan.server.core.eventlog.hash_chain import START_HASH, chain_event
from cadogan.server.core.eventlog.streams import HOUSE
from cadogan.server.core.storage.sql_store import append_in
from cadogan.server.subjects.transparency.queued_entries import STRIKES

EVENTS_AT_ONCE = 200
"""The number of events that an export reads at a time."""
_LOCK = text("SELECT pg_advisory_xact_lock(7301)")


class RecordedAct(NamedTuple):
    """An act in the log, with its note. `at` is in milliseconds since 1970, `hash` has 32 bytes."""

    version: int
    at: int
    act: HouseActed
    note: str
    hash: bytes


async def lock_admin_log(connection: AsyncConnection) -> None:
    """Lock the log until this transaction ends. Call it before reading the data that an act depends on."""
    if connection.dialect.name == "postgresql":  # write transactions of SQLite are exclusive anyway
        await connection.execute(_LOCK)


async def record_act(connection: AsyncConnection, act: HouseActed, at: int, note: str = "") -> None:
    """Append an act to the log, in the transaction of its effects. `lock_admin_log` must have been called before."""
    last = select(events.c.version, events.c.hash).where(events.c.stream == HOUSE)
    row = (await connection.execute(last.order_by(events.c.version.desc()).limit(1))).one_or_none()
    version, previous = (row.version + 1, row.hash) if row else (1, START_HASH)
    event = chain_event(previous, HOUSE, version, act, at)
    await append_in(connection, Append(HOUSE, None, (event,)), is_logged=act.act in STRIKES)
    if note:
        about = select(players.c.id).where(players.c.id == act.player).scalar_subquery()  # none if erased
        await connection.execute(insert(house_notes).values(version=version, player=about, note=note))


async def record_locked_act(connection: AsyncConnection, act: HouseActed, at: int) -> None:
    """Lock the log, and append an act to it, in the transaction of its effects."""
    await lock_admin_log(connection)
    await record_act(connection, act, at)


class AdminLog:
    """The log of hosts and moderators in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def latest(self, before: int, limit: int) -> list[RecordedAct]:
        """Return the `limit` acts before this version, or the last ones for 0, the latest first."""
        chosen = _ACTS.where(events.c.version < before) if before else _ACTS
        rows = await self._database.fetch(chosen.order_by(events.c.version.desc()).limit(limit))
        return [_recorded(row) for row in rows]

    async def about(self, player: str, limit: int) -> list[RecordedAct]:
        """Return the latest acts on the player with this id, the latest first."""
        chosen = _ACTS.where(events.c.data.contains(f'"player":"{player}"', autoescape=True))
        rows = await self._database.fetch(chosen.order_by(events.c.version.desc()).limit(limit))
        return [_recorded(row) for row in rows]

    async def all(self) -> AsyncIterator[RecordedAct]:
        """Iterate over all acts, the earliest first."""
        after = 0
        while True:
            chosen = _ACTS.where(events.c.version > after).order_by(events.c.version).limit(EVENTS_AT_ONCE)
            page = [_recorded(row) for row in await self._database.fetch(chosen)]
            for recorded in page:
                yield recorded
            if len(page) < EVENTS_AT_ONCE:
                return
            after = page[-1].version


_ACTS = (
    select(*events.c, house_notes.c.note)
    .outerjoin(house_notes, house_notes.c.version == events.c.version)
    .where(events.c.stream == HOUSE)
)


def _recorded(row: Row[tuple[Any, ...]]) -> RecordedAct:
    act = decode_event(row.type, row.schema, row.data)
    assert isinstance(act, HouseActed)
    return RecordedAct(row.version, row.recorded_at, act, row.note or "", row.hash)


class Target(NamedTuple):
    """The fields of a player that an act depends on."""

    id: str
    name: str
    role: str | None
    is_guest: bool
    suspended_until: int | None
    muted_until: int | None

    def is_suspended(self, now: int) -> bool:
        """Whether the account is suspended at this time, in milliseconds since 1970."""
        return self.suspended_until is not None and self.suspended_until > now


async def find_target(connection: AsyncConnection, player: str) -> Target:
    """Return the player with this id, and lock their row until the transaction ends. Raises NotFound."""
    wanted = select(players).where(players.c.id == player).with_for_update()
    row = (await connection.execute(wanted)).one_or_none() if ids.is_valid(player) else None
    if row is None:
        raise NotFound("There is no such player.")
    return Target(row.id, row.name, row.role, row.name_key is None, row.suspended_until, row.muted_until)
