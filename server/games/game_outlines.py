"""Reads the outlines of games, which need no fold over all events."""

from collections import OrderedDict
from collections.abc import Collection, Iterable, Sequence

from sqlalchemy import and_, func, select

from cadogan.server.core import ids
from cadogan.server.core.errors import NotFound
from cadogan.server.database.connections import Database
from cadogan.server.database.tables import events
from cadogan.server.eventlog.event_store import PartedStore, StreamIncomplete
from cadogan.server.eventlog.events import ChallengeSpoiled, Event, GameDealt, GameFinished, decode_event
from cadogan.server.eventlog.streams import game_stream, id_of
from cadogan.server.games.archived_games import ArchivedGames
from cadogan.server.games.competition_rules import RulesRegistry
from cadogan.server.games.game_outline import GameOutline

MAX_REMEMBERED = 10_000
"""Cached outlines of finished games, which never change; least recently used ones are evicted."""
_TYPES = ("game_dealt", "challenge_spoiled", "game_finished")


class GameOutlines:
    """The outlines of the games in a database."""

    def __init__(self, database: Database, competitions: RulesRegistry, store: PartedStore) -> None:
        self._database = database
        self._competitions = competitions
        self._archived = ArchivedGames(database)
        self._unread = store.batcher(game_stream, self._read)
        self._over: OrderedDict[str, GameOutline] = OrderedDict()

    async def get(self, game_id: str) -> GameOutline:
        """Return the outline of a game at its last version in the log. Raises NotFound or Archived."""
        known = self._over.get(game_id)
        if known is not None:
            self._over.move_to_end(game_id)
            return known
        outline = await self._unread.get(game_id) if ids.is_valid(game_id) else None
        if outline is None:
            await self._archived.require_not_archived(game_id)
            raise NotFound("There is no such game.")
        return outline

    async def get_all(self, game_ids: Iterable[str]) -> list[GameOutline]:
        """Return the outlines of these games, in their order. Raises NotFound if one of them does not exist."""
        wanted = [*game_ids]
        unread = await self._unread.get_many([one for one in wanted if one not in self._over and ids.is_valid(one)])
        return [unread.get(one) or await self.get(one) for one in wanted]

    async def _read(self, game_ids: Collection[str]) -> dict[str, GameOutline]:
        streams = [game_stream(game_id) for game_id in game_ids]
        rows = select(events.c.stream, events.c.type, events.c.schema, events.c.data, events.c.recorded_at)
        rows = rows.where(and_(events.c.stream.in_(streams), events.c.type.in_(_TYPES))).order_by(events.c.version)
        last = select(events.c.stream, func.max(events.c.version).label("version"), func.count().label("events"))
        last = last.where(events.c.stream.in_(streams)).group_by(events.c.stream)
        facts: dict[str, list[tuple[Event, int]]] = {}
        async with self._database.reading() as connection:
            for stream, kind, schema, data, at in await connection.execute(rows):
                facts.setdefault(stream, []).append((decode_event(kind, schema, data), at))
            # Read after the facts, so that the version of a game that is over is always its last one.
            versions = {}
            for stream, version, count in await connection.execute(last):
                if count != version:
                    raise StreamIncomplete(stream)
                versions[stream] = version
        found = [self._outline(id_of(stream), versions[stream], told) for stream, told in facts.items()]
        return {outline.id: outline for outline in found if outline is not None}

    def _outline(self, game_id: str, version: int, facts: Sequence[tuple[Event, int]]) -> GameOutline | None:
        """Return the outline of a game; None if it was spoiled before it started."""
        dealt, dealt_at = facts[0]
        if not isinstance(dealt, GameDealt):
            return None
        outline = GameOutline(
            id=game_id,
            competition=self._competitions.rules_of(dealt),
            dealt=dealt,
            version=version,
            dealt_at=dealt_at,
            finished=next((event for event, _ in facts if isinstance(event, GameFinished)), None),
            spoiled=any(isinstance(event, ChallengeSpoiled) for event, _ in facts),
        )
        if outline.over:
            self._over[game_id] = outline
            if len(self._over) > MAX_REMEMBERED:
                self._over.popitem(last=False)
        return outline
