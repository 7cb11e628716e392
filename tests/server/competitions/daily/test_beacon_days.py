"""Days with a beacon: nobody knows a card before the round is signed, and a beacon that is away stops no day."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from aiohttp import web
from msgspec import UNSET

from cadogan.server.core import dates
from cadogan.server.core.database.connections import Database
from cadogan.server.core.eventlog.events import DailyAnnounced, DailyDrawn, DailyOpened, Event, decode_event
from cadogan.server.core.fairness.certificates import find_certificate
from cadogan.server.core.fairness.commit_reveal import round_at, round_digest
from cadogan.server.core.fairness.sealed_deals import SealedDeals, StoredCertificates
from cadogan.server.core.storage.sql_store import SqlStore
from cadogan.server.subjects.daily import beacon_days
from cadogan.server.subjects.daily.beacon_days import (
    BEACON_TIMEOUT_MILLISECONDS,
    SEARCH_MILLISECONDS,
    SHUFFLING_BUDGET,
    BeaconDays,
    BeaconSource,
)
from cadogan.server.subjects.daily.certification import Certification
from cadogan.server.subjects.daily.challenges import DAYS_AHEAD, SHUFFLING_MILLISECONDS, DailyChallenges
from cadogan.server.subjects.daily.day_record import VerifiedDay, build_day_record, verify_day
from cadogan.server.subjects.daily.days import SETTLE_MILLISECONDS, DailyChallenge
from cadogan.server.subjects.daily.rules import Calendar, Level
from cadogan.wire.codec import encode
from tests.harness.drand_chain import DrandChain
from tests.harness.drand_server import DrandServer, drand_server
from tests.server.competitions.daily.test_challenges import DAY, HOUR, NOON, always, digests, end_no_runs, repository
from tests.server.fairness.test_beacon_source import changed

TOMORROW = dates.add_days(DAY, 1)
MIDNIGHT = dates.day_times(TOMORROW, HOUR).opens_at
CLOSED = dates.day_times(TOMORROW, HOUR).closes_at + SETTLE_MILLISECONDS
CALENDAR = Calendar((Level("easy", ("nestor",)), Level("hard", ("maze",), certified=False)), budget=60)
ROUND = round_at(DrandChain().chain, MIDNIGHT)
SIGNATURE = DrandChain().signature(ROUND.round)


@pytest.fixture(autouse=True)
def _without_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beacon_days, "RETRY_SECONDS", 0.0)


@pytest.fixture
async def drand() -> AsyncIterator[DrandServer]:
    """A beacon that has signed what is due at noon of the day before."""
    async with drand_server() as server:
        server.latest = round_at(server.chain.chain, NOON).round
        yield server


class Node:
    """A node with a beacon, and what it sees of tomorrow."""

    def __init__(self, database: Database, store: SqlStore, drand: DrandServer | None, calendar: Calendar) -> None:
        self.database, self.store = database, store
        self.source = BeaconSource(drand.address) if drand else None
        stored = StoredCertificates(database)
        self.days = DailyChallenges(
            store,
            repository(store, stored),
            SealedDeals(database),
            stored,
            always(calendar),
            end_no_runs,
            digests,
            BeaconDays(self.source, stored),
        )

    async def see(self, now: int) -> DailyChallenge:
        """Tomorrow, after two looks with the beacon's answer between them."""
        if self.source:
            await self.source.wait_until_idle()  # what was asked before is answered as it was answered then
        await self.days.list_days(now)
        if self.source:
            await self.source.wait_until_idle()
        daily = await self.days.get_latest(TOMORROW, now + SHUFFLING_MILLISECONDS)
        assert daily is not None
        return daily


class Nodes:
    """Makes nodes over one database, and asks it."""

    def __init__(self, database: Database, store: SqlStore, drand: DrandServer) -> None:
        self.database, self.store, self.drand = database, store, drand

    def make(self, drand: DrandServer | None = None, calendar: Calendar = CALENDAR) -> Node:
        """A node that knows nothing yet."""
        return Node(self.database, self.store, drand or self.drand, calendar)

    def without_beacon(self) -> Node:
        """A node whose host has taken the setting away."""
        return Node(self.database, self.store, None, CALENDAR)

    async def certify(self, now: int) -> list[str]:
        """Do the worker's work, and return the deals that it has searched."""
        stored = StoredCertificates(self.database)
        worker = Certification(self.store, SealedDeals(self.database), stored, lambda: now)
        return [searched.deal.deal async for searched in worker.search_all()]

    async def events(self) -> list[Event]:
        """What the log says of tomorrow."""
        return [decode_event(one.type, one.schema, one.data) for one in await self.store.read(f"daily/{TOMORROW}")]

    async def verified(self) -> VerifiedDay:
        """What the record of tomorrow shows, which is consistent."""
        record = build_day_record(TOMORROW, await self.store.read(f"daily/{TOMORROW}"))
        assert record is not None
        return verify_day(encode(record))


