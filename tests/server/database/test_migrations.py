"""The migrations make the tables that the code expects, on both databases, and can be undone."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, insert, inspect, select, text
from sqlalchemy.exc import IntegrityError

from cadogan.server.app import Server, opened
from cadogan.server.config import Settings
from cadogan.server.core import username_rules
from cadogan.server.core.database.connections import Database, DatabaseUnsupported, database_address, database_url
from cadogan.server.core.database.migrations import alembic_config, migrate
from cadogan.server.core.database.revisions import DatabaseNotCurrent, require_current
from cadogan.server.core.database.tables import (
    events,
    feed_cursors,
    findings,
    log_entries,
    metadata,
    name_skeletons,
    players,
)
from cadogan.server.core.version import known_revisions
from tests.harness import databases


@pytest.fixture
def empty_sqlite_url(tmp_path: Path) -> Iterator[str]:
    with databases.sqlite(tmp_path) as url:
        yield url


@pytest.fixture
async def empty_postgresql_url(postgresql_server: None) -> AsyncIterator[str]:
    async with databases.postgresql() as url:
        yield url


@pytest.fixture(params=("sqlite", "postgresql"))
def empty_url(request: pytest.FixtureRequest) -> str:
    url: str = request.getfixturevalue(f"empty_{request.param}_url")
    return url


@pytest.fixture
async def empty(empty_url: str) -> AsyncIterator[Database]:
    database = Database(empty_url)
    yield database
    await database.close()


def tables(connection: Connection) -> set[str]:
    return set(inspect(connection).get_table_names()) - {"alembic_version"}


def check(connection: Connection) -> None:
    command.check(alembic_config(connection))


def downgrade(connection: Connection, revision: str = "base") -> None:
    command.downgrade(alembic_config(connection), revision)


def test_the_known_revisions_are_those_of_alembic_in_its_order() -> None:
    scripts = ScriptDirectory.from_config(alembic_config()).walk_revisions()
    assert list(known_revisions()) == [script.revision for script in scripts][::-1]


async def test_the_migrations_make_every_table(empty: Database) -> None:
    await migrate(empty)
    async with empty.reading() as connection:
        assert await connection.run_sync(tables) == set(metadata.tables)


async def test_the_migrations_leave_nothing_that_the_tables_do_not_say(empty: Database) -> None:
    await migrate(empty)
    async with empty.writing() as connection:
        await connection.run_sync(check)


async def test_the_migrations_can_be_undone_and_done_again(empty: Database) -> None:
    await migrate(empty)
    async with empty.writing() as connection:
        await connection.run_sync(downgrade)
    async with empty.reading() as connection:
        assert await connection.run_sync(tables) == set()
    await migrate(empty)
    async with empty.reading() as connection:
        assert await connection.run_sync(tables) == set(metadata.tables)


async def test_names_that_already_look_alike_are_kept_and_cannot_be_claimed_again(empty: Database) -> None:
    await migrate(empty, "0002")
    async with empty.writing() as connection:
        for number, name in enumerate(("Аdа", "Ada", "Bob")):
            row = {"id": name, "name": name, "name_key": username_rules.name_key(name), "created_at": number}
            await connection.execute(insert(players).values(row))
        await connection.execute(insert(players).values(id="guest", name="Guest abcd", created_at=0))
    await migrate(empty)
    async with empty.reading() as connection:
        assert set(await connection.scalars(select(players.c.name))) == {"Аdа", "Ada", "Bob", "Guest abcd"}
        owners = {row.skeleton: row.player for row in await connection.execute(select(name_skeletons))}
    assert owners == {"ada": "Аdа", "ADA": "Аdа", "bob": "Bob", "BOB": "Bob"}


async def test_who_is_overtaken_is_looked_for_in_what_ends_after_the_upgrade(empty: Database) -> None:
    await migrate(empty, "0033")
    async with empty.writing() as connection:
        row = {"stream": "game/a", "version": 1, "entry": b""}
        await connection.execute(insert(log_entries), [{**row, "number": 0}, {**row, "number": 1, "version": 2}])
    await migrate(empty)
    async with empty.reading() as connection:
        assert [tuple(row) for row in await connection.execute(select(feed_cursors))] == [("overtaken", 2)]


async def test_a_day_that_a_node_was_comparing_during_the_upgrade_waits_to_be_compared(empty: Database) -> None:
    await migrate(empty, "0033")
    old = "INSERT INTO findings (day, at, count, found) VALUES ('2026-11-20', 7, 0, NULL), ('2026-11-19', 6, 0, '{}')"
    async with empty.writing() as connection:
        await connection.execute(text(old))
    await migrate(empty)
    async with empty.reading() as connection:
        wanted = select(findings.c.day, findings.c.next_at, findings.c.attempts).order_by(findings.c.day)
        assert [tuple(row) for row in await connection.execute(wanted)] == [
            ("2026-11-19", None, 0),
            ("2026-11-20", 7, 1),
        ]


async def test_servers_that_start_at_once_migrate_once(empty_url: str) -> None:
    servers = [Database(empty_url) for _ in range(3)]
    await asyncio.gather(*(migrate(server) for server in servers))
    async with servers[0].reading() as connection:
        assert await connection.run_sync(tables) == set(metadata.tables)
    for server in servers:
        await server.close()


async def test_nodes_that_are_told_to_migrate_may_start_at_once_on_an_empty_database(empty_url: str) -> None:
    settings = Settings(database_url=empty_url, bus="local", migrate=True)

    async def start_and_stop() -> None:
        async with opened(Server(settings)) as server:
            await require_current(server.database)

    await asyncio.gather(*(start_and_stop() for _ in range(3)))


async def test_a_node_that_is_not_told_to_migrate_does_not(empty_url: str) -> None:
    with pytest.raises(DatabaseNotCurrent, match="run `cadogan migrate`"):
        async with opened(Server(Settings(database_url=empty_url, bus="local"))):
            raise AssertionError("it has started")


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("postgresql://cadogan:hunter2@db.example/club", "PostgreSQL at db.example:5432"),
        ("postgres://db.example:6543/club", "PostgreSQL at db.example:6543"),
        ("postgresql+asyncpg:///club?host=/run/postgresql", "PostgreSQL at /run/postgresql:5432"),
        ("sqlite:///club.db", "the SQLite file club.db"),
    ],
)
def test_the_address_of_a_database_has_no_password(url: str, address: str) -> None:
    assert database_address(url) == address


async def test_alembic_by_itself_finds_the_database_of_the_settings(
    empty: Database, empty_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CADOGAN_DATABASE_URL", empty_url)
    await asyncio.to_thread(command.upgrade, alembic_config(), "head")
    await asyncio.to_thread(command.check, alembic_config())
    async with empty.reading() as connection:
        assert await connection.run_sync(tables) == set(metadata.tables)


async def test_a_filled_log_keeps_every_event_through_every_shape_of_its_table(empty: Database) -> None:
    shapes = ("0003", "0004", "0031", known_revisions()[-1])
    await migrate(empty, shapes[0])
    before = await _fill(empty)
    for shape in shapes[1:]:
        await migrate(empty, shape)
        assert await _log(empty) == before
        async with empty.writing() as connection:
            await connection.execute(text(_INSERT), _event("game/b", 3))
            await connection.execute(text("DELETE FROM events WHERE version = 3"))
        with pytest.raises(IntegrityError):
            async with empty.writing() as connection:
                await connection.execute(text(_INSERT), _event("game/a", 2, "new"))
    async with empty.writing() as connection:
        await connection.run_sync(check)
        await connection.execute(insert(events).values(**_event("game/c", 1), type="", schema=1, recorded_at=0))
        await connection.execute(
            insert(events).values(**_event("game/c", 2, None, _DEAL), type="", schema=1, recorded_at=0)
        )
    grown = await _log(empty)
    assert len(grown) == len(before) + 2
    for shape in shapes[-2::-1]:
        async with empty.writing() as connection:
            await connection.run_sync(downgrade, shape)
            assert set(await connection.scalars(text("SELECT data FROM events"))) == {_MOVE, _DEAL, "{}"}
        assert await _log(empty) == grown
    await migrate(empty)
    assert await _log(empty) == grown


_MOVE = '{"effects":["moved stock waste 1","turned tableau.3"],"move":"deal"}'
_DEAL = '{"commitment":"00","counters":{},"piles":{"stock":["-QD","-TH"],"tableau.0":["JC"]},"player":"ann"}'
_INSERT = (
    "INSERT INTO events (stream, version, command_id, type, schema, data, recorded_at, hash) "
    "VALUES (:stream, :version, :command_id, 'move_played', 1, :data, 0, :hash)"
)


def _event(stream: str, version: int, command_id: str | None = None, data: str = _MOVE) -> dict[str, Any]:
    return {"stream": stream, "version": version, "command_id": command_id, "data": data, "hash": bytes(32)}


async def _fill(database: Database) -> set[Any]:
    async with database.writing() as connection:
        for version in (1, 2):
            for stream in ("game/b", "game/a", "match/é"):
                await connection.execute(text(_INSERT), _event(stream, version, f"c{version}"))
        for stream, data in (("game/d", _DEAL), ("game/e", "{}")):
            await connection.execute(text(_INSERT), _event(stream, 1, data=data))
        await connection.execute(text("DELETE FROM events WHERE stream = 'match/é' AND version = 2"))
    return await _log(database)


async def _log(database: Database) -> set[Any]:
    """Every event, as this version reads it."""
    async with database.reading() as connection:
        return {tuple(row) for row in await connection.execute(select(events))}


@pytest.mark.parametrize("url", ["mysql://localhost/cadogan", "sqlite://", "sqlite:///:memory:"])
def test_a_database_that_cannot_hold_the_log_is_refused_at_once(url: str) -> None:
    with pytest.raises(DatabaseUnsupported):
        database_url(url)
