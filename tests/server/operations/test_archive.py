"""Archiving: old games of guests go into a file that verifies, and nothing that counts changes."""

import gzip
import json
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Table, func, insert, select, update

from cadogan.server.cli.records import export
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import (
    analyses,
    archived_games,
    archives,
    deals,
    events,
    games,
    log_queue,
    metadata,
    players,
    reports,
    tokens,
)
from cadogan.server.core.dates import MILLISECONDS_PER_DAY
from cadogan.server.core.storage.rebuild import rebuild
from cadogan.server.operations import archive as archiving
from cadogan.server.operations.archive import ArchiveRefused, ArchiveResult, Candidates, archive, count_candidates
from cadogan.server.operations.backup import write_backup
from cadogan.server.operations.doctor import Severity, check_archives
from cadogan.server.operations.merkle_roots import Root, root_of
from cadogan.server.operations.restore import restore
from cadogan.server.subjects.admin.admin_log import AdminLog
from cadogan.server.subjects.audit.stored_records import (
    ArchiveBroken,
    NotCompared,
    is_archive,
    read_archive,
    read_stored_hashes,
)
from cadogan.server.subjects.catalog import GameTallies
from cadogan.server.subjects.known_rules import known_rules
from cadogan.server.subjects.transparency.sequencer import describe_host
from tests.harness import databases
from tests.harness.command_line import run
from tests.harness.daily_actions import close_day, play_and_resign
from tests.harness.logging_ends import log_ends
from tests.harness.people import Person
from tests.harness.running_server import TEST_SETTINGS, RunningServer
from tests.harness.sample_records import FOLDER
from tests.harness.web_verifier import verify_in_node

BEFORE = "2026-12-01"
YEAR = 366 * MILLISECONDS_PER_DAY


class Killed(Exception):
    """Stands for a process that ends in the middle."""


class Club:
    """A server a year after guests and players have played on it: who played what, by the ids of the games."""

    def __init__(self, running_server: RunningServer) -> None:
        self.running_server = running_server
        self.database = running_server.server.database
        self.old: set[str] = set()
        """The games that may be archived."""
        self.remaining: set[str] = set()

    def now(self) -> int:
        """The time there."""
        return self.running_server.clock.at

    async def archive(self, file: Path, before: str = BEFORE) -> ArchiveResult:
        """Archive, as the command does."""
        return await archive(self.database, before, file, self.now)

    async def count(self, table: Table) -> int:
        """How many rows a table has."""
        async with self.database.reading() as connection:
            return await connection.scalar(select(func.count()).select_from(table)) or 0

    async def root(self, day: str) -> Root:
        """The root of a day."""
        async with self.database.reading() as connection:
            return await root_of(connection, day)

    async def rows(self, *tables: Table) -> dict[str, list[Any]]:
        """Every row of these tables."""
        found = {}
        async with self.database.reading() as connection:
            for table in tables:
                found[table.name] = sorted(tuple(row) for row in await connection.execute(select(table)))
        return found


@pytest.fixture
async def club(running_server: RunningServer) -> Club:
    """Guests and a player have played a year ago; of everything that must stay there is something."""
    made = Club(running_server)
    guest, other, ann = [await running_server.guest() for _ in range(3)]
    assert (await ann.post("/account", {"name": "Ann", "password": "eight red queens"}))[0] == 200
    finished, short, abandoned = await guest.deal(), await guest.deal("olga"), await guest.deal()
    await play_and_resign(guest, finished, moves=12)
    await play_and_resign(guest, short, moves=2)
    await move(guest, abandoned)
    made.old = {finished, short, abandoned}
    of_account, of_day, played_on = await ann.deal(), await guest.enter(), await other.deal()
    await play_and_resign(ann, of_account, moves=12)
    await play_and_resign(guest, of_day, moves=3)
    await play_and_resign(other, played_on, moves=3)
    status, begun = await ann.post(f"/games/{played_on}/continuations", {"version": 2})
    assert status == 200, begun
    await running_server.server.analysis_jobs.ask(finished, 0, guest.id)
    await close_day(running_server)
    await log_ends(running_server.server)
    running_server.clock.at += YEAR
    active = await running_server.guest()
    late = await active.deal()
    await play_and_resign(active, late, moves=12)
    await log_ends(running_server.server)
    running_server.clock.at += 30 * MILLISECONDS_PER_DAY
    made.remaining = {of_account, of_day, played_on, begun["game"]["id"], late}
    return made


async def move(person: Person, game: str) -> None:
    """Play a move in a game."""
    async with person.connect() as socket:
        await socket.play(await socket.request("subscribe", game=game))


def old_files(folder: Path) -> list[str]:
    """The names of the archives in a folder, complete or not."""
    return sorted(file.name for file in folder.glob("old*"))


