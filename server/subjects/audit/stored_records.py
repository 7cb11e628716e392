"""Comparing a record with a copy of the same game: a record, an export, a backup, or an archive.

A truncated record is consistent in itself; a copy of the game shows that it continued. A published root, in turn, shows
that a backup is what the host had on that day (`docs/backup.md`).

The archive file: the records of old games, one per line, in gzip.

    {"format": "cadogan archive 1", "before": "2026-01-01"}
    {"format": "cadogan record 1", "game": "…", …}
    …
    {"games": 1, "sha256": "…"}

The format of a record is in `docs/record.md`. `sha256` covers all lines before the last one, with their newlines. The
archived games had ended, or were last played, before the day `before` began.

    ArchiveBroken    the file is not a complete archive; the message says why
"""

import gzip
import hashlib
import os
import zlib
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from msgspec import Meta

from cadogan.server.core import dates
from cadogan.server.core.eventlog.events import UnreadableEvent
from cadogan.server.core.eventlog.streams import game_stream
from cadogan.server.core.fairness.log_root import REVEALING_EVENTS, SELF_REVEALING_EVENT, MerkleTree, revealed_by
from cadogan.server.subjects.audit import game_audit

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


FORMAT: Literal["cadogan archive 1"] = "cadogan archive 1"
COMPRESSION_LEVEL = 6
MAX_LINE_BYTES = 64 * 1024 * 1024
MAX_RATIO = 100
"""An archive unpacks to at most so many times its size. Records with their hashes unpack to some seven times."""


class ArchiveBroken(Exception):
    """The file is not a complete archive. The message says why."""


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line."""

    format: Literal["cadogan archive 1"]
    before: Annotated[str, Meta(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}\Z")]


class End(msgspec.Struct, frozen=True):
    """The last line: the number of records, and the SHA-256 of all earlier lines, in hex."""

    games: int
    sha256: str


class ReadArchive(NamedTuple):
    """A completely read archive: the day before which games are in it, the number of records, and its digest."""

    before: str
    games: int
    sha256: str


class ArchiveWriter:
    """Writes an archive to an open file. `finish` must be called at its end."""

    def __init__(self, file: Path, before: str) -> None:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        self._raw = os.fdopen(descriptor, "wb")
        self._packed = gzip.GzipFile("", "wb", COMPRESSION_LEVEL, self._raw, mtime=0)
        self._digest = hashlib.sha256()
        self._games = 0
        self._write(msgspec.json.encode(Header(FORMAT, before)))

    def add(self, record: bytes) -> None:
        """Add the next record, as one line of JSON."""
        self._write(record)
        self._games += 1

    def finish(self) -> None:
        """Write the last line, and sync the file to disk."""
        self._packed.write(_line(End(self._games, self._digest.hexdigest())))
        self._packed.close()
        self._raw.flush()
        os.fsync(self._raw.fileno())
        self._raw.close()

    def close(self) -> None:
        """Close the file, complete or not."""
        self._packed.close()
        self._raw.close()

    def _write(self, line: bytes) -> None:
        self._digest.update(line + b"\n")
        self._packed.write(line + b"\n")


def is_archive(file: Path) -> bool:
    """Return whether the file starts like an archive. Raises OSError."""
    with file.open("rb") as raw:
        if raw.read(len(_GZIP)) != _GZIP:
            return False
    try:
        with gzip.open(file) as packed:
            msgspec.json.decode(packed.readline(MAX_LINE_BYTES), type=Header)
    except (EOFError, gzip.BadGzipFile, zlib.error, msgspec.DecodeError, UnicodeError):
        return False
    return True


def read_archive(file: Path, use: Callable[[bytes], None]) -> ReadArchive:
    """Call `use` with every record, as JSON, and return the archive's day, number of records and digest.

    Raises ArchiveBroken if the archive is incomplete, and OSError; `use` may have been called before.
    """
    digest, games, last = hashlib.sha256(), 0, b""
    try:
        with file.open("rb") as raw, gzip.open(raw) as packed:
            lines = _lines(packed, MAX_RATIO * os.fstat(raw.fileno()).st_size)
            first = next(lines, b"")
            header = msgspec.json.decode(first, type=Header)
            digest.update(first)
            for line in lines:
                if last:
                    digest.update(last)
                    games += 1
                    use(last.removesuffix(b"\n"))
                last = line
            length = packed.tell() % 2**32
            raw.seek(-4, os.SEEK_END)
            if int.from_bytes(raw.read(), "little") != length:  # `gzip` skips zeros, and joins what was appended
                raise EOFError("something follows after its end")
    except (EOFError, gzip.BadGzipFile, zlib.error, msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise ArchiveBroken(f"it is not a complete archive: {error}") from None
    if first + last != b"".join(_line(one) for one in (header, End(games, digest.hexdigest()))):
        raise ArchiveBroken(f"it was changed: its first and last line do not fit the {games} records between them")
    return ReadArchive(header.before, games, digest.hexdigest())


def _line(one: Header | End) -> bytes:
    """Return a first or last line; it has exactly one valid form."""
    return msgspec.json.encode(one) + b"\n"


def _lines(packed: gzip.GzipFile, most_bytes: int) -> Iterator[bytes]:
    while line := packed.readline(MAX_LINE_BYTES):
        if packed.tell() > most_bytes:
            raise EOFError(f"it unpacks to more than {MAX_RATIO} times its size")
        if not line.endswith(b"\n"):
            raise EOFError("a line is not complete")
        yield line
