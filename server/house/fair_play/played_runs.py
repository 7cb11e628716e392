"""The input of the copy detector, read from the log: the runs of a deal, and who has viewed which of them."""

from typing import NamedTuple

from sqlalchemy import select

from cadogan.engine.state import pack_state
from cadogan.server.core import ids
from cadogan.server.core.errors import Archived, NotFound
from cadogan.server.database.connections import Database
from cadogan.server.database.tables import entries
from cadogan.server.eventlog.event_store import Store
from cadogan.server.eventlog.events import GameWatched, MovePlayed, decode_event
from cadogan.server.eventlog.streams import VIEWS
from cadogan.server.games.game_reader import GameReader
from cadogan.server.games.game_state import Step
from cadogan.server.house.fair_play.copying import Pace, PlayedMove, Run, describe_act, measure_pace

MAX_REMEMBERED_PACES = 1000


class View(NamedTuple):
    """A player's first view of a game, at a time in milliseconds since 1970."""

    player: str
    game: str
    at: int


class PlayedRuns:
    """Reads runs from a database. The pace of a finished run is cached, because it does not change."""

    def __init__(self, database: Database, store: Store, reader: GameReader) -> None:
        self._database = database
        self._store = store
        self._reader = reader
        self._paces: dict[str, Pace | None] = {}

    async def of_day(self, day: str) -> dict[str, list[Run]]:
        """Return the finished ranked runs of people on a day, by deal."""
        chosen = select(entries.c.deal, entries.c.game_id, entries.c.player).where(entries.c.day == day)
        rows = await self._database.fetch(chosen.order_by(entries.c.deal, entries.c.game_id))
        found: dict[str, list[Run]] = {}
        for deal, game, player in rows:
            if not ids.is_bot(player):  # bots play alike, and have boards of their own
                found.setdefault(deal, []).append(await self._read(game, player))
        return found

    async def views(self, deal: str) -> list[View]:
        """Return the views of the runs of a deal."""
        found = []
        async for name in self._store.stream_names(f"{VIEWS}{deal}/"):
            for stored in await self._store.read(name):
                event = decode_event(stored.type, stored.schema, stored.data)
                if isinstance(event, GameWatched):
                    found.append(View(event.player, event.game, stored.recorded_at))
        return found

    async def pace(self, game: str) -> Pace | None:
        """Return the pace of a finished run; None if it has no waits, or is archived."""
        if game not in self._paces:
            if len(self._paces) >= MAX_REMEMBERED_PACES:
                self._paces.clear()
            try:
                self._paces[game] = measure_pace(await self._read(game, ""))
            except (NotFound, Archived):
                return None
        return self._paces[game]

    async def _read(self, game: str, player: str) -> Run:
        moves: list[PlayedMove] = []

        def keep(step: Step) -> None:
            if isinstance(step.event, MovePlayed) and step.before is not None:
                before = step.before.position
                key = pack_state(before.state)
                act = describe_act(before.state, step.after.position.state)
                moves.append(PlayedMove(key, step.event.move, len(before.legal), step.sealed.recorded_at, act))

        await self._reader.read_steps(game, keep)
        return Run(game, player, tuple(moves))
