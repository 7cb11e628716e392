"""The wall: how far everybody is in a day's deals, one meter a ranked run, kept for the days that somebody follows."""

import asyncio
from collections.abc import Callable, Collection
from heapq import nsmallest

from clients.wire import messages as wire
from clients.wire.codec import encode
from clients.wire.values import Meter
from server.cluster.bus import Bus, day_topic
from server.competitions.daily.challenges import DailyChallenges
from server.core.errors import NotFound
from server.games import game_messages
from server.games.game_cache import GameCache
from server.games.game_index import GameIndex
from server.games.game_messages import Progress
from server.games.game_state import GameState
from server.leaderboards.ranking import progress_rank_key
from server.players.player_cache import PlayerCache
from server.realtime.connection import Viewer, frame
from server.realtime.hub import Hub

MOST_SHOWN = 100
"""Runs of each deal that are shown at first, the furthest, and one's own; the others are, as they get on."""
CHOICE = 1.0
"""Seconds for which the choice of the furthest holds; how far they are is told as it is."""


class DailyProgress:
    """The walls of one node. `now` gives the time in milliseconds since 1970."""

    def __init__(
        self,
        sittings: GameCache,
        dailies: DailyChallenges,
        index: GameIndex,
        hub: Hub,
        roster: PlayerCache,
        bus: Bus,
        now: Callable[[], int],
    ) -> None:
        self._sittings = sittings
        self._dailies = dailies
        self._index = index
        self._hub = hub
        self._roster = roster
        self._bus = bus
        self._now = now
        self._runs: dict[str, dict[str, Progress]] = {}
        self._furthest: dict[str, tuple[float, tuple[str, ...]]] = {}
        self._counting = asyncio.Lock()

    def keeps(self, day: str | None) -> bool:
        """Whether a day's wall is kept."""
        return day in self._runs

    @property
    def empty(self) -> bool:
        """Whether no day's wall is kept."""
        return not self._runs

    def topics(self) -> list[str]:
        """The topics of the days whose walls are kept."""
        return [day_topic(day) for day in self._runs]

    async def versions(self, day: str) -> dict[str, int]:
        """Every run of a day whose wall is kept, and the version it is shown at; 0 for one that is not shown yet."""
        if day not in self._runs:
            return {}
        daily = await self._dailies.get(day, self._now())
        begun = await self._index.attempts_at(daily.deals) if daily else []
        shown = {game_id: progress.version for game_id, progress in self._runs.get(day, {}).items()}
        return dict.fromkeys(begun, 0) | shown

    async def show(self, viewer: Viewer, day: str, id: str | None) -> None:
        """Show how far everybody is, now and from then on. Raises NotFound."""
        now = self._now()
        daily = await self._dailies.get(day, now)
        if daily is None:
            raise NotFound("There is no challenge on that day.")
        async with self._counting:
            if day not in self._runs:
                await self._count_all(day, daily.deals)
        own = (daily.attempt(deal, viewer.player) for deal in daily.deals) if viewer.player else ()
        runs = self._runs[day]
        games = [runs[game_id].at(now) for game_id in dict.fromkeys((*self._first(day), *own)) if game_id in runs]
        self._hub.follow_day(viewer, day)
        viewer.write(frame(encode(wire.DayProgress(day=day, games=games, id=id))))

    def count(self, game: GameState) -> None:
        """A game has got on: tell those who follow its day. A run that counts no more is told of once, and left out."""
        day = game.dealt.day
        if day is None or day not in self._runs or not game.dealt.ranked:
            return
        runs = self._runs[day]
        known = runs.get(game.id)
        if known.version >= game.version if known else game.spoiled:
            return
        if game.spoiled:
            del runs[game.id]
        owner = known.meter.player if known else self._roster.cached_player(game.player)
        progress = game_messages.progress(game, owner)
        if game.ranked:
            runs[game.id] = progress
        self._hub.progress(day, progress)

    def _first(self, day: str) -> Collection[str]:
        """The runs that are shown at first; the furthest are chosen at most once a second."""
        runs = self._runs[day]
        if len(runs) <= MOST_SHOWN:
            return runs.keys()
        time = asyncio.get_running_loop().time()
        at, chosen = self._furthest.get(day, (-CHOICE, ()))
        if time - at >= CHOICE:
            by_deal: dict[str, list[Meter]] = {}
            for progress in runs.values():
                by_deal.setdefault(progress.meter.deal, []).append(progress.meter)
            furthest = (nsmallest(MOST_SHOWN, meters, key=progress_rank_key) for meters in by_deal.values())
            chosen = tuple(meter.game for meters in furthest for meter in meters)
            self._furthest[day] = (time, chosen)
        return chosen

    async def _count_all(self, day: str, deals: list[str]) -> None:
        """Begin to keep count of a day's runs, and stop for days that nobody follows any more."""
        for known in [known for known in self._runs if not self._hub.day_followed(known)]:
            del self._runs[known]
            self._furthest.pop(known, None)
            self._bus.unsubscribe(day_topic(known))
        self._bus.subscribe(day_topic(day))
        runs = self._runs.setdefault(day, {})  # what is played meanwhile is counted too, and is later than what is read
        for game_id in await self._index.attempts_at(deals):
            game = await self._sittings.peek(game_id)
            runs.setdefault(game_id, game_messages.progress(game, await self._roster.player(game.player)))
