"""The games in memory, and the notification of subscribers for each commit.

The games in memory: aggregates that also store their last steps and the ids of all commands.

A game is read in pages and folded in time slices, because it may be long.
"""

from collections import deque
from collections.abc import Callable, Sequence
from typing import Self

from cadogan.server.core.clock import Clock
from cadogan.server.core.errors import GameOver, NotFound, NotYourSeat, Unauthorized
from cadogan.server.core.eventlog.aggregate import Aggregate, Aggregates, Topics
from cadogan.server.core.eventlog.commits import Commit, CommitPublisher
from cadogan.server.core.eventlog.event_store import Store, StoredEvent
from cadogan.server.core.eventlog.events import ChallengeSpoiled, Event, GameFinished
from cadogan.server.core.eventlog.projections import BoardRules, Row, project_game
from cadogan.server.core.eventlog.streams import GAMES
from cadogan.server.core.games.game_reader import GameReader
from cadogan.server.core.games.game_state import GameState, Step
from cadogan.server.core.rate_limits import TokenBucket

_ENDS = (ChallengeSpoiled, GameFinished)


class Committed(Commit[GameState], frozen=True, kw_only=True):
    """Steps of one game that are stored in the log.

    `is_end` is True if the run ended with these steps, or no longer counts because its player has seen the deal.
    """

    steps: tuple[Step, ...]
    """The steps in their order; at least one."""

    @classmethod
    def of(cls, changes: Sequence[Step], written_here: bool) -> Self:
        """Return the commit of these steps."""
        is_end = any([isinstance(step.event, _ENDS) for step in changes])
        return cls(changes[-1].after, written_here, is_end, steps=tuple(changes))

    @property
    def lifts_embargo(self) -> bool:
        """Whether the player may see others' games of the deal after these steps, and could not before."""
        return self.is_end and self.state.competition.lifts_embargo(self.state.dealt)


MAX_GAMES = 4_000
"""Maximum number of games in memory; above it, the next load evicts all games that nobody uses or watches."""
LONG_GAME_EVENTS = 1_000
"""A game with more events counts as long. It needs about 250 bytes of memory for each move that can be undone."""
MAX_LONG_GAMES_EVENTS = 250_000
"""Maximum total events of long games in memory; above it, the least recently used that nobody watches are evicted."""
MAX_RECENT_STEPS = 100
"""Steps of each game that are cached for clients that reconnect; for more steps a full view is shorter."""


class CachedGame(Aggregate[GameState]):
    """One game in memory."""

    __slots__ = ("_commands", "_recent")

    def __init__(self, stream: str) -> None:
        super().__init__(stream)
        self._recent: deque[Step] = deque(maxlen=MAX_RECENT_STEPS)
        self._commands = bytearray()  # the concatenated hashes of the ids: a tenth of the memory of a set, and as fast

    def advance(self, changes: Sequence[Step]) -> None:
        """Apply these steps, which follow directly after the current state."""
        self.state = changes[-1].after
        self._recent.extend(changes)
        for step in changes:
            self.note_command(step)

    def note_command(self, step: Step) -> None:
        """Record the id of the command that caused a step, if there was one."""
        if step.command is not None:
            self._commands += _packed_hash(step.command)

    def knows_command(self, command_id: str) -> bool:
        """Whether a command with this id was executed in the events that led to the current state."""
        return _packed_hash(command_id) in self._commands

    def remember(self, last: deque[Step]) -> None:
        """Cache these steps, the last ones that led to the current state."""
        self.state = last[-1].after
        self._recent = deque(last, MAX_RECENT_STEPS)

    def steps_after(self, version: int) -> list[Step] | None:
        """Return the steps after a version; None if they are not all in memory."""
        missing = self.state.version - version if self.state is not None else -1
        return list(self._recent)[len(self._recent) - missing :] if 0 <= missing <= len(self._recent) else None


def _packed_hash(command_id: str) -> bytes:
    return hash(command_id).to_bytes(8, "little", signed=True)


