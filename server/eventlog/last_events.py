"""Reads the last events of many streams, with a query that also works on a log distributed by stream."""

from collections.abc import Iterable
from itertools import islice
from typing import Any

from sqlalchemy import Row, and_, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.database.tables import events

_STREAMS_PER_QUERY = 1000


async def read_last_events(connection: AsyncConnection, streams: Iterable[str]) -> list[Row[Any]]:
    """Return stream, version, hash and recorded_at of the last event of each of these streams that has any."""
    found: list[Row[Any]] = []
    names = iter(streams)
    while page := list(islice(names, _STREAMS_PER_QUERY)):
        versions = select(events.c.stream, func.max(events.c.version).label("version"))
        last = versions.where(events.c.stream.in_(page)).group_by(events.c.stream).subquery()
        is_last = and_(events.c.stream == last.c.stream, events.c.version == last.c.version)
        chosen = select(events.c.stream, events.c.version, events.c.hash, events.c.recorded_at)
        found += await connection.execute(chosen.join_from(last, events, is_last))
    return found
