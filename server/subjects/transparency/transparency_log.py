"""The transparency log in a database: appends entries, and reads proofs and tiles.

Every transaction that ends a stream also queues it (`cadogan.server.core.storage`). `append_waiting` dequeues streams,
numbers them and signs the new checkpoint, in one transaction that holds a lock. So no node can lose an entry, and two
nodes cannot assign the same number.

    OtherKey    the log requires another key than the given one
"""

from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from sqlalchemy import Insert, Row, Table, and_, bindparam, delete, false, func, insert, or_, select, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.core import dates
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import log_entries, log_heads, log_queue, log_tiles
from cadogan.server.core.eventlog.events import ANNOUNCEMENTS
from cadogan.server.core.eventlog.streams import entry_name, id_of
from cadogan.server.core.storage.sql_store import end_of
from cadogan.server.subjects.transparency.checkpoints import (
    Checkpoint,
    EntryProof,
    Rotation,
    pack_rotations,
    read_checkpoint,
    read_rotation,
    sign_rotation,
)
from cadogan.server.subjects.transparency.leaves import NextKey, NoEntry, read_entry
from cadogan.server.subjects.transparency.notes import (
    BadNote,
    Note,
    Signature,
    SigningKey,
    cosigned_at,
    read_note,
    sign_note,
)
from cadogan.server.subjects.transparency.queued_entries import read_queued
from cadogan.server.subjects.transparency.tree import (
    EMPTY_ROOT,
    ENTRIES,
    WIDTH,
    Tile,
    TreeEdge,
    consistency_parts,
    edge_tiles,
    inclusion_parts,
    leaf_hash,
    part_hash,
    tiles_under,
    width_of,
    write_bundle,
)

MAX_APPENDED = 500
"""Streams appended per transaction."""
LATEST, WITNESSED, DATING = "latest", "witnessed", "dating/"
KEY = "key"
"""Used in place of a stream: an entry about the host's keys."""
_TILES_PER_QUERY = 200


class OtherKey(Exception):
    """The log requires another key: the key was rotated meanwhile, or the log is not this host's."""


class LoggedStream(NamedTuple):
    """An entry of the log: its number, the version of the stream that it covers, and its bytes."""

    number: int
    version: int
    entry: bytes