@pytest.mark.both_databases
async def test_old_games_of_guests_who_cannot_come_back_go_and_nothing_else(club: Club, tmp_path: Path) -> None:
    assert (await count_candidates(club.database, BEFORE, club.now())).games == 3
    done = await club.archive(tmp_path / "old.gz")
    assert (done.in_file, done.deleted, done.left, done.unverified) == (3, 3, 0, 0)
    rows = await club.rows(games, deals)
    assert {row[0] for row in rows["games"]} == club.remaining
    assert {row[0] for row in rows["deals"]}.isdisjoint(club.old)
    names = [name async for name in club.running_server.server.store.stream_names("game/")]
    assert {name.removeprefix("game/") for name in names} == club.remaining
    assert await club.count(analyses) == 0


@pytest.mark.both_databases
async def test_boards_statistics_and_roots_stay_as_they_are(club: Club, tmp_path: Path) -> None:
    derived = [metadata.tables[name] for name in ("entries", "totals", "buckets", "races")]
    before = await club.rows(*derived)
    tallies = await GameTallies(club.database, club.now).all()
    assert sum(tally.played for tally in tallies.values()) == 3
    days = ("2026-11-21", "2026-11-22", "2027-11-30", "2027-12-22")
    roots = [await club.root(day) for day in days]
    await club.archive(tmp_path / "old.gz")
    assert await club.rows(*derived) == before
    assert await GameTallies(club.database, club.now).all() == tallies
    assert [await club.root(day) for day in days] == roots
    assert await rebuild(club.database, known_rules()) > 0
    assert await club.rows(*derived) == before


async def test_every_record_in_the_file_verifies_by_both_verifiers(club: Club, tmp_path: Path) -> None:
    file = tmp_path / "old.gz"
    done = await club.archive(file)
    output = run("verify", str(file))
    assert (output.exit_code, "an archive of 3 games from before 2026-12-01" in output.output) == (0, True)
    said = json.loads(run("verify", "--json", str(file)).output)
    assert (said["consistent"], said["games"], said["sha256"], said["broken"]) == (True, 3, done.sha256, {})
    records = [json.loads(line) for line in gzip.decompress(file.read_bytes()).splitlines()[1:-1]]
    assert sorted("proof" in record for record in records) == [False, True, True]  # what never ended is in no log
    code, answer = verify_in_node(file, FOLDER / "klondike.rules.json")
    assert (code, answer["games"], answer["broken"]) == (0, 3, [])


async def test_both_verifiers_say_who_stands_for_the_records_of_an_archive(club: Club, tmp_path: Path) -> None:
    file, host, changed = tmp_path / "old.gz", tmp_path / "host.json", tmp_path / "changed.gz"
    await club.archive(file)
    key = club.running_server.server.host_key.get()
    host.write_text(json.dumps(describe_host(key.verifier())))
    output = run("verify", str(file), "--trust", str(host)).output
    assert f"attested: 2 of 3 by the log {key.name}, signed by its key {key.verifier().id.hex()}" in output
    assert "not witnessed: nobody else" in output
    assert (
        "not attested: none has a proof that is signed by a key that you have given" in run("verify", str(file)).output
    )
    said = json.loads(run("verify", "--json", str(file), "--trust", str(host)).output)
    assert (said["attested"], said["witnessed"]) == (2, {})
    code, answer = verify_in_node("--trust", host, file, FOLDER / "klondike.rules.json")
    assert (code, answer["attested"], answer["witnessed"]) == (0, 2, 0)
    assert verify_in_node(file)[1]["attested"] == 0
    head, *records, last = [json.loads(line) for line in gzip.decompress(file.read_bytes()).splitlines()]
    proofs = [record["proof"] for record in records if "proof" in record]
    for record in records:
        if "proof" in record:
            record["proof"] = proofs.pop()  # each has that of the other
    lines = [json.dumps(one, separators=(",", ":")).encode() + b"\n" for one in (head, *records)]
    digest = sha256(b"".join(lines)).hexdigest()
    end = json.dumps(last | {"sha256": digest}, separators=(",", ":")).encode() + b"\n"
    changed.write_bytes(gzip.compress(b"".join([*lines, end])))
    refused = json.loads(run("verify", "--json", str(changed), "--trust", str(host)).output)
    assert (refused["consistent"], len(refused["broken"]), refused["attested"]) == (False, 2, 0)
    code, answer = verify_in_node("--trust", host, changed)
    assert (code, len(answer["broken"])) == (1, 2)


