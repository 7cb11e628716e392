"""Archiving: moves old casual games of guests out of the database into a file whose records can still be verified.

A game is archived if all of the following hold. It was played by a guest without a valid session, who therefore cannot
return. It ended, or was last played, before the given day. It belongs to no day, no race and no leaderboard. No other
game was continued from it. It was neither reported nor disqualified. It is not queued for the transparency log. Its
record verifies. Leaderboards and statistics stay unchanged, and the Merkle root covers archived games as before
(`cadogan.server.operations.merkle_roots`).

Games are deleted only after the file is complete, verified and synced to disk. They are deleted in short transactions,
each game only if the file holds all of it. After an interruption, run the same command again: a complete file is not
rewritten, and the deletion continues.

    ArchiveRefused    nothing was archived; the message says why
"""

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec.structs import replace
from sqlalchemy import ColumnElement, and_, delete, exists, func, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.core import dates
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import (
    analyses,
    archived_games,
    archives,
    deals,
    entries,
    events,
    games,
    log_queue,
    personal_tokens,
    players,
    reports,
    strikes,
    tokens,
)
from cadogan.server.core.eventlog.event_store import StoredEvent, require_contiguous
from cadogan.server.core.eventlog.events import HouseActed
from cadogan.server.core.eventlog.streams import game_stream, id_of
from cadogan.server.core.fairness.log_root import SELF_REVEALING_EVENT
from cadogan.server.core.games.game_record import build_record
from cadogan.server.subjects.admin.admin_log import lock_admin_log, record_act
from cadogan.server.subjects.audit import game_audit
from cadogan.server.subjects.audit.stored_records import ArchiveBroken, ArchiveWriter, ReadArchive, read_archive
from cadogan.server.subjects.transparency.transparency_log import TransparencyLog
from cadogan.wire.bodies import Record
from cadogan.wire.codec import encode

GAMES_PER_PAGE = 100
"""Games read per query."""
GAMES_PER_TRANSACTION = 20
"""Games deleted per transaction: few, so that servers wait only briefly for the write lock."""
PAUSE_SECONDS = 0.05
"""Pause between two deleting transactions."""
MIN_AGE_MILLISECONDS = 7 * dates.MILLISECONDS_PER_DAY
"""Newer games are not archived, because players may still open them."""

_EVENT = [events.c[name] for name in StoredEvent.__struct_fields__]


class ArchiveRefused(Exception):
    """Nothing was archived. The message says why."""


class Candidates(NamedTuple):
    """The games that an archive would take: their number, and the number of their events."""

    games: int
    events: int


class ArchiveResult(NamedTuple):
    """The result of archiving: the games deleted now, and those that are in the file but were kept in the database.

    `unverified` counts old games that were not archived because their records do not verify.
    """

    sha256: str
    in_file: int
    deleted: int
    left: int
    unverified: int


class _End(NamedTuple):
    """The end of a record: the version and the hash of its last event."""

    version: int
    hash: bytes


async def count_candidates(database: Database, before: str, now: int) -> Candidates:
    """Return the number of games and events that would be archived. Raises ArchiveRefused."""
    conditions = _conditions(_start_of(before, now), now)
    async with database.reading() as connection:
        chosen = select(games.c.id).where(*conditions)
        count = await connection.scalar(select(func.count()).select_from(chosen.subquery())) or 0
        event_count = (
            select(func.count()).select_from(games).join(events, events.c.stream == game_stream("") + games.c.id)
        )
        return Candidates(count, await connection.scalar(event_count.where(*conditions)) or 0)