class TransparencyLog:
    """The log of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def is_waiting(self) -> bool:
        """Return whether any stream is queued."""
        return await self._database.fetch_value(select(log_queue.c.stream).limit(1)) is not None

    async def append_waiting(self, key: SigningKey) -> int:
        """Append queued streams, the oldest first, and sign the new checkpoint; return the number of entries.

        The end of a day also appends the day's ranked runs that never ended. A game whose secret is not in the database
        stays queued: without the secret, its digest could reveal hidden cards. Raises OtherKey.
        """
        async with self._database.writing() as connection:
            await _lock(connection)
            await _require_key(connection, key)
            queue = select(log_queue).order_by(log_queue.c.recorded_at, log_queue.c.stream).limit(MAX_APPENDED)
            waiting = [*await connection.execute(queue)]
            queued = await read_queued(connection, waiting)
            known = await _logged(connection, [(row.stream, row.version) for row, _ in queued])
            entries = [
                (row.stream, row.version, entry.as_bytes())
                for row, entry in queued
                if entry is not None and (row.stream, row.version) not in known
            ]
            await _append(connection, entries, key)
            await _take(connection, [row for row, _ in queued])
        return len(entries)

    async def rotate(self, old: SigningKey, new: SigningKey) -> Rotation:
        """Append the rotation from one key to another, and sign the log with the new one. Raises OtherKey."""
        async with self._database.writing() as connection:
            await _lock(connection)
            await _require_key(connection, old)
            rotation = sign_rotation(await _size(connection), old, new)
            count = await connection.scalar(select(func.max(log_entries.c.version)).where(log_entries.c.stream == KEY))
            entry = NextKey(rotation.note.as_text()).as_bytes()
            await _append(connection, [(KEY, (count or 0) + 1, entry)], new)
        return rotation

    async def restart(self, key: SigningKey) -> Checkpoint:
        """Sign the current tree with a key of another name, which starts the log of that name."""
        async with self._database.writing() as connection:
            await _lock(connection)
            await connection.execute(delete(log_heads).where(log_heads.c.kind == WITNESSED))
            return await _append(connection, [], key)

    async def rotations(self, origin: str) -> tuple[Rotation, ...]:
        """Return the rotations of the keys of this name, in order; they stop before one that cannot be parsed."""
        chosen = select(log_entries.c.entry).where(log_entries.c.stream == KEY).order_by(log_entries.c.version)
        entries = [row[0] for row in await self._database.fetch(chosen)]
        found: list[Rotation] = []
        with suppress(BadNote, NoEntry):
            for entry in map(read_entry, entries):
                if isinstance(entry, NextKey) and (rotation := read_rotation(entry.key)).old.name == origin:
                    found.append(rotation)
        return tuple(found)

    async def head(self, kind: str = LATEST) -> Note | None:
        """Return the latest signed checkpoint, or with `WITNESSED` the latest one that a witness has signed as well."""
        note = await self._database.fetch_value(select(log_heads.c.note).where(log_heads.c.kind == kind))
        return None if note is None else read_note(note)

    async def store_witnessed(self, note: Note, signatures: Collection[Signature]) -> None:
        """Store witness signatures of a checkpoint, unless a later witnessed one is stored.

        It also becomes the checkpoint that dates the announcements in it: those of days that have not been opened, if
        no earlier one was signed by as many witnesses, and those of competitions that no earlier one has.
        """
        async with self._database.writing() as connection:
            await _lock(connection)
            chosen = select(log_heads.c.note).where(log_heads.c.kind == WITNESSED)
            stored = await connection.scalar(chosen)
            before = None if stored is None else read_note(stored)
            if before is not None and read_checkpoint(before.text).size > read_checkpoint(note.text).size:
                return
            known = before if before is not None and before.text == note.text else note
            signed = known.with_signatures(signatures)
            await write_head(connection, WITNESSED, signed)
            await _date_announcements(connection, signed)
            await _date_competitions(connection, signed, 0 if before is None else read_checkpoint(before.text).size)

    async def find(self, stream: str) -> LoggedStream | None:
        """Return the latest entry for a stream; None if the log has none."""
        chosen = select(log_entries.c.number, log_entries.c.version, log_entries.c.entry)
        chosen = chosen.where(log_entries.c.stream == stream).order_by(log_entries.c.version.desc()).limit(1)
        row = await self._database.fetch_one(chosen)
        return None if row is None else LoggedStream(*row)

    async def prove(self, stream: str) -> EntryProof | None:
        """Return the proof of the latest entry for a stream; None if the log has none.

        It uses the latest witnessed checkpoint, or the latest checkpoint if the entry is newer than that.
        """
        found = await self.find_signed(stream)
        if found is None:
            return None
        return await self._prove(*found)

    async def _prove(self, entry: LoggedStream, note: Note) -> EntryProof:
        origin, size, _ = read_checkpoint(note.text)
        hashes = await self.hashes(inclusion_parts(entry.number, size))
        return EntryProof(entry.number, hashes, note, pack_rotations(await self.rotations(origin)))

    async def prove_both(self, stream: str, announced: str) -> tuple[str | None, str | None]:
        """Return the texts of the proofs of the latest entry for a stream, and of its announcement, of this type."""
        end, announcement = await self.prove(stream), await self.prove_announcement(announced, id_of(stream))
        return end.as_text() if end else None, announcement.as_text() if announcement else None

    async def prove_announcement(self, type: str, id: str) -> EntryProof | None:
        """Return the proof that the log has the announcement of a day or a competition, and that witnesses saw it.

        `type` is that of its event. The proof uses the checkpoint that `store_witnessed` chose. None if the log has no
        such announcement, or if no witness has signed it, for a day before it was opened.
        """
        name = entry_name(type, id)
        if (found := await self.find(name)) is None:
            return None
        note = await self._first_with(found.number) if type in ANNOUNCEMENTS else await self.head(name)
        return None if note is None else await self._prove(found, note)

    async def _first_with(self, number: int) -> Note | None:
        """Return the first checkpoint with this entry, an announcement, that witnesses signed; None if none has."""
        kind = log_heads.c.kind
        chosen = select(log_heads.c.note).where(kind > _dating(number), kind < end_of(DATING))
        note = await self._database.fetch_value(chosen.order_by(kind).limit(1))
        return None if note is None else read_note(note)

    async def find_signed(self, stream: str) -> tuple[LoggedStream, Note] | None:
        """Return the latest entry for a stream, and the checkpoint of its proof; None if the log has none."""
        entry = await self.find(stream)
        if entry is None:
            return None
        for kind in (WITNESSED, LATEST):
            note = await self.head(kind)
            if note is not None and read_checkpoint(note.text).size > entry.number:
                return entry, note
        return None

    async def prove_consistency(self, old: int, new: int) -> list[bytes]:
        """Return the proof that the tree of `new` entries extends that of `old`; the tree must have had both sizes."""
        return await self.hashes(consistency_parts(old, new) if old else [])

    async def root_at(self, size: int) -> bytes:
        """Return the root of the first `size` entries; `size` is at most the size of the log."""
        return (await self.hashes([(0, size)]))[0] if size else EMPTY_ROOT

    async def hashes(self, parts: Collection[tuple[int, int]]) -> list[bytes]:
        """Return the hashes of parts of the tree."""
        async with self._database.reading() as connection:
            tiles = await _read_tiles(connection, sorted(tiles_under(parts)))
        return [part_hash(part, tiles.__getitem__) for part in parts]

    async def tile(self, level: int, number: int, width: int) -> bytes | None:
        """Return the first `width` hashes of a tile, or entries of a bundle; None if the log has fewer."""
        note = await self.head()
        size = 0 if note is None else read_checkpoint(note.text).size
        if width > width_of(level, number, size):
            return None
        async with self._database.reading() as connection:
            if level == ENTRIES:
                first = number * WIDTH
                chosen = select(log_entries.c.entry).order_by(log_entries.c.number)
                chosen = chosen.where(log_entries.c.number >= first, log_entries.c.number < first + width)
                return write_bundle(await connection.scalars(chosen))
            tiles = await _read_tiles(connection, [(level, number)])
        return tiles[level, number][: 32 * width]

    async def append(self, entries: Sequence[tuple[str, int, bytes]], key: SigningKey) -> Checkpoint:
        """Append entries, each with its stream and version; return the new checkpoint."""
        async with self._database.writing() as connection:
            await _lock(connection)
            return await _append(connection, entries, key)


async def _lock(connection: AsyncConnection) -> None:
    """Lock the log against other appending transactions. On SQLite there is only one writer anyway."""
    if connection.dialect.name == "postgresql":
        await connection.execute(text("LOCK TABLE log_heads IN SHARE ROW EXCLUSIVE MODE"))


async def _require_key(connection: AsyncConnection, key: SigningKey) -> None:
    """Check that the log's last checkpoint was signed with this key, if there is one. Raises OtherKey."""
    note = await connection.scalar(select(log_heads.c.note).where(log_heads.c.kind == LATEST))
    if note is not None and not read_note(note).signatures_by(key.verifier()):
        raise OtherKey


