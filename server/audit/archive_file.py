"""The archive file: the records of old games, one per line, in gzip.

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
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

import msgspec
from msgspec import Meta

FORMAT: Literal["cadogan archive 1"] = "cadogan archive 1"
COMPRESSION_LEVEL = 6
MAX_LINE_BYTES = 64 * 1024 * 1024
_GZIP = b"\x1f\x8b"


class ArchiveBroken(Exception):
    """The file is not a complete archive. The message says why."""


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line."""

    format: Literal["cadogan archive 1"]
    before: Annotated[str, Meta(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}\Z")]


class End(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
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
        """Add the next record, as JSON in one line."""
        self._write(record)
        self._games += 1

    def finish(self) -> None:
        """Write the last line, and sync the file to disk."""
        self._packed.write(msgspec.json.encode(End(self._games, self._digest.hexdigest())) + b"\n")
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
        with gzip.open(file) as packed:
            lines = _lines(packed)
            first = next(lines, b"")
            header = msgspec.json.decode(first, type=Header)
            digest.update(first)
            for line in lines:
                if last:
                    digest.update(last)
                    games += 1
                    use(last.removesuffix(b"\n"))
                last = line
            end = msgspec.json.decode(last, type=End)
    except (EOFError, gzip.BadGzipFile, zlib.error, msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise ArchiveBroken(f"it is not a complete archive: {error}") from None
    if end != End(games, digest.hexdigest()):
        raise ArchiveBroken(f"it was changed: its last line does not fit the {games} records before it")
    return ReadArchive(header.before, games, end.sha256)


def _lines(packed: gzip.GzipFile) -> Iterator[bytes]:
    while line := packed.readline(MAX_LINE_BYTES):
        if not line.endswith(b"\n"):
            raise EOFError("a line is not complete")
        yield line
