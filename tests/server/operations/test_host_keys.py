"""Rotating the host's key: over a running server, cut short at every step, with a node that has only the old file."""

import asyncio
import os
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from cadogan.server.config import Settings
from cadogan.server.operations.host_keys import host_key_of, key_file, log_name, restart_log, rotate_key
from cadogan.server.subjects.audit.attestation import Trust, attest, join_trust, read_host
from cadogan.server.subjects.audit.game_audit import read_record, verify
from cadogan.server.subjects.transparency.checkpoints import read_checkpoint
from cadogan.server.subjects.transparency.host_key import HostKey, KeyUnusable
from cadogan.server.subjects.transparency.leaves import NextKey, read_entry
from cadogan.server.subjects.transparency.notes import SigningKey, VerifierKey
from cadogan.server.subjects.transparency.sequencer import Sequencer
from cadogan.server.subjects.transparency.transparency_log import OtherKey
from tests.harness.command_line import run
from tests.harness.daily_actions import play_and_resign
from tests.harness.logging_ends import DAY_ENTRIES, log_ends
from tests.harness.running_server import TEST_SETTINGS, RunningServer, open_server


@pytest.fixture
async def club(database_url: str, tmp_path: Path) -> AsyncIterator[RunningServer]:
    """A server with its key in a file of its own, on which one game has ended: over SQLite, and over PostgreSQL."""
    settings = replace(TEST_SETTINGS, database_url=database_url, key_file=str(tmp_path / "host.key"))
    async with open_server(settings) as server:
        await end_a_game(server)
        yield server


async def end_a_game(server: RunningServer) -> bytes:
    """The record of a game that has just ended, with its proof."""
    person = await server.guest()
    game = await person.deal()
    await play_and_resign(person, game)
    await log_ends(server.server)
    async with person.session.get(f"{server.url}/api/v1/games/{game}/record", headers=person.headers) as response:
        return await response.read()


async def published(server: RunningServer) -> Trust:
    """The keys that the server publishes."""
    async with server.session.get(f"{server.url}/.well-known/cadogan.json") as response:
        assert response.status == 200
        return read_host(await response.json())


def signer(record: bytes, trust: Trust) -> VerifierKey | None:
    """The key by which a record is attested to who trusts these keys."""
    found = attest(read_record(record), verify(record).hashes, trust)
    return found and found.key


async def test_old_and_new_records_are_attested_to_who_trusts_the_old_key_or_the_new_one(club: RunningServer) -> None:
    key, database = club.server.host_key, club.server.database
    first, before = key.get(), await end_a_game(club)
    made = await rotate_key(database, key)
    second, after = key.get(), await end_a_game(club)
    assert (made.key, first.name) == (second.verifier(), second.name)
    assert first != second
    host = await published(club)
    assert host.hosts == (second.verifier(), first.verifier())
    for given in (first, second):
        trust = join_trust(Trust((given.verifier(),)), host)
        assert signer(before, trust) == first.verifier()
        assert signer(after, trust) == second.verifier()
        assert signer(after, Trust((given.verifier(),))) == second.verifier()
    entry = await club.server.transparency.find("key")
    assert entry is not None
    assert isinstance(read_entry(entry.entry), NextKey)
    await rotate_key(database, key)
    third, last = key.get(), await end_a_game(club)
    assert signer(last, Trust((first.verifier(),))) == third.verifier()


async def test_the_old_key_is_kept_aside_and_nobody_else_may_read_any_of_them(club: RunningServer) -> None:
    key = club.server.host_key
    first = key.get()
    made = await rotate_key(club.server.database, key)
    assert made.aside is not None
    assert HostKey(made.aside).get() == first
    folder = key.file.parent
    names = {"host.key", f"host.key.{first.verifier().id.hex()}", "host.key.signed"}
    assert {file.name for file in folder.glob("host.key*")} == names
    assert {(folder / name).stat().st_mode & 0o777 for name in names} == {0o600}


@pytest.mark.parametrize("step", ["before the log knows", "after the log knows", "while the files change places"])
async def test_a_rotation_that_was_cut_short_hinders_no_server_and_is_finished_later(
    club: RunningServer, step: str
) -> None:
    key, log = club.server.host_key, club.server.transparency
    first = key.get()
    following = key.make_next(first.name)
    if step != "before the log knows":
        await log.rotate(first, following)
    if step == "while the files change places":
        os.link(key.file, key.file.with_name(f"{key.file.name}.{first.verifier().id.hex()}"))
    expected = first if step == "before the log knows" else following
    assert signer(await end_a_game(club), await published(club)) == expected.verifier()
    made = await rotate_key(club.server.database, key)
    assert (made.key, key.get(), key.find_next()) == (following.verifier(), following, None)
    assert len((await published(club)).rotations) == 1
    assert signer(await end_a_game(club), Trust((first.verifier(),))) == following.verifier()


async def test_a_node_without_the_new_file_signs_nothing_and_publishes_the_new_key_all_the_same(
    club: RunningServer, tmp_path: Path
) -> None:
    (tmp_path / "elsewhere").mkdir()
    other = HostKey(tmp_path / "elsewhere" / "host.key")
    other.file.write_text(club.server.host_key.get().text)
    settings = replace(club.server.settings, key_file=str(other.file))
    async with open_server(settings) as node:
        await rotate_key(club.server.database, club.server.host_key)
        sequencer = Sequencer(node.server.transparency, other)
        with pytest.raises(KeyUnusable, match="holds another key than the one that signs the log"):
            await sequencer.append_all()
        with pytest.raises(OtherKey):
            await node.server.transparency.append_waiting(other.get())
        assert (await published(node)).hosts == (await published(club)).hosts
        other.file.write_text(club.server.host_key.get().text)
        assert signer(await end_a_game(node), await published(club)) == club.server.host_key.get().verifier()


