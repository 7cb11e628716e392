"""A backup holds everything, is the same from either database, and restores it all."""

import gzip
import re
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from msgspec import json
from sqlalchemy import delete, insert, select, text

from cadogan.server.core.clock import now
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.migrations import migrate
from cadogan.server.core.database.tables import (
    archived_games,
    archives,
    contributions,
    deals,
    digest_readers,
    evening_names,
    events,
    feed_cursors,
    findings,
    log_queue,
    mail_addresses,
    news,
    notified_ranks,
    pulse,
    signs,
    waiting_mails,
    witnessed_logs,
)
from cadogan.server.core.eventlog.events import DAY_EVENTS, ENDING_EVENTS
from cadogan.server.core.eventlog.streams import HOUSE, entry_name, id_of
from cadogan.server.core.ids import new_id
from cadogan.server.core.people import Persons, session_id
from cadogan.server.operations.backup import Contents, backup_lines, write_backup
from cadogan.server.operations.merkle_roots import root_of
from cadogan.server.operations.restore import (
    NotEmpty,
    RootDiffers,
    restore,
)
from cadogan.server.subjects.accounts.accounts import Accounts
from cadogan.server.subjects.admin.branding import StoredProfile
from cadogan.server.subjects.admin.entry import Entry
from cadogan.server.subjects.admin.moderation import Erasure, Moderation
from cadogan.server.subjects.admin.reports import Reports
from cadogan.server.subjects.chat.group_chat import GroupChat
from cadogan.server.subjects.news.notifications.devices import Devices, StoredServerKey
from cadogan.server.subjects.news.webhooks import Webhooks
from cadogan.server.subjects.players.groups import Groups
from cadogan.server.subjects.transparency.queued_entries import STRIKES
from cadogan.wire import admin as wire
from cadogan.wire.admin import Why
from cadogan.wire.branding import SiteProfile
from cadogan.wire.notifications import NewNotifications
from cadogan.wire.reports import NewReport
from cadogan.wire.webhooks import NewWebhook
from tests.harness.two_day_history import lived_in
from tests.server.operations.backup_databases import (
    bare,
    bare_postgresql,
    content,
    empty,
    lived,
    rewrite,
    tables,
)

__all__ = ["bare", "bare_postgresql", "empty", "lived"]


LAST_DAY = "2026-11-22"


async def act_as_hosts_do(database: Database) -> None:
    """Fill the tables that only hosts and moderators fill."""
    account = await Accounts(database, now).claim_name(None, "Rowdy", "eight red queens")
    await Moderation(database, now).suspend(
        None, account.player.id, now() + 1000, Why(reason="conduct", note="Third time.")
    )
    await Entry(database, now).change(None, wire.Entry(accounts="invitation", guests=False))
    await Entry(database, now).invite(None, wire.NewInvitation())
    hook = NewWebhook(name="Chat", url="https://hooks.example/x", topics=["day_opened"])
    webhooks = Webhooks(database, now, may_go_inside=False)
    await webhooks.test((await webhooks.add(None, hook, new_id())).id, new_id())
    async with database.writing() as connection:
        await connection.execute(insert(news).values(id="day_opened/2026-11-20", at=now()))
    await StoredProfile(database, now).change(None, SiteProfile(name="The club"))
    passkey = {"id": "key", "credential": "c3VpdA", "name": "Phone", "public_key": b"\0\1", "sign_count": 3}
    await Accounts(database, now).claim_name_with_passkey(None, "Keyed", {**passkey, "created_at": now()})
    subject = {"issuer": "https://login.example", "subject": "ada", "created_at": now()}
    await Accounts(database, now).claim_name_with_subject(None, "Employed", subject)
    reporter = await Accounts(database, now).claim_name(None, "Ada Reports", "eight red queens")
    await Reports(database, now).report_player(reporter.player.id, account.player.id, NewReport(reason="name"))
    async with database.writing() as connection:
        address = {"player": account.player.id, "address": "Rowdy@mail.example", "key": "rowdy@mail.example"}
        await connection.execute(insert(mail_addresses).values({**address, "language": "en"}))
        waiting = {"domain": "mail.example", "site": "https://club.example", "asked_at": now(), "next_at": now()}
        await connection.execute(insert(waiting_mails).values(player=account.player.id, attempts=0, **waiting))
        digest = {"created_at": now(), "week": 2_969, "next_at": now(), "attempts": 0, "refusals": 0}
        await connection.execute(insert(digest_readers).values(player=account.player.id, language="en", **digest))
    group = await Groups(database, now).create_group(reporter.player.id, "The snug")
    talk = GroupChat(database, now)
    await talk.switch(reporter.player.id, group.id, on=True)
    await talk.write(reporter.player.id, group.id, "Good evening!", new_id())
    async with database.writing() as connection:
        sign = {"place": "game/aaaabbbbccccdddd", "player": account.player.id, "sign": "star", "given_at": now()}
        await connection.execute(insert(signs).values(sign))
        name = {"evening": "evening222222222", "player": account.player.id, "name": "Rowdy", "key": "rowdy"}
        await connection.execute(insert(evening_names).values(name))
        await connection.execute(insert(pulse).values(name="evening", at=now()))
        lent = {"id": "lent", "game": "game", "solver": 1, "player": "ann", "person": "ann", "taken_at": now()}
        await connection.execute(insert(contributions).values(lent | {"state": "given_up"}))
    await _switch_notifications_on(database)
    gone = await Accounts(database, now).claim_name(None, "Gone", "eight red queens")
    await Erasure(database, now).erase(None, gone.player.id, "request")
    async with database.writing() as connection:  # as a server leaves it that was killed before it could append this
        waiting = {"stream": "game/killed", "version": 9, "hash": bytes(32), "recorded_at": 1}
        await connection.execute(insert(log_queue).values(waiting))
        await connection.execute(insert(witnessed_logs).values(origin="club.example/log", size=0, note="a note"))
    async with database.writing() as connection:
        stored = {"sha256": "0" * 64, "name": "old.gz", "before": "2026-01-01", "games": 1, "created_at": 1}
        await connection.execute(insert(archives).values(**stored))
        found = {"day": "2026-11-20", "at": 2, "count": 1, "found": '[6,[],[["aaaabbbbccccdddd","even",1,0,60]]]'}
        await connection.execute(insert(findings).values(**found))
        game = {"archive": "0" * 64, "version": 9, "hash": bytes(32), "game": "olga", "status": "won"}
        await connection.execute(insert(archived_games).values(stream="game/aaaabbbbccccdddd", **game))


