"""A backup that was changed, cut or cannot be read is refused with the place, and nothing is restored."""

import re
import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import delete, insert

from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import (
    events,
)
from cadogan.server.core.eventlog import hash_chain
from cadogan.server.operations.backup import write_backup
from cadogan.server.operations.restore import (
    BackupBroken,
    ChainCheck,
    RestoreError,
    RowBroken,
    restore,
)
from tests.server.operations.backup_databases import (
    Change,
    bare,
    content,
    empty,
    lived,
    rewrite,
    tables,
)

__all__ = ["bare", "empty", "lived"]


def swap(before: bytes, after: bytes) -> Change:
    """Change the first place in a file where these bytes are."""

    def change(lines: list[bytes]) -> list[bytes]:
        whole = b"".join(lines)
        assert before in whole
        return whole.replace(before, after, 1).splitlines(keepends=True)

    return change


def drop(start: bytes, count: int = 1) -> Change:
    """Leave out the first line that begins so, with those that follow it."""

    def change(lines: list[bytes]) -> list[bytes]:
        at = next(number for number, line in enumerate(lines) if line.startswith(start))
        return lines[:at] + lines[at + count :]

    return change


CHANGES: tuple[tuple[Change, str], ...] = (
    (swap(b"Ann \xc3\x89va", b"Ann Eva"), r"line \d+: somebody changed something in the \d+ rows before this line"),
    (swap(b'"move_played"', b'"move_taken_back"'), r"line \d+: the hash of event 2 of game/"),
    (drop(b'["match/'), r"line \d+: the stream match/\w+ has no event 1"),
    (drop(b'["watched/'), r"line \d+: the table has \d+ rows here and \d+ in the backup"),
    (drop(b'{"end"'), r"line \d+: the file ends before its last line"),
    (drop(b'{"table":"tokens"'), r"line \d+: this is not the opening line of a backup"),
    (swap(b',"tokens"', b""), r"line 1: the backup has the tables"),
    (swap(b"cadogan backup 1", b"cadogan backup 2"), "line 1: this is not the header line of a backup"),
    (
        swap(b'"revision":"', b'"revision":"9'),
        "line 1: its tables are at revision .* only a newer version of this program knows",
    ),
    (
        lambda lines: [re.sub(rb'"00\d\d"', b'"base"', lines[0]), *lines[1:]],
        "line 1: its tables are at revision 'base'",
    ),
    (lambda lines: [*lines, b"more"], r"line \d+: something follows the last line"),
    (lambda lines: [], "line 1: the file ends before its last line"),
    (
        swap(b'"columns":["game",', b'"columns":["date",'),
        "line 2: the table analyses should begin here, with the columns game",
    ),
    (swap(b'["2026-11-20","', b'["2026-11-20","00'), r"line \d+: the secret does not fit the commitment"),
    (swap(b'["2026-11-20",', b"[20261120,"), r"line \d+: 20261120 is not a valid day"),
    (swap(b'["2026-11-20",', b"["), r"line \d+: this row has 4 values, not 5"),
    (swap(b'["2026-11-20",', b"[["), r"line \d+: this is not a row"),
)


async def test_a_file_that_was_changed_is_refused_with_the_place_where_it_breaks(
    lived: Database, empty: Database, tmp_path: Path
) -> None:
    file = tmp_path / "backup"
    await write_backup(lived, file)
    whole = file.read_bytes()
    for change, reason in CHANGES:
        file.write_bytes(whole)
        rewrite(file, change)
        with pytest.raises(BackupBroken, match=reason):
            await restore(empty, file)
        assert not any((await content(empty)).values()), reason


async def test_a_truncated_file_is_refused(lived: Database, bare: Database, tmp_path: Path) -> None:
    file = tmp_path / "backup"
    await write_backup(lived, file)
    whole = file.read_bytes()
    for stored in (0.0, 0.4, 0.999):
        file.write_bytes(whole[: int(len(whole) * stored)])
        with pytest.raises(BackupBroken, match=r"line \d+"):
            await restore(bare, file)
        assert await tables(bare) == []


async def test_every_changed_bit_of_a_file_is_detected(lived: Database, empty: Database, tmp_path: Path) -> None:
    file = tmp_path / "backup"
    await write_backup(lived, file)
    whole = file.read_bytes()
    for place in range(20, len(whole), len(whole) // 12):
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :])
        with pytest.raises(RestoreError):
            await restore(empty, file)
    assert not any((await content(empty)).values())


async def test_a_row_that_the_database_refuses_is_refused_with_its_place(
    lived: Database, empty: Database, tmp_path: Path
) -> None:
    with sqlite3.connect(lived.url.database or "") as unchecked:
        unchecked.execute("DELETE FROM players WHERE name = 'Bob'")
    unchecked.close()
    await write_backup(lived, tmp_path / "backup")
    with pytest.raises(BackupBroken, match=r"line \d+: this row or one of the \d+ before it does not fit"):
        await restore(empty, tmp_path / "backup")


UNREADABLE = (
    (("game/of-the-future", 1, "game_dealt", 7, "{}", 1), "game/of-the-future: .*'game_dealt' with schema 7"),
    (("game/deep", 1, "game_dealt", 1, '{"x":' + "[" * 100_000, 1), "game/deep: the data of this game_dealt"),
    (("watched/x/y", 1, "game_watched", 1, "{", 1), "watched/x/y: the data of its first event cannot be read"),
    (("watched/x/y", 1, "game_watched", 1, '{"x":' + "[" * 100_000, 1), "watched/x/y: the data of its first"),
    (("watched/x/y", 1, "game_watched", 1, "{}", 2**62), "is no time at which event 1 of watched/x/y can have"),
    (("watched/x/y", 1, "game_watched", 1, "{}", -1), "-1 is no time at which event 1 of watched/x/y can have"),
)


async def test_a_log_that_this_version_cannot_read_is_refused(lived: Database, empty: Database, tmp_path: Path) -> None:
    for head, reason in UNREADABLE:
        row = dict(zip(("stream", "version", "type", "schema", "data", "recorded_at"), head, strict=True))
        digest = hash_chain.event_hash(hash_chain.START_HASH, *head)
        async with lived.writing() as connection:
            await connection.execute(insert(events).values(**row, hash=digest))
        await write_backup(lived, tmp_path / "backup")
        with pytest.raises(RestoreError, match=reason):
            await restore(empty, tmp_path / "backup")
        assert not any((await content(empty)).values()), reason
        async with lived.writing() as connection:
            await connection.execute(delete(events).where(events.c.hash == digest))


@pytest.mark.parametrize("data", ["\x01a", '{"effects":["\x05"]}'])
def test_data_that_the_database_would_give_back_otherwise_is_refused(data: str) -> None:
    head = ("game/short", 1, "move_played", 1, data, 1)
    row = dict(zip(("stream", "version", "type", "schema", "data", "recorded_at"), head, strict=True))
    digest = hash_chain.event_hash(hash_chain.START_HASH, *head)
    with pytest.raises(RowBroken, match="the data of event 1 of game/short has control characters"):
        ChainCheck()({**row, "hash": digest})