class GameCache(Aggregates[CachedGame, GameState]):
    """The games that one node has in memory."""

    prefix = GAMES
    entry_class = CachedGame
    commit_class = Committed
    max_in_memory = MAX_GAMES

    def __init__(
        self,
        store: Store,
        reader: GameReader,
        boards: BoardRules,
        commits: CommitPublisher,
        now: Clock,
        topics: Topics,
        is_watched: Callable[[str], bool],
    ) -> None:
        """`boards` decides on which leaderboards a run counts."""
        super().__init__(store, commits, now, topics, is_watched)
        self._reader = reader
        self._boards = boards

    async def load(self, entry: CachedGame, reader: TokenBucket | None = None) -> GameState:
        """Return the game of a locked entry, reading from the log what is missing. Raises the same errors as `get`."""
        is_new, game = entry.state is None, await super().load(entry, reader)
        if is_new and game.version > LONG_GAME_EVENTS:
            self._drop_long_games()
        return game

    async def get_latest(self, id: str) -> GameState:
        """Return a game at its last version in the log; a finished game is not read again. Raises NotFound."""
        game = self.cached(id)
        return game if game is not None and game.over else await super().get_latest(id)

    async def get_own(self, player: str, id: str, version: int) -> GameState:
        """Return a game that this player is playing, at this version or a later one if the log has it.

        Raises Unauthorized without a player, NotFound, NotYourSeat, and GameOver.
        """
        if not player:
            raise Unauthorized("Sign in first, or play as a guest.")
        game = await self.get(id)
        if game.player != player:
            raise NotYourSeat("This is somebody else's game.")
        if version > game.version:
            game = await self.get_latest(id)
        if game.over:
            raise GameOver("This game is over.", version=game.version)
        return game

    async def read(self, game_id: str) -> GameState:
        """Return a game without adding it to the cache; a cached copy is used if there is one. Raises NotFound."""
        return self.cached(game_id) or await self._reader.load(game_id)

    async def steps_after(self, game_id: str, version: int) -> list[Step] | None:
        """Return the steps after a version; None if there are too many, or the version does not exist. Raises NotFound.

        Many clients that reconnect at once are answered from memory; missing steps are read once for all of them.
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

    async def find_step(self, entry: CachedGame, version: int, charge: Callable[[int], None]) -> Step:
        """Return the step of a locked entry's game that produced a version.

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

    async def _read(self, entry: CachedGame) -> GameState:
        return await self._reader.read_steps(entry.id, entry.note_command)

    async def _follow(self, entry: CachedGame, events: Sequence[StoredEvent]) -> Sequence[Step]:
        assert entry.state is not None
        return await self._reader.follow(entry.state, events) if events else ()

    def _rows(self, changes: Sequence[Step]) -> tuple[Row, ...]:
        """Return the projection rows of these steps: only dealing, spoiling and ending a game change rows."""
        before, after = changes[0].before, changes[-1].after
        if before is not None and not after.over and before.spoiled == after.spoiled:
            return ()
        facts: list[tuple[Event, int]] = [(step.event, step.sealed.recorded_at) for step in changes]
        if before is not None and before.spoiled:
            facts.insert(0, (ChallengeSpoiled(after.player, after.dealt.deal), before.changed_at))
        if before is not None:
            facts.insert(0, (after.dealt, after.dealt_at))
        return project_game(after.id, facts, self._boards)

    def _topic(self, id: str) -> str:
        return id

    def _not_found(self) -> NotFound:
        return NotFound("There is no such game.")

    def _sweep(self) -> bool:
        """Evict idle games, and long games above the limit."""
        if is_due := super()._sweep():
            self._drop_long_games()
        return is_due

    def _drop_long_games(self) -> None:
        """Evict unused long games until the others have at most `MAX_LONG_GAMES_EVENTS` events."""
        long = [entry for entry in self.entries() if entry.version > LONG_GAME_EVENTS]
        events = sum(entry.version for entry in long)
        for entry in sorted(long, key=lambda entry: entry.used_at):
            if events <= MAX_LONG_GAMES_EVENTS:
                break
            if self._is_unused(entry):
                events -= entry.version
                self.drop(entry.id)
