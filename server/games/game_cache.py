"""The sittings in memory: loaded from the log when somebody asks, kept while in use, forgotten when idle.

What is in memory is a copy that may lag behind the log, when another node has played or when nobody knows whether an
append went in; `bring_up_to_date` then reads what is missing and tells the viewers of it. Memory is never the truth.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Collection, Sequence

from server.cluster.bus import Bus
from server.core import ids
from server.core.batching import Batcher
from server.core.errors import NotFound
from server.eventlog.event_store import Store, StoredEvent
from server.eventlog.events import GameDealt, UnreadableEvent, decode_event
from server.fairness.sealed_deals import SealedDeals
from server.games import game_state
from server.games.game_state import GameState, Step

IDLE = 5 * 60 * 1000
"""Milliseconds after which a sitting that nobody uses or follows is forgotten."""
SWEEP = 30 * 1000
"""Milliseconds between two looks for idle sittings."""
MOST = 4_000
"""Sittings in memory; beyond it, whatever nobody follows is forgotten at the next load."""
RECALLED = 100
"""Steps of each that are kept for those who come back; beyond it a fresh view is shorter."""


class Live:
    """One sitting in memory. Hold `lock` while changing it; `doubtful` when an append may or may not have gone in."""

    __slots__ = ("_steps", "doubtful", "id", "lock", "sitting", "used_at")

    def __init__(self, game_id: str) -> None:
        self.id = game_id
        self.lock = asyncio.Lock()
        self.sitting: GameState | None = None
        self.doubtful = False
        self.used_at = 0
        self._steps: deque[Step] = deque(maxlen=RECALLED)

    def take(self, steps: Sequence[Step]) -> None:
        """The sitting got on by these steps, the next after those before."""
        self.sitting = steps[-1].after
        self._steps.extend(steps)

    def recall(self, history: Sequence[Step]) -> None:
        """Remember the last steps that led here, from the game's whole history."""
        assert self.sitting is not None
        self._steps = deque(history[: self.sitting.version], RECALLED)

    def after(self, version: int) -> list[Step] | None:
        """The steps after a version, if they are remembered."""
        missing = self.sitting.version - version if self.sitting is not None else -1
        return list(self._steps)[len(self._steps) - missing :] if 0 <= missing <= len(self._steps) else None


