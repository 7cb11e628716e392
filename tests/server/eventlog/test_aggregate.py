"""What every aggregate in memory promises, tried on a room with three places."""

import asyncio
from collections.abc import Sequence
from itertools import cycle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct

from cadogan.server.core.errors import Conflict, NotFound
from cadogan.server.core.eventlog.aggregate import Aggregate, Change, FoldedAggregates
from cadogan.server.core.eventlog.commits import Commit, CommitPublisher
from cadogan.server.core.eventlog.event_store import (
    Append,
    NewEvent,
    StoredEvent,
    StoreUnavailable,
    StreamIncomplete,
)
from cadogan.server.core.eventlog.events import Event, decode_event
from cadogan.server.core.eventlog.hash_chain import START_HASH
from cadogan.server.core.eventlog.race_events import PlayerJoined, PlayerLeft
from tests.harness.memory_store import MemoryStore

ROOM, OTHER = "aaaabbbbccccdddd", "bbbbccccddddaaaa"
PLACES = 3


class Room(Struct, frozen=True):
    """Who is in a room, in the order of coming."""

    version: int = 0
    head: bytes = START_HASH
    people: tuple[str, ...] = ()

    def after(self, event: NewEvent | StoredEvent) -> "Room":
        match decode_event(event.type, event.schema, event.data):
            case PlayerJoined(player):
                people = (*self.people, player)
            case PlayerLeft(player):
                people = tuple(one for one in self.people if one != player)
        return Room(event.version, event.hash, people)

    def come_or_go(self, player: str) -> Event:
        """Leave if in the room, else come in. Raises Conflict where no place is left."""
        if player in self.people:
            return PlayerLeft(player)
        if len(self.people) == PLACES:
            raise Conflict("The room is full.")
        return PlayerJoined(player, "")


class RoomCommitted(Commit[Room], frozen=True):
    """A room that has changed."""


class Rooms(FoldedAggregates[Aggregate[Room], Room]):
    prefix = "match/"
    entry_class = Aggregate
    commit_class = RoomCommitted

    def _apply(self, entry: Aggregate[Room], state: Room | None, event: NewEvent | StoredEvent) -> Room:
        return (state or Room()).after(event)

    def _not_found(self) -> NotFound:
        return NotFound("There is no such room.")


class UnsteadyStore(MemoryStore):
    """A log whose answers come late, each after so many turns of the event loop, and once perhaps not at all."""

    def __init__(self, turns: Sequence[int] = (0,)) -> None:
        super().__init__()
        self._turns = cycle(turns)
        self.loses_next_answer = False

    async def append(self, append: Append) -> None:
        await self._pause()
        await super().append(append)
        if self.loses_next_answer:
            self.loses_next_answer = False
            raise StoreUnavailable("the connection was lost")
        await self._pause()

    async def read(self, stream: str, after: int = 0, limit: int | None = None) -> list[StoredEvent]:
        await self._pause()
        found = await super().read(stream, after, limit)
        await self._pause()
        return found

    async def _pause(self) -> None:
        for _ in range(next(self._turns)):
            await asyncio.sleep(0)


class Node:
    """A node with rooms, whose commits and topics are noted."""

    def __init__(self, store: MemoryStore) -> None:
        self.at = 0
        self.topics: list[str] = []
        self.watched: set[str] = set()
        self.published: list[RoomCommitted] = []
        commits = CommitPublisher()
        commits.subscribe(RoomCommitted, self.published.append)
        self.rooms = Rooms(store, commits, lambda: self.at, self, self.watched.__contains__)

    def subscribe(self, topic: str) -> None:
        self.topics.append(topic)

    def unsubscribe(self, topic: str) -> None:
        self.topics.remove(topic)

    async def open(self, room: str = ROOM) -> None:
        entry = self.rooms.entry(room)
        async with entry.lock:
            await self.rooms.append(entry, self.rooms.seal(entry, [PlayerJoined("host", "")], 0))

    async def come_or_go(self, player: str, room: str = ROOM) -> Room | None:
        """Return the room that the player has come to or left, or None if it was full."""

        def decide(state: Room) -> list[Change[Room]]:
            return self.rooms.seal(self.rooms.entry(room), [state.come_or_go(player)], 0)

        try:
            return await self.rooms.change(room, decide)
        except Conflict:
            return None


async def in_log(store: MemoryStore, until: int | None = None) -> Room:
    room = Room()
    for event in await store.read(Rooms.prefix + ROOM, limit=until):
        room = room.after(event)
    return room


