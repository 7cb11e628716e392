"""Live progress of a day's ranked runs, for the days that viewers on this node watch."""

import asyncio
from collections.abc import Collection
from heapq import nsmallest

import structlog

from cadogan.server.core.clock import Clock
from cadogan.server.core.cluster.bus import DAY_PREFIX, DISQUALIFICATION_PREFIX, Bus, WakeUpHandlers, day_topic
from cadogan.server.core.errors import NotFound
from cadogan.server.core.event_loop import Coalescer
from cadogan.server.core.eventlog.background_tasks import BackgroundPart, as_unavailable
from cadogan.server.core.eventlog.event_store import Store
from cadogan.server.core.eventlog.streams import GAMES, game_stream, id_of
from cadogan.server.core.games.game_cache import Committed, GameCache
from cadogan.server.core.games.game_index import GameIndex
from cadogan.server.core.games.game_messages import Progress, progress_of
from cadogan.server.core.games.game_state import GameState
from cadogan.server.core.live.connection import Viewer, frame
from cadogan.server.core.live.hub import Hub
from cadogan.server.core.people import Persons, PlayerCache
from cadogan.server.core.ranking import progress_rank_key
from cadogan.server.core.shares import SharedLock
from cadogan.server.subjects.daily.challenges import DailyChallenges
from cadogan.server.subjects.daily.days import DayCommitted
from cadogan.server.subjects.leaderboards.disqualified_runs import DisqualifiedRuns, shown_strike
from cadogan.wire import messages as wire
from cadogan.wire.codec import encode
from cadogan.wire.values import Meter

MAX_SHOWN_RUNS = 100
"""The maximum number of runs of each deal in the first message. Others are sent when they change."""
MAX_RUNS_PER_MESSAGE = 100
"""The maximum number of runs in one message; the others wait for the next interval, to limit traffic when many play."""
MAX_READS_PER_SECOND = 100
"""The maximum number of runs changed on other nodes that are read from the log each second."""
CHOICE_SECONDS = 1.0
"""Seconds for which the choice of the furthest runs is cached; their progress is always current."""

log = structlog.stdlib.get_logger("cadogan.daily")


