"""A day's boards from its exported records alone: they agree to the byte, and whatever was changed shows."""

import random
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from msgspec import json
from sqlalchemy import select

from cadogan.server.cli.recompute import recompute_command
from cadogan.server.cli.records import export
from cadogan.server.core import dates
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import buckets, entries, games, totals
from cadogan.server.core.storage.rebuild import DERIVED_TABLES, rebuild
from cadogan.server.subjects.audit.recompute_leaderboards import recompute
from cadogan.server.subjects.daily.day_record import DayBroken, file_name
from cadogan.server.subjects.daily.days import SETTLE_MILLISECONDS
from cadogan.server.subjects.known_rules import known_rules
from tests.harness.leaderboard_runs import DAY
from tests.harness.people import Person
from tests.harness.running_server import TEST_SETTINGS, RunningServer
from tests.server.leaderboards.test_live import give_up, named


async def play_a_day(running_server: RunningServer) -> None:
    """Some resign, some at once, one practises, one is spoiled, one never ends, one is a bot; then the day closes."""
    chance = random.Random(4)
    people = [await running_server.guest() for _ in range(5)]
    ann = await named(running_server, "Ann")
    owner = await named(running_server, "Bea")  # she does not play: an owner and a bot have one attempt together
    _, made = await owner.post("/bots", {"name": "Marvin"})
    bot = Person(running_server.url, running_server.session)
    bot.id, bot.token = made["player"]["id"], made["token"]
    for person in (*people, ann, bot):
        for slot in (1, 2):
            running_server.clock.at += 977
            await give_up(person, slot, chance.randrange(5))
    await people[0].enter(slot=1, practice=True)
    spoiled = await running_server.guest()
    await spoiled.enter(slot=3)
    await spoiled.post(f"/dailies/{DAY}/deals/3/spoil")
    await give_up(spoiled, 3)
    await people[1].enter(slot=3)
    running_server.clock.at = dates.day_times(DAY, TEST_SETTINGS.daily_grace * 1000).closes_at + SETTLE_MILLISECONDS
    await people[0].get("/dailies")


async def exported(running_server: RunningServer, folder: Path) -> Path:
    """Everything that may be exported once the day has closed."""
    await export(running_server.server.settings, folder, running_server.clock)
    return folder


async def derived(database: Database) -> list[Any]:
    async with database.reading() as connection:
        return [sorted(map(repr, await connection.execute(select(table)))) for table in DERIVED_TABLES]


async def test_the_boards_of_a_played_day_are_derived_again_from_its_records(
    running_server: RunningServer, tmp_path: Path
) -> None:
    await play_a_day(running_server)
    found = recompute(DAY, await exported(running_server, tmp_path / "records"))
    assert found.agrees, found
    assert (len(found.counted), len(found.boards)) == (9, 4)
    printed = CliRunner().invoke(recompute_command, [DAY, "--from", str(tmp_path / "records")])
    assert printed.exit_code == 0
    assert printed.output.count(" agrees ") == 4
    (tmp_path / "records" / file_name(DAY)).unlink()
    assert CliRunner().invoke(recompute_command, [DAY, "--from", str(tmp_path / "records")]).exit_code == 1


async def test_a_played_day_rebuilt_from_the_log_gives_the_same_rows(running_server: RunningServer) -> None:
    await play_a_day(running_server)
    database = running_server.server.database
    before = await derived(database)
    assert all(before[:2])
    async with database.writing() as connection:
        for table in (games, entries, totals, buckets):
            await connection.execute(table.delete())
    await rebuild(database, known_rules())
    assert await derived(database) == before


def counts(record: bytes) -> bool:
    """Whether a run has a place: ranked from the first to the last, and played."""
    is_off = b'"challenge_spoiled"' in record or b'"counts":false' in record
    return b'"ranked":true' in record and b'"game_finished"' in record and not is_off


async def test_a_record_that_is_missing_changed_or_added_shows(sqlite_server: RunningServer, tmp_path: Path) -> None:
    await play_a_day(sqlite_server)
    folder = await exported(sqlite_server, tmp_path / "records")
    runs = [file for file in sorted(folder.glob("*.json")) if file.name != file_name(DAY)]
    counting = next(file for file in runs if counts(file.read_bytes()))
    whole = counting.read_bytes()
    counting.unlink()
    missing = recompute(DAY, folder)
    assert not missing.agrees
    assert [board.agrees for board in missing.boards].count(False) == 2
    counting.write_bytes(whole.replace(b'"moves":', b'"moves":1', 1))
    assert list(recompute(DAY, folder).faults) == [counting.name]
    counting.write_bytes(whole)
    (folder / "a folder.json").mkdir()
    (folder / "nowhere.json").symlink_to(folder / "nothing")
    (folder / "deep.json").write_bytes(b"[" * 100_000)
    (folder / "binary.json").write_bytes(b"\xff" * 100)
    assert recompute(DAY, folder).agrees
    file = folder / file_name(DAY)
    text = file.read_bytes()
    file.write_bytes(text[:-1] + b',"x":' + b"[" * 100_000 + b"]" * 100_000 + b"}")
    with pytest.raises(DayBroken, match="nested"):
        recompute(DAY, folder)
    file.unlink()
    file.mkdir()
    printed = CliRunner().invoke(recompute_command, [DAY, "--from", str(folder)])
    assert (printed.exit_code, "Error" in printed.output) == (1, True)


@pytest.mark.parametrize("part", ["secret", "boards"])
async def test_a_day_whose_record_was_changed_proves_nothing(
    sqlite_server: RunningServer, tmp_path: Path, part: str
) -> None:
    await play_a_day(sqlite_server)
    file = await exported(sqlite_server, tmp_path / "records") / file_name(DAY)
    record = json.decode(file.read_bytes())
    record["events"][-1]["data"][part] = "00" * 32 if part == "secret" else {}
    file.write_bytes(json.encode(record))
    with pytest.raises(DayBroken, match="hash"):
        recompute(DAY, tmp_path / "records")
