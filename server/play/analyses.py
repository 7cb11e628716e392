"""Analyses of finished games: requested, shown, and pushed to subscribers, with access checks."""

from typing import TypeVar

from cadogan.server.analysis.findings import Findings
from cadogan.server.analysis.jobs import WHOLE_GAME, AnalysisJobs, JobState
from cadogan.server.analysis.run import Run, read_run
from cadogan.server.analysis.shown import AnalysedRun, compare, follow
from cadogan.server.analysis.watching import Watching
from cadogan.server.core.errors import Conflict, NotFound
from cadogan.server.core.time_slices import TimeSlices
from cadogan.server.games.game_outline import GameOutline
from cadogan.server.games.game_outlines import GameOutlines
from cadogan.server.games.game_reader import GameReader
from cadogan.server.play.access import Access
from cadogan.server.play.history_bodies import MIN_COST, Charge, no_charge
from cadogan.server.realtime.connection import Viewer, frame
from cadogan.server.realtime.hub import Hub
from cadogan.server.realtime.topics import ANALYSES, analysis_topic
from cadogan.wire.analysis import Analysis, AnalysisChanged, Comparison, Way, WayStep
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

    async def show(self, game_id: str, charge: Charge) -> Analysis:
        """Return the analysis of a game, complete or partial."""
        game = await self._find(game_id)
        return await self._show(game, await self._jobs.get(game.id, WHOLE_GAME), charge)

    async def ask(self, player: str, game_id: str, charge: Charge) -> Analysis:
        """Request the analysis of a game if nobody did yet; return its present result. Raises TooMany."""
        game = await self._find(game_id)
        await self._load(game, charge)  # raises for a game that is too long
        person = await self._access.person_of(player)
        return await self._show(game, await self._jobs.ask(game.id, WHOLE_GAME, person), charge)

    async def way(self, game_id: str, version: int, charge: Charge) -> Way:
        """Return a winning line from the position at a version. Raises NotFound if none is known."""
        game = await self._find(game_id)
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

    async def compare(self, game_id: str, other_id: str, charge: Charge) -> Comparison:
        """Compare two games. Raises Conflict if they have different deals."""
        games = [await self._find(game_id), await self._find(other_id)]
        if len({(game.dealt.deal, game.dealt.nonce) for game in games}) > 1:
            raise Conflict("These two games have different deals.")
        jobs = await self._jobs.get_all([(game.id, WHOLE_GAME) for game in games])
        runs = [await self._analysed(game, jobs.get((game.id, WHOLE_GAME)), charge) for game in games]
        return compare(games, runs)

    async def subscribe(self, viewer: Viewer, game_id: str, charge: Charge, id: str | None = None) -> AnalysisChanged:
        """Send the viewer the present analysis and every later update; return the first message."""
        game = await self._find(game_id)
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

    async def _find(self, game_id: str) -> GameOutline:
        game = await self._outlines.get(game_id)
        await self._access.require_analysis(game)
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
