"""What the logs in a database promise beyond the contract: lasting, shared by several servers, and mended."""

import asyncio
import resource
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import asyncpg
import pytest
from sqlalchemy import func, insert, select, text
from sqlalchemy.exc import DBAPIError

from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import deals, games
from cadogan.server.core.eventlog.event_store import (
    Append,
    NewEvent,
    StoreClosed,
    StoreError,
    StoreUnavailable,
    VersionConflict,
)
from cadogan.server.core.storage import group_commit
from cadogan.server.core.storage.sql_store import SqlStore
from cadogan.server.core.storage.writers import PostgresqlBatchWriter
from tests.harness.network_proxy import through_proxy
from tests.harness.patience import soon
from tests.harness.sample_events import append, event, game_row, outcome, stored


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[SqlStore]:
    """The log as another server would open it."""
    database = Database(url)
    store = SqlStore(database)
    yield store
    await store.close()
    await database.close()


async def events_of(store: SqlStore, stream: str) -> list[NewEvent]:
    return [stored(found) for found in await store.read(stream)]


async def test_a_commit_survives_reopening(database_url: str) -> None:
    async with opened(database_url) as store:
        await store.append(append("game/a", 1, events=2))
    async with opened(database_url) as store:
        assert await events_of(store, "game/a") == [event(1), event(2)]
        await store.append(append("game/a", 3))


async def test_two_servers_write_at_once_and_exactly_one_wins_each_version(database_url: str) -> None:
    async with opened(database_url) as one, opened(database_url) as other:
        for version in range(1, 26):
            racing = (outcome(store.append(append("game/a", version))) for store in (one, other))
            outcomes = await asyncio.gather(*racing)
            assert sorted(map(str, outcomes)) == sorted(map(str, [None, VersionConflict]))
        assert [found.version for found in await one.read("game/a")] == list(range(1, 26))
        assert await one.read("game/a") == await other.read("game/a")


async def test_servers_that_conflict_in_many_streams_at_once_all_make_progress(database_url: str) -> None:
    streams = [f"game/{n}" for n in range(60)]
    async with opened(database_url) as one, opened(database_url) as other:
        forwards = [outcome(one.append(append(stream, 1, "one"))) for stream in streams]
        backwards = [outcome(other.append(append(stream, 1, "other"))) for stream in reversed(streams)]
        outcomes = await asyncio.gather(*forwards, *backwards)
        assert outcomes.count(None) == len(streams)
        assert outcomes.count(VersionConflict) == len(streams)
        assert [len(await one.read(stream)) for stream in streams] == [1] * len(streams)


async def test_reading_does_not_wait_for_a_writer(sql_store: SqlStore) -> None:
    await sql_store.append(append("game/a", 1))
    async with sql_store.database.writing() as connection:
        await connection.execute(insert(deals).values(**_DEAL))
        assert len(await asyncio.wait_for(sql_store.read("game/a"), soon())) == 1


async def test_writing_elsewhere_and_appending_take_turns(sql_store: SqlStore) -> None:
    async def write(n: int) -> None:
        async with sql_store.database.writing() as connection:
            await connection.execute(insert(deals).values(**_DEAL | {"id": f"d{n}"}))

    appends = (sql_store.append(append(f"game/{n}", 1)) for n in range(20))
    await asyncio.gather(*appends, *(write(n) for n in range(20)))
    async with sql_store.database.reading() as connection:
        assert await connection.scalar(select(func.count()).select_from(deals)) == 20


async def test_a_write_that_fails_leaves_nothing(database: Database) -> None:
    async def fail() -> None:
        async with database.writing() as connection:
            await connection.execute(insert(deals).values(**_DEAL))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()
    async with database.reading() as connection:
        assert (await connection.execute(select(deals))).all() == []


