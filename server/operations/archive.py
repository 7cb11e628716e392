"""Archiving: old casual games of guests go from the database into a file that still verifies.

A game is archived if a guest played it who cannot come back, because no session of theirs is valid; if it was over, or
not touched any more, before a day; if it belongs to no day and no race, and is on no leaderboard; if no other game was
played on from it; if nobody has reported it, and no host has struck it; if it does not wait to be added to the
transparency log; and if its record verifies. Boards stay as they are, statistics of all games count archived games on,
and the root covers them as before (`cadogan.server.operations.merkle_roots`).

The file is complete, compared with what was written and on the disk before anything is deleted. Games are then deleted
in short transactions, each only if the file has all of it. Whoever is stopped in the middle runs the same again: a file
that is complete is not written again, and deleting goes on.

    ArchiveRefused    nothing was archived; says why
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

from cadogan.server.audit import game_audit
from cadogan.server.audit.archive_file import ArchiveBroken, ArchiveWriter, ReadArchive, read_archive
from cadogan.server.core import dates
from cadogan.server.database.connections import Database
from cadogan.server.database.tables import (
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
from cadogan.server.eventlog.event_store import StoredEvent, require_contiguous
from cadogan.server.eventlog.events import HouseActed
from cadogan.server.eventlog.streams import game_stream, id_of
from cadogan.server.fairness.revealed import REVEALED_ITSELF
from cadogan.server.games.game_record import build_record
from cadogan.server.house.house_log import lock_house, record_act
from cadogan.server.transparency.transparency_log import TransparencyLog
from cadogan.wire.bodies import Record
from cadogan.wire.codec import encode

GAMES_PER_PAGE = 100
"""Games that are read at once."""
GAMES_PER_TRANSACTION = 20
"""Games that are deleted at once, so that a server does not wait long for its turn."""
PAUSE_SECONDS = 0.05
"""Seconds between two such transactions."""
MIN_AGE_MILLISECONDS = 7 * dates.MILLISECONDS_PER_DAY
"""Games of the last days are not archived: somebody may still look at them."""

_EVENT = [events.c[name] for name in StoredEvent.__struct_fields__]


class ArchiveRefused(Exception):
    """Nothing was archived. The text says why."""


class Candidates(NamedTuple):
    """What would be archived: how many games, and how many events they have."""

    games: int
    events: int


class ArchiveResult(NamedTuple):
    """What was archived: the games that were deleted now, and those that are in the file and were left alone.

    `unverified` are old games that are not in the file, because their records do not verify.
    """

    sha256: str
    in_file: int
    deleted: int
    left: int
    unverified: int


class _End(NamedTuple):
    """Where a record ends: the version and the hash of its last event."""

    version: int
    hash: bytes


async def count_candidates(database: Database, before: str, now: int) -> Candidates:
    """Return what would be archived. Raises ArchiveRefused."""
    conditions = _conditions(_start_of(before, now), now)
    async with database.reading() as connection:
        chosen = select(games.c.id).where(*conditions)
        count = await connection.scalar(select(func.count()).select_from(chosen.subquery())) or 0
        told = select(func.count()).select_from(games).join(events, events.c.stream == game_stream("") + games.c.id)
        return Candidates(count, await connection.scalar(told.where(*conditions)) or 0)


async def archive(database: Database, before: str, file: Path, now: Callable[[], int]) -> ArchiveResult:
    """Archive the old games into the file; go on with what is in it, if it is there already.

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
        gone = {*await connection.scalars(select(archived_games.c.stream))} & {*map(game_stream, ends)}
    waiting = [game for game in ends if game_stream(game) not in gone]
    for start in range(0, len(waiting), GAMES_PER_TRANSACTION):
        some = waiting[start : start + GAMES_PER_TRANSACTION]
        count = await delete_batch(database, found, file.name, {game: ends[game] for game in some}, at, now())
        deleted, left = deleted + count, left + len(some) - count
        await asyncio.sleep(PAUSE_SECONDS)
    return ArchiveResult(found.sha256, found.games, deleted, left, unverified)


def _start_of(before: str, now: int) -> int:
    """Return when the day begins. Raises ArchiveRefused if that is not long ago."""
    at = dates.day_times(before, 0).opens_at
    if at > now - MIN_AGE_MILLISECONDS:
        raise ArchiveRefused(f"{before} is less than {MIN_AGE_MILLISECONDS // dates.MILLISECONDS_PER_DAY} days ago")
    return at