async def _size(connection: AsyncConnection) -> int:
    return await connection.scalar(select(log_heads.c.size).where(log_heads.c.kind == LATEST)) or 0


async def _append(
    connection: AsyncConnection, entries: Sequence[tuple[str, int, bytes]], key: SigningKey
) -> Checkpoint:
    size = await _size(connection)
    edge = TreeEdge(size, await _read_tiles(connection, edge_tiles(size)))
    for _, _, entry in entries:
        edge.add(leaf_hash(entry))
    if entries:
        rows = [
            {"number": number, "stream": stream, "version": version, "entry": entry}
            for number, (stream, version, entry) in enumerate(entries, size)
        ]
        await connection.execute(insert(log_entries), rows)
        tiles = [
            {"level": level, "number": number, "hashes": hashes}
            for (level, number), hashes in edge.take_changed().items()
        ]
        await connection.execute(overwrite(connection, log_tiles), tiles)
    checkpoint = Checkpoint(key.name, edge.size, edge.root())
    await write_head(connection, LATEST, sign_note(checkpoint.text, key))
    return checkpoint


async def _date_announcements(connection: AsyncConnection, note: Note) -> None:
    """Store a witnessed checkpoint for each announcement of a coming day, if it dates it better than the stored one.

    The first one is stored. A later one replaces it if more witnesses signed it, all of them before the day began.
    """
    origin, size, _ = read_checkpoint(note.text)
    seen = [1000 * cosigned_at(one) for one in note.signatures if one.name != origin]
    first = entry_name("daily_announced", dates.day_of(min(*seen, dates.LAST_MOMENT)))
    chosen = select(log_entries.c.stream, log_heads.c.note).outerjoin(
        log_heads, log_heads.c.kind == log_entries.c.stream
    )
    chosen = chosen.where(
        log_entries.c.stream >= first, log_entries.c.stream < end_of(entry_name("daily_announced", ""))
    )
    for name, stored in [*await connection.execute(chosen.where(log_entries.c.number < size))]:
        begins_at = dates.day_times(id_of(name), 0).opens_at
        more = stored is not None and len(note.signatures) > len(read_note(stored).signatures)
        if stored is None or (more and max(seen) < begins_at):
            await write_head(connection, name, note)