class DailyProgress(BackgroundPart):
    """The days that are watched on one node."""

    def __init__(
        self,
        challenges: DailyChallenges,
        cache: GameCache,
        index: GameIndex,
        disqualified_runs: DisqualifiedRuns,
        store: Store,
        players: PlayerCache,
        persons: Persons,
        hub: Hub,
        coalescer: Coalescer,
        bus: Bus,
        now: Clock,
    ) -> None:
        super().__init__()
        self._challenges = challenges
        self._cache = cache
        self._index = index
        self._disqualified_runs = disqualified_runs
        self._store = store
        self._players = players
        self._persons = persons
        self._hub = hub
        self._coalescer = coalescer
        self._bus = bus
        self._now = now
        self._runs: dict[str, dict[str, Progress]] = {}
        self._leading_runs: dict[str, tuple[float, tuple[str, ...]]] = {}
        self._unsent: dict[str, dict[str, Progress]] = {}
        self._loading = SharedLock()
        self._unread: dict[str, int] = {}
        self._is_reading = False

    async def subscribe(self, viewer: Viewer, day: str, id: str | None) -> None:
        """Send the progress in a day's deals, now and at every change. Raises NotFound."""
        now = self._now()
        daily = await self._challenges.get(day, now)
        if daily is None:
            raise NotFound("There is no challenge on that day.")
        async with self._loading:
            if day not in self._runs:
                await self._load(day, daily.deals)
        person = await self._persons.person_of(viewer.player) if viewer.player else None
        own = (daily.attempt(deal, person) for deal in daily.deals) if person else ()
        runs = self._runs[day]
        games = [
            runs[game_id].at(now)
            for game_id in dict.fromkeys((*self._chosen(day), *own))
            if game_id in runs and runs[game_id].meter.struck is None
        ]
        # No await from here to the end, so that no change is lost between this message and the next.
        state = (self._challenges.cached(day) or daily).state(now)
        self._hub.subscribe(viewer, day_topic(day))
        viewer.write(frame(encode(wire.DayProgress(day=day, games=games, id=id, state=state))))

    async def refresh(self, viewer: Viewer) -> None:
        """Send the full progress of every day that the viewer watches again."""
        for topic in tuple(viewer.topics):
            if topic.startswith(DAY_PREFIX):
                await self.subscribe(viewer, id_of(topic), None)

    def on_day_change(self, committed: DayCommitted) -> None:
        """Notify the viewers of a day that it was opened or closed."""
        daily = committed.state
        self._hub.send(day_topic(daily.day), wire.DayProgress(day=daily.day, games=[], state=daily.state(self._now())))

    def on_commit(self, committed: Committed) -> None:
        """Send the progress of a run, if somebody watches its day."""
        self.show(committed.state)

    def show(self, game: GameState) -> None:
        """Send the progress of a run. A run that no longer counts is sent once more, then left out."""
        day = game.dealt.day
        if day is None or day not in self._runs or not game.dealt.ranked:
            return
        runs = self._runs[day]
        known = runs.get(game.id)
        if known.version >= game.version if known else game.spoiled:
            return
        if game.spoiled:
            del runs[game.id]
        progress = progress_of(game, known.meter.player if known else self._players.cached_player(game.player))
        if known:
            progress = progress.with_disqualification(known.meter.struck)
        if game.ranked:
            runs[game.id] = progress
        self._schedule_send(day, progress)

    def on_disqualification(self, game_id: str, _: int) -> None:
        """Remove a struck run from the progress of its day, or show it again if it was restored."""
        if any(game_id in runs for runs in self._runs.values()):
            self.background.start(self._read_strikes, [game_id])

    def wake_up_handlers(self) -> WakeUpHandlers:
        """Return the handlers of wake-ups for changed games, and for struck or restored runs."""
        return {GAMES: self.on_wake_up, DISQUALIFICATION_PREFIX: self.on_disqualification}

    def on_wake_up(self, game_id: str, version: int) -> None:
        """Read a game that another node has changed, if it may be a run of a watched day.

        The cache updates the games in memory. Other games are read one after another, once for any number of queued
        moves.
        """
        if self._runs and self._cache.cached(game_id) is None:
            self._read_later(game_id, version)

    async def resync(self, topics: Collection[str] | None) -> None:
        """Read the runs that have changed, of the days among these topics, or of all days if None."""
        for day in [day for day in self._runs if topics is None or day_topic(day) in topics]:
            await self._read_strikes(list(self._runs.get(day, ())))
            known = {game_stream(game_id): version for game_id, version in (await self._versions(day)).items()}
            async for stream, version in self._store.last_versions(known):
                if version > known[stream]:
                    await self._read(id_of(stream))

    async def close(self) -> None:
        """Start no more reads, and wait for the current one."""
        self._unread.clear()
        await super().close()

    async def _versions(self, day: str) -> dict[str, int]:
        """Return every run of a day with the version that was sent last; 0 for a run that was not sent yet."""
        daily = await self._challenges.get(day, self._now())
        begun = await self._index.attempts_at(daily.deals) if daily else []
        shown = {game_id: progress.version for game_id, progress in self._runs.get(day, {}).items()}
        return dict.fromkeys(begun, 0) | shown

    def _read_later(self, game_id: str, version: int) -> None:
        self._unread[game_id] = version
        if not self._is_reading:
            self._is_reading = True
            self.background.start(self._read_all)

    async def _read_all(self) -> None:
        while self._unread:
            game_id, version = next(iter(self._unread.items()))
            del self._unread[game_id]
            try:
                await self._read(game_id)
            except NotFound:
                pass  # the deal was spoiled before the run began
            except Exception as error:
                if as_unavailable(error):
                    self._unread.setdefault(game_id, version)  # sorts after all others
                    raise  # the whole task is retried
                log.exception("run_not_read", game=game_id)
            await asyncio.sleep(1 / MAX_READS_PER_SECOND)
        self._is_reading = False

    async def _read(self, game_id: str) -> None:
        game = await self._cache.read(game_id)
        if game.dealt.day in self._runs:
            await self._players.player(game.player)
            self.show(self._cache.cached(game_id) or game)

    async def _read_strikes(self, games: Collection[str]) -> None:
        disqualified = await self._disqualified_runs.among(games)
        for day, runs in self._runs.items():
            for game_id in runs.keys() & games:
                reason = shown_strike(disqualified[game_id]).reason if game_id in disqualified else None
                if runs[game_id].meter.struck != reason:
                    runs[game_id] = runs[game_id].with_disqualification(reason)
                    self._leading_runs.pop(day, None)
                    self._schedule_send(day, runs[game_id])

    def _schedule_send(self, day: str, progress: Progress) -> None:
        if self._hub.has_subscribers(day_topic(day)):
            self._unsent.setdefault(day, {})[progress.meter.game] = progress
            self._request_send(day)

    def _request_send(self, day: str) -> None:
        self._coalescer.request(("progress", day), lambda: self._send(day))

    def _send(self, day: str) -> None:
        runs = self._unsent.pop(day, {})
        now = self._now()
        meters = [runs.pop(game_id).at(now) for game_id in tuple(runs)[:MAX_RUNS_PER_MESSAGE]]
        self._hub.send(day_topic(day), wire.DayProgress(day=day, games=meters))
        if runs:
            self._unsent[day] = runs
            self._request_send(day)

    def _chosen(self, day: str) -> Collection[str]:
        """Return the runs of the first message; the furthest are chosen at most once in `CHOICE_SECONDS`."""
        runs = self._runs[day]
        if len(runs) <= MAX_SHOWN_RUNS:
            return runs.keys()
        time = asyncio.get_running_loop().time()
        at, chosen = self._leading_runs.get(day, (-CHOICE_SECONDS, ()))
        if time - at >= CHOICE_SECONDS:
            by_deal: dict[str, list[Meter]] = {}
            for progress in runs.values():
                if progress.meter.struck is None:
                    by_deal.setdefault(progress.meter.deal, []).append(progress.meter)
            furthest = (
                meter
                for meters in by_deal.values()
                for meter in nsmallest(MAX_SHOWN_RUNS, meters, key=progress_rank_key)
            )
            chosen = tuple(meter.game for meter in furthest)
            self._leading_runs[day] = (time, chosen)
        return chosen

    async def _load(self, day: str, deals: list[str]) -> None:
        """Load the runs of a day into memory, and drop the days without viewers."""
        for known in [known for known in self._runs if not self._hub.has_subscribers(day_topic(known))]:
            del self._runs[known]
            self._leading_runs.pop(known, None)
            self._bus.unsubscribe(day_topic(known))
        self._bus.subscribe(day_topic(day))
        runs = self._runs.setdefault(day, {})  # moves played during the read are sent too, and are newer
        try:
            for game_id in await self._index.attempts_at(deals):
                try:
                    game = await self._cache.read(game_id)
                except Exception as error:
                    if not self._store.is_partly_unavailable(error):
                        raise
                    self._read_later(game_id, 0)
                    continue
                runs.setdefault(game_id, progress_of(game, await self._players.player(game.player)))
            await self._read_strikes(list(runs))
        except BaseException:
            del self._runs[day]  # the next viewer loads the day again, rather than seeing only some of its runs
            self._bus.unsubscribe(day_topic(day))
            raise
