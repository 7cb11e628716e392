"""Restoring a backup into an empty database, completely or not at all.

One transaction creates the tables of the backup's revision, fills them, migrates them to this version, and derives the
projections. The hash of every event, the commitment of every secret and the digest of every table are recomputed and
compared.

    RestoreError
    ├── BackupBroken      the file is not a complete backup; the message has the line number
    ├── NotEmpty          the database is not empty
    └── RootDiffers       the root of the restored log is not the published one
"""

import gzip
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec
from sqlalchemy import Boolean, Column, Connection, Integer, LargeBinary, MetaData, Table, func, inspect, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.core import dates
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.migrations import upgrade
from cadogan.server.core.database.revisions import current_revision, migration_transaction
from cadogan.server.core.database.short_events import EventData, expand, shorten
from cadogan.server.core.database.tables import events
from cadogan.server.core.eventlog import hash_chain
from cadogan.server.core.eventlog.events import UnreadableEvent
from cadogan.server.core.fairness import commit_reveal
from cadogan.server.core.storage.rebuild import DERIVED_TABLES, derive_rows
from cadogan.server.core.version import known_revisions
from cadogan.server.operations.backup import Closing, End, Header, Opening, Section, Value
from cadogan.server.operations.merkle_roots import Root, last_root, root_of
from cadogan.server.subjects.known_rules import known_rules
from cadogan.server.subjects.players.own_data import ErasedPlayer, erase_players

ROWS_PER_INSERT = 1000
MAX_LINE_BYTES = 16 * 1024 * 1024
_NO_CONTENT = {"alembic_version", *(table.name for table in DERIVED_TABLES)}
_NUMBERED = ("events", "position")
"""A column that tables had before revision 0032; it was never part of a backup."""
Line = TypeVar("Line", bound=msgspec.Struct)


class RestoreError(Exception):
    """Nothing was restored."""


class BackupBroken(RestoreError):
    """The file is not a complete backup. `line` is the number of the broken line, from 1."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line


class NotEmpty(RestoreError):
    """The database is not empty, or its tables have another revision than the backup's."""


class RootDiffers(RestoreError):
    """The root of the restored log is not the published one."""


class Restored(NamedTuple):
    """The result of a restore: the rows of each table, the derived rows, and the root of the log's last day."""

    rows: dict[str, int]
    derived: int
    root: Root | None


async def restore(
    database: Database,
    file: Path,
    published: tuple[str, str] | None = None,
    erased: Sequence[ErasedPlayer] = (),
) -> Restored:
    """Fill an empty database from a backup.

    `published` is a day and the root that was published for it, in hex; the restored log must have this root. The
    players in `erased`, who were erased after the backup was made, are erased again.

    Raises RestoreError and OSError. The database is then unchanged.
    """
    with gzip.open(file, "rb") as packed:
        reader = _Reader(packed)
        header = reader.take(Header)
        async with migration_transaction(database) as connection:
            await _prepare(connection, reader, header)
            rows = {name: await _fill(connection, reader, name) for name in header.tables}
            reader.end(len(rows))
            await connection.run_sync(upgrade)
            for start in range(0, len(erased), ROWS_PER_INSERT):
                await erase_players(connection, erased[start : start + ROWS_PER_INSERT])
            try:
                derived = await derive_rows(connection, known_rules())
                return Restored(rows, derived, await _root(connection, published))
            except UnreadableEvent as error:
                raise RestoreError(f"the log holds what this version cannot read: {error}") from None


