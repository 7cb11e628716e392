"""The races of a node in memory: followed in the log, and brought to where the clock has them.

No timer is needed: whoever asks first after the start deals every player's game, as of the moment of the start; whoever
asks first after the end ends each game that still goes on, as of that moment, and then the race. All of it is the same
whoever writes it, and the log's unique versions let only one through. A node that keeps a race under way in memory
asks by itself at those two moments, so that its viewers need not.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Protocol

from server.cluster.bus import Bus
from server.competitions.races import race_state
from server.competitions.races.race_state import RaceState
from server.core import ids
from server.core.errors import NotFound
from server.eventlog import hash_chain
from server.eventlog.background_tasks import BackgroundTasks
from server.eventlog.event_store import Append, Store, VersionConflict
from server.eventlog.events import Event
from server.eventlog.projections import Row, project
from server.fairness.sealed_deals import SealedDeal, SealedDeals
from server.games.game_index import GameIndex
from server.games.game_state import GameState, Step

MOST = 2_000
"""Races in memory; beyond it those that are not under way are forgotten."""


class Games(Protocol):
    """What a race asks of those who play the games."""

    async def deal_race(self, match: RaceState, deal: SealedDeal, player: str) -> GameState:
        """A player's game in a race that has been started: dealt at its start, or found."""

    async def run_out(self, game_id: str, at: int) -> GameState:
        """The game, ended at that moment if it still went on."""

    async def game(self, game_id: str) -> GameState:
        """The game as this node has it, which may be a little late."""

    async def fresh_game(self, game_id: str) -> GameState:
        """The game as the log has it now."""


class Kept:
    """One race in memory. Hold `lock` while changing it."""

    __slots__ = ("deal", "dealt", "id", "lock", "match", "timer")

    def __init__(self, match_id: str) -> None:
        self.id = match_id
        self.lock = asyncio.Lock()
        self.match: RaceState | None = None
        self.deal: SealedDeal | None = None
        self.dealt = False
        self.timer: asyncio.TimerHandle | None = None


