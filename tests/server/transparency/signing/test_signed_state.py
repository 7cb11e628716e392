"""A log that was set back is not signed: real backups are restored over the database of a server that has gone on."""

import resource
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import delete, update

from cadogan.server.core.database.connections import open_database
from cadogan.server.core.database.tables import log_entries, log_heads, log_queue, log_tiles
from cadogan.server.operations.backup import write_backup
from cadogan.server.operations.host_keys import restart_log, rotate_key
from cadogan.server.operations.monitor import Monitor
from cadogan.server.operations.monitor_state import MonitorState
from cadogan.server.operations.restore import restore
from cadogan.server.operations.watched_server import WatchedServer
from cadogan.server.subjects.audit.attestation import Trust
from cadogan.server.subjects.transparency.checkpoints import read_checkpoint
from cadogan.server.subjects.transparency.host_key import HostKey, KeyUnusable
from cadogan.server.subjects.transparency.notes import WITNESS, Note
from cadogan.server.subjects.transparency.sequencer import LogSetBack, Sequencer, SignedState
from cadogan.server.subjects.transparency.transparency_log import LATEST, TransparencyLog
from cadogan.server.subjects.transparency.witnesses import RemoteWitness, Witnesses
from tests.harness import databases
from tests.harness.daily_actions import play_and_resign
from tests.harness.logging_ends import DAY_ENTRIES, log_ends
from tests.harness.running_server import TEST_SETTINGS, RunningServer, open_server