class _Reader:
    """Reads the lines of a backup in order. `number` is the number of the last line read."""

    def __init__(self, packed: gzip.GzipFile) -> None:
        self._packed = packed
        self.number = 0

    def line(self) -> bytes:
        """Read the next line, with its newline. Raises BackupBroken."""
        self.number += 1
        try:
            line = self._packed.readline(MAX_LINE_BYTES)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise self.broken(f"the file ends or is damaged here ({error})") from None
        if not line.endswith(b"\n"):
            raise self.broken("the file ends before its last line" if not line else "this line is not complete")
        return line

    def take(self, kind: type[Line], section: Section | None = None) -> Line:
        """Read and decode the next line, which must be of this type. Raises BackupBroken."""
        line = self.line()
        if section is not None:
            section.add_line(line)
        return self.decode(line, kind)

    def decode(self, line: bytes, kind: type[Line]) -> Line:
        """Decode the last line read as this type. Raises BackupBroken."""
        try:
            return msgspec.json.decode(line, type=kind)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            raise self.broken(f"this is not the {kind.__name__.lower()} line of a backup: {error}") from None

    def rows(self, section: Section) -> Iterator[list[Value]]:
        """Yield the rows of the opened table, and check them against its closing line. Raises BackupBroken."""
        while (line := self.line()).startswith(b"["):
            section.add_line(line)
            section.rows += 1
            try:
                yield msgspec.json.decode(line, type=list[Value])
            except (msgspec.DecodeError, UnicodeError) as error:
                raise self.broken(f"this is not a row: {error}") from None
        closing, found = self.decode(line, Closing), section.closing()
        if closing.rows != found.rows:
            raise self.broken(f"the table has {found.rows} rows here and {closing.rows} in the backup")
        if closing.sha256 != found.sha256:
            raise self.broken(f"somebody changed something in the {found.rows} rows before this line")

    def end(self, tables: int) -> None:
        """Read the last line, and check that nothing follows it. Raises BackupBroken."""
        if self.take(End).end != tables:
            raise self.broken(f"the backup ends after {tables} tables")
        try:
            more = self._packed.read(1)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise self.broken(f"the file is damaged after this line ({error})") from None
        if more:
            raise self.broken("something follows the last line")

    def broken(self, reason: str) -> BackupBroken:
        """Return the error for the last line read."""
        return BackupBroken(self.number, reason)


async def _prepare(connection: AsyncConnection, reader: _Reader, header: Header) -> None:
    """Create the tables of the backup's revision, or check that they exist and are empty."""
    if header.revision not in known_revisions():
        raise reader.broken(
            f"its tables are at revision {header.revision!r}, which only a newer version of this program knows"
        )
    found = await connection.run_sync(current_revision)
    if found is None:
        await connection.run_sync(upgrade, header.revision)
    elif found != header.revision:
        raise NotEmpty(
            f"the database's tables are at revision {found}, the backup's at {header.revision}: "
            "import into a new database without tables; they are created and migrated"
        )
    tables = [name for name in await connection.run_sync(_names) if name not in _NO_CONTENT]
    if sorted(header.tables) != sorted(tables):
        raise reader.broken(f"the backup has the tables {', '.join(header.tables)}, not {', '.join(tables)}")
    for name in tables:
        table = await connection.run_sync(_reflected, name)
        if await connection.scalar(select(func.count()).select_from(table.select().limit(1).subquery())):
            raise NotEmpty(f"the database already holds something, in {name}: import into a new one")


async def _fill(connection: AsyncConnection, reader: _Reader, name: str) -> int:
    """Fill this table from the next lines, and return the number of rows."""
    table = await connection.run_sync(_reflected, name)
    section = Section()
    opening = reader.take(Opening, section)
    wanted = [column for column in table.c if (name, column.name) != _NUMBERED]
    if opening.table != name or {*opening.columns} != {column.name for column in wanted}:
        raise reader.broken(
            f"the table {name} should begin here, with the columns {', '.join(column.name for column in wanted)}"
        )
    columns = [table.c[column] for column in opening.columns]
    check = CHECKS[name]() if name in CHECKS else None
    batch = []
    for values in reader.rows(section):
        try:
            row = decode_row(columns, values)
            if check is not None:
                check(row)
        except RowBroken as broken:
            raise reader.broken(str(broken)) from None
        batch.append(row)
        if len(batch) == ROWS_PER_INSERT:
            await _insert(connection, reader, table, batch)
            batch = []
    await _insert(connection, reader, table, batch)
    return section.rows


async def _insert(
    connection: AsyncConnection, reader: _Reader, table: Table, batch: Sequence[dict[str, object]]
) -> None:
    if batch:
        try:
            await connection.execute(table.insert(), batch)
        except DBAPIError as error:
            reason = f"this row or one of the {len(batch)} before it does not fit: {error.orig}"
            raise reader.broken(reason) from None