async def _switch_notifications_on(database: Database) -> None:
    session = await Accounts(database, now).create_guest()
    key = StoredServerKey(database, now)
    devices = Devices(database, key, Persons(database, 0), now, may_go_inside=False)
    wanted = NewNotifications(
        endpoint="https://push.example/1",
        p256dh=(await key.get()).public,
        auth="BTBZMqHH6r4Tts7J_aSIgg",
        topics=["overtaken"],
        time_zone="Europe/Budapest",
    )
    await devices.set(session.player, session_id(session.token), wanted, "192.0.2.7")
    await devices.test(session.player, session_id(session.token), new_id())
    rank = {"player": session.player.id, "day": "2026-11-20", "rank": 1, "total": "0 1 2", "told": 0, "told_at": 0}
    async with database.writing() as connection:
        await connection.execute(insert(notified_ranks).values(rank))
        await connection.execute(insert(feed_cursors).values(reader="news", position=3))


async def test_a_backup_goes_from_sqlite_to_postgresql_and_back_and_stays_the_same(
    lived: Database, bare_postgresql: Database, bare: Database, tmp_path: Path
) -> None:
    first, second, third = (tmp_path / name for name in ("first", "second", "third"))
    await act_as_hosts_do(lived)
    counts = (await write_backup(lived, first)).rows
    assert min(counts.values()) > 0
    there = await restore(bare_postgresql, first)
    await write_backup(bare_postgresql, second)
    back = await restore(bare, second)
    await write_backup(bare, third)
    assert first.read_bytes() == second.read_bytes() == third.read_bytes()
    assert there == back
    assert there.rows == counts
    assert await content(bare) == await content(bare_postgresql) == await content(lived)


async def test_a_backup_is_readable_by_its_owner_only_and_replaces_the_previous_one_when_complete(
    lived: Database, tmp_path: Path
) -> None:
    file = tmp_path / "backup"
    file.write_text("the one before")
    async with lived.writing() as connection:
        await connection.execute(text("ALTER TABLE members RENAME TO elsewhere"))
    with pytest.raises(Exception, match="members"):
        await write_backup(lived, file)
    assert file.read_text() == "the one before"
    async with lived.writing() as connection:
        await connection.execute(text("ALTER TABLE elsewhere RENAME TO members"))
    await write_backup(lived, file)
    assert file.stat().st_mode & 0o777 == 0o600
    assert not file.with_name("backup.part").exists()


async def test_a_backup_cannot_be_restored_into_a_database_with_data(lived: Database, tmp_path: Path) -> None:
    before = await content(lived)
    await write_backup(lived, tmp_path / "backup")
    with pytest.raises(NotEmpty, match="analyses"):
        await restore(lived, tmp_path / "backup")
    assert await content(lived) == before


async def test_a_backup_cannot_be_restored_into_tables_of_another_version(
    lived: Database, bare: Database, tmp_path: Path
) -> None:
    await write_backup(lived, tmp_path / "backup")
    await migrate(bare, "0001")
    with pytest.raises(NotEmpty, match="0001"):
        await restore(bare, tmp_path / "backup")


