"""Requests of players to the analysts: the analysis of a finished game, and whether a game can still be won."""

from typing import TypeVar

from cadogan.server.core.errors import Conflict, NoHints, NotFound, StaleVersion
from cadogan.server.core.event_loop import TimeSlices
from cadogan.server.core.games.access import Access
from cadogan.server.core.games.competition_rules import GameOutline
from cadogan.server.core.games.game_cache import GameCache
from cadogan.server.core.games.game_reader import GameOutlines, GameReader
from cadogan.server.core.games.game_state import GameState
from cadogan.server.core.games.history_bodies import MIN_COST, Charge, no_charge
from cadogan.server.core.games.visibility import AccessLevel
from cadogan.server.core.live.connection import Viewer, frame
from cadogan.server.core.live.hub import ANALYSES, Hub, analysis_topic, game_topic
from cadogan.server.core.rate_limits import AddressLimit
from cadogan.server.subjects.analysis.decided_positions import (
    DecidedPositions,
    moves_along,
    packed_past,
    packed_position_key,
)
from cadogan.server.subjects.analysis.findings import AnalysedRun, Findings, Run, compare, follow, read_run
from cadogan.server.subjects.analysis.jobs import WHOLE_GAME, AnalysisJobs, JobState, Watching
from cadogan.wire.analysis import Analysis, AnalysisChanged, AskIfWinnable, Comparison, Way, WayStep, Winnability
from cadogan.wire.codec import encode

MAX_RECORDED_RUNS = 64
"""Maximum number of runs whose moves are cached; least recently used ones are evicted."""
MAX_KNOWN_COMPLETE = 4096
"""Maximum number of analyses that are cached as complete; least recently shown ones are evicted."""
Value = TypeVar("Value")