async def _date_competitions(connection: AsyncConnection, note: Note, before: int) -> None:
    """Store a witnessed checkpoint if it has announcements of competitions that the one of `before` entries has not.

    A checkpoint that more witnesses have signed by now is stored again.
    """
    size = read_checkpoint(note.text).size
    new = select(log_entries.c.number).where(log_entries.c.number >= before, log_entries.c.number < size)
    stream = log_entries.c.stream
    names = [entry_name(one, "") for one in ANNOUNCEMENTS]
    ranges = [(stream >= name) & (stream < end_of(name)) for name in names]
    stored = select(log_heads.c.size).where(log_heads.c.kind == _dating(size))
    if await connection.scalar(stored if before == size else new.where(or_(false(), *ranges)).limit(1)) is not None:
        await write_head(connection, _dating(size), note)


def _dating(size: int) -> str:
    """Return the name of a checkpoint that dates announcements; the names sort like the sizes."""
    return f"{DATING}{size:016}"


async def write_head(connection: AsyncConnection, kind: str, note: Note) -> None:
    """Store a signed checkpoint; it replaces the one of the same kind."""
    row = {"kind": kind, "size": read_checkpoint(note.text).size, "note": note.as_text()}
    await connection.execute(overwrite(connection, log_heads), row)


async def _read_tiles(connection: AsyncConnection, wanted: Sequence[Tile]) -> dict[Tile, bytes]:
    found: dict[Tile, bytes] = {}
    for start in range(0, len(wanted), _TILES_PER_QUERY):
        numbers: dict[int, list[int]] = {}
        for level, number in wanted[start : start + _TILES_PER_QUERY]:
            numbers.setdefault(level, []).append(number)
        of_level = [and_(log_tiles.c.level == level, log_tiles.c.number.in_(some)) for level, some in numbers.items()]
        rows = await connection.execute(select(log_tiles).where(or_(*of_level)))
        found.update({(row.level, row.number): row.hashes for row in rows})
    return found


async def _take(connection: AsyncConnection, rows: Sequence[Row[Any]]) -> None:
    """Delete these rows from the queue; some may be missing."""
    if rows:
        one = and_(log_queue.c.stream == bindparam("of_stream"), log_queue.c.version == bindparam("of_version"))
        keys = [{"of_stream": row.stream, "of_version": row.version} for row in rows]
        await connection.execute(delete(log_queue).where(one), keys)


async def _logged(connection: AsyncConnection, wanted: Iterable[tuple[str, int]]) -> set[tuple[str, int]]:
    """Return the versions of these streams that the log already has.

    A condition on pairs, `(stream, version) IN …`, would make SQLite read the whole index.
    """
    streams = {stream for stream, _ in wanted}
    found = await connection.execute(
        select(log_entries.c.stream, log_entries.c.version).where(log_entries.c.stream.in_(streams))
    )
    return {(row.stream, row.version) for row in found}


def overwrite(connection: AsyncConnection, table: Table) -> Insert:
    """Return an upsert statement: each row is inserted, or replaces the row with the same key."""
    statement = (postgresql if connection.dialect.name == "postgresql" else sqlite).insert(table)
    others = {column.name: statement.excluded[column.name] for column in table.c if not column.primary_key}
    written: Insert = statement.on_conflict_do_update(index_elements=[*table.primary_key], set_=others)
    return written
