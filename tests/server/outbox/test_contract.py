"""One contract for every kind of work in the outbox: claimed once, tried again, given up, isolated by destination."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from cadogan.server.core.database.connections import Database
from cadogan.server.core.dates import MILLISECONDS_PER_DAY
from cadogan.server.core.outbox import Answer, Destination, Outbox, Queue
from tests.server.outbox.kinds import KINDS, START, Kind

pytestmark = pytest.mark.both_databases
FAILED = Answer(status=503, problem="later")


class Clock:
    """A clock that stands still until it is told to go on."""

    at = START

    def __call__(self) -> int:
        return self.at


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=list(KINDS))
def kind(request: pytest.FixtureRequest) -> Kind:
    """One kind of work after another."""
    return KINDS[request.param]


@pytest.fixture(params=[name for name, kind in KINDS.items() if kind.pauses])
def sent(request: pytest.FixtureRequest) -> Kind:
    """One kind of what is sent somewhere, or tried again after a pause, after another."""
    return KINDS[request.param]


async def destinations(queue: Queue[Any], busy: tuple[str, ...] = ()) -> list[Destination]:
    """Every destination that something is due for, proven or not."""
    return [one for proven in (True, False) for one in await queue.due(busy, (), proven, 100)]


async def claim(queue: Queue[Any], most: int = 1) -> list[Any]:
    """What is due, of any destination."""
    return [item for one in await destinations(queue) for item in await queue.claim(one.name, most)]


async def test_every_item_is_claimed_by_one_node_only(database: Database, clock: Clock, kind: Kind) -> None:
    nodes = [kind.queue(database, clock) for _ in range(3)]
    await kind.write(database, 5)
    claimed = await asyncio.gather(*(claim(node, most=2) for node in nodes))
    while more := await claim(nodes[0], most=10):
        claimed.append(more)
    keys = [getattr(item, kind.key) for part in claimed for item in part]
    assert (len(keys), len(set(keys))) == (5, 5)
    assert await claim(nodes[1]) == []


async def test_what_is_not_recorded_is_claimed_again_when_the_claim_is_over(
    database: Database, clock: Clock, kind: Kind
) -> None:
    first, second = kind.queue(database, clock), kind.queue(database, clock)
    await kind.write(database, 1)
    (lost,) = await claim(first)
    clock.at += kind.claim_milliseconds - 1
    assert await claim(second) == []
    clock.at += 1
    assert len(await claim(second)) == 1
    await first.record([(lost, Answer())])  # too late: the claim is the other node's
    clock.at += kind.claim_milliseconds
    assert len(await claim(second)) == 1


async def test_what_has_arrived_is_not_claimed_again(database: Database, clock: Clock, kind: Kind) -> None:
    queue = kind.queue(database, clock)
    await kind.write(database, 1)
    (item,) = await claim(queue)
    await queue.record([(item, Answer(200))])
    clock.at += MILLISECONDS_PER_DAY
    assert await claim(queue) == []


async def test_what_fails_is_due_again_after_growing_pauses_and_given_up_in_the_end(
    database: Database, clock: Clock, sent: Kind
) -> None:
    queue, pauses = sent.queue(database, clock), list[int]()
    await sent.write(database, 1)
    while items := await claim(queue):
        await queue.record([(items[0], FAILED)])
        failed_at = clock.at
        while not await destinations(queue) and clock.at < failed_at + MILLISECONDS_PER_DAY:
            clock.at += max(5_000, (clock.at - failed_at) // 4)
        pauses.append(clock.at - failed_at)
    assert len(pauses) > 3
    assert pauses[0] < pauses[1] < pauses[2]
    clock.at += MILLISECONDS_PER_DAY
    assert await claim(queue) == []


async def test_what_fails_again_and_again_is_given_up(database: Database, clock: Clock, kind: Kind) -> None:
    queue, tries = kind.queue(database, clock), 0
    await kind.write(database, 1)
    while items := await claim(queue):
        await queue.record([(items[0], FAILED)])
        tries += 1
        assert tries < 100
        clock.at += MILLISECONDS_PER_DAY
    assert tries >= 1


async def test_a_destination_that_rests_is_due_again_afterwards(database: Database, clock: Clock, sent: Kind) -> None:
    queue = sent.queue(database, clock)
    await sent.write(database, 2)
    (one,) = await destinations(queue)
    assert await destinations(queue, busy=(one.name,)) == []
    await queue.pause(one.name, 60_000)
    assert await destinations(queue) == []
    clock.at += 60_000
    assert [one.name] == [found.name for found in await destinations(queue)]
    assert len(await claim(queue, most=5)) == 2


async def test_a_destination_is_proven_once_something_has_arrived_there_unless_it_is_doubtful(
    database: Database, clock: Clock, sent: Kind
) -> None:
    queue = sent.queue(database, clock)
    await sent.write(database, 2)
    (item,) = await claim(queue)
    await queue.record([(item, Answer(201))])
    (proven,) = await queue.due((), (), True, 1)
    assert await queue.due((), (), False, 1) == []
    assert await queue.due((), (proven.name,), True, 1) == []
    assert [one.name for one in await queue.due((), (proven.name,), False, 1)] == [proven.name]


async def test_what_cannot_be_sent_fails_alone_and_is_given_up(
    database: Database, clock: Clock, sent: Kind, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue, tried = sent.queue(database, clock), list[str]()
    await sent.write(database, 3)
    (proving,) = await claim(queue)
    await queue.record([(proving, Answer(201))])

    async def send(item: Any, is_proven: bool, stopping: asyncio.Event | None) -> Answer:
        tried.append(getattr(item, sent.key))
        if tried[-1] != tried[0]:
            raise ValueError("unreadable")
        return Answer(201)

    monkeypatch.setattr(queue, "send", send)
    while await destinations(queue):
        assert len(tried) < 100
        await Outbox(queue).send_due()
        clock.at += MILLISECONDS_PER_DAY // 2
    good, *bad = tried
    assert good not in bad
    assert len(bad) > 3
    assert len(set(bad)) == 1


async def test_what_the_database_kept_from_being_sent_is_due_again_when_its_claim_ends(
    database: Database, clock: Clock, sent: Kind, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue, recorded = sent.queue(database, clock), list[int]()
    await sent.write(database, 2)
    (proving,) = await claim(queue)
    await queue.record([(proving, Answer(201))])

    async def send(item: Any, is_proven: bool, stopping: asyncio.Event | None) -> Answer:
        raise ConnectionError

    async def record(answered: Sequence[Any]) -> None:
        recorded.append(len(answered))

    monkeypatch.setattr(queue, "send", send)
    monkeypatch.setattr(queue, "record", record)
    await Outbox(queue).send_due()
    assert recorded == [0]
    clock.at += sent.claim_milliseconds
    assert len(await destinations(queue)) == 1