class Analyses:
    """The analyses of one node. `charge` is called with the cost of a request, in events, before it is executed.

    Every method that takes a game raises NotFound, SpoilerEmbargo while the cards of the deal are secret, or Conflict
    for a game that is not over or too long.
    """

    def __init__(
        self, outlines: GameOutlines, reader: GameReader, access: Access, jobs: AnalysisJobs, hub: Hub
    ) -> None:
        self._outlines = outlines
        self._reader = reader
        self._access = access
        self._jobs = jobs
        self._hub = hub
        self._watching = Watching(jobs, self._send)
        self._runs: dict[str, Run] = {}
        self._complete: dict[str, None] = {}
        self._slices = TimeSlices()
        hub.on_change(self._on_subscription)

    async def show(self, game_id: str, charge: Charge, player: str | None = None) -> Analysis:
        """Return the analysis of a game, complete or partial, to this player."""
        game = await self._find(game_id, player)
        return await self._show(game, await self._jobs.get(game.id, WHOLE_GAME), charge)

    async def ask(self, player: str, game_id: str, charge: Charge) -> Analysis:
        """Request the analysis of a game if nobody did yet; return its present result. Raises TooMany."""
        game = await self._find(game_id, player)
        await self._load(game, charge)  # raises for a game that is too long
        person = await self._access.person_of(player)
        return await self._show(game, await self._jobs.ask(game.id, WHOLE_GAME, person), charge)

    async def winning_line(self, game_id: str, version: int, charge: Charge, player: str | None = None) -> Way:
        """Return a winning line from the position at a version. Raises NotFound if none is known."""
        game = await self._find(game_id, player)
        if not 1 <= version <= game.version:
            raise NotFound("This game has no such version.")
        analysed = await self._analysed(game, await self._jobs.get(game.id, WHOLE_GAME), charge)
        position = analysed.position_at(version)
        if analysed.positions.verdicts[position] != "won":
            raise NotFound("From this position no way to win is known.")
        line, run = analysed.positions.line(position), analysed.run
        moves, steps = [*analysed.moves_to(position), *line], list[WayStep]()
        await self._slices.run(follow(run.rules, run.seed, run.deal, moves, steps))
        return Way(game=game.id, version=version, steps=steps[len(moves) - len(line) :])

    async def compare(self, game_id: str, other_id: str, charge: Charge, player: str | None = None) -> Comparison:
        """Compare two games. Raises Conflict if they have different deals."""
        games = [await self._find(game_id, player), await self._find(other_id, player)]
        if len({(game.dealt.deal, game.dealt.nonce) for game in games}) > 1:
            raise Conflict("These two games have different deals.")
        jobs = await self._jobs.get_all([(game.id, WHOLE_GAME) for game in games])
        runs = [await self._analysed(game, jobs.get((game.id, WHOLE_GAME)), charge) for game in games]
        return compare(games, runs)

    async def subscribe(self, viewer: Viewer, game_id: str, charge: Charge, id: str | None = None) -> AnalysisChanged:
        """Send the viewer the present analysis and every later update; return the first message."""
        game = await self._find(game_id, viewer.player)
        changed = await self._changed(game, await self._jobs.get(game.id, WHOLE_GAME), charge, id)
        self._hub.subscribe(viewer, analysis_topic(game.id))
        viewer.write(frame(encode(changed)))
        return changed

    def is_done(self, game_id: str) -> bool:
        """Return whether a recently shown or sent analysis is complete."""
        return game_id in self._complete

    async def refresh(self, viewer: Viewer) -> None:
        """Send the viewer all analyses that it is subscribed to again."""
        for topic in tuple(viewer.topics):
            if topic.startswith(ANALYSES):
                await self.subscribe(viewer, topic.removeprefix(ANALYSES), no_charge)

    async def close(self) -> None:
        """Stop following the jobs."""
        await self._watching.close()

    def _on_subscription(self, topic: str) -> None:
        if topic.startswith(ANALYSES):
            game_id = topic.removeprefix(ANALYSES)
            if self._hub.has_subscribers(topic):
                self._watching.watch(game_id, WHOLE_GAME)
            else:
                self._watching.unwatch(game_id, WHOLE_GAME)

    async def _send(self, game_id: str, _version: int, state: JobState) -> None:
        game = await self._outlines.get(game_id)
        self._hub.send(analysis_topic(game_id), await self._changed(game, state, no_charge))

    async def _find(self, game_id: str, player: str | None = None) -> GameOutline:
        game = await self._outlines.get(game_id)
        await self._access.require_analysis(game, player)
        return game

    async def _changed(
        self, game: GameOutline, state: JobState | None, charge: Charge, id: str | None = None
    ) -> AnalysisChanged:
        analysed = await self._analysed(game, state, charge)
        word = state.state if state else "none"
        if word == "done":
            _remember(self._complete, game.id, None, MAX_KNOWN_COMPLETE)
        analysis = analysed.show(game.id, word, state.ahead if state else None)
        return AnalysisChanged(id=id, analysis=analysis, version=analysed.version(word))

    async def _show(self, game: GameOutline, state: JobState | None, charge: Charge) -> Analysis:
        return (await self._changed(game, state, charge)).analysis

    async def _analysed(self, game: GameOutline, state: JobState | None, charge: Charge) -> AnalysedRun:
        return AnalysedRun(await self._load(game, charge), state.findings if state else Findings())

    async def _load(self, game: GameOutline, charge: Charge) -> Run:
        run = self._runs.get(game.id)
        charge(MIN_COST if run else max(MIN_COST, game.version))
        run = run or await read_run(self._reader, game.id, game.version)
        _remember(self._runs, game.id, run, MAX_RECORDED_RUNS)
        return run


def _remember(stored: dict[str, Value], key: str, value: Value, most: int) -> None:
    """Store a value as the most recent one, and evict all but the `most` most recent."""
    stored.pop(key, None)
    stored[key] = value
    if len(stored) > most:
        del stored[next(iter(stored))]


QUESTIONS_PER_SECOND = 0.5
QUESTIONS_AT_ONCE = 5
"""Queries that one player may send per second and in one burst."""
UNATTENDED_SECONDS = 5.0
"""Seconds without an analyst at work after which the answer to a question says that nobody works on it."""
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
        game = await self._cache.get_own(player, asked.game, asked.version)
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
        figures = await self._jobs.count()
        unattended = figures.working == 0 and figures.oldest_waiting_seconds >= UNATTENDED_SECONDS
        return Winnability(
            id=asked.id, game=game.id, version=game.version, ahead=state.ahead or 0, unattended=unattended
        )

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
        before = packed_past(game, MAX_MOVES_BACK)
        keys = [packed_position_key(game.rules, game.seed, packed) for packed in before]
        known = await self._positions.get(keys)
        for index, key in enumerate(keys):
            if key in known and known[key].verdict == "won":
                return index + 1 - moves_along(game, before[:index], before[index], known[key])
        return None
