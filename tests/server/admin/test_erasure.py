"""Erasing: nothing is left of who somebody was, in any table, file or backup; their runs and every proof stay."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from msgspec import json
from sqlalchemy import Connection, inspect, text
from websockets.exceptions import ConnectionClosed

from cadogan.server.core.database.connections import Database
from cadogan.server.core.dates import MILLISECONDS_PER_DAY
from cadogan.server.operations.backup import Contents, backup_lines, write_backup
from cadogan.server.operations.merkle_roots import root_of
from cadogan.server.operations.restore import restore
from cadogan.server.subjects.audit.game_audit import verify
from cadogan.server.subjects.players.own_data import PERSONAL_DATA, Erased, ErasedPlayer, erased_players
from cadogan.wire.codec import SIGNED_OUT
from tests.harness import databases
from tests.harness.daily_actions import close_day, play_and_resign
from tests.harness.hosts import PASSWORD, WHY, confirm, log_of, player, with_role
from tests.harness.people import Person
from tests.harness.running_server import TEST_SETTINGS, RunningServer, open_server

NAME = "Zsuzsanna Quill"
TELLING = ("zsuzsanna", "quill", "2su2sanna", "dark-and-telling")
"""Parts of what the player is called, or has chosen, in small letters; nothing else in a database has them."""
ERASE = {"reason": "request"}


async def live(running_server: RunningServer) -> tuple[Person, Person, str]:
    """A host, a player who has done everything that leaves something behind, and a finished game of theirs."""
    host, quill = await with_role(running_server, "Ada", "host"), await player(running_server, NAME)
    async with quill.session.put(
        f"{quill.url}/api/v1/settings", json={"theme": "dark"}, headers=quill.headers
    ) as answer:
        assert answer.status == 200
    for method, path, body in (
        ("PUT", "/friends/Ada", None),
        ("POST", "/groups", {"name": "The Quill Club"}),
        ("POST", "/tokens", {"name": "Quill's page", "scopes": ["read"]}),
        ("POST", "/bots", {"name": "Quillbot"}),
    ):
        assert (await quill.ask(method, path, body))[0] == 200
    _, shared = await host.post("/groups", {"name": "The snug"})
    await quill.post("/groups/join", {"token": shared["token"]})
    await host.ask("PUT", "/friends/Zsuzsanna%20Quill")
    await host.ask("PUT", f"/groups/{shared['id']}/talk", {"on": True})
    _, written = await quill.post(f"/groups/{shared['id']}/messages", {"text": "This is Zsuzsanna."})
    assert (await host.ask("PUT", f"/reports/messages/{written['id']}", {"reason": "other"}))[0] == 200
    note = {"reason": "security", "note": "Zsuzsanna has lost her phone."}
    assert (await host.ask("PUT", f"/house/players/{quill.id}/access", note))[0] == 200
    ended = await quill.deal()
    await play_and_resign(quill, ended, moves=4)
    await play_and_resign(quill, await quill.enter(), moves=12)
    await play_and_resign(host, await host.enter(), moves=12)
    return host, quill, ended


async def everything(database: Database) -> dict[str, str]:
    """All that is in a database, by table and column: tables that the server does not know as well."""

    def columns(connection: Connection) -> list[tuple[str, str]]:
        found = inspect(connection)
        return [(table, column["name"]) for table in found.get_table_names() for column in found.get_columns(table)]

    async with database.reading() as connection:
        return {
            f"{table}.{column}": "\n".join(
                str(value) for value in await connection.scalars(text(f'SELECT "{column}" FROM "{table}"'))
            ).lower()
            for table, column in await connection.run_sync(columns)
        }


async def telling_columns(database: Database) -> set[str]:
    """The columns that have something of who the player was."""
    return {column for column, has in (await everything(database)).items() if any(one in has for one in TELLING)}


async def erase_oneself(person: Person) -> None:
    """Confirm with the password and erase the account."""
    await confirm(person)
    status, answer = await person.ask("DELETE", "/account")
    assert (status, answer["player"]) == (200, None)


async def test_nothing_is_left_of_who_somebody_was_in_any_column_of_any_table(running_server: RunningServer) -> None:
    _, quill, _ = await live(running_server)
    database = running_server.server.database
    assert await telling_columns(database) >= {
        "players.name",
        "house_notes.note",
        "groups.name",
        "personal_tokens.name",
        "messages.text",
        "reports.quoted",
    }
    await erase_oneself(quill)
    assert await telling_columns(database) == set()
    stored = {column for column, has in (await everything(database)).items() if quill.id in has}
    erased = {name for name, about in PERSONAL_DATA.items() if isinstance(about, Erased)}
    assert {column.partition(".")[0] for column in stored} & erased == set()
    assert {"events.data", "erased.player", "games.player"} <= stored


async def test_an_export_made_later_holds_no_name(running_server: RunningServer) -> None:
    _, quill, _ = await live(running_server)
    await erase_oneself(quill)
    lines = b"".join([line async for line in backup_lines(running_server.server.database, Contents())]).decode().lower()
    assert quill.id in lines
    assert [one for one in TELLING if one in lines] == []


async def test_the_file_itself_has_not_a_byte_of_the_name_left(sqlite_server: RunningServer) -> None:
    _, quill, _ = await live(sqlite_server)
    path = Path(str(sqlite_server.server.database.url.database))
    files = [path, path.with_name(f"{path.name}-wal")]
    assert any(b"Zsuzsanna" in file.read_bytes() for file in files)
    await erase_oneself(quill)
    for file in files:
        found = file.read_bytes().lower()
        assert [one for one in TELLING if one.encode() in found] == []


@pytest.mark.both_databases
async def test_every_proof_holds_and_the_runs_stay(running_server: RunningServer) -> None:
    host, quill, ended = await live(running_server)
    await close_day(running_server)
    running_server.clock.at += MILLISECONDS_PER_DAY
    before = await proofs(running_server, host, ended)
    _, board = await host.get("/boards/day:2026-11-20")
    await confirm(host)
    status, left = await host.ask("PUT", f"/house/players/{quill.id}/erasure", ERASE)
    assert (status, left) == (200, {"id": quill.id, "name": "Nobody", "guest": True, "left": True})
    assert await proofs(running_server, host, ended) == before
    _, after = await host.get("/boards/day:2026-11-20")
    assert [one["points"] for one in after["entries"]] == [one["points"] for one in board["entries"]]
    (row,) = [one for one in after["entries"] if one["player"]["id"] == quill.id]
    assert row["player"] == left
    assert (await host.get(f"/players/{quill.id}"))[1]["code"] == "not_found"
    assert (await host.get(f"/games/{ended}/replay"))[1]["dealt"]["game"]["player"] == left


async def proofs(running_server: RunningServer, host: Person, game: str) -> tuple[Any, ...]:
    """The root of what was revealed, and the record of a game with what an audit finds."""
    _, record = await host.get(f"/games/{game}/record")
    record.pop("proof", None)  # it is there once the game is in the log, and then names the latest checkpoint
    async with running_server.server.database.reading() as connection:
        root = await root_of(connection, "2026-11-22")
    return root, record, verify(json.encode(record))


async def test_who_is_erased_is_signed_out_at_once_and_cannot_sign_in(running_server: RunningServer) -> None:
    _, quill, _ = await live(running_server)
    await confirm(quill)
    async with quill.connect() as socket:
        assert (await quill.ask("DELETE", "/account"))[0] == 200
        with pytest.raises(ConnectionClosed) as closed:
            await socket.receive("never")
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == SIGNED_OUT
    assert (await quill.get("/friends"))[1]["code"] == "unauthorized"
    status, refused = await running_server.stranger().post("/session", {"name": NAME, "password": PASSWORD})
    assert (status, refused["code"]) == (401, "bad_credentials")
    await player(running_server, NAME)  # the name is free


async def test_erasing_needs_the_password_of_whoever_has_one(sqlite_server: RunningServer) -> None:
    quill = await player(sqlite_server, NAME)
    assert (await quill.ask("DELETE", "/account"))[1]["code"] == "confirmation_needed"
    assert (await quill.get("/friends"))[0] == 200
    guest = await sqlite_server.guest()
    assert (await guest.ask("DELETE", "/account"))[0] == 200
    assert (await guest.get("/friends"))[1]["code"] == "unauthorized"


async def test_the_only_host_stays_and_another_may_go(sqlite_server: RunningServer) -> None:
    host = await with_role(sqlite_server, "Ada", "host")
    assert (await host.ask("DELETE", "/account"))[1]["code"] == "conflict"
    other = await with_role(sqlite_server, "Bob", "host")
    await erase_oneself(host)
    (last, *_) = await log_of(other)
    assert (last["act"], last["player"]["left"], last["by"]["left"]) == ("erased", True, True)


@pytest.mark.parametrize("who", ["moderator", "unknown", "bot"])
async def test_a_host_erases_no_moderator_no_bot_and_nobody_unknown(sqlite_server: RunningServer, who: str) -> None:
    host, mod = await with_role(sqlite_server, "Ada", "host"), await with_role(sqlite_server, "Mo", "moderator")
    _, made = await mod.post("/bots", {"name": "Marvin"})
    target, code = {
        "moderator": (mod.id, "forbidden"),
        "unknown": ("aaaaaaaaaaaaaaaa", "not_found"),
        "bot": (made["player"]["id"], "conflict"),
    }[who]
    assert (await host.ask("PUT", f"/house/players/{target}/erasure", ERASE))[1]["code"] == code
    assert (await mod.get("/session"))[0] == 200


async def test_the_act_is_in_the_log_without_a_name(running_server: RunningServer) -> None:
    host, quill, _ = await live(running_server)
    assert (await host.ask("PUT", f"/house/players/{quill.id}/erasure", {"reason": "conduct"}))[0] == 200
    (last, *earlier) = await log_of(host)
    assert (last["act"], last["reason"], last["by"]["name"], last["player"]["id"]) == (
        "erased",
        "conduct",
        "Ada",
        quill.id,
    )
    assert "Zsuzsanna" not in str([last, *earlier])


async def test_a_group_goes_with_its_last_member_and_no_other_group(running_server: RunningServer) -> None:
    host, quill, _ = await live(running_server)
    await erase_oneself(quill)
    assert [one["name"] for one in (await host.get("/groups"))[1]["groups"]] == ["The snug"]
    assert (await host.get("/friends"))[1]["friends"] == []
    assert "the quill club" not in (await everything(running_server.server.database))["groups.name"]


@asynccontextmanager
async def restored(url: str, file: Path, erased: list[ErasedPlayer]) -> AsyncIterator[Database]:
    """A new database that was filled from a backup."""
    database = Database(url)
    try:
        await restore(database, file, erased=erased)
        yield database
    finally:
        await database.close()


async def test_an_older_backup_does_not_bring_back_who_is_on_the_list(
    sqlite_server: RunningServer, tmp_path: Path
) -> None:
    _, quill, _ = await live(sqlite_server)
    database = sqlite_server.server.database
    await write_backup(database, tmp_path / "old")
    await erase_oneself(quill)
    async with database.reading() as connection:
        gone = await erased_players(connection)
    assert len(gone) == 2, "the player and the bot"
    with databases.sqlite(tmp_path) as url:
        async with restored(url, tmp_path / "old", []) as brought_back:
            assert await telling_columns(brought_back) != set()
    with databases.sqlite(tmp_path) as url:
        async with restored(url, tmp_path / "old", gone) as clean:
            assert await telling_columns(clean) == set()
            async with clean.reading() as connection:
                assert await erased_players(connection) == gone


async def test_the_next_start_shows_the_erased_as_somebody_who_left(sqlite_url: str) -> None:
    settings = replace(TEST_SETTINGS, database_url=sqlite_url)
    async with open_server(settings) as running_server:
        _, quill, ended = await live(running_server)
        await erase_oneself(quill)
    async with open_server(settings) as running_server:
        status, view = await running_server.stranger().get(f"/games/{ended}/replay")
        assert (status, view["dealt"]["game"]["player"]["left"]) == (200, True)


async def test_somebody_takes_everything_along(running_server: RunningServer) -> None:
    host, quill, ended = await live(running_server)
    status, own = await quill.get("/account/data")
    assert (status, own["player"]["name"]) == (200, NAME)
    assert [one["name"] for one in own["friends"]] == ["Ada"]
    assert [one["name"] for one in own["groups"]] == ["The Quill Club", "The snug"]
    assert [one["name"] for one in own["bots"]] == ["Quillbot"]
    assert [one["name"] for one in own["tables"]["personal_tokens"]] == ["Quill's page"]
    assert own["tables"]["settings"] == [{"chosen": '{"theme":"dark"}'}]
    assert len(own["tables"]["games"]) == 2
    assert [one["game"] for one in own["records"]] == [ended], "the run of today is still secret"
    assert own["records"] == [(await quill.get(f"/games/{ended}/record"))[1]]
    for secret in (PASSWORD, quill.token, "argon2", "phone"):
        assert secret not in str(own)
    assert host.token not in str(own)


async def test_a_bot_and_a_personal_token_get_nobodys_data(sqlite_server: RunningServer) -> None:
    quill = await player(sqlite_server, NAME)
    program, bot = sqlite_server.stranger(), sqlite_server.stranger()
    program.token = (await quill.post("/tokens", {"name": "Page", "scopes": ["read"]}))[1]["token"]
    bot.token = (await quill.post("/bots", {"name": "Marvin"}))[1]["token"]
    assert (await program.get("/account/data"))[1]["code"] == "unauthorized"
    assert (await bot.get("/account/data"))[1]["code"] == "conflict"
    assert (await sqlite_server.stranger().get("/account/data"))[1]["code"] == "unauthorized"


async def test_a_note_is_refused_where_nothing_may_be_left(sqlite_server: RunningServer) -> None:
    host, quill = await with_role(sqlite_server, "Ada", "host"), await player(sqlite_server, NAME)
    status, _ = await host.ask("PUT", f"/house/players/{quill.id}/erasure", WHY)
    assert status == 200  # keys that nobody knows are passed over
    assert (await log_of(host))[0].get("note", "") == ""
