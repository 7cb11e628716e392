"""The root covers what was revealed before the day, all of it and nothing else, whenever it is computed."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from hashlib import sha256

import pytest
from sqlalchemy import select

from cadogan.server.core import dates
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import events
from cadogan.server.core.fairness.log_root import MerkleTree, leaf_hash, node_hash
from cadogan.server.operations.merkle_roots import SETTLE_MILLISECONDS, MerkleRoots, Root, root_of
from tests.harness.two_day_history import go_on, lived_in

FIRST, SECOND, THIRD = "2026-11-20", "2026-11-21", "2026-11-22"
Leaf = tuple[str, int, bytes]


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Database]:
    """A second connection to the database of a running server."""
    database = Database(url)
    try:
        yield database
    finally:
        await database.close()


async def root(database: Database, day: str) -> Root:
    async with database.reading() as connection:
        return await root_of(connection, day)


def branch(hashes: list[bytes]) -> bytes:
    """The definition of the tree, as it is written down."""
    if len(hashes) == 1:
        return hashes[0]
    left = 1 << (len(hashes) - 1).bit_length() - 1
    return node_hash(branch(hashes[:left]), branch(hashes[left:]))


def rooted(leaves: Iterable[Leaf]) -> bytes:
    hashes = [leaf_hash(*one) for one in leaves]
    top = branch(hashes) if hashes else b""
    return sha256(b"cadogan/root/1\0" + len(hashes).to_bytes(8) + top).digest()


@pytest.mark.parametrize("count", [*range(18), 64, 65, 100])
def test_a_tree_built_leaf_by_leaf_equals_the_tree_of_the_definition(count: int) -> None:
    leaves = [(f"game/{number:04}", number + 1, bytes([number]) * 32) for number in range(count)]
    tree = MerkleTree()
    for one in leaves:
        tree.add(*one)
    assert tree.root() == rooted(leaves)
    assert tree.count == count


def test_every_part_of_every_leaf_and_their_number_change_the_root() -> None:
    plain: list[Leaf] = [("game/a", 1, bytes(32)), ("game/b", 2, bytes(32))]
    others: list[list[Leaf]] = [
        [],
        plain[:1],
        plain[::-1],
        [*plain, plain[1]],
        [("game/a", 2, bytes(32)), plain[1]],
        [("game/a", 1, b"\1" * 32), plain[1]],
        [("game/c", 1, bytes(32)), plain[1]],
    ]
    assert len({rooted(leaves) for leaves in [plain, *others]}) == 8


async def test_the_root_covers_every_stream_that_was_revealed_and_no_other(sqlite_url: str) -> None:
    async with lived_in(sqlite_url), opened(sqlite_url) as database:
        log: dict[str, list[tuple[str, int, bytes]]] = {}
        async with database.reading() as connection:
            columns = (events.c.stream, events.c.type, events.c.recorded_at, events.c.hash)
            for stream, *event in await connection.execute(
                select(*columns).order_by(events.c.stream, events.c.version)
            ):
                log.setdefault(stream, []).append(tuple(event))
        begun = dates.day_times(THIRD, 0).opens_at
        before = {
            stream: [event for event in stored_events if event[1] < begun] for stream, stored_events in log.items()
        }
        hidden = {
            stream
            for stream, stored_events in before.items()
            if not stored_events or not await _revealed(stream, database)
        }
        leaves = [
            (stream, len(stored_events), stored_events[-1][2])
            for stream, stored_events in sorted(before.items())
            if stream not in hidden
        ]
        assert (await root(database, THIRD))[2:] == (len(leaves), rooted(leaves).hex())
        kinds = [stream.partition("/")[0] for stream, *_ in leaves]
        # The closed day, two runs of it and one that was spoiled unbegun, a casual game, two of the race; the race;
        # and one view of somebody else's cards.
        assert kinds == ["daily", *["game"] * 6, "match", "watched"]
        assert sorted(stream.partition("/")[0] for stream in hidden) == [*["daily"] * 9, *["game"] * 2]


async def _revealed(stream: str, database: Database) -> bool:
    """Whether the secret of the stream's deal is in the log at all: an oracle that knows who lived in this database."""
    async with database.reading() as connection:
        over = set(await connection.scalars(select(events.c.stream).where(events.c.type == "deal_revealed")))
        first = await connection.scalar(select(events.c.data).where(events.c.stream == stream, events.c.version == 1))
    shared = f'"deal":"{FIRST}.' in (first or "") or '"deal":"race-' in (first or "")
    return stream in over | {f"daily/{FIRST}"} or stream.startswith(("match/", "watched/")) or shared


@pytest.mark.both_databases
async def test_a_game_is_not_under_the_root_while_its_cards_are_hidden(database_url: str) -> None:
    async with lived_in(database_url) as running_server, opened(database_url) as database:
        before = {day: await root(database, day) for day in (FIRST, SECOND, THIRD)}
        assert [found.streams for found in before.values()] == [0, 4, 9]
        await go_on(running_server, await running_server.guest())
        assert {day: await root(database, day) for day in before} == before


async def test_the_server_publishes_the_root_of_today_a_minute_after_midnight(sqlite_url: str) -> None:
    async with lived_in(sqlite_url) as running_server, opened(sqlite_url) as database:
        midnight = dates.day_times(THIRD, 0).opens_at
        for at, day in ((midnight + SETTLE_MILLISECONDS - 1, SECOND), (midnight + SETTLE_MILLISECONDS, THIRD)):
            running_server.clock.at = at
            assert await running_server.stranger().get("/root") == (200, (await root(database, day))._asdict())


async def test_a_root_is_computed_once_a_day(sqlite_url: str) -> None:
    async with lived_in(sqlite_url), opened(sqlite_url) as database:
        roots = MerkleRoots(database, lambda: dates.day_times(THIRD, 0).opens_at + SETTLE_MILLISECONDS)
        first = await roots.latest()
        async with database.writing() as connection:
            await connection.execute(events.delete())
        assert await roots.latest() is first
