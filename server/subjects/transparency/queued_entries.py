"""The entries of the streams that are queued for the log, read from the events, the deals and the games."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sqlalchemy import Row, and_, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.core.database.tables import days, deals, events, games
from cadogan.server.core.eventlog.events import ANNOUNCEMENTS, DAY_EVENTS, DailyAnnounced, HouseActed, decode_event
from cadogan.server.core.eventlog.streams import DAYS, GAMES, HOUSE, day_stream, game_stream, id_of
from cadogan.server.core.storage.sql_store import read_last_events
from cadogan.server.subjects.transparency.leaves import Announcement, DayEvent, Ended, Strike

STRIKES = {"run_struck": True, "run_returned": False}
"""The host actions that have an entry in the log, and whether the run is disqualified after them."""


async def read_queued(
    connection: AsyncConnection, waiting: Sequence[Row[Any]]
) -> list[tuple[Row[Any], Ended | DayEvent | Announcement | Strike | None]]:
    """Return the rows of the queue that can be taken now, each with its entry; None for an act that is not public.

    The end of a day adds rows for its ranked runs that never ended. A game whose secret is not in the database is left
    out: without the secret, its digest could reveal hidden cards.
    """
    closed = [id_of(row.stream) for row in waiting if row.stream.startswith(DAYS)]
    rows = [*waiting, *await _unfinished_runs(connection, closed)]
    secrets = await deal_secrets(connection, [id_of(row.stream) for row in rows if row.stream.startswith(GAMES)])
    rows = [row for row in rows if row.stream in secrets or not row.stream.startswith(GAMES)]
    strikes = await _read_strikes(connection, [row.version for row in rows if row.stream == HOUSE])
    commitments = await _read_commitments(connection, {id_of(row.stream) for row in rows if _is_of_day(row)})
    return [(row, _entry(row, secrets, strikes, commitments)) for row in rows]


def _entry(
    row: Row[Any], secrets: Mapping[str, bytes], strikes: Mapping[int, Strike], commitments: Mapping[str, str]
) -> Ended | DayEvent | Announcement | Strike | None:
    """Return the log entry for a row of the queue; None for a host action that is not public."""
    if row.stream == HOUSE:
        return strikes.get(row.version)
    type, _, id = row.stream.partition("/")
    if type in DAY_EVENTS:
        return DayEvent.of(day_stream(id), row.version, type, row.recorded_at, row.hash, commitments[id])
    if type in ANNOUNCEMENTS:
        return Announcement.of(f"{ANNOUNCEMENTS[type]}/{id}", row.recorded_at, row.hash)
    return Ended.of(row.stream, row.version, secrets.get(row.stream, b""), row.hash)


def _is_of_day(row: Row[Any]) -> bool:
    """Return whether a row of the queue is about an event of a day that is not its end."""
    return row.stream.partition("/")[0] in DAY_EVENTS


async def _read_commitments(connection: AsyncConnection, wanted: Collection[str]) -> Mapping[str, str]:
    """Return the announced commitments of these days."""
    chosen = select(events).where(events.c.stream.in_([*map(day_stream, wanted)]), events.c.version == 1)
    rows = await connection.execute(chosen) if wanted else ()
    announced = [decode_event(row.type, row.schema, row.data) for row in rows]
    return {one.day: one.commitment for one in announced if isinstance(one, DailyAnnounced)}


async def _unfinished_runs(connection: AsyncConnection, days_closed: Collection[str]) -> Sequence[Row[Any]]:
    """Return, as rows of the queue, the last events of the unfinished ranked runs of these days."""
    if not days_closed:
        return []
    left = select(games.c.id).where(games.c.day.in_(days_closed), games.c.ranked, games.c.status == "playing")
    return await read_last_events(connection, sorted(map(game_stream, await connection.scalars(left))))


async def _read_strikes(connection: AsyncConnection, versions: Collection[int]) -> Mapping[int, Strike]:
    """Return the disqualifications among these host actions, by version."""
    found: dict[int, Strike] = {}
    chosen = select(events).where(events.c.stream == HOUSE, events.c.version.in_(versions))
    for row in await connection.execute(chosen) if versions else ():
        act = decode_event(row.type, row.schema, row.data)
        if isinstance(act, HouseActed) and act.act in STRIKES and act.game is not None:
            found[row.version] = Strike(row.recorded_at, act.game, STRIKES[act.act])
    return found


async def deal_secrets(connection: AsyncConnection, ids: Collection[str]) -> Mapping[str, bytes]:
    """Return the deal secrets of the games with these ids, by stream name."""
    secret = func.coalesce(days.c.secret, deals.c.secret).label("secret")
    joined = games.outerjoin(days, days.c.day == games.c.day).outerjoin(
        deals, and_(deals.c.id == games.c.deal, games.c.day.is_(None))
    )
    chosen = select(games.c.id, secret).select_from(joined).where(games.c.id.in_(ids), secret.is_not(None))
    return {game_stream(row.id): bytes.fromhex(row.secret) for row in await connection.execute(chosen)}