@pytest.fixture
def nodes(database: Database, sql_store: SqlStore, drand: DrandServer) -> Nodes:
    return Nodes(database, sql_store, drand)


async def test_a_day_is_announced_with_its_round_shuffled_when_the_round_is_signed_and_certified_then(
    nodes: Nodes,
) -> None:
    node = nodes.make()
    announced = await node.see(NOON)
    assert (announced.beacon, announced.signed, announced.is_shuffling(NOON)) == (ROUND, None, False)
    assert await nodes.certify(NOON) == [], "nobody can search cards that nobody knows"
    waiting = await node.see(MIDNIGHT)
    assert (waiting.state(MIDNIGHT), waiting.is_shuffling(MIDNIGHT)) == ("announced", True)
    nodes.drand.latest = ROUND.round
    shuffled = await node.see(MIDNIGHT + 2000)
    assert (shuffled.signature, shuffled.opened) == (SIGNATURE, False)
    assert await nodes.certify(MIDNIGHT + 3000) == [f"{TOMORROW}.1"]
    opened = await node.see(MIDNIGHT + 4000)
    assert (opened.state(MIDNIGHT + 4000), opened.is_shuffling(MIDNIGHT + 4000)) == ("open", False)
    deals = [opened.deal(1), opened.deal(2)]
    assert opened.signed is not None
    end = f"@{round_digest(opened.signed)[:48]}"
    assert all(deal is not None and deal.nonce.endswith(end) for deal in deals)
    assert list(opened.seals) == [f"{TOMORROW}.1"]
    await node.see(CLOSED)
    day = await nodes.verified()
    assert (day.beacon, len(day.closed.certificates)) == (opened.signed, 1)
    assert [day.nonce(name) for name in day.deals] == [deal.nonce for deal in deals if deal]
    said = await nodes.events()
    assert said[0] == DailyAnnounced(TOMORROW, announced.sealed.commitment, announced.announced, ROUND)
    assert said[1] == DailyDrawn(SIGNATURE)


async def test_a_day_that_has_begun_is_announced_without_a_round_which_may_be_known(nodes: Nodes) -> None:
    node = nodes.make()
    await node.see(NOON)
    today = await node.days.get(DAY, NOON)
    coming = await node.days.get(dates.add_days(DAY, DAYS_AHEAD), NOON + SHUFFLING_MILLISECONDS)
    assert today is not None
    assert (today.beacon, today.state(NOON)) == (None, "open")
    assert coming is not None
    assert coming.beacon is not None


async def test_a_beacon_that_is_away_for_ten_minutes_is_done_without_and_the_record_says_so(nodes: Nodes) -> None:
    node = nodes.make()
    await node.see(NOON)
    due = ROUND.chain.genesis_time * 1000 + (ROUND.round - 1) * 3000
    last = await node.see(due + BEACON_TIMEOUT_MILLISECONDS - SHUFFLING_MILLISECONDS - 1)
    assert last.is_shuffling(due + BEACON_TIMEOUT_MILLISECONDS - 1)
    drawn = await node.see(due + BEACON_TIMEOUT_MILLISECONDS)
    assert (drawn.drawn_at is not None, drawn.signature, drawn.opened) == (True, None, False)
    assert await nodes.certify(due + BEACON_TIMEOUT_MILLISECONDS) == [f"{TOMORROW}.1"]
    nodes.drand.latest = ROUND.round
    opened = await node.see(due + BEACON_TIMEOUT_MILLISECONDS + 2000)
    deal = opened.deal(2)
    assert deal is not None
    assert (opened.state(CLOSED), opened.signed, deal.nonce) == ("open", None, f"{TOMORROW}.2")
    await node.see(CLOSED)
    day = await nodes.verified()
    assert (day.announced.beacon, day.beacon, len(day.closed.certificates)) == (ROUND, None, 1)


async def test_wrong_answers_open_no_day(nodes: Nodes) -> None:
    node = nodes.make()
    await node.see(NOON)
    nodes.drand.latest = None
    for signature in (DrandChain(7).signature(ROUND.round), DrandChain().signature(ROUND.round + 1), "c0" + "00" * 47):
        nodes.drand.answer = changed(signature=signature)
        assert (await node.see(MIDNIGHT + 60_000)).drawn_at is None
    nodes.drand.answer = web.json_response
    assert (await node.see(MIDNIGHT + 61_000)).signature == SIGNATURE


async def test_of_several_nodes_one_draws_and_all_have_the_same_cards(nodes: Nodes) -> None:
    await nodes.make().see(NOON)
    nodes.drand.latest = ROUND.round
    away = MIDNIGHT + BEACON_TIMEOUT_MILLISECONDS + 5000
    async with drand_server() as silent:
        silent.latest = 0
        three = [nodes.make(), nodes.make(silent), nodes.without_beacon()]
        for node in three:
            await node.days.list_days(MIDNIGHT)
        seen = await asyncio.gather(*(node.see(away) for node in three))
        seen = [await node.see(away + SEARCH_MILLISECONDS) for node in three]
    kinds = [type(event) for event in await nodes.events()]
    assert kinds == [DailyAnnounced, DailyDrawn, DailyOpened]
    assert len({deal.nonce for daily in seen if (deal := daily.deal(2))}) == 1
    assert len({daily.signature for daily in seen}) == 1