async def test_a_lost_key_is_not_replaced_silently_and_the_log_begins_again_only_if_the_host_says_so(
    club: RunningServer,
) -> None:
    key, log = club.server.host_key, club.server.transparency
    first, before = key.get(), await end_a_game(club)
    key.file.unlink()
    with pytest.raises(KeyUnusable, match="no such file"):
        await Sequencer(log, key).append_all()
    assert key.find() is None
    made = await restart_log(club.server.database, key, "club.example/log")
    assert made.key.name.startswith("club.example/log/")
    assert made.key.name != first.name
    after = await end_a_game(club)
    assert signer(after, await published(club)) == made.key
    assert signer(after, Trust((first.verifier(),))) is None
    assert signer(before, Trust((first.verifier(),))) == first.verifier()
    head = await log.head()
    assert head is not None
    assert read_checkpoint(head.text).origin == made.key.name


@pytest.mark.both_databases
async def test_a_restart_that_was_cut_short_is_finished_and_not_done_again(club: RunningServer) -> None:
    key = club.server.host_key
    following = key.make_next("club.example/log/12345678")
    await club.server.transparency.restart(following)
    made = await restart_log(club.server.database, key, "club.example/log")
    assert (made.key, key.get()) == (following.verifier(), following)


def test_the_key_lies_where_it_outlives_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    club = f"sqlite:///{tmp_path}/club.db"
    assert key_file(Settings(database_url=club)) == tmp_path / "club.key"
    assert key_file(Settings(database_url=club, key_file="/a/b.key")) == Path("/a/b.key")
    database = Settings(database_url="postgresql://cadogan:secret@db.example/club")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert key_file(database) == tmp_path / "data" / "cadogan" / "club.key"
    monkeypatch.setenv("STATE_DIRECTORY", "/var/lib/cadogan:/var/lib/other")
    assert key_file(database) == Path("/var/lib/cadogan/club.key")


def test_a_folder_that_is_missing_is_made_for_the_key_alone(tmp_path: Path) -> None:
    key = HostKey(tmp_path / "data" / "cadogan" / "club.key").make()
    folder = tmp_path / "data" / "cadogan"
    assert (folder.stat().st_mode & 0o777, SigningKey.read((folder / "club.key").read_text())) == (0o700, key)


@pytest.mark.parametrize(
    ("origins", "name"),
    [
        ((), ""),
        (("http://localhost:8000", "http://192.168.1.5:8000", "http://[::1]", "http://box.localhost"), ""),
        (("http://192.168.1.5", "https://patience.example:8443", "https://other.example"), "patience.example:8443/log"),
    ],
)
def test_a_log_is_called_by_the_first_public_name_of_its_server(origins: tuple[str, ...], name: str) -> None:
    assert log_name(Settings(origin=origins)) == name


def test_the_name_of_a_log_stays_when_the_address_changes(tmp_path: Path) -> None:
    settings = Settings(origin=("https://patience.example",), key_file=str(tmp_path / "host.key"))
    assert host_key_of(settings).make().name == "patience.example/log"
    assert host_key_of(replace(settings, origin=("https://elsewhere.example",))).make().name == "patience.example/log"
    drawn = host_key_of(replace(settings, origin=(), key_file=str(tmp_path / "drawn.key"))).make().name
    assert drawn.startswith("cadogan.invalid/")


async def test_the_command_shows_and_rotates_the_key_of_a_running_server(sqlite_server: RunningServer) -> None:
    await end_a_game(sqlite_server)
    key = sqlite_server.server.host_key
    options = ["--database-url", sqlite_server.server.settings.database_url]
    first = key.get().verifier().text
    shown = await asyncio.to_thread(run, "key", "show", *options)
    assert (shown.exit_code, f"key: {first}" in shown.output) == (0, True), shown.output
    rotated = await asyncio.to_thread(run, "key", "rotate", *options)
    second = key.get().verifier().text
    assert (rotated.exit_code, second in rotated.output, first != second) == (0, True, True), rotated.output
    again = (await asyncio.to_thread(run, "key", "show", *options)).output
    assert f"key: {second}" in again
    assert f"earlier, for trees of up to {DAY_ENTRIES + 1} entries: {first}" in again
    refused = await asyncio.to_thread(run, "key", "restart", *options)
    assert refused.exit_code == 1  # nobody has said yes
    assert key.get().verifier().text == second
    begun = await asyncio.to_thread(run, "key", "restart", "--yes", *options)
    assert (begun.exit_code, key.get().verifier().text in begun.output) == (0, True)
    key.file.unlink()
    refused = await asyncio.to_thread(run, "key", "rotate", *options)
    assert (refused.exit_code, "cadogan key restart" in refused.output) == (1, True)


def test_before_the_first_start_there_is_no_key(sqlite_url: str) -> None:
    shown = run("key", "show", "--database-url", sqlite_url)
    assert (shown.exit_code, "it is made at the first start" in shown.output) == (0, True), shown.output
    assert not key_file(Settings(database_url=sqlite_url)).exists()