async def _root(connection: AsyncConnection, published: tuple[str, str] | None) -> Root | None:
    """Return the root of the published day and check it; without one, return the root of the last event's day."""
    if published is None:
        return await last_root(connection)
    found = await root_of(connection, published[0])
    if found.root != published[1]:
        raise RootDiffers(
            f"the root of {found.day} is {found.root} over {found.streams} streams here, not {published[1]}"
        )
    return found


def _names(connection: Connection) -> list[str]:
    return inspect(connection).get_table_names()


def _reflected(connection: Connection, name: str) -> Table:
    """Return a table as reflected from the database, whose revision may be older than this version's."""
    own = [Column(events.c.data.name, EventData, nullable=False)] if name == events.name else []
    return Table(name, MetaData(), *own, autoload_with=connection, resolve_fks=False)


Row = dict[str, Any]
_MAX_INTEGER = 2**63 - 1


class RowBroken(Exception):
    """A row that the database cannot have held. The message says why."""


def decode_row(columns: Sequence[Column[Any]], values: Sequence[Value]) -> Row:
    """Return a row for inserting, from the values of a line. Raises RowBroken."""
    if len(values) != len(columns):
        raise RowBroken(f"this row has {len(values)} values, not {len(columns)}")
    return {column.name: _value(column, value) for column, value in zip(columns, values, strict=True)}


def _value(column: Column[Any], value: Value) -> Value | bytes:
    if value is None and column.nullable:
        return None
    kind = column.type
    if isinstance(kind, Boolean) and isinstance(value, bool):
        return value
    if isinstance(kind, Integer) and type(value) is int and abs(value) <= _MAX_INTEGER:
        return value
    if isinstance(value, str) and "\0" not in value and not isinstance(kind, Boolean | Integer):
        return _bytes(column, value) if isinstance(kind, LargeBinary) else value
    raise RowBroken(f"{value!r} is not a valid {column.name}")


def _bytes(column: Column[Any], value: str) -> bytes:
    try:
        return bytes.fromhex(value)
    except ValueError:
        raise RowBroken(f"{value!r} is not a valid {column.name}") from None


class ChainCheck:
    """Checks that the versions and hashes of the events of every stream are consecutive."""

    def __init__(self) -> None:
        self._stream = ""
        self._version = 0
        self._head = hash_chain.START_HASH

    def __call__(self, event: Row) -> None:
        """Check the next event. Raises RowBroken."""
        stream, version = event["stream"], event["version"]
        if stream != self._stream:
            if stream.encode() < self._stream.encode():
                raise RowBroken(f"the stream {stream} comes after {self._stream}")
            self._stream, self._version, self._head = stream, 0, hash_chain.START_HASH
        if version != self._version + 1:
            raise RowBroken(f"the stream {stream} has no event {self._version + 1}")
        if not 0 <= event["recorded_at"] <= dates.LAST_MOMENT:
            raise RowBroken(f"{event['recorded_at']} is no time at which event {version} of {stream} can have happened")
        head = (stream, version, event["type"], event["schema"], event["data"], event["recorded_at"])
        if expand(shorten(event["data"])) != event["data"]:
            raise RowBroken(f"the data of event {version} of {stream} has control characters, which JSON has not")
        if hash_chain.event_hash(self._head, *head) != event["hash"]:
            raise RowBroken(f"the hash of event {version} of {stream} does not fit the event and the hash before")
        self._version, self._head = version, event["hash"]


def check_secret(deal: Row) -> None:
    """Check that the secret of a deal or a day matches its commitment. Raises RowBroken."""
    try:
        fits = commit_reveal.commitment(bytes.fromhex(deal["secret"])) == deal["commitment"]
    except ValueError:
        fits = False
    if not fits:
        raise RowBroken("the secret does not fit the commitment")


CHECKS: Mapping[str, Callable[[], Callable[[Row], None]]] = {
    "events": ChainCheck,
    "deals": lambda: check_secret,
    "days": lambda: check_secret,
}
"""For each checked table, a factory of its check, which is then called with every row."""
