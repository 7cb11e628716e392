"""The in-memory races of a node, each folded from its stream; reads from and writes to the log; and their records."""

import asyncio
from collections.abc import Callable, Sequence

from cadogan.server.core.clock import Clock
from cadogan.server.core.errors import NotFound
from cadogan.server.core.eventlog.aggregate import Aggregate, Change, FoldedAggregates, Topics
from cadogan.server.core.eventlog.commits import Commit, CommitPublisher
from cadogan.server.core.eventlog.event_store import NewEvent, Store, StoredEvent
from cadogan.server.core.eventlog.events import Event
from cadogan.server.core.eventlog.projections import Row, project_race
from cadogan.server.core.eventlog.streams import RACES, race_stream
from cadogan.server.core.fairness.commit_reveal import race_deal_id
from cadogan.server.core.fairness.sealed_deals import SealedDeal, SealedDeals
from cadogan.server.subjects.races import race_state
from cadogan.server.subjects.races.race_record import build_race_record
from cadogan.server.subjects.races.race_state import RaceState
from cadogan.server.subjects.transparency.transparency_log import TransparencyLog
from cadogan.wire.bodies import RaceRecord


class RaceCommitted(Commit[RaceState], frozen=True):
    """A race that has changed."""


class RaceEntry(Aggregate[RaceState]):
    """One race in memory.

    `games_dealt` is whether its games are known to be dealt; `timer` fires at its start and at its time limit.
    """

    __slots__ = ("deal", "games_dealt", "timer")

    def __init__(self, stream: str) -> None:
        super().__init__(stream)
        self.deal: SealedDeal | None = None
        self.games_dealt = False
        self.timer: asyncio.TimerHandle | None = None


class RaceRepository(FoldedAggregates[RaceEntry, RaceState]):
    """The races that one node has in memory."""

    prefix = RACES
    entry_class = RaceEntry
    commit_class = RaceCommitted
    idle_milliseconds = 2**63  # viewers of a game of a race also wait for the race's end

    def __init__(
        self,
        store: Store,
        deals: SealedDeals,
        commits: CommitPublisher,
        now: Clock,
        topics: Topics,
        is_watched: Callable[[str], bool],
    ) -> None:
        super().__init__(store, commits, now, topics, is_watched)
        self._deals = deals

    def seal_now(self, entry: RaceEntry, events: Sequence[Event]) -> list[Change[RaceState]]:
        """Return the changes that appending these events to the race of a locked entry would make."""
        return self.seal(entry, events, max(self._now(), entry.state.changed_at if entry.state else 0))

    async def read(self, race_id: str) -> RaceState | None:
        """Read a race from the log, without locking or caching it; None if it does not exist."""
        return race_state.fold(race_id, await self._store.read(race_stream(race_id)))

    async def seal_deal(self, entry: RaceEntry, rules: str) -> SealedDeal:
        """Return the sealed deal of a race with these rules, and create it if it does not exist."""
        entry.deal = await self._deals.seal_named(race_deal_id(entry.id), rules, self._now())
        return entry.deal

    async def deal(self, race_id: str) -> SealedDeal:
        """Return the sealed deal of a race. Raises NotFound."""
        entry = self.entry(race_id)
        if entry.deal is None:
            entry.deal = await self._deals.get(race_deal_id(race_id))
        if entry.deal is None:
            raise self._not_found()
        return entry.deal

    async def invitation_token(self, race_id: str) -> str:
        """Return the token in a race's link, with which others may join. Raises NotFound."""
        return race_state.invitation_token(race_id, (await self.deal(race_id)).secret)

    def publish(self, race: RaceState) -> None:
        """Publish a race again, because its games were dealt."""
        self._commits.publish(RaceCommitted(race, written_here=False))

    def _apply(self, entry: RaceEntry, state: RaceState | None, event: NewEvent | StoredEvent) -> RaceState:
        return race_state.apply(state, entry.id, event)

    def _not_found(self) -> NotFound:
        return NotFound("There is no such race.")

    def _rows(self, changes: Sequence[Change[RaceState]]) -> tuple[Row, ...]:
        race = changes[-1].after
        facts: list[tuple[Event, int]] = [(race.opened, race.opened_at), *((racer, 0) for racer in race.racers)]
        facts += [(event, race.changed_at) for event in (race.started, race.finished) if event is not None]
        return project_race(race.id, facts)

    def _is_unused(self, entry: RaceEntry) -> bool:
        return entry.timer is None and super()._is_unused(entry)


async def read_race_record(store: Store, log: TransparencyLog, race: str) -> RaceRecord | None:
    """Return the record of a race; None if there is none that is over. Raises StreamIncomplete."""
    stream = race_stream(race)
    events = await store.read(stream)
    if build_race_record(race, events) is None:
        return None
    proof = await log.prove(stream)
    return build_race_record(race, events, None if proof is None else proof.as_text())
