"""Disqualifications in the log: hosts disqualify or reinstate a run; who did it and why is left out."""

from collections.abc import Collection, Mapping

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.database.tables import events
from cadogan.server.eventlog.events import HouseActed, decode_event
from cadogan.server.eventlog.streams import HOUSE
from cadogan.server.transparency.leaves import Strike

STRIKES = {"run_struck": True, "run_returned": False}
"""The host actions that have an entry in the log, and whether the run is disqualified after them."""


async def read_strikes(connection: AsyncConnection, versions: Collection[int]) -> Mapping[int, Strike]:
    """Return the disqualifications among these host actions, by version."""
    found: dict[int, Strike] = {}
    chosen = select(events).where(events.c.stream == HOUSE, events.c.version.in_(versions))
    for row in await connection.execute(chosen) if versions else ():
        act = decode_event(row.type, row.schema, row.data)
        if isinstance(act, HouseActed) and act.act in STRIKES and act.game is not None:
            found[row.version] = Strike(row.recorded_at, act.game, STRIKES[act.act])
    return found