async def test_rows_go_in_with_their_event_and_fail_with_it(sql_store: SqlStore) -> None:
    await sql_store.append(append("game/a", 1, rows=(game_row("a"),)))
    with pytest.raises(VersionConflict):
        await sql_store.append(append("game/a", 1, rows=(game_row("b"),)))
    async with sql_store.database.reading() as connection:
        assert (await connection.scalars(select(games.c.id))).all() == ["a"]


async def test_sqlite_is_durable_and_lets_readers_in(sqlite_url: str) -> None:
    async with opened(sqlite_url) as store, store.database.reading() as connection:
        pragmas = {
            name: await connection.scalar(text(f"PRAGMA {name}"))
            for name in ("journal_mode", "synchronous", "foreign_keys")
        }
    assert pragmas == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}


async def test_a_full_disk_fails_what_waits_and_the_next_commit_goes_on(sqlite_url: str) -> None:
    huge = Append("game/c", None, (NewEvent(1, "move_played", 1, '"' + "x" * 500_000 + '"', 0, bytes(32)),))
    waiting = [append("game/a", 1), append("game/b", 1), huge]
    async with opened(sqlite_url) as store:
        with _files_of_at_most(200_000):
            outcomes = await asyncio.gather(*(outcome(store.append(one)) for one in waiting))
        assert outcomes == [StoreUnavailable] * 3
        assert await store.read("game/a") == []
        await asyncio.gather(*(store.append(one) for one in waiting))
        assert await events_of(store, "game/c") == [*huge.events]


async def test_a_transaction_that_fails_half_way_is_not_in_the_way_of_the_next(sqlite_url: str) -> None:
    async with opened(sqlite_url) as store, opened(sqlite_url) as other:
        async with other.database.writing() as connection:
            await connection.execute(text("ALTER TABLE games RENAME TO elsewhere"))
        assert await outcome(store.append(append("game/a", 1, rows=(game_row("a"),)))) is StoreUnavailable
        async with other.database.writing() as connection:
            await connection.execute(text("SELECT count(*) FROM elsewhere"))
            await connection.execute(text("ALTER TABLE elsewhere RENAME TO games"))
        await other.append(append("game/b", 1, rows=(game_row("b"),)))
        await store.append(append("game/c", 1, rows=(game_row("c"),)))
        async with store.database.reading() as connection:
            assert {*await connection.scalars(select(games.c.id))} == {"b", "c"}


async def test_a_process_that_has_read_before_it_writes_overwrites_nothing(sqlite_url: str) -> None:
    async def add(database: Database) -> None:
        async with database.writing() as connection:
            number = await connection.scalar(select(func.count()).select_from(deals))
            await connection.execute(insert(deals).values(**_DEAL | {"id": f"{number:02}"}))

    async with opened(sqlite_url) as one, opened(sqlite_url) as other:
        await asyncio.gather(*(add(store.database) for store in (one, other) for _ in range(10)))
        async with one.database.reading() as connection:
            found = await connection.scalars(select(deals.c.id).order_by(deals.c.id))
            assert [*found] == [f"{number:02}" for number in range(20)]


async def test_a_node_holds_no_stream_while_it_waits_for_one_that_comes_before_it(postgresql_url: str) -> None:
    async with opened(postgresql_url) as store, opened(postgresql_url) as other:
        writer = PostgresqlBatchWriter(store.database)
        async with other.database.writing() as connection:
            await connection.execute(_INSERT_EVENT, {"stream": "game/a"})
            waiting = asyncio.ensure_future(writer.commit([append("game/b", 1), append("game/a", 1)]))
            async with _connected(postgresql_url) as observer:
                while await observer.fetchval(_BLOCKED) is None:
                    pass
            async with asyncio.timeout(soon()):
                await connection.execute(_INSERT_EVENT, {"stream": "game/b"})
        assert await waiting is False
        await writer.close()