class GameCache:
    """The sittings of one node. `followed` says whether somebody follows a game, `tell` is given what others played."""

    def __init__(
        self,
        store: Store,
        deals: SealedDeals,
        now: Callable[[], int],
        followed: Callable[[str], bool],
        tell: Callable[[Sequence[Step]], None],
        bus: Bus,
    ) -> None:
        self._store = store
        self._deals = deals
        self._now = now
        self._followed = followed
        self._tell = tell
        self._bus = bus
        self._unread = Batcher(self._later)
        self._live: dict[str, Live] = {}
        self._swept_at = 0

    def __len__(self) -> int:
        return len(self._live)

    def at(self, game_id: str) -> Live:
        """The place of a game in memory, empty if it has not been loaded; lock it, then ask `current`."""
        live = self._live.get(game_id)
        if live is None:
            self._sweep()
            live = self._live[game_id] = Live(game_id)
            if ids.is_valid(game_id):
                self._bus.subscribe(game_id)
        live.used_at = self._now()
        return live

    def here(self, game_id: str) -> GameState | None:
        """The sitting if it is in memory, however old."""
        live = self._live.get(game_id)
        return live.sitting if live else None

    def keeps(self, game_id: str) -> bool:
        """Whether the game has a place in memory, though it may still be empty."""
        return game_id in self._live

    def versions(self) -> dict[str, int]:
        """The games in memory, and where each is."""
        return {name: live.sitting.version for name, live in self._live.items() if live.sitting is not None}

    async def current(self, live: Live) -> GameState:
        """The sitting of a locked place, loaded or brought up to date where need be. Raises NotFound."""
        if live.sitting is None:
            live.sitting = await self._load(live)
        elif live.doubtful:
            return await self.bring_up_to_date(live)
        return live.sitting

    async def get(self, game_id: str) -> GameState:
        """A game's sitting. Raises NotFound."""
        live = self.at(game_id)
        if live.sitting is not None and not live.doubtful:
            return live.sitting
        async with live.lock:
            return await self.current(live)

    async def bring_up_to_date(self, live: Live) -> GameState:
        """Follow the log from where the sitting of a locked place is, and tell the viewers of each step."""
        now = live.sitting
        if now is None:
            return await self.current(live)
        steps = []
        for event in await self._unread.get((game_state.stream(live.id), now.version)) or ():
            step = game_state.follow(now, live.id, now.secret, event, event.command_id)
            steps.append(step)
            now = step.after
        live.doubtful = False
        if steps:
            live.take(steps)
            self._tell(steps)
        return now

    async def woken(self, game_id: str, version: int) -> None:
        """Another node says that a game has come to this version."""
        live = self._live.get(game_id)
        if live is None or (live.sitting is not None and live.sitting.version >= version):
            return
        async with live.lock:
            if live.sitting is not None and live.sitting.version < version:
                await self.bring_up_to_date(live)

    async def peek(self, game_id: str) -> GameState:
        """A game's sitting, without keeping it in memory for that. Raises NotFound."""
        here = self.here(game_id)
        if here is not None:
            return here
        events = await self._events(game_id)
        return game_state.fold(game_id, await self._secret(game_id, events), events)

    async def history(self, game_id: str) -> list[Step]:
        """Every step of a game, from its deal. Raises NotFound."""
        events = await self._events(game_id)
        secret = await self._secret(game_id, events)
        steps: list[Step] = []
        for event in events:
            before = steps[-1].after if steps else None
            steps.append(game_state.follow(before, game_id, secret, event, event.command_id))
        return steps

    async def missed(self, game_id: str, since: int) -> list[Step] | None:
        """The steps after a version; None if they are too many, or there is no such version. Raises NotFound.

        A crowd that comes back is told from memory; what memory lacks is read once for all of them.
        """
        live = self.at(game_id)
        now = await self.get(game_id)
        if not 0 < since <= now.version or now.version - since > RECALLED:
            return None
        if live.after(since) is None:
            async with live.lock:
                if live.after(since) is None:
                    await self.current(live)
                    live.recall(await self.history(game_id))
        return live.after(since)

    async def _load(self, live: Live) -> GameState:
        try:
            events = await self._events(live.id)
            return game_state.fold(live.id, await self._secret(live.id, events), events)
        except BaseException:
            if self._live.get(live.id) is live:
                self._drop(live.id)
            raise

    async def _later(self, asked: Collection[tuple[str, int]]) -> dict[tuple[str, int], list[StoredEvent]]:
        """What the log has after these versions of streams, read at once: moves elsewhere come in crowds."""
        # If a stream is asked for twice, the smaller version counts.
        found = await self._store.read_many(dict(sorted(asked, reverse=True)))
        return {
            (stream, version): [event for event in found.get(stream, ()) if event.version > version]
            for stream, version in asked
        }

    async def _events(self, game_id: str) -> list[StoredEvent]:
        return await self._store.read(game_state.stream(game_id)) if ids.is_valid(game_id) else []

    async def _secret(self, game_id: str, events: Sequence[StoredEvent]) -> bytes:
        if not events:
            raise NotFound("There is no such game.")
        dealt = decode_event(events[0].type, events[0].schema, events[0].data)
        if not isinstance(dealt, GameDealt):
            raise NotFound("This game was never begun.")  # its deal was spoiled before
        secret = await self._deals.get_secret(dealt.deal)
        if secret is None:
            raise UnreadableEvent(f"the deal of game {game_id} is missing")
        return secret

    def _sweep(self) -> None:
        now = self._now()
        if now - self._swept_at < SWEEP and len(self._live) < MOST:
            return
        self._swept_at = now
        patience = IDLE if len(self._live) < MOST else 0
        for game_id, live in tuple(self._live.items()):
            if now - live.used_at >= patience and not live.lock.locked() and not self._followed(game_id):
                self._drop(game_id)

    def _drop(self, game_id: str) -> None:
        del self._live[game_id]
        self._bus.unsubscribe(game_id)