async def archive(database: Database, before: str, file: Path, now: Callable[[], int]) -> ArchiveResult:
    """Archive the old games into the file; resume from the file if it already exists.

    Raises ArchiveRefused, UnreadableEvent, StreamIncomplete and OSError.
    """
    at, unverified = _start_of(before, now()), 0
    if not await asyncio.to_thread(file.exists):
        unverified = await _write(database, before, file, _conditions(at, now()))
    try:
        ends: dict[str, _End] = {}
        found = await asyncio.to_thread(read_archive, file, lambda line: ends.update(_end_of(line)))
    except ArchiveBroken as error:
        raise ArchiveRefused(f"{file} exists, and {error}: name another file") from None
    if found.before != before:
        raise ArchiveRefused(f"{file} has the games from before {found.before}: give that day, or name another file")
    deleted = left = 0
    async with database.reading() as connection:
        archived = {*await connection.scalars(select(archived_games.c.stream))} & {*map(game_stream, ends)}
    waiting = [game for game in ends if game_stream(game) not in archived]
    for start in range(0, len(waiting), GAMES_PER_TRANSACTION):
        some = waiting[start : start + GAMES_PER_TRANSACTION]
        count = await delete_batch(database, found, file.name, {game: ends[game] for game in some}, at, now())
        deleted, left = deleted + count, left + len(some) - count
        await asyncio.sleep(PAUSE_SECONDS)
    return ArchiveResult(found.sha256, found.games, deleted, left, unverified)


def _start_of(before: str, now: int) -> int:
    """Return when the day begins, in milliseconds since 1970. Raises ArchiveRefused if the day is too recent."""
    at = dates.day_times(before, 0).opens_at
    if at > now - MIN_AGE_MILLISECONDS:
        raise ArchiveRefused(f"{before} is less than {MIN_AGE_MILLISECONDS // dates.MILLISECONDS_PER_DAY} days ago")
    return at


def _conditions(at: int, now: int) -> list[ColumnElement[bool]]:
    """Return the SQL conditions for games that may be archived and are unchanged since `at`; times in ms since 1970."""
    cannot_come_back = exists().where(
        players.c.id == games.c.player,
        players.c.name_key.is_(None),
        players.c.owner.is_(None),
        players.c.role.is_(None),
        ~exists().where(tokens.c.player == players.c.id, tokens.c.expires_at > now),
        ~exists().where(personal_tokens.c.player == players.c.id, personal_tokens.c.expires_at > now),
    )
    later, touched = games.alias("later"), events.alias("touched")
    return [
        cannot_come_back,
        ~games.c.ranked,
        games.c.day.is_(None),
        games.c.match.is_(None),
        games.c.deal.not_like("%-%"),  # ids of deals of competitions contain a hyphen, ids of casual deals do not
        func.coalesce(games.c.finished_at, games.c.started_at) < at,
        ~exists().where(entries.c.game_id == games.c.id),
        ~exists().where(later.c.origin == games.c.id),
        ~exists().where(strikes.c.game_id == games.c.id),
        ~exists().where(reports.c.game == games.c.id),
        ~exists().where(log_queue.c.stream == game_stream("") + games.c.id),
        ~exists().where(touched.c.stream == game_stream("") + games.c.id, touched.c.recorded_at >= at),
    ]


async def _write(database: Database, before: str, file: Path, conditions: Sequence[ColumnElement[bool]]) -> int:
    """Write the file and rename it when it is complete; return how many games were left out as unverifiable."""
    part, unverified, written = file.with_name(f"{file.name}.part"), 0, 0
    writer = await asyncio.to_thread(ArchiveWriter, part, before)
    try:
        async with database.reading() as connection:
            async for record in _records(connection, TransparencyLog(database), conditions):
                if await asyncio.to_thread(_verifies, record):
                    await asyncio.to_thread(writer.add, record)
                    written += 1
                else:
                    unverified += 1
        await asyncio.to_thread(writer.finish)
        if not written:
            raise ArchiveRefused(
                f"there is nothing to archive from before {before}"
                + (f", but for {unverified} games whose records do not verify" if unverified else "")
            )
        await asyncio.to_thread(_name, part, file)
    except BaseException:
        writer.close()
        part.unlink(missing_ok=True)
        raise
    return unverified


