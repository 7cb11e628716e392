"""Carrying out what is done to games, each written to the log before it is answered.

Each command is decided by the game, written to the log, and only then answered.

lock the game ─ decide ─ append ─(committed)─ take the new state, publish it to the subscribers, answer
                   │        └─ another node was first, or the outcome is unknown: read the log, answer from it
                   └─ refused, unless this command was executed before; then its first answer is repeated
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from cadogan import engine
from cadogan.server.core.clock import Clock
from cadogan.server.core.errors import (
    AlreadyPlayed,
    CommandReused,
    NotFound,
    NotYourSeat,
    RefusalError,
    StaleVersion,
)
from cadogan.server.core.eventlog import hash_chain
from cadogan.server.core.eventlog.event_store import Append, AttemptConflict, Store, VersionConflict, require_contiguous
from cadogan.server.core.eventlog.events import (
    ChallengeSpoiled,
    Event,
    GameDealt,
    GameFinished,
    MovePlayed,
    MoveTakenBack,
    decode_event,
)
from cadogan.server.core.eventlog.streams import game_stream
from cadogan.server.core.games import game_state
from cadogan.server.core.games.competition import Competitions
from cadogan.server.core.games.competition_rules import CompetitionRules
from cadogan.server.core.games.game_cache import CachedGame, GameCache
from cadogan.server.core.games.game_state import Command, GameState, Step
from cadogan.server.core.metrics import Metrics
from cadogan.server.core.rate_limits import AddressLimit
from cadogan.wire.messages import Play, Resign, TakeBack


class Answer(NamedTuple):
    """The steps that answer a command."""

    steps: tuple[Step, ...]
    is_repeated: bool = False
    """Whether the command was executed before, so that this repeats its first answer."""


class GameCommands:
    """The commands on the games of one node."""

    def __init__(
        self,
        store: Store,
        cache: GameCache,
        competitions: Competitions,
        on_spoiled_unbegun: Callable[[str], None],
        history_limit: AddressLimit,
        metrics: Metrics,
        now: Clock,
    ) -> None:
        """`history_limit` is charged for the events of a game or an old command that must be read from the log.

        `on_spoiled_unbegun` is called, after the event is stored, with a player who was shown a deal without having
        started it: such a deal has no game that could publish this.
        """
        self._store = store
        self._cache = cache
        self._competitions = competitions
        self._on_spoiled_unstarted = on_spoiled_unbegun
        self._history_limit = history_limit
        self._moves = {slug: metrics.moves.labels(slug) for slug in engine.slugs()}
        self._games = {slug: metrics.games.labels(slug) for slug in engine.slugs()}
        self._now = now
        cache.on_append = metrics.append_seconds.observe

    async def deal(self, game_id: str, dealt: GameDealt, secret: bytes, at: int) -> GameState:
        """Deal a game at the time `at`, or return the existing game with this id.

        Raises NotFound if the first event of its stream is not the deal, AlreadyPlayed if the player has another
        attempt.
        """
        return await self.begin(game_state.deal(game_id, dealt, secret, at, self._competitions.rules))

    async def find(self, game_id: str) -> GameState | None:
        """Return the game with this id, or None."""
        try:
            return await self._cache.get(game_id)
        except NotFound:
            return None

    async def begin(self, steps: Sequence[Step]) -> GameState:
        """Start a game with these steps, the first of which is the deal, or return the existing game with its id.

        Raises as `deal`.
        """
        entry = self._cache.entry(steps[0].after.id)
        async with entry.lock:
            if entry.state is not None:
                return await self._cache.load(entry)
            try:
                await self._cache.append(entry, steps)
            except VersionConflict:
                return await self._cache.load(entry)
            except AttemptConflict:
                raise AlreadyPlayed("You have played this deal.") from None
            self._games[steps[0].after.dealt.game].inc()
            return steps[-1].after

    async def carry_out(self, player: str, command: Command) -> Answer:
        """Execute a command; if it was executed before, return its first answer.

        Raises NotFound, NotYourSeat, CommandReused, what the competition raises for a game that accepts no more
        commands, or what `game_state.decide` and `game_state.require_room` raise. Raises StoreUnavailable if it is
        unknown whether it was written: the client then sends the same command again.
        """
        entry = self._cache.entry(command.game)
        async with entry.lock:
            game = entry.state
            if game is None or entry.is_doubtful:
                game = await self._cache.load(entry, self._history_limit.bucket(player))
            if game.dealt.player != player:
                raise NotYourSeat("This is somebody else's game.")
            if command.version > game.version:
                game = await self._cache.catch_up(entry)
            if not entry.knows_command(command.id):
                try:
                    return Answer(tuple(await self._decide_and_append(entry, game, command)))
                except RefusalError:
                    if not entry.knows_command(command.id):
                        raise
            return Answer((await self._first_answer(entry, player, command),), is_repeated=True)

    async def end_on_time(self, game_id: str, at: int) -> GameState:
        """End a game whose time was up at this time, if it is not over; return the game.

        Raises NotFound, and ValueError if the competition's rules do not say when its games may be ended.
        """
        return await self._cache.change(game_id, partial(_end_on_time, at=at))

    async def end_idle(self, game_id: str, at: int) -> GameState:
        """End a game without a move for a long time, if it is not over; return it. Raises NotFound."""
        return await self._cache.change(game_id, partial(game_state.end_idle, at=at))

    async def end_at_dead_end(self, game_id: str) -> GameState:
        """End a game if no move is left in it; return the game. Raises NotFound."""
        return await self._cache.change(game_id, game_state.end_at_dead_end)

    async def spoil(self, game_id: str, player: str, deal: str) -> None:
        """Mark the attempt with this id as spoiled, started or not; a finished one is not changed."""
        entry = self._cache.entry(game_id)
        async with entry.lock:
            while not await self._spoil(entry, ChallengeSpoiled(player, deal)):
                pass  # another writer was first: read again

    async def _decide_and_append(self, entry: CachedGame, game: GameState, command: Command) -> list[Step]:
        now = self._now()
        if game.competition.is_shared:
            await self._competitions.of(game).require_open(game, now)
        steps = game_state.decide(game, command, now)
        game_state.require_room(game, steps)
        try:
            await self._cache.append(entry, steps, command.id)
        except VersionConflict:
            latest = await self._cache.catch_up(entry)
            raise StaleVersion("The game has moved on.", version=latest.version) from None
        if isinstance(steps[0].event, MovePlayed):
            self._moves[game.dealt.game].inc()
        return steps

    async def _spoil(self, entry: CachedGame, event: ChallengeSpoiled) -> bool:
        """Write that an attempt is spoiled, unless it is spoiled or over; return False if this must be tried again."""
        stream = game_stream(entry.id)
        before = await self._store.read(stream, limit=1) if entry.state is None else ()
        require_contiguous(stream, 0, before)
        try:
            if entry.state is not None or (before and before[0].type == "game_dealt"):
                game = await self._cache.catch_up(entry)
                if not (game.over or game.spoiled):
                    await self._cache.append(entry, [game_state.spoil(game, self._now())])
            elif not before:
                sealed = hash_chain.chain_event(hash_chain.START_HASH, stream, 1, event, self._now())
                await self._store.append(Append(stream, None, (sealed,)))
                self._on_spoiled_unstarted(event.player)
        except VersionConflict:
            return False
        return True

    async def _first_answer(self, entry: CachedGame, player: str, command: Command) -> Step:
        """Return the step of an earlier command with the same id.

        Raises CommandReused, or RateLimited if the player requests too many old answers.
        """
        if entry.state is not None and command.version < entry.state.version:
            for stored in await self._store.read(game_stream(command.game), command.version, limit=1):
                event = decode_event(stored.type, stored.schema, stored.data)
                if stored.command_id == command.id and _matches_command(command, event):
                    return await self._cache.find_step(entry, stored.version, partial(self._history_limit.take, player))
        raise CommandReused("This id belongs to another command.")


def _end_on_time(game: GameState, at: int) -> list[Step]:
    rules = game.competition
    if type(rules).earliest_timeout is CompetitionRules.earliest_timeout:
        raise ValueError(f"the rules of the competition {rules.key!r} do not say when its games end: earliest_timeout")
    return game_state.end_on_time(game, at)


def _matches_command(command: Command, event: Event) -> bool:
    match command:
        case Play(move=move):
            return isinstance(event, MovePlayed) and event.move == move
        case TakeBack():
            return isinstance(event, MoveTakenBack)
        case Resign():
            return isinstance(event, GameFinished) and event.result in ("resigned", "lost")
