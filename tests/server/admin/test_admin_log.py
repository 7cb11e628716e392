"""The log of hosts and moderators: chained, paged, without names, and part of what is kept and rebuilt."""

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import delete, select

from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import events, house_notes, players
from cadogan.server.core.eventlog.hash_chain import START_HASH, event_hash
from cadogan.server.core.eventlog.streams import HOUSE
from cadogan.server.core.storage.rebuild import rebuild
from cadogan.server.operations.backup import write_backup
from cadogan.server.operations.merkle_roots import root_of
from cadogan.server.operations.restore import restore
from cadogan.server.subjects.accounts.accounts import Accounts
from cadogan.server.subjects.admin.admin_log import AdminLog
from cadogan.server.subjects.admin.moderation import Moderation
from cadogan.server.subjects.admin.roles import Roles
from cadogan.server.subjects.known_rules import known_rules
from cadogan.wire.admin import Why
from tests.harness.hosts import WHY, log_of, player, with_role
from tests.harness.running_server import RunningServer

NOON = 1_795_176_000_000


async def fill(database: Database, acts: int = 3) -> str:
    """Let somebody called Rowdy be suspended so often, with a note each time; their id."""
    session = await Accounts(database, lambda: NOON).claim_name(None, "Rowdy", "eight red queens")
    moderation = Moderation(database, lambda: NOON)
    for number in range(acts):
        why = Why(reason="conduct", note=f"Rowdy was rude, {number}")
        await moderation.suspend(None, session.player.id, NOON + 1 + number, why)
    return session.player.id


async def test_the_log_is_chained_as_every_stream(database: Database) -> None:
    await fill(database)
    head = START_HASH
    async with database.reading() as connection:
        rows = (await connection.execute(select(events).where(events.c.stream == HOUSE))).all()
    assert len(rows) == 3
    for row in sorted(rows, key=lambda one: one.version):
        head = event_hash(head, HOUSE, row.version, row.type, row.schema, row.data, row.recorded_at)
        assert row.hash == head


async def test_no_name_and_no_note_is_in_an_event_and_notes_go_with_the_player(database: Database) -> None:
    player_id = await fill(database)
    async with database.writing() as connection:
        data = [*await connection.scalars(select(events.c.data))]
        assert "owdy" not in str(data)
        assert all(player_id in one for one in data)
        await connection.execute(delete(players).where(players.c.id == player_id))
    async with database.reading() as connection:
        assert (await connection.execute(select(house_notes))).all() == []
    assert [one.note async for one in AdminLog(database).all()] == ["", "", ""]


async def test_the_log_is_read_in_pages_from_either_end(database: Database) -> None:
    await fill(database, acts=201)
    log = AdminLog(database)
    assert [one.version async for one in log.all()] == list(range(1, 202))
    assert [one.version for one in await log.latest(0, 2)] == [201, 200]
    assert [one.version for one in await log.latest(200, 2)] == [199, 198]
    assert [one.version for one in await log.latest(2, 2)] == [1]


async def test_hosts_page_through_the_log(sqlite_server: RunningServer) -> None:
    host, bob = await with_role(sqlite_server, "Ada", "host"), await player(sqlite_server, "Bob")
    for role in ("moderator", "host", None):
        await host.ask("PUT", f"/house/players/{bob.id}/role", {"role": role, **WHY})
    _, first = await host.get("/house/log?limit=2")
    assert ([act["version"] for act in first["acts"]], first["more"]) == ([4, 3], True)
    _, last = await host.get("/house/log?limit=2&before=3")
    assert ([act["version"] for act in last["acts"]], last["more"]) == ([2, 1], False)
    assert [act["version"] for act in await log_of(host, before=2)] == [1]


async def test_a_backup_has_the_log_and_the_notes_and_a_rebuild_leaves_them(database: Database, tmp_path: Path) -> None:
    await fill(database)
    before = [one async for one in AdminLog(database).all()]
    await rebuild(database, known_rules())
    assert [one async for one in AdminLog(database).all()] == before
    await write_backup(database, tmp_path / "backup.gz")
    new = Database(f"sqlite:///{tmp_path / 'new.db'}")
    await restore(new, tmp_path / "backup.gz")
    assert [one async for one in AdminLog(new).all()] == before
    assert [one.note for one in before] == [f"Rowdy was rude, {number}" for number in range(3)]
    await new.close()


async def test_the_log_of_hosts_is_not_in_the_public_root(database: Database) -> None:
    await fill(database)
    async with database.reading() as connection:
        assert (await root_of(connection, "2026-11-21")).streams == 0


@pytest.mark.both_databases
async def test_two_acts_at_once_are_both_in_the_log(database: Database) -> None:
    accounts, roles = Accounts(database, lambda: NOON), Roles(database, lambda: NOON)
    people = [(await accounts.claim_name(None, f"Player {n}", "eight red queens")).player.id for n in range(5)]
    await asyncio.gather(*(roles.change(None, one, "host", Why(reason="request")) for one in people))
    assert [one.version async for one in AdminLog(database).all()] == [1, 2, 3, 4, 5]
