"""A record beside what was kept of its game: a forged or cut one is consistent in itself, and refused all the same."""

import copy
import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cadogan.server.cli.records import export
from cadogan.server.core.eventlog.streams import GAMES, id_of
from cadogan.server.operations.backup import write_backup
from cadogan.server.operations.merkle_roots import root_of
from cadogan.server.subjects.audit import game_audit
from cadogan.server.subjects.audit.stored_records import NotCompared, find_difference, read_stored_hashes
from tests.harness.command_line import run
from tests.harness.leaderboard_runs import DAY
from tests.harness.odd_records import chained
from tests.harness.running_server import RunningServer
from tests.server.leaderboards.test_live import give_up

Record = dict[str, Any]
LATER = "2026-11-23"


def as_another_player(record: Record) -> Record:
    """The record as that of somebody else."""
    record["events"][0]["data"]["player"] = "eveeveeveeveevee"
    return chained(record)


def a_minute_later(record: Record) -> Record:
    """The record with every time moved."""
    for event in record["events"]:
        event["recorded_at"] += 60_000
    return chained(record)


def of_another_game(record: Record) -> Record:
    """The record under another id."""
    record["game"] = "qqqqqqqqqqqqqqqq"
    record["stream"] = f"game/{record['game']}"
    return chained(record)


def cut_before_its_end(record: Record) -> Record:
    """The record without its end, as of a run that somebody would rather not have lost."""
    record["events"] = record["events"][: next(n for n, one in enumerate(record["events"]) if "result" in one["data"])]
    return record


FORGERIES: tuple[Callable[[Record], Record], ...] = (
    as_another_player,
    a_minute_later,
    of_another_game,
    cut_before_its_end,
)


async def test_a_forged_or_cut_record_is_refused_beside_an_export_a_backup_or_a_root(
    sqlite_server: RunningServer, tmp_path: Path
) -> None:
    for _ in range(2):
        await give_up(await sqlite_server.guest(), 1, 2)
    sqlite_server.clock.at += 2 * 24 * 3600 * 1000
    await (await sqlite_server.guest()).get("/dailies")
    database = sqlite_server.server.database
    folder, backup = tmp_path / "records", tmp_path / "backup"
    await export(sqlite_server.server.settings, folder, sqlite_server.clock)
    await write_backup(database, backup)
    async with database.reading() as connection:
        root = (await root_of(connection, LATER)).root
    game = id_of(await anext(aiter(sqlite_server.server.store.stream_names(GAMES))))
    record = json.loads((folder / f"{game}.json").read_text())
    stored = (("--against", str(folder)), ("--against", str(folder / f"{game}.json")), ("--against", str(backup)))
    rooted = (*stored[2], "--root", LATER, root)
    file = tmp_path / "record.json"
    file.write_text(json.dumps(record))
    for beside in (*stored, rooted):
        assert run("verify", str(file), *beside).exit_code == 0, beside
    for forge in FORGERIES:
        forged = forge(copy.deepcopy(record))
        file.write_text(json.dumps(forged))
        assert game_audit.verify(file.read_bytes()).consistent, forge
        for beside in (*stored, rooted):
            assert run("verify", str(file), *beside).exit_code == 1, (forge, beside)
    assert "it was cut" in run("verify", str(file), *rooted).output
    file.write_text(json.dumps(record))
    for beside in (
        (*stored[2], "--root", LATER, "0" * 64),
        (*stored[2], "--root", DAY, root),
        (*stored[0], "--root", LATER, root),
    ):
        refused = run("verify", str(file), *beside)
        assert (refused.exit_code, "Error: " in refused.output) == (1, True), beside
    assert run("verify", str(file), "--root", LATER, root).exit_code == 2
    with pytest.raises(NotCompared, match=rf"^the root of {LATER} does not cover game g3$"):
        read_stored_hashes("g3", backup, (LATER, root))


def test_a_cut_record_differs_at_the_first_event_that_is_missing() -> None:
    cut = find_difference(["a", "b"], ["a", "b", "c", "d"])
    assert cut is not None
    assert (cut.version, "event 4" in cut.reason) == (3, True)
    other = find_difference(["a", "x"], ["a", "b"])
    assert other is not None
    assert (other.version, "event 2" in other.reason) == (2, True)
    assert find_difference(["a", "b", "c"], ["a", "b"]) is None


UNREADABLE = {
    "empty": b"",
    "JSON of another kind": b"{}",
    "the beginning of a gzip file": b"\x1f\x8b",
    "an empty gzip file": gzip.compress(b""),
    "deep JSON": gzip.compress(b"[" * 100_000),
    "no columns": gzip.compress(b'{"table":"events","columns":[]}\n'),
    "a row without its values": gzip.compress(
        b'{"table":"events","columns":["stream","version","type","data","recorded_at","hash"]}\n[1]\n'
    ),
    "a gzip file cut short": gzip.compress(b'{"table":"players","columns":[]}\n')[:-5],
}


@pytest.mark.parametrize("content", UNREADABLE.values(), ids=UNREADABLE.keys())
def test_what_was_kept_and_cannot_be_read_is_a_sentence(tmp_path: Path, content: bytes) -> None:
    stored = tmp_path / "kept"
    stored.write_bytes(content)
    record = Path(__file__).parents[2] / "web" / "records" / "casual.json"
    for more in ((), ("--root", DAY, "0" * 64)):
        refused = run("verify", str(record), "--against", str(stored), *more)
        assert refused.exit_code == 1
        assert refused.output.startswith(f"Error: {stored}: ")


def test_a_backup_is_read_by_the_names_of_its_columns(tmp_path: Path) -> None:
    lines = (
        {"table": "deals", "columns": ["id"]},
        ["game/g1"],
        {"table": "events", "columns": ["hash", "stream", "version", "type", "data", "recorded_at"]},
        ["aa", "game/g1", 1, "game_dealt", "{}", 1],
        ["bb", "game/g1", 2, "move_played", "{}", 2],
        ["cc", "game/g2", 1, "game_dealt", "{}", 1],
        {"table": "players", "columns": ["id"]},
        ["dd", "game/g1", 3, "move_played", "{}", 3],
    )
    backup = tmp_path / "backup"
    backup.write_bytes(gzip.compress(b"\n".join(json.dumps(line).encode() for line in lines)))
    assert read_stored_hashes("g1", backup) == ["aa", "bb"]
    assert read_stored_hashes("g2", backup) == ["cc"]
    with pytest.raises(NotCompared, match=r"^it holds no game g3$"):
        read_stored_hashes("g3", backup)
