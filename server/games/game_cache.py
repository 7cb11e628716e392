"""The games in memory: loaded from the log when somebody asks, kept while in use, dropped when idle.

What is in memory is a copy that may lag behind the log, when another node has played or when it is not known whether
an append was written; `catch_up` then reads what is missing and publishes it. Memory is never the truth.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Collection, Sequence

from cadogan.server.cluster.bus import Bus
from cadogan.server.core import ids
from cadogan.server.core.clock import Clock
from cadogan.server.core.errors import NotFound
from cadogan.server.core.rate_limits import TokenBucket
from cadogan.server.eventlog.background_tasks import WAKE_UP_SECONDS, BackgroundTasks
from cadogan.server.eventlog.event_store import Store, StreamIncomplete
from cadogan.server.eventlog.streams import game_stream, id_of
from cadogan.server.games.commits import CommitPublisher, Committed
from cadogan.server.games.game_reader import GameReader
from cadogan.server.games.game_state import GameState, Step

IDLE_MILLISECONDS = 5 * 60 * 1000
"""Milliseconds after which a game that nobody uses or watches is dropped."""
SWEEP_INTERVAL_MILLISECONDS = 30 * 1000
"""Milliseconds between two searches for idle games."""
MAX_GAMES = 4_000
"""Games in memory; beyond it, whatever nobody watches is dropped at the next load."""
LONG_GAME_EVENTS = 1_000
"""A game with more events is a long one. It needs about 250 bytes of memory for each move that can be taken back."""
MAX_LONG_GAMES_EVENTS = 250_000
"""Events of all long games in memory; beyond it, those used least recently are dropped unless somebody watches them."""
MAX_RECENT_STEPS = 100
"""Steps of each game that are kept for those who reconnect; for more than these a fresh view is shorter."""


class CachedGame:
    """One game in memory. Hold `lock` while changing it; `state` is None until it has been loaded.

    It `is_doubtful` after an append of which nobody knows whether it was written.
    """

    __slots__ = ("_commands", "_recent", "id", "is_doubtful", "lock", "state", "used_at")

    def __init__(self, game_id: str) -> None:
        self.id = game_id
        self.lock = asyncio.Lock()
        self.state: GameState | None = None
        self.is_doubtful = False
        self.used_at = 0
        self._recent: deque[Step] = deque(maxlen=MAX_RECENT_STEPS)
        self._commands = bytearray()  # the hash of each id: a tenth of the memory of a set, and searched as fast

    def advance(self, steps: Sequence[Step]) -> None:
        """Take these steps, which follow those before."""
        self.state = steps[-1].after
        self._recent.extend(steps)
        for step in steps:
            self.note_command(step)

    def note_command(self, step: Step) -> None:
        """Know the command by which a step was carried out, if there was one."""
        if step.command is not None:
            self._commands += _packed_hash(step.command)

    def knows_command(self, command_id: str) -> bool:
        """Whether a command of this id was carried out, in the part of the log that the state here is of."""
        return _packed_hash(command_id) in self._commands

    def remember(self, last: deque[Step]) -> None:
        """Keep these steps, the last of those that led to the state here."""
        self.state = last[-1].after
        self._recent = deque(last, MAX_RECENT_STEPS)

    def steps_after(self, version: int) -> list[Step] | None:
        """Return the steps after a version; None if they are not all kept."""
        missing = self.state.version - version if self.state is not None else -1
        return list(self._recent)[len(self._recent) - missing :] if 0 <= missing <= len(self._recent) else None


def _packed_hash(command_id: str) -> bytes:
    return hash(command_id).to_bytes(8, "little", signed=True)


class GameCache:
    """The games that one node has in memory."""

    def __init__(
        self,
        store: Store,
        reader: GameReader,
        bus: Bus,
        commits: CommitPublisher,
        is_watched: Callable[[str], bool],
        now: Clock,
    ) -> None:
        """Read from this store. `is_watched` tells, by its id, whether anybody here watches a game."""
        self._store = store
        self._reader = reader
        self._bus = bus
        self._commits = commits
        self._is_watched = is_watched
        self._now = now
        self._entries: dict[str, CachedGame] = {}
        self._swept_at = 0
        self.background = BackgroundTasks()

    def __len__(self) -> int:
        return len(self._entries)

    def entry(self, game_id: str) -> CachedGame:
        """Return the entry of a game, empty if it has not been loaded; lock it, then ask `load`.

        Raises NotFound for what has not the form of an id.
        """
        entry = self._entries.get(game_id)
        if entry is None:
            if not ids.is_valid(game_id):
                raise NotFound("There is no such game.")
            self._sweep()
            entry = self._entries[game_id] = CachedGame(game_id)
            self._bus.subscribe(game_id)
        entry.used_at = self._now()
        return entry

    def cached(self, game_id: str) -> GameState | None:
        """Return the game if it is in memory, however old that copy is."""
        entry = self._entries.get(game_id)
        return entry.state if entry else None

    async def load(self, entry: CachedGame, reader: TokenBucket | None = None) -> GameState:
        """Return the game of a locked entry, read or caught up where need be. Raises as `get`."""
        if entry.state is None:
            entry.state = await self._load(entry, reader)
            if entry.state.version > LONG_GAME_EVENTS:
                self._drop_long_games()
        elif entry.is_doubtful:
            return await self.catch_up(entry)
        return entry.state

    async def get(self, game_id: str, reader: TokenBucket | None = None) -> GameState:
        """Return a game as this node has it, which may be a little late.

        If it has to be read, `reader` pays a token for each event. Raises NotFound, and RateLimited while the reader
        has not paid for what was read before.
        """
        entry = self.entry(game_id)
        if entry.state is not None and not entry.is_doubtful:
            return entry.state
        async with entry.lock:
            return await self.load(entry, reader)

    async def get_latest(self, game_id: str) -> GameState:
        """Return a game as the log has it now. Raises NotFound."""
        entry = self.entry(game_id)
        async with entry.lock:
            game = await self.load(entry)
            return game if game.over else await self.catch_up(entry)

    async def catch_up(self, entry: CachedGame) -> GameState:
        """Read what the log has after the state of a locked entry, and publish it. Raises NotFound."""
        game = entry.state
        if game is None:
            return await self.load(entry)
        steps = await self._reader.follow(game, await self._store.read_later(game_stream(entry.id), game.version))
        entry.is_doubtful = False
        if not steps:
            return game
        entry.advance(steps)
        self._commits.publish(Committed.of_steps(steps, written_here=False))
        return steps[-1].after

    async def catch_up_to(self, game_id: str, version: int) -> None:
        """Catch up with a game in memory that another node has brought to this version; do nothing for others.

        Raises StreamIncomplete as long as the log does not show this version: who asks again later gets it.
        """
        entry = self._entries.get(game_id)
        if entry is None or (entry.state is not None and entry.state.version >= version):
            return
        async with entry.lock:
            if entry.state is not None and entry.state.version < version:
                game = await self.catch_up(entry)
                if game.version < version:
                    raise StreamIncomplete(game_stream(game_id), game.version + 1)

    def on_wake_up(self, game_id: str, version: int) -> None:
        """Catch up in the background with a game that another node has brought to this version, or says so."""
        if game_id in self._entries:
            self.background.start_for(WAKE_UP_SECONDS, self.catch_up_to, game_id, version)

    async def resync(self, topics: Collection[str] | None) -> None:
        """Catch up with every game in memory that has moved on, of these topics or of all if None."""
        versions = {
            game_stream(name): entry.state.version
            for name, entry in self._entries.items()
            if entry.state is not None and (topics is None or name in topics)
        }
        async for stream, version in self._store.last_versions(versions):
            if version > versions[stream]:
                await self.catch_up_to(id_of(stream), version)

    async def read(self, game_id: str) -> GameState:
        """Return a game without keeping it in memory; a copy that is there already serves. Raises NotFound."""
        return self.cached(game_id) or await self._reader.load(game_id)

    async def steps_after(self, game_id: str, version: int) -> list[Step] | None:
        """Return the steps after a version; None if they are too many, or there is no such version. Raises NotFound.

        A crowd that reconnects is answered from memory; what memory lacks is read once for all of them.
        """
        entry = self.entry(game_id)
        game = await self.get(game_id)
        if not 0 < version <= game.version or game.version - version > MAX_RECENT_STEPS:
            return None
        if entry.steps_after(version) is None:
            async with entry.lock:
                if entry.steps_after(version) is None:
                    game, last = await self.load(entry), deque[Step](maxlen=MAX_RECENT_STEPS)
                    await self._reader.read_steps(game_id, last.append, game.version)
                    entry.remember(last)
        return entry.steps_after(version)

    async def step_to(self, entry: CachedGame, version: int, charge: Callable[[int], None]) -> Step:
        """Return the step that brought the game of a locked entry to a version.

        If it is not in memory, `charge` is called with the number of events to read. Raises NotFound, or what `charge`
        raises.
        """
        recent = entry.steps_after(version - 1)
        if recent:
            return recent[0]
        charge(version)
        last = deque[Step](maxlen=1)
        await self._reader.read_steps(entry.id, last.append, version)
        return last[0]

    async def _load(self, entry: CachedGame, reader: TokenBucket | None) -> GameState:
        try:
            if reader is not None:
                reader.take()
            game = await self._reader.read_steps(entry.id, entry.note_command)
            if reader is not None:
                reader.owe(game.version - 1)
            return game
        except BaseException:
            if self._entries.get(entry.id) is entry:
                self.drop(entry.id)
            raise

    def _sweep(self) -> None:
        now = self._now()
        if now - self._swept_at < SWEEP_INTERVAL_MILLISECONDS and len(self._entries) < MAX_GAMES:
            return
        self._swept_at = now
        idle_milliseconds = IDLE_MILLISECONDS if len(self._entries) < MAX_GAMES else 0
        for entry in tuple(self._entries.values()):
            if now - entry.used_at >= idle_milliseconds and self._is_unused(entry):
                self.drop(entry.id)
        self._drop_long_games()

    def _drop_long_games(self) -> None:
        """Keep the long games in memory below `MAX_LONG_GAMES_EVENTS`, as far as nobody uses them."""
        versions = {entry: entry.state.version for entry in self._entries.values() if entry.state is not None}
        long = {entry: version for entry, version in versions.items() if version > LONG_GAME_EVENTS}
        events = sum(long.values())
        for entry in sorted(long, key=lambda entry: entry.used_at):
            if events <= MAX_LONG_GAMES_EVENTS:
                break
            if self._is_unused(entry):
                self.drop(entry.id)
                events -= long[entry]

    def _is_unused(self, entry: CachedGame) -> bool:
        return not entry.lock.locked() and not self._is_watched(entry.id)

    async def wait_until_idle(self) -> None:
        """Wait until no game is being caught up with in the background."""
        await self.background.wait_until_idle()

    async def close(self) -> None:
        """Let what is under way end."""
        await self.background.close()

    def drop_unused(self, game_id: str) -> None:
        """Drop a game from memory, unless somebody uses or watches it."""
        entry = self._entries.get(game_id)
        if entry is not None and self._is_unused(entry):
            self.drop(game_id)

    def drop(self, game_id: str) -> None:
        """Drop a game from memory; it is read again when somebody asks for it. Nobody may hold its lock."""
        del self._entries[game_id]
        self._bus.unsubscribe(game_id)