async def test_deals_that_are_not_searched_in_time_are_not_certified(nodes: Nodes) -> None:
    node = nodes.make()
    await node.see(NOON)
    nodes.drand.latest = ROUND.round
    drawn = await node.see(MIDNIGHT + 2000)
    assert drawn.drawn_at is not None
    assert not (await node.see(drawn.drawn_at + SEARCH_MILLISECONDS - SHUFFLING_MILLISECONDS - 1)).opened
    opened = await node.see(drawn.drawn_at + SEARCH_MILLISECONDS)
    assert (opened.opened, opened.seals) == (True, {})


async def test_a_certificate_of_other_cards_certifies_nothing(nodes: Nodes) -> None:
    """As a worker of before might store it, which knows no beacon."""
    node = nodes.make()
    announced = await node.see(NOON)
    secret_alone = nodes.without_beacon()
    assert secret_alone.source is None
    nodes.drand.latest = ROUND.round
    await node.see(MIDNIGHT + 2000)
    other = find_certificate(announced.announced[0], announced.sealed.secret)
    assert other is not None
    await StoredCertificates(nodes.database).add(other.deal, other, MIDNIGHT)
    opened = await node.see(MIDNIGHT + 4000)
    assert (opened.opened, opened.seals) == (True, {})


async def test_no_day_is_announced_before_the_chain_is_known_but_today(nodes: Nodes) -> None:
    nodes.drand.answer = lambda right: web.Response(status=500)
    node = nodes.make()
    assert [daily.day for daily in await node.days.list_days(NOON)] == [DAY]
    nodes.drand.answer = web.json_response
    assert node.source is not None
    await node.source.wait_until_idle()
    await node.days.list_days(NOON + SHUFFLING_MILLISECONDS)
    await node.source.wait_until_idle()
    listed = await node.days.list_days(NOON + 2 * SHUFFLING_MILLISECONDS)
    assert len(listed) == DAYS_AHEAD + 1
    assert all(daily.beacon is not None for daily in listed if daily.day != DAY)


async def test_the_search_that_players_wait_for_has_a_small_budget(nodes: Nodes) -> None:
    announced = await nodes.make(calendar=Calendar(CALENDAR.levels, 50_000)).see(NOON)
    assert [one.search.budget for one in announced.announced if one.search] == [SHUFFLING_BUDGET]
    without = await nodes.without_beacon().days.get(DAY, NOON)
    assert without is not None
    assert [one.search.budget for one in without.announced if one.search] == [50_000]


async def test_without_a_beacon_the_announcement_is_as_it_was(nodes: Nodes) -> None:
    await nodes.without_beacon().see(NOON)
    (announced,) = await nodes.events()
    assert isinstance(announced, DailyAnnounced)
    assert announced.beacon is UNSET
    assert "beacon" not in (await nodes.store.read(f"daily/{TOMORROW}"))[0].data
    opened = await nodes.make().see(MIDNIGHT)
    assert (opened.state(MIDNIGHT), opened.is_shuffling(MIDNIGHT)) == ("open", False)


async def test_another_chain_in_the_settings_does_not_change_what_was_announced(nodes: Nodes) -> None:
    await nodes.make().see(NOON)
    async with drand_server(DrandChain(7)) as other:
        assert other.hash != nodes.drand.hash
        node = nodes.make(other)
        assert (await node.see(MIDNIGHT + 60_000)).drawn_at is None, "this server knows nothing of that chain"
    nodes.drand.latest = ROUND.round
    assert (await nodes.make().see(MIDNIGHT + 61_000)).signature == SIGNATURE


async def test_a_worker_waits_until_the_cards_are_drawn_and_no_longer(nodes: Nodes) -> None:
    node, stored = nodes.make(), StoredCertificates(nodes.database)
    await node.see(NOON)
    looked = asyncio.Event()
    moment = MIDNIGHT + 1000

    def clock() -> int:
        looked.set()
        return moment

    worker = Certification(nodes.store, SealedDeals(nodes.database), stored, clock)
    waiting = asyncio.create_task(worker.wait_until_drawn())
    for _ in range(2):
        looked.clear()
        await looked.wait()
    assert not waiting.done()
    nodes.drand.latest = ROUND.round
    await node.see(MIDNIGHT + 2000)
    await waiting
    moment = MIDNIGHT + BEACON_TIMEOUT_MILLISECONDS + SEARCH_MILLISECONDS
    await worker.wait_until_drawn()
    moment = NOON
    await worker.wait_until_drawn()
