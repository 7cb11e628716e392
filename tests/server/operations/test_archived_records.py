"""The records in archives verify, and links, backups and exports account for archived games."""

import gzip
import json
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
from sqlalchemy import func, select, update

from cadogan.server.cli.records import export
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import (
    archived_games,
    events,
    games,
)
from cadogan.server.operations.backup import write_backup
from cadogan.server.operations.restore import restore
from cadogan.server.subjects.audit.stored_records import (
    ArchiveBroken,
    NotCompared,
    read_archive,
    read_stored_hashes,
)
from cadogan.server.subjects.transparency.sequencer import describe_host
from tests.harness import databases
from tests.harness.command_line import run
from tests.harness.running_server import TEST_SETTINGS
from tests.harness.sample_records import FOLDER
from tests.harness.web_verifier import verify_in_node
from tests.server.operations.archive_club import (
    Club,
    club,
)

__all__ = ["club"]


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


def test_a_small_archive_of_millions_of_lines_is_refused_at_once_by_both_verifiers(tmp_path: Path) -> None:
    head, file = b'{"format":"cadogan archive 1","before":"2026-01-01"}\n', tmp_path / "bomb.gz"
    file.write_bytes(gzip.compress(head + b"\n" * 2_000_000))
    with pytest.raises(ArchiveBroken, match="it unpacks to more than 100 times its size"):
        read_archive(file, lambda _: None)
    said = json.loads(run("verify", "--json", str(file)).output)
    assert said["broken"]["the file"] == "100 records are broken, and those after them were not checked"
    assert len(said["broken"]) == 101
    code, answer = verify_in_node(file)
    assert (code, answer["findings"][0]["found"]) == (1, "gzip")


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


async def test_a_game_whose_record_does_not_verify_is_left_alone(club: Club, tmp_path: Path) -> None:
    game = min(club.old)
    async with club.database.writing() as connection:
        await connection.execute(
            update(events).where(events.c.stream == f"game/{game}", events.c.version == 1).values(hash=bytes(32))
        )
    done = await club.archive(tmp_path / "old.gz")
    assert (done.in_file, done.deleted, done.unverified) == (2, 2, 1)


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