def _name(part: Path, file: Path) -> None:
    """Rename the written file and sync its folder. A file created meanwhile under that name is not replaced."""
    os.link(part, file)
    part.unlink()
    folder = os.open(file.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _verifies(record: bytes) -> bool:
    return game_audit.verify(record).consistent


async def _records(
    connection: AsyncConnection, log: TransparencyLog, conditions: Sequence[ColumnElement[bool]]
) -> AsyncIterator[bytes]:
    """Iterate over the records, with proofs, of the games that match the conditions, ordered by id."""
    after = ""
    while True:
        page = select(games.c.id, deals.c.secret).join(deals, deals.c.id == games.c.deal)
        page = page.where(games.c.id > after, *conditions).order_by(games.c.id).limit(GAMES_PER_PAGE)
        secrets = {row.id: bytes.fromhex(row.secret) for row in await connection.execute(page)}
        event_count = await _read_events(connection, secrets)
        for game, secret in secrets.items():
            require_contiguous(game_stream(game), 0, event_count[game])
            proof = await log.prove(game_stream(game))
            yield encode(
                replace(build_record(game, secret, event_count[game]), proof=proof.as_text() if proof else None)
            )
        if len(secrets) < GAMES_PER_PAGE:
            return
        after = max(secrets)


async def _read_events(connection: AsyncConnection, ids: Collection[str]) -> dict[str, list[StoredEvent]]:
    event_count: dict[str, list[StoredEvent]] = {game: [] for game in ids}
    chosen = select(*_EVENT).where(events.c.stream.in_(map(game_stream, ids)))
    chosen = chosen.order_by(events.c.stream, events.c.version)
    for row in await connection.execute(chosen):
        event_count[id_of(row.stream)].append(StoredEvent(*row))
    return event_count


def _end_of(line: bytes) -> dict[str, _End]:
    record = msgspec.json.decode(line, type=Record)
    last = record.events[-1]
    return {record.game: _End(last.version, bytes.fromhex(last.hash))}


async def delete_batch(
    database: Database, found: ReadArchive, name: str, ends: dict[str, _End], at: int, now: int
) -> int:
    """Delete, in one transaction, those of these games that the file holds completely; return how many.

    Games that may no longer be archived are kept.
    """
    async with database.writing() as connection:
        await lock_admin_log(connection)
        if not (await connection.execute(select(archives).where(archives.c.sha256 == found.sha256))).first():
            row = {"sha256": found.sha256, "name": name, "before": found.before, "games": found.games}
            await connection.execute(insert(archives).values(**row, created_at=now))
            act = HouseActed("archived", archive=found.sha256, games=found.games, until=at)
            await record_act(connection, act, now, name)
        chosen = select(games).where(games.c.id.in_(ends), *_conditions(at, now))
        rows = {row.id: row for row in await connection.execute(chosen)}
        last = events.alias("last")
        newest = select(func.max(last.c.version)).where(last.c.stream == events.c.stream).scalar_subquery()
        heads = select(events.c.stream, events.c.version, events.c.hash, events.c.type, events.c.recorded_at).where(
            and_(events.c.stream.in_(map(game_stream, rows)), events.c.version == newest)
        )
        archived = []
        for head in await connection.execute(heads):
            game = rows[id_of(head.stream)]
            if (head.version, head.hash) != ends[game.id]:
                continue
            counts = game.finished_at is not None and game.origin is None
            archived.append(
                {
                    "stream": head.stream,
                    "archive": found.sha256,
                    "version": head.version,
                    "hash": head.hash,
                    "revealed_at": head.recorded_at if head.type == SELF_REVEALING_EVENT else None,
                    "game": game.game,
                    "status": game.status,
                    "moves": game.moves if counts else None,
                    "milliseconds": game.milliseconds if counts else None,
                }
            )
        if archived:
            await _delete_rows(connection, archived, {rows[id_of(str(row["stream"]))].deal for row in archived})
    return len(archived)


async def _delete_rows(
    connection: AsyncConnection, archived: list[dict[str, object]], of_deals: Collection[str]
) -> None:
    streams = [str(row["stream"]) for row in archived]
    ids = [id_of(stream) for stream in streams]
    await connection.execute(insert(archived_games), archived)
    await connection.execute(delete(events).where(events.c.stream.in_(streams)))
    await connection.execute(delete(analyses).where(analyses.c.game.in_(ids)))
    await connection.execute(delete(games).where(games.c.id.in_(ids)))
    unused = ~exists().where(games.c.deal == deals.c.id)
    await connection.execute(delete(deals).where(deals.c.id.in_(of_deals), unused))