async def test_a_file_that_was_changed_or_cut_is_broken_for_both_verifiers(club: Club, tmp_path: Path) -> None:
    file, changed = tmp_path / "old.gz", tmp_path / "changed.gz"
    await club.archive(file)
    lines = gzip.decompress(file.read_bytes()).splitlines(keepends=True)
    for some in (
        lines[:-1],
        [*lines[:2], *lines[3:]],
        [*lines, lines[-1]],
        [line.replace(b"resigned", b"lost") for line in lines],
        [*lines[:-1], lines[-1].replace(b"}", b',"more":"text"}')],
        [*lines[:-1], lines[-1].replace(b"}", b"} ")],
        [lines[0].replace(b"}", b',"more":"text"}'), *lines[1:]],
        [*lines, b"text"],
    ):
        changed.write_bytes(gzip.compress(b"".join(some)))
        with pytest.raises(ArchiveBroken):
            read_archive(changed, lambda _: None)
        assert run("verify", str(changed)).exit_code == 1
        assert verify_in_node(changed)[0] == 1
    whole = file.read_bytes()
    for packed in (whole[:-20], whole + b"text", whole + bytes(8), whole + gzip.compress(b"")):
        changed.write_bytes(packed)
        assert run("verify", str(changed)).exit_code == 1
        assert verify_in_node(changed)[0] == 1


async def test_a_link_to_an_archived_game_is_refused_and_says_where_it_is(club: Club, tmp_path: Path) -> None:
    game = min(club.old)
    await club.archive(tmp_path / "old.gz")
    reader = club.running_server.stranger()
    for path in (f"/games/{game}", f"/games/{game}/replay", f"/games/{game}/record", f"/games/{game}/analysis"):
        status, answer = await reader.get(path)
        assert (status, answer["code"], "in the file old.gz" in answer["message"]) == (410, "archived", True), path
    async with (await club.running_server.guest()).connect() as socket:
        refused = await socket.request("subscribe", game=game)
    assert (refused["code"], refused["said"]["values"]["file"]) == ("archived", "old.gz")
    assert (await reader.get("/games/aaaabbbbccccdddd"))[1]["code"] == "not_found"


async def test_the_act_is_in_the_log_of_the_house_once(club: Club, tmp_path: Path) -> None:
    done = await club.archive(tmp_path / "old.gz")
    await club.archive(tmp_path / "old.gz")
    acts = [one async for one in AdminLog(club.database).all() if one.act.act == "archived"]
    assert [(one.act.archive, one.act.games, one.note) for one in acts] == [(done.sha256, 3, "old.gz")]


