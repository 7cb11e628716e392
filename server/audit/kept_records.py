"""Comparing a record with a copy of the same game: a record, an export, a backup, or an archive.

A truncated record is consistent in itself; a copy of the game shows that it continued. A published root, in turn, shows
that a backup is what the host had on that day (`docs/backup.md`).
"""

import gzip
import zlib
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from cadogan.server.audit import game_audit
from cadogan.server.audit.archive_file import ArchiveBroken, is_archive, read_archive
from cadogan.server.core import dates
from cadogan.server.eventlog.events import UnreadableEvent
from cadogan.server.eventlog.streams import game_stream
from cadogan.server.fairness.merkle_tree import MerkleTree
from cadogan.server.fairness.revealed import REVEALING_EVENTS, SELF_REVEALING_EVENT, revealed_by

_GZIP = b"\x1f\x8b"
_BROKEN = (EOFError, gzip.BadGzipFile, zlib.error, UnreadableEvent, msgspec.DecodeError, ValueError, RecursionError)
"""The errors raised by reading a file that is not a complete backup."""
_MAX_LINE_BYTES = 16 * 1024 * 1024


class NotCompared(Exception):
    """The copy cannot be read, does not contain the game, or has another root. The message says which."""


class Difference(NamedTuple):
    """The first difference between a record and a copy: the event's version, and a sentence."""

    version: int
    reason: str


class _Row(NamedTuple):
    """An event of a backup; `hash` is hex."""

    stream: str
    version: int
    type: str
    data: str
    recorded_at: int
    hash: str


class _ArchivedRow(NamedTuple):
    """An archived game of a backup; `hash` is hex."""

    stream: str
    version: int
    hash: str
    revealed_at: int | None


def find_difference(hashes: Sequence[str], stored: Sequence[str]) -> Difference | None:
    """Return how a record with these event hashes differs from the hashes of a copy.

    None if they are equal, or if the record continues the copy.
    """
    for version, (ours, theirs) in enumerate(zip(hashes, stored, strict=False), 1):
        if ours != theirs:
            return Difference(version, f"event {version} is not the one that was kept")
    if len(hashes) < len(stored):
        return Difference(len(hashes) + 1, f"it was cut: the game that was kept goes on to event {len(stored)}")
    return None


def read_stored_hashes(game: str, stored: Path, root: tuple[str, str] | None = None) -> list[str]:
    """Return the hashes of a game's events from a copy.

    `stored` is a record, a folder that `cadogan export` wrote, a backup, or an archive. `root` is a day and the root
    that was published for it. Only a backup can be compared with a root, and then only the events that the root covers
    are returned.

    Raises NotCompared and OSError.
    """
    if stored.is_dir():
        stored = stored / f"{game}.json"
        if not stored.is_file():
            raise NotCompared(f"it has no record of game {game}")
    with stored.open("rb") as file:
        is_backup = file.read(len(_GZIP)) == _GZIP
    if is_backup and root is None and is_archive(stored):
        return _from_archive(game, stored)
    if is_backup:
        return _from_backup(game, stored, root)
    if root is not None:
        raise NotCompared("only a backup can be compared with a root")
    verdict = game_audit.verify(stored.read_bytes())
    if not verdict.consistent:
        raise NotCompared(f"the record there is broken: {verdict.reason}")
    if verdict.game != game:
        raise NotCompared(f"it is the record of game {verdict.game}, not of {game}")
    return list(verdict.hashes)


def _from_archive(game: str, file: Path) -> list[str]:
    found: list[str] = []

    def compare(line: bytes) -> None:
        if (verdict := game_audit.verify(line)).game == game:
            found.extend(verdict.hashes)

    try:
        read_archive(file, compare)
    except ArchiveBroken as error:
        raise NotCompared(str(error)) from None
    if not found:
        raise NotCompared(f"it holds no game {game}")
    return found


def _from_backup(game: str, file: Path, root: tuple[str, str] | None) -> list[str]:
    try:
        if root is None:
            found = [row.hash for row in _events(file) if row.stream == game_stream(game)]
        else:
            found = _under_root(game, file, *root)
        is_archived = not found and any(one.stream == game_stream(game) for one in _archived(file))
    except _BROKEN as error:
        raise NotCompared(f"it is not a complete backup: {error}") from None
    if is_archived:
        raise NotCompared(f"game {game} was archived before this backup was made: compare with the file of the archive")
    if not found:
        covered = "it holds no game" if root is None else f"the root of {root[0]} does not cover game"
        raise NotCompared(f"{covered} {game}")
    return found


def _under_root(game: str, file: Path, day: str, published: str) -> list[str]:
    """Return the hashes of the game's events that a day's root covers, after checking the backup's root."""
    at = dates.day_times(day, 0).opens_at
    reveals = {*REVEALING_EVENTS.items()}
    revealed = {row.stream for row in _events(file, at) if (row.stream.partition("/")[0] + "/", row.type) in reveals}
    leaves = [
        (one.stream, one.version, bytes.fromhex(one.hash))
        for one in _archived(file)
        if one.revealed_at is not None and one.revealed_at < at
    ]
    found: list[str] = []
    for stream, rows in groupby(_events(file, at), key=lambda row: row.stream):
        events = list(rows)
        if events[-1].type == SELF_REVEALING_EVENT or revealed_by(stream, events[0].data) in revealed:
            leaves.append((stream, events[-1].version, bytes.fromhex(events[-1].hash)))
            if stream == game_stream(game):
                found = [row.hash for row in events]
    tree = MerkleTree()
    for leaf in sorted(leaves):
        tree.add(*leaf)
    if (ours := tree.root().hex()) != published:
        raise NotCompared(f"its root of {day} is {ours}, not {published}")
    return found


def _events(file: Path, before: int | None = None) -> Iterator[_Row]:
    """Yield the events of a backup recorded before a time, sorted by stream and version.

    Raises the errors in `_BROKEN`.
    """
    rows = 0
    for values in _read_table(file, "events", _Row._fields):
        rows += 1
        event = msgspec.convert(values, _Row)
        if before is None or event.recorded_at < before:
            yield event
    if not rows:
        raise EOFError("it has no events")


def _archived(file: Path) -> Iterator[_ArchivedRow]:
    """Yield the archived games of a backup; none for an older format. Raises the errors in `_BROKEN`."""
    for values in _read_table(file, "archived_games", _ArchivedRow._fields):
        yield msgspec.convert(values, _ArchivedRow)


def _read_table(file: Path, name: str, wanted: Sequence[str]) -> Iterator[list[Any]]:
    """Yield these columns of a table in a backup; none if it has no such table. Raises the errors in `_BROKEN`."""
    places: list[int] | None = None
    row = msgspec.json.Decoder(list[Any])
    with gzip.open(file, "rb") as packed:
        while line := packed.readline(_MAX_LINE_BYTES):
            if line.startswith(b"["):
                if places is not None:
                    values = row.decode(line)
                    if len(values) <= max(places):
                        raise EOFError("a row is too short")
                    yield [values[place] for place in places]
                continue
            opening = msgspec.json.decode(line)
            if places is not None:
                return
            if isinstance(opening, dict) and opening.get("table") == name:
                columns = opening.get("columns")
                if not isinstance(columns, list) or not {*wanted} <= {str(column) for column in columns}:
                    raise EOFError(f"the table {name} has not the columns that it should have")
                places = [columns.index(column) for column in wanted]