async def test_an_older_backup_is_brought_up_to_date(lived: Database, bare: Database, tmp_path: Path) -> None:
    await write_backup(lived, tmp_path / "backup")
    rewrite(tmp_path / "backup", _as_of_0001)
    await restore(bare, tmp_path / "backup")
    found, lived_content = await content(bare), await content(lived)
    waiting, ended = ([row[:2] for row in rows] for rows in (found.pop("log_queue"), lived_content.pop("log_queue")))
    ended += [row[1:3] for row in lived_content["log_entries"]]
    ends = {(row[0], row[1]) for row in lived_content["events"] if row[3] in ENDING_EVENTS or is_strike(row)}
    closed = {row[0] for row in lived_content["events"] if row[3] == "daily_closed"}
    coming = {
        (entry_name(row[3], id_of(row[0])), row[1])
        for row in lived_content["events"]
        if row[3] in DAY_EVENTS and row[0] not in closed
    }
    assert len(coming) > 7
    assert {*waiting} == {*ended} & (ends | coming)  # what was in the log, or waited for it, waits for it again
    assert found == lived_content | {table: [] for table in NEWER_TABLES}


def is_strike(row: Sequence[Any]) -> bool:
    """Whether an event is about a run that was struck or put back."""
    return row[0] == HOUSE and json.decode(row[5])["act"] in STRIKES


NEWER_TABLES = (
    "settings",
    "personal_tokens",
    "certificates",
    "analyses",
    "positions",
    "one_time_codes",
    "house",
    "house_notes",
    "reports",
    "findings",
    "house_settings",
    "webhooks",
    "deliveries",
    "news",
    "erased",
    "recovery_codes",
    "log_entries",
    "log_tiles",
    "log_heads",
    "witnessed_logs",
    "passkeys",
    "archives",
    "archived_games",
    "mail_addresses",
    "digest_readers",
    "oidc_subjects",
    "messages",
    "signs",
    "notification_keys",
    "notification_devices",
    "notifications",
    "notified_ranks",
    "feed_cursors",
    "evening_names",
    "pulse",
    "waiting_mails",
    "contributions",
)
"""Tables that revision 0001 did not have, and that are empty after its backup is restored."""


NEWER_COLUMNS = {
    "players": ("claimed_at", "retired_at", "role", "suspended_until", "muted_until"),
    "tokens": ("confirmed_at", "used_at", "browser", "system"),
    "days": ("grace",),
    "groups": ("talk_since", "talk_serial"),
}
"""The columns that revision 0001 did not have, the last ones of their tables."""


def _as_of_0001(lines: list[bytes]) -> list[bytes]:
    lines = [re.sub(rb'"00\d\d"', b'"0001"', lines[0]), *lines[1:-1], b'{"end":8}\n']
    for name, newer in NEWER_COLUMNS.items():
        first = next(number for number, line in enumerate(lines) if line.startswith(b'{"table":"%s"' % name.encode()))
        after = next(number for number in range(first, len(lines)) if lines[number].startswith(b'{"rows"'))
        lines[first] = lines[first].replace("".join(f',"{column}"' for column in newer).encode(), b"")
        for number in range(first + 1, after):
            lines[number] = json.encode(json.decode(lines[number])[: -len(newer)]) + b"\n"
        digest = sha256(b"".join(lines[first:after])).hexdigest()
        lines[after] = json.encode({"rows": after - first - 1, "sha256": digest}) + b"\n"
    for table in (name.encode() for name in (*NEWER_TABLES, "name_skeletons", "log_queue")):
        at = next(number for number, line in enumerate(lines) if line.startswith(b'{"table":"%s"' % table))
        end = next(number for number in range(at, len(lines)) if lines[number].startswith(b'{"rows"'))
        lines = [re.sub(rb'"%s",|,"%s"' % (table, table), b"", lines[0]), *lines[1:at], *lines[end + 1 :]]
    return lines


async def test_a_backup_proves_itself_complete_against_a_published_root(
    lived: Database, bare: Database, tmp_path: Path
) -> None:
    file = tmp_path / "backup"
    async with lived.reading() as connection:
        published = await root_of(connection, LAST_DAY)
    await write_backup(lived, file)
    with pytest.raises(RootDiffers, match=published.root):
        await restore(bare, file, (LAST_DAY, "0" * 64))
    assert await tables(bare) == []
    assert (await restore(bare, file, (LAST_DAY, published.root))).root == published


async def test_a_backup_that_lacks_a_finished_game_is_not_what_was_published(
    lived: Database, empty: Database, tmp_path: Path
) -> None:
    async with lived.reading() as connection:
        published = await root_of(connection, LAST_DAY)
        (over,) = await connection.scalars(select(events.c.stream).where(events.c.type == "deal_revealed"))
    async with lived.writing() as connection:
        await connection.execute(delete(events).where(events.c.stream == over))
        await connection.execute(delete(deals).where(deals.c.id == over.partition("/")[2]))
    await write_backup(lived, tmp_path / "backup")
    with pytest.raises(RootDiffers):
        await restore(empty, tmp_path / "backup", (LAST_DAY, published.root))


async def test_an_export_is_a_consistent_snapshot(postgresql_url: str, bare: Database, tmp_path: Path) -> None:
    async with lived_in(postgresql_url) as running_server:
        database = Database(postgresql_url)
        file = tmp_path / "backup"
        with gzip.open(file, "wb") as packed:
            async for line in backup_lines(database, Contents()):
                packed.write(line)
                if b'"table":"days"' in line:
                    begun = await (await running_server.guest()).deal()
        await restore(bare, file)
        await database.close()
    assert begun not in {row[0] for row in (await content(bare))["deals"]}