async def test_what_the_database_has_not_taken_when_the_store_is_closed_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Stuck:
        """A database that never answers."""

        async def commit(self, appends: Sequence[Append]) -> bool:
            await asyncio.Event().wait()
            return True

        async def close(self) -> None:
            """Nothing is open."""

    async def find_conflict(append: Append) -> StoreError:
        return VersionConflict(append.stream, 1)

    monkeypatch.setattr(group_commit, "CLOSE_TIMEOUT_SECONDS", 0.01)
    store = group_commit.GroupCommit(Stuck(), find_conflict)
    waiting = [asyncio.ensure_future(outcome(store.append(append("game/a", version)))) for version in range(1, 4)]
    await asyncio.sleep(0)
    async with asyncio.timeout(soon()):
        await store.close()
        assert await asyncio.gather(*waiting) == [StoreClosed] * 3


async def test_a_lost_connection_fails_what_waits_and_the_next_commit_goes_on(postgresql_url: str) -> None:
    async with opened(postgresql_url) as store, opened(postgresql_url) as other:
        await store.append(append("game/a", 1))
        async with other.database.writing() as connection:
            second = "INSERT INTO events SELECT stream, 2, null, type, schema, data, 0, hash FROM events"
            await connection.execute(text(second))
            blocked = asyncio.ensure_future(outcome(store.append(append("game/a", 2, "c"))))
            await _terminate_blocked(postgresql_url)
            assert await blocked is StoreUnavailable
            await connection.rollback()
        await store.append(append("game/a", 2, "c"))
        assert await events_of(store, "game/a") == [event(1), event(2)]


async def test_a_connection_lost_between_commits_causes_no_failure(postgresql_url: str) -> None:
    async with opened(postgresql_url) as store:
        await store.append(append("game/a", 1))
        async with _connected(postgresql_url) as connection:
            await _terminate_others(connection)
        await store.append(append("game/a", 2))
        assert len(await store.read("game/a")) == 2


async def test_a_connection_that_is_about_to_be_closed_causes_no_failure(postgresql_url: str) -> None:
    async with through_proxy(postgresql_url) as (cut, through), opened(through) as store:
        await store.append(append("game/a", 1))
        assert len(await store.read("game/a")) == 1
        cut.withhold_ends()
        async with _connected(postgresql_url) as connection:
            await _terminate_others(connection)
        await cut.withheld()
        await store.append(append("game/a", 2))
        assert len(await store.read("game/a")) == 2
        cut.mend()


_DEAL: dict[str, Any] = {"id": "d1", "game": "maze", "secret": "00", "commitment": "11", "created_at": 1}


_BLOCKED = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
_INSERT_EVENT = text(
    "INSERT INTO events (stream, version, type, schema, data, recorded_at, hash) VALUES (:stream, 1, 'x', 1, '', 0, '')"
)


@contextmanager
def _files_of_at_most(size: int) -> Iterator[None]:
    """Let no file of this process grow beyond a size, as if the disk were full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@asynccontextmanager
async def _connected(url: str) -> AsyncIterator[Any]:
    connection = await asyncpg.connect(url)
    yield connection
    await connection.close()


async def _terminate_others(connection: Any) -> None:
    """End every other session of the database, and wait until they are gone."""
    others = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    await connection.execute(f"SELECT pg_terminate_backend(pid) FROM ({others}) AS other")
    while await connection.fetch(others):
        pass


async def _terminate_blocked(url: str) -> None:
    """Wait until a connection of this database waits for a lock, and end it."""
    async with _connected(url) as connection:
        while (pid := await connection.fetchval(_BLOCKED)) is None:
            pass
        await connection.execute("SELECT pg_terminate_backend($1)", pid)


async def test_a_failed_statement_reveals_no_parameter_values(database_url: str) -> None:
    database = Database(database_url)
    with pytest.raises(DBAPIError) as failure:
        async with database.reading() as connection:
            await connection.execute(
                text("SELECT * FROM nowhere WHERE secret = :secret"), {"secret": "a face-down queen"}
            )
    await database.close()
    assert "nowhere" in str(failure.value)
    assert "queen" not in str(failure.value)