@pytest.fixture
async def club(database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[RunningServer]:
    """A server with two games in its log, over SQLite and over PostgreSQL. What ends after them the tests append."""
    monkeypatch.setattr("cadogan.server.subjects.transparency.sequencer.BATCH_SECONDS", 3600.0)
    settings = replace(TEST_SETTINGS, database_url=database_url, key_file=str(tmp_path / "host.key"))
    async with open_server(settings) as server:
        for _ in range(2):
            await end_a_game(server)
        yield server


@pytest.fixture
async def empty_url(database_url: str, tmp_path: Path) -> AsyncIterator[str]:
    """A database of the same kind, without tables."""
    if database_url.startswith("sqlite"):
        yield f"sqlite:///{tmp_path / 'restored.db'}"
    else:
        async with databases.postgresql() as url:
            yield url


async def end_a_game(server: RunningServer) -> None:
    """A game that ends, and is in the log if it can be signed."""
    person = await server.guest()
    await play_and_resign(person, await person.deal())
    await log_ends(server.server)


async def size_of(log: TransparencyLog) -> int:
    """How many entries the signed log has."""
    head = await log.head()
    assert head is not None
    return read_checkpoint(head.text).size


@asynccontextmanager
async def restored(server: RunningServer, backup: Path, url: str) -> AsyncIterator[RunningServer]:
    """The server after its database was restored from a backup, with the key that it has."""
    async with open_database(url) as database:
        await restore(database, backup)
    async with open_server(replace(server.server.settings, database_url=url)) as again:
        yield again


async def test_a_restored_backup_has_the_same_tree_and_goes_on_with_it(
    club: RunningServer, empty_url: str, tmp_path: Path
) -> None:
    state = MonitorState("", [])
    assert await look(club, state) == []
    await write_backup(club.server.database, tmp_path / "backup.gz")
    before = await club.server.transparency.head()
    async with restored(club, tmp_path / "backup.gz", empty_url) as again:
        assert await again.server.transparency.head() == before
        await end_a_game(again)
        assert await size_of(again.server.transparency) == DAY_ENTRIES + 3
        assert await look(again, state) == []


async def look(server: RunningServer, state: MonitorState) -> list[str]:
    """What a monitor finds."""
    monitor = Monitor(WatchedServer(server.session, server.url), state, Trust())
    return [wrong async for wrong in monitor.check()]


async def test_an_older_backup_is_noticed_by_the_server_a_monitor_and_a_witness_and_people_play_on(
    club: RunningServer, empty_url: str, tmp_path: Path
) -> None:
    state, key = MonitorState("", []), club.server.host_key
    await write_backup(club.server.database, tmp_path / "backup.gz")
    await end_a_game(club)
    assert await look(club, state) == []
    witness_settings = replace(
        TEST_SETTINGS,
        database_url=f"sqlite:///{tmp_path / 'witness.db'}",
        migrate=True,
        witness_for=(key.get().verifier().text,),
    )
    async with open_server(witness_settings) as witness:
        seen_by = witness.server.host_key.get().witness().verifier(WITNESS)
        remote = RemoteWitness(seen_by, f"{witness.url}/witness")
        assert await Witnesses(club.server.transparency, [remote]).ask() == 1
        async with restored(club, tmp_path / "backup.gz", empty_url) as again:
            log = again.server.transparency
            with pytest.raises(LogSetBack, match=r"has 11 entries, and 12 were signed here: restore the newest backup"):
                await end_a_game(again)
            assert (await size_of(log), await log.is_waiting()) == (
                DAY_ENTRIES + 2,
                True,
            )  # people play on, nothing is lost
            assert await look(again, state) == ["the log was set back: it had 12 entries, and has 11"]
            assert await Witnesses(log, [remote]).ask() == 0
            with pytest.raises(LogSetBack):
                await rotate_key(again.server.database, key)
            key.file.with_name("host.key.signed").unlink()  # a host who does not want to know
            assert await Sequencer(log, key).append_all() == 1
            assert await size_of(log) == DAY_ENTRIES + 3
            assert await look(again, state) == ["entry 12 of the log is another one than before"]
            assert await Witnesses(log, [remote]).ask() == 0


async def test_a_log_that_was_set_back_begins_again_under_another_name_if_the_host_says_so(
    club: RunningServer, empty_url: str, tmp_path: Path
) -> None:
    await write_backup(club.server.database, tmp_path / "backup.gz")
    await end_a_game(club)
    async with restored(club, tmp_path / "backup.gz", empty_url) as again:
        await restart_log(again.server.database, again.server.host_key, "club.example/log")
        await end_a_game(again)
        assert await size_of(again.server.transparency) == DAY_ENTRIES + 3
        assert await look(again, MonitorState("", [])) == []


async def test_a_backup_from_before_a_rotation_is_noticed(club: RunningServer, empty_url: str, tmp_path: Path) -> None:
    await write_backup(club.server.database, tmp_path / "backup.gz")
    await rotate_key(club.server.database, club.server.host_key)
    async with restored(club, tmp_path / "backup.gz", empty_url) as again:
        with pytest.raises(LogSetBack):
            await end_a_game(again)
        club.server.host_key.file.with_name("host.key.signed").unlink()
        with pytest.raises(KeyUnusable, match="holds another key than the one that signs the log"):
            await Sequencer(again.server.transparency, club.server.host_key).append_all()


@pytest.mark.parametrize("what", ["emptied", "hashes", "a hash is missing", "root"])
async def test_a_log_with_other_entries_than_were_signed_is_not_signed(club: RunningServer, what: str) -> None:
    log, key = club.server.transparency, club.server.host_key
    async with club.server.database.writing() as connection:
        if what == "hashes":
            await connection.execute(update(log_tiles).values(hashes=bytes(64)))
        for table in (log_entries, log_tiles, log_heads) if what in ("emptied", "root") else ():
            await connection.execute(delete(table))
        if what == "a hash is missing":
            await connection.execute(delete(log_tiles))
        await connection.execute(delete(log_queue))
    if what == "root":
        await log.append([("game/x", 1, b"one"), ("game/y", 1, b"two"), ("game/z", 1, b"three")], key.get())
    with pytest.raises(LogSetBack):
        await end_a_game(club)


async def test_what_another_node_has_signed_meanwhile_is_gone_on_from(club: RunningServer, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    other = tmp_path / "elsewhere" / "host.key"
    shutil.copy(club.server.host_key.file, other)
    async with open_server(replace(club.server.settings, key_file=str(other))) as node:
        await end_a_game(node)
        await end_a_game(club)
        await end_a_game(node)
        assert await size_of(club.server.transparency) == DAY_ENTRIES + 5


async def test_a_log_that_another_process_signs_at_this_moment_was_not_set_back(club: RunningServer) -> None:
    class Overtaken(TransparencyLog):
        async def head(self, kind: str = LATEST) -> Note | None:
            """The checkpoint, which is not the last any more when it is there."""
            found = await super().head(kind)
            await end_a_game(club)
            return found

    key = await Sequencer(Overtaken(club.server.database), club.server.host_key).find_key()
    assert key == await Sequencer(club.server.transparency, club.server.host_key).find_key()
    assert await size_of(club.server.transparency) == DAY_ENTRIES + 3


async def test_the_state_never_goes_back_and_one_that_cannot_be_read_signs_nothing(
    club: RunningServer, tmp_path: Path
) -> None:
    state = SignedState(club.server.host_key.file)
    first = state.file.read_text()
    before = await club.server.transparency.head()
    await end_a_game(club)
    assert before is not None
    state.keep(before)  # by another process, which was slower
    stored = state.read()
    assert stored is not None
    assert stored.size == DAY_ENTRIES + 3
    state.file.write_text(first[:-5])
    with pytest.raises(KeyUnusable, match=r"host\.key\.signed"):
        await end_a_game(club)


def test_advice_that_destroys_is_given_only_for_a_file_whose_content_is_wrong(tmp_path: Path) -> None:
    state, key = SignedState(tmp_path / "host.key"), HostKey(tmp_path / "host.key")
    key.make()
    state.file.write_text("no checkpoint")
    with pytest.raises(KeyUnusable, match="remove it, if you know that the database is the latest"):
        state.read()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, hard))
    try:
        for read in (state.read, key.find):
            with pytest.raises(KeyUnusable, match="Too many open files: raise the limit of open files"):
                read()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    key.file.unlink()
    key.file.mkdir()
    with pytest.raises(KeyUnusable, match="Is a directory: make it a file that the server's user may read and write"):
        key.find()
