"""Reads whole games from the log in pages and time slices, so that a long game does not block the event loop."""

from collections.abc import AsyncIterator, Callable, Sequence

from cadogan.server.core import ids
from cadogan.server.core.errors import NotFound
from cadogan.server.core.time_slices import TimeSlices
from cadogan.server.eventlog.event_store import Store, StoredEvent, StreamIncomplete, require_contiguous
from cadogan.server.eventlog.events import GameDealt, UnreadableEvent, decode_event
from cadogan.server.eventlog.streams import game_stream
from cadogan.server.fairness.sealed_deals import SealedDeals
from cadogan.server.games import game_state
from cadogan.server.games.archived_games import ArchivedGames
from cadogan.server.games.competition_rules import RulesRegistry
from cadogan.server.games.game_state import GameState, Step

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
