"""The races of a node in memory, each a copy of its stream: read from the log, and written to it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence

from cadogan.server.cluster.bus import Bus
from cadogan.server.competitions.races import race_state
from cadogan.server.competitions.races.race_state import RaceState
from cadogan.server.core import ids
from cadogan.server.core.clock import Clock
from cadogan.server.core.errors import NotFound
from cadogan.server.eventlog import hash_chain
from cadogan.server.eventlog.event_store import Append, Store, VersionConflict
from cadogan.server.eventlog.events import Event
from cadogan.server.eventlog.projections import Row, project_race
from cadogan.server.eventlog.streams import race_stream
from cadogan.server.fairness.deal_ids import race_deal_id
from cadogan.server.fairness.sealed_deals import SealedDeal, SealedDeals

MAX_RACES = 2_000
"""Races in memory; beyond it those that are neither under way nor watched are dropped."""

ChangeListener = Callable[[RaceState], None]
"""Called with a race that has changed, after the commit, whoever wrote it. It must not wait."""


class RaceEntry:
    """One race in memory. Hold `lock` while changing it; `race` is None until it has been read.

    `games_dealt` is whether its games are known to be dealt; `timer` runs when the clock has something to do in it.
    """

    __slots__ = ("deal", "games_dealt", "id", "lock", "race", "timer")

    def __init__(self, race_id: str) -> None:
        self.id = race_id
        self.lock = asyncio.Lock()
        self.race: RaceState | None = None
        self.deal: SealedDeal | None = None
        self.games_dealt = False
        self.timer: asyncio.TimerHandle | None = None


class RaceRepository:
    """The races that one node has in memory."""

    def __init__(
        self,
        store: Store,
        deals: SealedDeals,
        bus: Bus,
        publish_wake_up: Callable[[str, int], None],
        is_watched: Callable[[str], bool],
        now: Clock,
    ) -> None:
        """Read and write races in this store.

        `publish_wake_up` wakes the other nodes, given a stream and its version; `is_watched` tells, by its id, whether
        anybody here watches a race.
        """
        self._store = store
        self._deals = deals
        self._bus = bus
        self._publish_wake_up = publish_wake_up
        self._is_watched = is_watched
        self._now = now
        self._entries: dict[str, RaceEntry] = {}
        self._listeners: list[ChangeListener] = []

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, race_id: object) -> bool:
        """Whether a race is in memory, though it may not have been read yet."""
        return race_id in self._entries

    def on_change(self, *listeners: ChangeListener) -> None:
        """Call these with every race that has changed, from now on."""
        self._listeners.extend(listeners)

    def entry(self, race_id: str) -> RaceEntry:
        """Return the entry of a race, empty if it has not been read; lock it, then ask `catch_up`.

        Raises NotFound for what has not the form of an id.
        """
        entry = self._entries.get(race_id)
        if entry is None:
            if not ids.is_valid(race_id):
                raise NotFound("There is no such race.")
            if len(self._entries) >= MAX_RACES:
                for idle in [one.id for one in self._entries.values() if not self._is_used(one)]:
                    self._drop(idle)
            entry = self._entries[race_id] = RaceEntry(race_id)
            self._bus.subscribe(race_stream(race_id))
        return entry

    def cached(self, race_id: str) -> RaceState | None:
        """Return the race if it is in memory, however old that copy is."""
        entry = self._entries.get(race_id)
        return entry.race if entry else None

    def entries(self) -> list[RaceEntry]:
        """Return the entries of all races in memory."""
        return list(self._entries.values())

    async def catch_up(self, entry: RaceEntry) -> RaceState:
        """Read what the log has after the race of a locked entry. Raises NotFound."""
        race = before = entry.race
        for event in await self._store.read(race_stream(entry.id), race.version if race else 0):
            race = race_state.apply(race, entry.id, event)
        if race is None:
            raise self._not_found(entry)
        entry.race = race
        if before is not race:
            self.notify(race)
        return race

    async def append(self, entry: RaceEntry, events: Sequence[Event]) -> bool:
        """Append events to the race of a locked entry. Return False, and do nothing, if somebody else was first."""
        race = entry.race
        version, head = (race.version, race.head) if race else (0, hash_chain.START_HASH)
        at = max(self._now(), race.changed_at if race else 0)
        stream = race_stream(entry.id)
        sealed = []
        for event in events:
            version += 1
            sealed.append(hash_chain.chain_event(head, stream, version, event, at))
            head = sealed[-1].hash
        after = race
        for one in sealed:
            after = race_state.apply(after, entry.id, one)
        try:
            await self._store.append(Append(stream, None, tuple(sealed), _rows(after)))
        except VersionConflict:
            return False
        self._publish_wake_up(stream, version)
        return True

    async def read(self, race_id: str) -> RaceState | None:
        """Return a race as the log has it, without locking and without keeping it; None if there is none."""
        return race_state.fold(race_id, await self._store.read(race_stream(race_id)))

    async def later_versions(self, known: Mapping[str, int]) -> AsyncIterator[tuple[str, int]]:
        """Iterate over those of these streams that have a later version than the one known, and this version.

        If some cannot be read just now, the others come first, and the error after them.
        """
        async for stream, version in self._store.last_versions(known):
            if version > known[stream]:
                yield stream, version

    async def seal_deal(self, entry: RaceEntry, rules: str) -> SealedDeal:
        """Return the sealed deal of a new race for the game of this slug, or the one that was sealed before."""
        entry.deal = await self._deals.seal_named(race_deal_id(entry.id), rules, self._now())
        return entry.deal

    async def deal(self, race_id: str) -> SealedDeal:
        """Return the sealed deal of a race. Raises NotFound."""
        entry = self.entry(race_id)
        if entry.deal is None:
            entry.deal = await self._deals.get(race_deal_id(race_id))
        if entry.deal is None:
            raise NotFound("There is no such race.")
        return entry.deal

    async def invitation_token(self, race_id: str) -> str:
        """Return what the link to a race holds, by which others may join. Raises NotFound."""
        return race_state.invitation_token(race_id, (await self.deal(race_id)).secret)

    def notify(self, race: RaceState) -> None:
        """Call the listeners with a race that has changed."""
        for listener in self._listeners:
            listener(race)

    def _drop(self, race_id: str) -> None:
        if self._entries.pop(race_id, None) is not None:
            self._bus.unsubscribe(race_stream(race_id))

    def _is_used(self, entry: RaceEntry) -> bool:
        return entry.timer is not None or entry.lock.locked() or self._is_watched(entry.id)

    def _not_found(self, entry: RaceEntry) -> NotFound:
        self._drop(entry.id)
        return NotFound("There is no such race.")


def _rows(race: RaceState | None) -> tuple[Row, ...]:
    if race is None:
        return ()
    facts: list[tuple[Event, int]] = [(race.opened, race.opened_at), *((racer, 0) for racer in race.racers)]
    facts += [(event, race.changed_at) for event in (race.started, race.finished) if event is not None]
    return project_race(race.id, facts)
