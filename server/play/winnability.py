"""Whether a game in progress can still be won: access checks, and the answer, at once or when it is found."""

from collections.abc import Sequence

from cadogan.engine.state import pack_state, unpack_state
from cadogan.server.analysis.decided_positions import DecidedPosition, DecidedPositions, packed_position_key
from cadogan.server.analysis.jobs import AnalysisJobs, JobState
from cadogan.server.analysis.shown import follow
from cadogan.server.analysis.watching import Watching
from cadogan.server.core.errors import GameOver, NoHints, NotYourSeat, StaleVersion, Unauthorized
from cadogan.server.core.rate_limits import AddressLimit
from cadogan.server.core.time_slices import TimeSlices
from cadogan.server.games.game_cache import GameCache
from cadogan.server.games.game_state import GameState
from cadogan.server.games.visibility import AccessLevel
from cadogan.server.play.access import Access
from cadogan.server.realtime.connection import frame
from cadogan.server.realtime.hub import Hub
from cadogan.server.realtime.topics import game_topic
from cadogan.wire.analysis import AskIfWinnable, WayStep, Winnability
from cadogan.wire.codec import encode

QUESTIONS_PER_SECOND = 0.5
QUESTIONS_AT_ONCE = 5
"""Queries that one player may send per second and in one burst."""
MAX_MOVES_BACK = 500
"""Positions before a lost one that are searched for the last one that could be won."""


class WinnabilityQuestions:
    """The winnability queries of one node."""

    def __init__(
        self, cache: GameCache, access: Access, jobs: AnalysisJobs, positions: DecidedPositions, hub: Hub
    ) -> None:
        self._cache = cache
        self._access = access
        self._jobs = jobs
        self._positions = positions
        self._hub = hub
        self._limit = AddressLimit(QUESTIONS_PER_SECOND, QUESTIONS_AT_ONCE)
        self._watching = Watching(jobs, self._send)
        self._asked: dict[tuple[str, int], GameState] = {}
        self._slices = TimeSlices()

    async def answer(self, player: str, asked: AskIfWinnable) -> Winnability:
        """Return the verdict on the present position of the player's own game, or its place in the job queue.

        The verdict `lost` includes how many moves ago the game could still be won, if an earlier search found that. A
        later verdict is sent to the player's connections that are subscribed to the game.

        Raises Unauthorized, NotFound, NotYourSeat, GameOver, NoHints if the game is ranked or others may still play its
        deal, StaleVersion, RateLimited or TooMany.
        """
        if not player:
            raise Unauthorized("Sign in first, or play as a guest.")
        game = await self._cache.get(asked.game)
        if game.player != player:
            raise NotYourSeat("This is somebody else's game.")
        if asked.version > game.version:
            game = await self._cache.get_latest(asked.game)
        if game.over:
            raise GameOver("This game is over.", version=game.version)
        if not await self._access.may_ask_if_winnable(player, game):
            raise NoHints("Nobody is told whether a game that counts, or a deal that others play, can still be won.")
        if asked.version != game.version:
            raise StaleVersion("The game has moved on.", version=game.version)
        self._limit.take(player)
        state = await self._jobs.ask(game.id, game.version, await self._access.person_of(player))
        if state.state == "done":
            return await self._answer(game, state, asked.id)
        self._asked[game.id, game.version] = game
        self._watching.watch(game.id, game.version)
        return Winnability(id=asked.id, game=game.id, version=game.version, ahead=state.ahead or 0)

    async def close(self) -> None:
        """Stop waiting for answers."""
        await self._watching.close()

    async def _send(self, game_id: str, version: int, state: JobState) -> None:
        if state.state != "done":
            return
        game = self._asked[game_id, version]
        answer = await self._answer(game, state, None)
        del self._asked[game_id, version]
        self._hub.subscribers(game_topic(game.id)).by_access_level[AccessLevel.SEAT].send(frame(encode(answer)))

    async def _answer(self, game: GameState, state: JobState, id: str | None) -> Winnability:
        found = next(iter(state.findings.searched), None)
        verdict = found.verdict if found else "unknown"
        steps, since_won = list[WayStep](), None
        if verdict == "lost":
            since_won = await self._moves_since_won(game)
        if found and verdict == "won":
            moves = list(map(game.rules.move, found.line))
            await self._slices.run(follow(game.rules, game.seed, game.position.state, moves, steps))
        return Winnability(
            id=id,
            game=game.id,
            version=game.version,
            verdict=verdict,
            steps=steps or None,
            moves_since_won=since_won,
        )

    async def _moves_since_won(self, game: GameState) -> int | None:
        """Return how many moves were played since the last known winnable position; None if none is known."""
        before, past = list[bytes](), game.past
        while past is not None and len(before) < MAX_MOVES_BACK:
            before.append(past.packed)
            past = past.before
        keys = [packed_position_key(game.rules, game.seed, packed) for packed in before]
        known = await self._positions.get(keys)
        for index, key in enumerate(keys):
            if key in known and known[key].verdict == "won":
                return index + 1 - _moves_along(game, before[:index], before[index], known[key])
        return None


def _moves_along(game: GameState, after: Sequence[bytes], start: bytes, won: DecidedPosition) -> int:
    """Return how many moves the player followed the winning line from `start`.

    `after` are the packed positions of the game after `start`, latest first.
    """
    state = unpack_state(start, len(game.rules.piles))
    for count, (text, packed) in enumerate(zip(won.line, reversed(after), strict=False)):
        state = game.rules.play_legal(state, game.rules.move(text), game.seed).state
        if pack_state(state) != packed:
            return count
    return min(len(won.line), len(after))