def _conditions(at: int, now: int) -> list[ColumnElement[bool]]:
    """Say which games may be archived that nobody has touched since `at`; both in milliseconds since 1970."""
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
        games.c.deal.not_like("%-%"),  # the deals of competitions have such a sign in their ids, all others none
        func.coalesce(games.c.finished_at, games.c.started_at) < at,
        ~exists().where(entries.c.game_id == games.c.id),
        ~exists().where(later.c.origin == games.c.id),
        ~exists().where(strikes.c.game_id == games.c.id),
        ~exists().where(reports.c.game == games.c.id),
        ~exists().where(log_queue.c.stream == game_stream("") + games.c.id),
        ~exists().where(touched.c.stream == game_stream("") + games.c.id, touched.c.recorded_at >= at),
    ]


async def _write(database: Database, before: str, file: Path, conditions: Sequence[ColumnElement[bool]]) -> int:
    """Write the file, which gets its name when it is complete; return how many games' records do not verify."""
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
    """Give the written file its name, on the disk too. A file that has come to be there meanwhile is not replaced."""
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
    """Iterate over the records of the games for which the conditions hold, by their ids, each with its proof."""
    after = ""
    while True:
        page = select(games.c.id, deals.c.secret).join(deals, deals.c.id == games.c.deal)
        page = page.where(games.c.id > after, *conditions).order_by(games.c.id).limit(GAMES_PER_PAGE)
        secrets = {row.id: bytes.fromhex(row.secret) for row in await connection.execute(page)}
        told = await _read_events(connection, secrets)
        for game, secret in secrets.items():
            require_contiguous(game_stream(game), 0, told[game])
            proof = await log.prove(game_stream(game))
            yield encode(replace(build_record(game, secret, told[game]), proof=proof.as_text() if proof else None))
        if len(secrets) < GAMES_PER_PAGE:
            return
        after = max(secrets)


async def _read_events(connection: AsyncConnection, ids: Collection[str]) -> dict[str, list[StoredEvent]]:
    told: dict[str, list[StoredEvent]] = {game: [] for game in ids}
    chosen = select(*_EVENT).where(events.c.stream.in_(map(game_stream, ids)))
    chosen = chosen.order_by(events.c.stream, events.c.version)
    for row in await connection.execute(chosen):
        told[id_of(row.stream)].append(StoredEvent(*row))
    return told


def _end_of(line: bytes) -> dict[str, _End]:
    record = msgspec.json.decode(line, type=Record)
    last = record.events[-1]
    return {record.game: _End(last.version, bytes.fromhex(last.hash))}


async def delete_batch(
    database: Database, found: ReadArchive, name: str, ends: dict[str, _End], at: int, now: int
) -> int:
    """Delete in one transaction those of these games of which the file has all; return how many.

    A game that may no longer be archived is left.
    """
    async with database.writing() as connection:
        await lock_house(connection)
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
        gone = []
        for head in await connection.execute(heads):
            game = rows[id_of(head.stream)]
            if (head.version, head.hash) != ends[game.id]:
                continue
            counts = game.finished_at is not None and game.origin is None
            gone.append(
                {
                    "stream": head.stream,
                    "archive": found.sha256,
                    "version": head.version,
                    "hash": head.hash,
                    "revealed_at": head.recorded_at if head.type == REVEALED_ITSELF else None,
                    "game": game.game,
                    "status": game.status,
                    "moves": game.moves if counts else None,
                    "milliseconds": game.milliseconds if counts else None,
                }
            )
        if gone:
            await _delete_rows(connection, gone, {rows[id_of(str(row["stream"]))].deal for row in gone})
    return len(gone)


async def _delete_rows(connection: AsyncConnection, gone: list[dict[str, object]], of_deals: Collection[str]) -> None:
    streams = [str(row["stream"]) for row in gone]
    ids = [id_of(stream) for stream in streams]
    await connection.execute(insert(archived_games), gone)
    await connection.execute(delete(events).where(events.c.stream.in_(streams)))
    await connection.execute(delete(analyses).where(analyses.c.game.in_(ids)))
    await connection.execute(delete(games).where(games.c.id.in_(ids)))
    unused = ~exists().where(games.c.deal == deals.c.id)
    await connection.execute(delete(deals).where(deals.c.id.in_(of_deals), unused))