@pytest.mark.parametrize("killed_after", [0, 1, 2])
async def test_whoever_is_stopped_runs_it_again_and_nothing_is_lost(
    club: Club, tmp_path: Path, killed_after: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "old.gz"
    monkeypatch.setattr(archiving, "GAMES_PER_TRANSACTION", 1)
    delete, batches = archiving.delete_batch, 0

    async def delete_some(*given: Any) -> int:
        nonlocal batches
        batches += 1
        if batches > killed_after:
            raise Killed
        return await delete(*given)

    with monkeypatch.context() as patched:
        patched.setattr(archiving, "delete_batch", delete_some)
        with pytest.raises(Killed):
            await club.archive(file)
    assert await club.count(archived_games) == killed_after
    content = file.read_bytes()
    done = await club.archive(file)
    assert (done.in_file, done.deleted, done.left) == (3, 3 - killed_after, 0)
    assert (file.read_bytes(), await club.count(archived_games), await club.count(archives)) == (content, 3, 1)


async def test_nothing_is_deleted_as_long_as_the_file_is_not_complete(
    club: Club, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = await club.rows(events)

    def fail(_: int) -> None:
        raise OSError("the disk is gone")

    with monkeypatch.context() as patched:
        patched.setattr("cadogan.server.subjects.audit.stored_records.os.fsync", fail)
        with pytest.raises(OSError, match="the disk is gone"):
            await club.archive(tmp_path / "old.gz")
    assert await club.rows(events) == before
    assert old_files(tmp_path) == []
    assert (await club.archive(tmp_path / "old.gz")).deleted == 3


async def test_a_game_of_which_the_file_has_not_all_is_left(
    club: Club, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, game = tmp_path / "old.gz", min(club.old)
    with monkeypatch.context() as patched:
        patched.setattr(archiving, "delete_batch", _delete_nothing)
        await club.archive(file)
    async with club.database.writing() as connection:
        await connection.execute(update(events).where(events.c.stream == f"game/{game}").values(hash=bytes(32)))
    done = await club.archive(file)
    assert (done.deleted, done.left) == (2, 1)
    assert game in {row[0] for row in (await club.rows(games))["games"]}


async def _delete_nothing(*_: object) -> int:
    return 0


async def test_a_guest_whose_session_is_valid_keeps_the_games(club: Club, tmp_path: Path) -> None:
    async with club.database.writing() as connection:
        await connection.execute(update(tokens).values(expires_at=club.now() + 1))
    assert await count_candidates(club.database, BEFORE, club.now()) == Candidates(0, 0)
    with pytest.raises(ArchiveRefused, match="nothing to archive"):
        await club.archive(tmp_path / "old.gz")
    assert old_files(tmp_path) == []


async def test_a_game_that_waits_for_the_transparency_log_stays(club: Club) -> None:
    waiting = {"stream": f"game/{min(club.old)}", "version": 9, "hash": bytes(32), "recorded_at": 1}
    async with club.database.writing() as connection:
        await connection.execute(insert(log_queue).values(waiting))
    assert (await count_candidates(club.database, BEFORE, club.now())).games == 2


async def test_a_game_that_was_reported_stays(club: Club) -> None:
    async with club.database.writing() as connection:
        one, other = (await connection.scalars(select(players.c.id).limit(2))).all()
        about = {"reporter": one, "player": other, "game": min(club.old), "reason": "cheating", "text": ""}
        await connection.execute(insert(reports).values(id="r", reported_at=1, **about))
    assert (await count_candidates(club.database, BEFORE, club.now())).games == 2


async def test_a_game_whose_record_does_not_verify_is_left_alone(club: Club, tmp_path: Path) -> None:
    game = min(club.old)
    async with club.database.writing() as connection:
        await connection.execute(
            update(events).where(events.c.stream == f"game/{game}", events.c.version == 1).values(hash=bytes(32))
        )
    done = await club.archive(tmp_path / "old.gz")
    assert (done.in_file, done.deleted, done.unverified) == (2, 2, 1)


async def test_what_cannot_be_archived_is_refused(club: Club, tmp_path: Path) -> None:
    file = tmp_path / "old.gz"
    with pytest.raises(ArchiveRefused, match="is less than 7 days ago"):
        await club.archive(file, "2027-12-20")
    file.write_bytes(b"something else")
    with pytest.raises(ArchiveRefused, match="name another file"):
        await club.archive(file)
    assert file.read_bytes() == b"something else"
    await club.archive(tmp_path / "first.gz")
    with pytest.raises(ArchiveRefused, match="from before 2026-12-01"):
        await club.archive(tmp_path / "first.gz", "2026-12-02")
    assert not is_archive(file)


async def test_a_backup_keeps_what_was_archived_and_its_root(
    club: Club, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    game, file = min(club.old), tmp_path / "old.gz"
    await club.archive(file)
    await write_backup(club.database, tmp_path / "backup")
    root = await club.root("2027-12-22")
    with databases.sqlite(tmp_path_factory.mktemp("other")) as url:
        other = Database(url)
        await restore(other, tmp_path / "backup", (root.day, root.root))
        async with other.reading() as connection:
            assert await connection.scalar(select(func.count()).select_from(archived_games)) == 3
        await other.close()
    stored = min(club.remaining)
    assert len(read_stored_hashes(game, file)) > 1
    with pytest.raises(NotCompared, match="was archived before this backup was made"):
        read_stored_hashes(game, tmp_path / "backup")
    with pytest.raises(NotCompared, match="holds no game"):
        read_stored_hashes(stored, file)
    day_run = next(row[0] for row in (await club.rows(games))["games"] if row[4])
    assert read_stored_hashes(day_run, tmp_path / "backup", (root.day, root.root))


async def test_an_export_says_how_many_games_are_in_archives(club: Club, tmp_path: Path) -> None:
    await club.archive(tmp_path / "old.gz")
    settings = replace(TEST_SETTINGS, database_url=club.database.url.render_as_string(hide_password=False))
    _, _, archived = await export(settings, tmp_path / "records", club.now)
    assert archived == 3


def test_the_doctor_names_the_files_and_finds_what_is_there_twice() -> None:
    assert check_archives([], 0, []).message == "no game was archived"
    assert check_archives(["a", "b", "c", "d"], 9, []).message.startswith("9 games are in a, b, c and 1 others: ")
    found = check_archives(["a"], 9, ["game/x"])
    assert (found.severity, "game/x" in found.message) == (Severity.ERROR, True)


def test_the_command_archives_and_says_what_it_did(tmp_path: Path, sqlite_url: str) -> None:
    file = tmp_path / "old.gz"
    given = {"CADOGAN_DATABASE_URL": sqlite_url}
    dry = run("archive", "--before", "2020-01-01", "--dry-run", **given)
    assert (dry.exit_code, dry.output) == (0, "0 games with 0 events would be archived\n")
    refused = run("archive", "--before", "2020-01-01", str(file), **given)
    assert (refused.exit_code, "there is nothing to archive" in refused.output) == (1, True)
    assert run("archive", "--before", "soon", str(file), **given).exit_code == 2
    assert run("archive", "--before", "2020-01-01", **given).exit_code == 2
