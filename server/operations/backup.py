"""Writing a backup: every table that cannot be derived from the log, and the log itself, as text in a gzip file.

Each line is JSON. The first line is the header and the last line is the end. Between them each table has an opening
line, one line for each row (an array in the order of the columns), and a closing line with the number of rows and the
SHA-256 over the table's lines from the opening line on. Bytes are written as hex. Rows are sorted by their keys, those
of the log by stream and version. So equal content gives equal bytes, from either kind of database.

    {"format": "cadogan backup 1", "revision": "0001", "tables": ["events", "players"]}
    {"table": "events", "columns": ["stream", "version", "command_id", "type", "schema", "data", "recorded_at", "hash"]}
    ["daily/2026-11-20", 1, null, "daily_announced", 1, "{…}", 1763640000000, "…"]
    {"rows": 1, "sha256": "…"}
    …
    {"end": 2}

A backup holds secrets, password hashes and the cards of running games: protect it as you protect the database.
"""

import gzip
import hashlib
import os
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import msgspec
from sqlalchemy import ColumnElement, Row, Select, Table, select
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.core.clock import now
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.revisions import current_revision
from cadogan.server.core.database.tables import events, log_queue, metadata
from cadogan.server.core.eventlog.event_store import require_contiguous
from cadogan.server.core.storage.rebuild import DERIVED_TABLES
from cadogan.server.core.storage.sql_store import has_one_snapshot
from cadogan.server.operations.merkle_roots import SETTLE_MILLISECONDS

FORMAT: Literal["cadogan backup 1"] = "cadogan backup 1"
COMPRESSION_LEVEL = 6
ROWS_AT_ONCE = 500
"""Rows read from the database at once."""

Value = str | int | bool | None


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line: the revision of the database's tables, and the names of the tables that follow."""

    format: Literal["cadogan backup 1"]
    revision: str
    tables: list[str]


class Opening(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The line before a table's rows."""

    table: str
    columns: list[str]


class Closing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The line after a table's rows."""

    rows: int
    sha256: str


class End(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The last line: the number of tables before it."""

    end: int


@dataclass
class Section:
    """The lines of one table: counts its rows and computes the SHA-256 over its lines as they are read or written."""

    rows: int = 0
    _digest: "hashlib._Hash" = field(default_factory=hashlib.sha256)

    def add_line(self, line: bytes) -> bytes:
        """Add a line, with its newline, to the digest, and return it."""
        self._digest.update(line)
        return line

    def closing(self) -> Closing:
        """Return the line that closes the table."""
        return Closing(self.rows, self._digest.hexdigest())


@dataclass
class Contents:
    """The contents of a backup: the rows of each table, and the time of the snapshot in milliseconds since 1970."""

    rows: dict[str, int] = field(default_factory=dict)
    at: int = 0


_encode = msgspec.json.Encoder().encode


async def write_backup(database: Database, file: Path) -> Contents:
    """Write a consistent snapshot of the database into the file, and return its contents.

    The file is renamed into place when complete, and replaces an existing one. Only its owner may read it. Raises
    OSError, and StreamIncomplete if the log lacks an event.
    """
    contents = Contents()
    part = file.with_name(f"{file.name}.part")
    part.unlink(missing_ok=True)
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as raw:
            with gzip.GzipFile("", "wb", COMPRESSION_LEVEL, raw, mtime=0) as packed:
                async for line in backup_lines(database, contents):
                    packed.write(line)
            raw.flush()
            os.fsync(raw.fileno())
        part.replace(file)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    return contents


async def backup_lines(database: Database, contents: Contents) -> AsyncIterator[bytes]:
    """Yield the lines of a backup, each with its newline, and fill in `contents`.

    A distributed log has no snapshot across its machines, so only events recorded at least a minute ago are included;
    by then every machine has them. Raises StreamIncomplete if an event is missing.
    """
    tables = [table for table in metadata.sorted_tables if table not in DERIVED_TABLES]
    async with database.reading() as connection:
        if connection.dialect.name == "postgresql":
            await connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        contents.at = now() - SETTLE_MILLISECONDS if (cut := not await has_one_snapshot(connection)) else now()
        revision = await connection.run_sync(current_revision)
        yield _line(Header(FORMAT, revision or "", [str(table.name) for table in tables]))
        for table in tables:
            section = Section()
            chosen = select(table).order_by(*_sort_keys(table))
            if cut and table in (events, log_queue):
                chosen = chosen.where(table.c.recorded_at <= contents.at)
            async for line in _rows(connection, table, chosen, section):
                yield line
            contents.rows[str(table.name)] = section.rows
    yield _line(End(len(tables)))


async def _rows(
    connection: AsyncConnection, table: Table, chosen: Select[Any], section: Section
) -> AsyncIterator[bytes]:
    yield section.add_line(_line(Opening(str(table.name), [str(column.name) for column in table.c])))
    stream, version = "", 0
    async with connection.stream(chosen) as rows:
        async for page in rows.partitions(ROWS_AT_ONCE):
            if table is events:
                stream, version = _require_complete(page, stream, version)
            section.rows += len(page)
            for row in page:
                yield section.add_line(_encode([_encoded(value) for value in row]) + b"\n")
    yield _line(section.closing())


def _require_complete(rows: Iterable[Row[Any]], stream: str, version: int) -> tuple[str, int]:
    """Check that no stream lacks an event; return the stream and the version of the last row.

    The rows are sorted by stream and version, and follow the given version of the given stream. Raises
    StreamIncomplete.
    """
    for row in rows:
        if row.stream != stream:
            stream, version = row.stream, 0
        require_contiguous(stream, version, (row,))
        version = row.version
    return stream, version


def _sort_keys(table: Table) -> list[ColumnElement[Any]]:
    """Return the sort keys of a table. Rows that other rows of the same table reference come first."""
    own = [column for column in table.c if any(key.column.table is table for key in column.foreign_keys)]
    return [*(column.is_not(None) for column in own), *table.primary_key]


def _encoded(value: Value | bytes) -> Value:
    return value.hex() if isinstance(value, bytes) else value


def _line(value: msgspec.Struct) -> bytes:
    return _encode(value) + b"\n"
