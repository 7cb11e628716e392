"""Archiving: old games of guests go into a file, and nothing that counts changes."""

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, select, update

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
from cadogan.server.core.storage.rebuild import rebuild
from cadogan.server.operations import archive as archiving
from cadogan.server.operations.archive import ArchiveRefused, Candidates, count_candidates
from cadogan.server.operations.doctor import Severity, check_archives
from cadogan.server.subjects.admin.admin_log import AdminLog
from cadogan.server.subjects.audit.stored_records import (
    is_archive,
)
from cadogan.server.subjects.catalog import GameTallies
from cadogan.server.subjects.known_rules import known_rules
from tests.harness.command_line import run
from tests.server.operations.archive_club import (
    BEFORE,
    Club,
    club,
    old_files,
)

__all__ = ["club"]


class Killed(Exception):
    """Stands for a process that ends in the middle."""


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
