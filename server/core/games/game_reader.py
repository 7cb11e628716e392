"""Reading games from the log: outlines, whole games page by page, and which ones were archived."""

from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Sequence

from sqlalchemy import and_, func, select

from cadogan.server.core import dates, ids
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import archived_games, archives, events
from cadogan.server.core.errors import Archived, NotFound
from cadogan.server.core.event_loop import TimeSlices
from cadogan.server.core.eventlog.event_store import (
    PartedStore,
    Store,
    StoredEvent,
    StreamIncomplete,
    require_contiguous,
)
from cadogan.server.core.eventlog.events import (
    ChallengeSpoiled,
    Event,
    GameDealt,
    GameFinished,
    UnreadableEvent,
    decode_event,
)
from cadogan.server.core.eventlog.streams import game_stream, id_of
from cadogan.server.core.fairness.sealed_deals import SealedDeals
from cadogan.server.core.games import game_state
from cadogan.server.core.games.competition_rules import GameOutline, RulesRegistry
from cadogan.server.core.games.game_state import GameState, Step

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


class ArchivedGames:
    """The archived games of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def count(self) -> int:
        """Return how many games are in archives."""
        return await self._database.fetch_value(select(func.count()).select_from(archived_games)) or 0

    async def require_not_archived(self, game_id: str) -> None:
        """Check that a game is not in an archive. Raises Archived, which names the archive file."""
        if not ids.is_valid(game_id):
            return
        chosen = select(archives.c.name, archives.c.created_at).join(
            archived_games, archived_games.c.archive == archives.c.sha256
        )
        found = await self._database.fetch_one(chosen.where(archived_games.c.stream == game_stream(game_id)))
        if found is not None:
            raise Archived(
                "This game was archived on {day}. The hosts of this server have it in the file {file}: ask them.",
                day=dates.day_of(found.created_at),
                file=found.name,
            )


PAGE_EVENTS = 100
"""Events that are read from the log at once."""
FEW_EVENTS = 20
"""Up to this many events are applied without yielding to the event loop."""


class GameReader:
    """Reads the games of one log. `archived`, if given, identifies games that were moved into an archive."""

    def __init__(
        self, store: Store, deals: SealedDeals, competitions: RulesRegistry, archived: ArchivedGames | None = None
    ) -> None:
        self._store = store
        self._deals = deals
        self._competitions = competitions
        self._archived = archived
        self._slices = TimeSlices()

    async def load(self, game_id: str) -> GameState:
        """Return a game at its last version in the log. Raises NotFound."""
        return await self.read_steps(game_id, lambda _: None)

    async def read_steps(self, game_id: str, use: Callable[[Step], object], until: int | None = None) -> GameState:
        """Call `use` with every step of a game up to version `until`, and return the game after them.

        Raises NotFound, or Archived.
        """
        fold: _Fold | None = None
        async for page in self._pages(game_id, until):
            fold = fold or _Fold(None, game_id, await self._read_secret(game_id, page), self._competitions)
            await self._slices.run(map(use, map(fold.apply, page)))
        if fold is None or fold.game is None:
            if self._archived is not None:
                await self._archived.require_not_archived(game_id)
            raise NotFound("There is no such game.")
        return fold.game

    async def read_events(self, game_id: str, use: Callable[[StoredEvent], object], until: int | None = None) -> None:
        """Call `use` with every event of a game up to version `until`; never if the game does not exist."""
        async for page in self._pages(game_id, until):
            await self._slices.run(map(use, page))

    async def follow(self, game: GameState, events: Sequence[StoredEvent]) -> list[Step]:
        """Return the steps of these events, which follow directly after the given state of the game."""
        fold, steps = _Fold(game, game.id, game.secret, self._competitions), list[Step]()
        if len(events) <= FEW_EVENTS:
            return list(map(fold.apply, events))
        await self._slices.run(map(steps.append, map(fold.apply, events)))
        return steps

    async def _pages(self, game_id: str, until: int | None) -> AsyncIterator[list[StoredEvent]]:
        version = 0
        while ids.is_valid(game_id):
            wanted = PAGE_EVENTS if until is None else min(PAGE_EVENTS, until - version)
            page = await self._store.read(game_stream(game_id), version, wanted)
            require_contiguous(game_stream(game_id), version, page)
            if page:
                yield page
                version = page[-1].version
            if len(page) < wanted and until is not None:
                raise StreamIncomplete(game_stream(game_id), version + 1)
            if len(page) < PAGE_EVENTS or version == until:
                return

    async def _read_secret(self, game_id: str, events: Sequence[StoredEvent]) -> bytes:
        dealt = decode_event(events[0].type, events[0].schema, events[0].data)
        if not isinstance(dealt, GameDealt):
            raise NotFound("This game was never started.")  # its deal was spoiled before
        secret = await self._deals.get_secret(dealt.deal)
        if secret is None:
            raise UnreadableEvent(f"the deal of game {game_id} is missing")
        return secret


class _Fold:
    """Applies the events of one game, one after another."""

    def __init__(self, game: GameState | None, game_id: str, secret: bytes, competitions: RulesRegistry) -> None:
        self.game = game
        self._game_id = game_id
        self._secret = secret
        self._competitions = competitions

    def apply(self, event: StoredEvent) -> Step:
        """Apply the event and return its step."""
        step = game_state.apply(self.game, self._game_id, self._secret, event, event.command_id, self._competitions)
        self.game = step.after
        return step