commands = st.lists(st.tuples(st.integers(0, 2), st.sampled_from("abcde")), max_size=12)


@settings(max_examples=100, deadline=None)
@given(commands, st.lists(st.integers(0, 3), min_size=1, max_size=7))
def test_commands_carried_out_at_once_on_three_nodes_equal_some_order_of_them_one_by_one(
    asked: list[tuple[int, str]], turns: list[int]
) -> None:
    async def carry_out() -> None:
        store = UnsteadyStore(turns)
        nodes = [Node(store) for _ in range(3)]
        await nodes[0].open()
        answers = await asyncio.gather(*(nodes[node].come_or_go(player) for node, player in asked))
        written = {answer.version: player for (_, player), answer in zip(asked, answers, strict=True) if answer}
        assert len(written) == sum(answer is not None for answer in answers)
        room = await in_log(store, until=1)
        for version, player in sorted(written.items()):
            sealed = nodes[0].rooms.seal(entry_of(room), [room.come_or_go(player)], 0)
            room = sealed[-1].after
            assert room.version == version
        assert room == await in_log(store)
        for node in nodes:
            assert await node.rooms.get_latest(ROOM) == room
            published = [commit.state.version for commit in node.published]
            assert published == sorted(set(published))
            for commit in node.published:
                assert commit.state == await in_log(store, until=commit.state.version)

    asyncio.run(carry_out())


def entry_of(room: Room) -> Aggregate[Room]:
    entry = Aggregate[Room](Rooms.prefix + ROOM)
    entry.state = room
    return entry


async def test_a_commit_is_published_once_by_every_node_that_has_the_aggregate_in_memory() -> None:
    store = MemoryStore()
    here, there, elsewhere = Node(store), Node(store), Node(store)
    await here.open()
    await there.rooms.get(ROOM)
    changed = await here.come_or_go("ann")
    assert changed is not None
    for _ in range(2):
        for node in (there, elsewhere):
            node.rooms.on_wake_up(ROOM, 2)
            await node.rooms.wait_until_idle()
    assert here.published[-1] == RoomCommitted(changed, written_here=True)
    assert there.published == [RoomCommitted(changed, written_here=False)]
    assert elsewhere.published == []


async def test_what_was_written_without_an_answer_is_read_before_anything_is_decided() -> None:
    node = Node(store := UnsteadyStore())
    await node.open()
    store.loses_next_answer = True
    with pytest.raises(StoreUnavailable):
        await node.come_or_go("ann")
    assert (await node.rooms.get(ROOM)).people == ("host", "ann")
    assert [commit.written_here for commit in node.published] == [True, False]


async def test_a_version_that_the_log_does_not_show_yet_is_asked_for_again() -> None:
    node = Node(MemoryStore())
    await node.open()
    with pytest.raises(StreamIncomplete):
        await node.rooms.catch_up_to(ROOM, 2)


async def test_a_resync_catches_up_with_what_has_moved_on_among_the_lost_topics() -> None:
    store = MemoryStore()
    here, there = Node(store), Node(store)
    for room in (ROOM, OTHER):
        await here.open(room)
        await there.rooms.get(room)
        await here.come_or_go("ann", room)
    await there.rooms.resync({Rooms.prefix + ROOM})
    assert [commit.state.version for commit in there.published] == [2]
    await there.rooms.resync(None)
    assert [commit.state.version for commit in there.published] == [2, 2]


async def test_what_somebody_uses_or_watches_stays_in_memory_and_all_else_is_dropped_and_read_again() -> None:
    node = Node(MemoryStore())
    await node.open()
    node.at += Rooms.idle_milliseconds
    node.watched.add(ROOM)
    await node.open(OTHER)
    assert len(node.rooms) == 2
    node.watched.clear()
    node.at += Rooms.idle_milliseconds
    async with node.rooms.entry(OTHER).lock:
        with pytest.raises(NotFound):
            await node.rooms.get("c" * 16)
    assert (node.rooms.cached(ROOM), node.topics) == (None, [Rooms.prefix + OTHER])
    assert (await node.rooms.get(ROOM)).people == ("host",)
    node.rooms.max_in_memory = 1
    await node.open("d" * 16)
    assert node.topics == [Rooms.prefix + "d" * 16]


async def test_what_does_not_exist_is_not_kept_in_memory() -> None:
    node = Node(MemoryStore())
    for name in (ROOM, "no id"):
        with pytest.raises(NotFound):
            await node.rooms.get(name)
    assert (len(node.rooms), node.topics) == (0, [])
