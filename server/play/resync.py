"""Healing: what is followed on this node is held against the log, when wake-ups may have been lost.

One question for the versions of all of it; only what has moved on is read. It is asked again until it is answered.
"""

import asyncio
from collections.abc import Collection

import structlog

from server.cluster.bus import DAY
from server.competitions.daily.progress import DailyProgress
from server.competitions.races.repository import RaceRepository
from server.eventlog.event_store import Store
from server.games import game_state
from server.games.game_cache import GameCache
from server.leaderboards.live import LiveBoards
from server.play.spectating import Spectating

PAUSE = 1.0
"""Seconds until a question that the database did not answer is asked again."""

log = structlog.stdlib.get_logger("cadogan.healing")


class Resync:
    """What one node follows, brought up to date with the log."""

    def __init__(
        self,
        store: Store,
        sittings: GameCache,
        races: RaceRepository,
        wall: DailyProgress,
        boards: LiveBoards,
        watching: Spectating,
    ) -> None:
        self._store = store
        self._sittings = sittings
        self._races = races
        self._wall = wall
        self._boards = boards
        self._watching = watching
        self._topics: set[str] = set()
        self._everything = self._closed = False
        self._task: asyncio.Task[None] | None = None

    def missed(self, topics: Collection[str] | None) -> None:
        """Wake-ups of these topics, or of any if None, may have been lost: look, as soon as may be."""
        if topics is None:
            self._everything = True
        else:
            self._topics.update(topics)
        if not self._closed and (self._task is None or self._task.done()):
            self._task = asyncio.ensure_future(self._work())

    async def close(self) -> None:
        """Look no more."""
        self._closed = True
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _work(self) -> None:
        while self._everything or self._topics:
            topics = None if self._everything else self._topics
            self._everything, self._topics = False, set()
            try:
                await self._heal(topics)
            except Exception:
                log.exception("not_healed")
                await asyncio.sleep(PAUSE)
                self._everything = self._everything or topics is None
                self._topics.update(topics or ())

    async def _heal(self, topics: Collection[str] | None) -> None:
        if topics is None:
            await self._boards.resync_all()
            topics = {*self._sittings.versions(), *self._races.versions(), *self._wall.topics()}
        await self._heal_games({name: at for name, at in self._sittings.versions().items() if name in topics})
        known = {name: at for name, at in self._races.versions().items() if name in topics}
        for name, version in (await self._store.last_versions(known)).items():
            if version > known[name]:
                self._races.woken(name, version)
        for topic in topics:
            if topic.startswith(DAY):
                await self._heal_games(await self._wall.versions(topic.removeprefix(DAY)))

    async def _heal_games(self, known: dict[str, int]) -> None:
        streams = {game_state.stream(game_id): version for game_id, version in known.items()}
        for name, version in (await self._store.last_versions(streams)).items():
            if version > streams[name]:
                await self._watching.follow(name.removeprefix(game_state.STREAM), version)