class RaceRepository:
    """The races that one node has in memory; `now` gives the time in milliseconds since 1970.

    `followed` says whether somebody here is in the room of a race, `changed` is told of what is new in a race after its
    commit, whoever wrote it, and `wake` tells the other nodes.
    """

    def __init__(
        self,
        store: Store,
        deals: SealedDeals,
        index: GameIndex,
        games: Games,
        now: Callable[[], int],
        followed: Callable[[str], bool],
        changed: Callable[[RaceState], None],
        wake: Callable[[str, int], None],
        bus: Bus,
    ) -> None:
        self._store = store
        self._deals = deals
        self._index = index
        self._games = games
        self.now = now
        self._followed = followed
        self._changed = changed
        self._wake = wake
        self._bus = bus
        self._places: dict[str, Kept] = {}
        self.background = BackgroundTasks()
        self._closed = False

    async def get(self, match_id: str) -> RaceState:
        """A race as the log and the clock have it now. Raises NotFound."""
        place = self._at(match_id)
        async with place.lock:
            return await self._current(place)

    async def begin(self, match_id: str, decide: Callable[[SealedDeal], Sequence[Event]], game: str) -> RaceState:
        """A race begun with these events after its deal was sealed; one that has been begun stays as it is."""
        place = self._at(match_id)
        async with place.lock:
            place.deal = await self._deals.seal_race(race_state.deal_of(match_id), game, self.now())
            if place.match is None:
                await self._write(place, decide(place.deal))
            return await self._current(place)

    async def change(self, match_id: str, decide: Callable[[RaceState], Event | None]) -> RaceState:
        """Write what is decided, deciding again as often as somebody else was first."""
        place = self._at(match_id)
        async with place.lock:
            while True:
                event = decide(await self._current(place))
                if event is None or await self._write(place, [event]):
                    return await self._current(place)

    async def secret(self, match: RaceState) -> bytes:
        """The secret of a race's deal."""
        return (await self._deal(self._at(match.id))).secret

    async def token(self, match: RaceState) -> str:
        """What the link to a race holds."""
        return race_state.link(match.id, await self.secret(match))

    async def game_of(self, match_id: str, player: str) -> str | None:
        """The id of the player's game in a race; None for who is not in it. Raises NotFound."""
        place = self._at(match_id)
        match = place.match or await self.get(match_id)
        return match.game_of(player, await self.secret(match)) if player in match.players else None

    async def games(self, match: RaceState) -> list[GameState]:
        """The games of a race, in the order of its racers; none before they are dealt."""
        if match.started is None or self.now() < match.started.starts_at:
            return []
        deal = await self._deal(self._at(match.id))
        read = self._games.fresh_game if match.over else self._games.game
        return [await read(name) for name in _names(match, deal)]

    async def ends_at(self, match_id: str) -> int:
        """When the time of a race that has been started is up. Waits for nobody who may be playing."""
        place = self._places.get(match_id)
        match = place.match if place else None
        if match is None or match.ends_at is None:
            match = race_state.fold(match_id, await self._store.read(race_state.stream(match_id)))
        if match is None or match.ends_at is None:
            raise NotFound("There is no such race.")
        return match.ends_at

    async def over(self, match_id: str) -> bool:
        """Whether every game of a race is over. Raises NotFound."""
        place = self._at(match_id)
        if place.match is not None and place.match.over:
            return True
        async with place.lock:
            match = await self._follow(place)
            late = match.ends_at is not None and self.now() >= match.ends_at
            return (await self._current(place)).over if late else match.over

    def look(self, match_id: str) -> None:
        """Do, in a while, what the clock asks for in a race."""
        self.background.start(self._look, match_id)

    def told(self, step: Step) -> None:
        """A game of a race is over: the race may be, too."""
        match_id = step.after.dealt.race
        if match_id is not None and step.after.over:
            self.look(match_id)

    def woken(self, name: str, version: int) -> None:
        """Another node has brought a race to this version."""
        place = self._places.get(name.removeprefix(race_state.STREAM))
        if place is not None and (place.match is None or place.match.version < version):
            self.look(place.id)

    def versions(self) -> dict[str, int]:
        """The races in memory by their streams, and where each is."""
        return {race_state.stream(one.id): one.match.version for one in self._places.values() if one.match is not None}

    async def close(self) -> None:
        """Let what is under way end, and ask for nothing more by itself."""
        self._closed = True
        await self.background.close()
        for place in self._places.values():
            if place.timer is not None:
                place.timer.cancel()

    async def _current(self, place: Kept) -> RaceState:
        """The race of a locked place, with everything done that the clock asks for. Raises NotFound."""
        match = await self._follow(place)
        while (start := match.starts_at) is not None and not match.over and self.now() >= start:
            ended = await self._settle(place, match)
            if ended is None:
                break
            await self._write(place, [ended])
            match = await self._follow(place)
        self._arm(place, match)
        return match

    async def _settle(self, place: Kept, match: RaceState) -> Event | None:
        """Deal every game, end them when the time is up, and return the end of the race, once it is.

        It is recorded when it is written, which may be long after the games' own end: with it the secret is revealed.
        """
        deal = await self._deal(place)
        if not place.dealt:
            await asyncio.gather(*(self._games.deal_race(match, deal, player) for player in match.players))
            place.dealt = True
            self._changed(match)
        names = _names(match, deal)
        if match.ends_at is not None and self.now() >= match.ends_at:
            ends_at = match.ends_at
            await asyncio.gather(*(self._games.run_out(name, ends_at) for name in names))
        elif await self._index.is_any_playing(names):
            return None
        games = [await self._games.fresh_game(name) for name in names]
        return race_state.finish(match, games, deal.secret)

    async def _follow(self, place: Kept) -> RaceState:
        """Read what is new in the log, and say that there is something new."""
        match = before = place.match
        if match is None and not ids.is_valid(place.id):
            raise self._unknown(place)
        for event in await self._store.read(race_state.stream(place.id), match.version if match else 0):
            match = race_state.follow(match, place.id, event)
        if match is None:
            raise self._unknown(place)
        place.match = match
        if before is not match:
            self._changed(match)
        return match

    async def _write(self, place: Kept, events: Sequence[Event]) -> bool:
        """Append the events; whether nobody was first."""
        match = place.match
        version, head = (match.version, match.head) if match else (0, hash_chain.START_HASH)
        at = max(self.now(), match.changed_at if match else 0)
        sealed = []
        for event in events:
            version += 1
            sealed.append(hash_chain.chain_event(head, race_state.stream(place.id), version, event, at))
            head = sealed[-1].hash
        after = match
        for one in sealed:
            after = race_state.follow(after, place.id, one)
        try:
            await self._store.append(Append(race_state.stream(place.id), None, tuple(sealed), _rows(after)))
        except VersionConflict:
            return False
        self._wake(race_state.stream(place.id), version)
        return True

    def _at(self, match_id: str) -> Kept:
        place = self._places.get(match_id)
        if place is None:
            if len(self._places) >= MOST:
                for idle in [one.id for one in self._places.values() if not self._is_used(one)]:
                    self._drop(idle)
            place = self._places[match_id] = Kept(match_id)
            if ids.is_valid(match_id):
                self._bus.subscribe(race_state.stream(match_id))
        return place

    def _drop(self, match_id: str) -> None:
        if self._places.pop(match_id, None) is not None:
            self._bus.unsubscribe(race_state.stream(match_id))

    def _is_used(self, place: Kept) -> bool:
        return place.timer is not None or place.lock.locked() or self._followed(race_state.stream(place.id))

    async def _deal(self, place: Kept) -> SealedDeal:
        if place.deal is None:
            place.deal = await self._deals.get(race_state.deal_of(place.id))
        if place.deal is None:
            raise NotFound("There is no such race.")
        return place.deal

    def _unknown(self, place: Kept) -> NotFound:
        self._drop(place.id)
        return NotFound("There is no such race.")

    def _arm(self, place: Kept, match: RaceState) -> None:
        """Ask again by itself at the start and at the end of a race under way."""
        if place.timer is not None:
            place.timer.cancel()
            place.timer = None
        if match.starts_at is None or match.ends_at is None or match.over or self._closed:
            return
        now = self.now()
        due = match.starts_at if now < match.starts_at else match.ends_at
        place.timer = asyncio.get_running_loop().call_later(max(due - now, 1) / 1000, self.look, place.id)

    async def _look(self, match_id: str) -> None:
        with suppress(NotFound):
            await self.get(match_id)


def _names(match: RaceState, deal: SealedDeal) -> list[str]:
    return [match.game_of(player, deal.secret) for player in match.players]


def _rows(match: RaceState | None) -> tuple[Row, ...]:
    if match is None:
        return ()
    facts: list[tuple[Event, int]] = [(match.opened, match.opened_at), *((racer, 0) for racer in match.racers)]
    facts += [(event, match.changed_at) for event in (match.started, match.finished) if event is not None]
    return project(race_state.stream(match.id), facts)
