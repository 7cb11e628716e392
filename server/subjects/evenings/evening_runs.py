"""Reading the runs of evenings from the log. Those that are over never change, and are kept in memory."""

from collections.abc import Collection, Iterable
from typing import NamedTuple

from sqlalchemy import select

from cadogan.server.core import ids
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.statements import among
from cadogan.server.core.database.tables import events
from cadogan.server.core.eventlog.event_store import PartedStore
from cadogan.server.core.eventlog.events import GameFinished, decode_event
from cadogan.server.core.eventlog.streams import game_stream, id_of
from cadogan.server.core.fairness.sealed_deals import SealedDeal
from cadogan.server.subjects.evenings.evening_events import PlannedRound

_OF_STREAMS = among(events.c.stream, "streams")
_OPENED = select(events.c.stream, events.c.recorded_at).where(_OF_STREAMS, events.c.version == 1)
_ENDED = select(events.c.stream, events.c.type, events.c.schema, events.c.data, events.c.recorded_at).where(
    _OF_STREAMS, events.c.type == "game_finished"
)
MAX_REMEMBERED = 200_000
"""Finished runs that are kept in memory."""


class FoundRun(NamedTuple):
    """A run, with the opening time of its deal and its end; `finished` and `ended_at` are None until it ends."""

    opened_at: int
    finished: GameFinished | None = None
    ended_at: int | None = None


class RoundRun(NamedTuple):
    """A run of a round, with the id of its game."""

    game: str
    player: str
    round: PlannedRound
    found: FoundRun


def game_of(deal: SealedDeal, player: str) -> str:
    """Return the id of a player's run of a deal."""
    return ids.derive_id(deal.secret, deal.id, player)


class RunReader:
    """The runs in a database, by the ids of their games."""

    def __init__(self, database: Database, store: PartedStore) -> None:
        self._database = database
        self._found = store.batcher(game_stream, self._read)
        self._over: dict[str, FoundRun] = {}

    async def get_many(self, wanted: Iterable[str]) -> dict[str, FoundRun]:
        """Return the runs with these ids; those that have not begun are left out."""
        known = {game: self._over.get(game) for game in wanted}
        found = await self._found.get_many([game for game, run in known.items() if run is None])
        over = {game: run for game, run in found.items() if run.finished is not None}
        if len(self._over) + len(over) > MAX_REMEMBERED:
            self._over.clear()
        self._over |= over
        return {game: run for game, run in known.items() if run is not None} | found

    async def _read(self, wanted: Collection[str]) -> dict[str, FoundRun]:
        streams = {"streams": [*map(game_stream, wanted)]}
        found = {id_of(row.stream): FoundRun(row.recorded_at) for row in await self._database.fetch(_OPENED, streams)}
        for stream, kind, schema, data, at in await self._database.fetch(_ENDED, streams):
            event = decode_event(kind, schema, data)
            assert isinstance(event, GameFinished)
            if id_of(stream) in found:
                found[id_of(stream)] = FoundRun(found[id_of(stream)].opened_at, event, at)
        return found
