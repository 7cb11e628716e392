"""The doctor's probes: they read the figures of a deployment, which `doctor` judges. They change nothing."""

import asyncio
import random
import shutil
import time
from collections.abc import AsyncIterator, Collection
from contextlib import suppress
from pathlib import Path

import msgspec
from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from server.analysis.jobs import AnalysisJobs
from server.cluster.bus import LocalBus
from server.cluster.choose_bus import make_bus
from server.config import Settings
from server.core import ids
from server.core.clock import now
from server.core.metrics import Metrics
from server.database.connections import Database
from server.database.damage import DatabaseDamaged
from server.database.revisions import current_revision, known_revisions
from server.database.tables import days, events, metadata
from server.eventlog import hash_chain
from server.eventlog.streams import DAYS, GAMES, RACES, VIEWS, id_of
from server.fairness import commit_reveal
from server.operations import doctor
from server.operations.doctor import Finding
from server.operations.soundness import check_tables_and_values

SAMPLED_STREAMS = 50
"""How many streams have their hash chains checked."""
CHECKED_DAYS = 40
"""How many days, the latest first, have their secrets checked against their commitments."""
WAKE_UP_TIMEOUT_SECONDS = 5.0
_STREAM_PREFIXES = (DAYS, GAMES, RACES, VIEWS)
_DURABILITY_SETTINGS = ("fsync", "full_page_writes", "synchronous_commit")


class _Announced(msgspec.Struct):
    commitment: str = ""


async def diagnose(settings: Settings) -> AsyncIterator[Finding]:
    """Run all checks of a deployment and yield the finding of each.

    Raises what the database driver raises when the database does not answer.
    """
    yield doctor.check_proxy(settings)
    known = known_revisions()
    database = Database(settings.database_url, serving=True)
    if await asyncio.to_thread(_is_missing, database):
        yield doctor.check_tables(None, known[-1])
        return
    try:
        async with database.reading() as connection:
            probe = _probe_sqlite if connection.dialect.name == "sqlite" else _probe_postgresql
            for finding in await probe(database, connection):
                yield finding
            found = await connection.run_sync(current_revision)
            yield doctor.check_tables(found, known[-1], known)
            if found == known[-1]:
                yield (values := await _probe_values(connection))
                if values.severity is doctor.Severity.OK:
                    yield await _probe_clock(connection)
                    yield await _probe_secrets(connection)
                    yield await _probe_chains(connection)
                    yield doctor.check_analysts(*await AnalysisJobs(database, now).count())
    finally:
        await database.close()
    yield await _probe_bus(settings)


def _is_missing(database: Database) -> bool:
    """Return whether the SQLite file does not exist. To open it would create it."""
    return database.url.get_backend_name() == "sqlite" and not Path(database.url.database or "").exists()


async def _probe_sqlite(database: Database, connection: AsyncConnection) -> list[Finding]:
    synchronous = await connection.scalar(text("PRAGMA synchronous"))
    journal = await connection.scalar(text("PRAGMA journal_mode"))
    file = Path(database.url.database or "")
    modes = await asyncio.to_thread(_modes, file)
    free = await asyncio.to_thread(lambda: shutil.disk_usage(file.absolute().parent).free)
    return [
        doctor.check_sqlite_durability(synchronous or 0, journal or ""),
        doctor.check_files(modes),
        doctor.check_space(free),
    ]


def _modes(file: Path) -> dict[str, int]:
    modes = {}
    for one in (file, *(file.with_name(file.name + suffix) for suffix in ("-wal", "-shm"))):
        with suppress(FileNotFoundError):
            modes[str(one)] = one.stat().st_mode
    return modes


async def _probe_postgresql(_: Database, connection: AsyncConnection) -> list[Finding]:
    settings = {name: await _read_setting(connection, name) for name in _DURABILITY_SETTINGS}
    maximum = int(await _read_setting(connection, "max_connections"))
    reserved = int(await _read_setting(connection, "superuser_reserved_connections"))
    others = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND application_name NOT LIKE"
    used = await connection.scalar(text(f"{others} 'cadogan%'"))
    return [doctor.check_postgresql_durability(settings), doctor.check_connections(maximum, reserved, used or 0)]


async def _read_setting(connection: AsyncConnection, name: str) -> str:
    return str(await connection.scalar(text(f"SHOW {name}")))


async def _probe_values(connection: AsyncConnection) -> Finding:
    try:
        await check_tables_and_values(connection, metadata.sorted_tables)
    except DatabaseDamaged as error:
        return doctor.check_values(str(error))
    return doctor.check_values(None)


async def _probe_clock(connection: AsyncConnection) -> Finding:
    newest = await connection.scalar(select(events.c.recorded_at).order_by(events.c.position.desc()).limit(1))
    before = now()
    if connection.dialect.name == "postgresql":
        seconds = await connection.scalar(text("SELECT extract(epoch FROM clock_timestamp())::float8"))
    else:
        seconds = await connection.scalar(text("SELECT (julianday('now') - 2440587.5) * 86400.0"))
    return doctor.check_clock((before + now()) // 2, int((seconds or 0) * 1000), newest)


async def _probe_secrets(connection: AsyncConnection) -> Finding:
    first = select(events.c.stream, events.c.data).where(
        events.c.stream >= DAYS,
        events.c.stream < DAYS.replace("/", "0"),
        events.c.version == 1,  # "0" comes after "/"
    )
    kept = {row.day: (row.secret, row.commitment) for row in await connection.execute(select(days))}
    wrong, checked = [], 0
    for stream, data in await connection.execute(first.order_by(events.c.stream.desc()).limit(CHECKED_DAYS)):
        day, announced = id_of(stream), _announced_commitment(data)
        secret, commitment = kept.get(day, ("", ""))
        checked += 1
        if not (announced == commitment == _commitment(secret)):
            wrong.append(day)
    return doctor.check_secrets(checked, wrong)


def _announced_commitment(data: str) -> str | None:
    try:
        return msgspec.json.decode(data, type=_Announced).commitment
    except (msgspec.DecodeError, RecursionError):
        return None


def _commitment(secret: str) -> str:
    try:
        return commit_reveal.commitment(bytes.fromhex(secret))
    except ValueError:
        return ""


async def _probe_chains(connection: AsyncConnection) -> Finding:
    streams: set[str] = set()
    for number in range(SAMPLED_STREAMS):
        start = _STREAM_PREFIXES[number % len(_STREAM_PREFIXES)] + ids.new_id()[: random.randint(0, 4)]
        first = select(events.c.stream).where(events.c.version == 1, events.c.stream >= start)
        streams.update(await connection.scalars(first.order_by(events.c.stream).limit(1)))
    broken = [stream for stream in sorted(streams) if not await _is_unbroken(connection, stream)]
    return doctor.check_chains(len(streams), broken)


async def _is_unbroken(connection: AsyncConnection, stream: str) -> bool:
    chosen = select(events).where(events.c.stream == stream).order_by(events.c.version)
    head = hash_chain.START_HASH
    for version, row in enumerate(await connection.execute(chosen), 1):
        head = hash_chain.event_hash(head, stream, version, row.type, row.schema, row.data, row.recorded_at)
        if (row.version, row.hash) != (version, head):
            return False
    return True


class _Listener:
    """A listener that waits until its bus is connected, and then for wake-ups."""

    def __init__(self) -> None:
        self.connected = asyncio.Event()
        self.woken_up: dict[str, asyncio.Event] = {}

    def on_wake_up(self, name: str, version: int) -> None:
        if name in self.woken_up:
            self.woken_up[name].set()

    def on_presence(self, name: str, text: str) -> None:
        """Do nothing: nobody publishes presence here."""

    def on_gap(self, topics: Collection[str] | None) -> None:
        """A bus that has just connected reports a gap."""
        self.connected.set()


async def _probe_bus(settings: Settings) -> Finding:
    """Measure how long a wake-up takes from one node of the bus to another."""
    sending, receiving = (make_bus(settings.bus, settings.database_url, Metrics()) for _ in range(2))
    kind = settings.bus if settings.bus in ("local", "auto", "postgresql") else "NATS"
    if isinstance(sending, LocalBus):
        return doctor.check_bus("local", None)
    name, sender, receiver = ids.new_id(), _Listener(), _Listener()
    receiver.woken_up[name] = asyncio.Event()
    receiving.subscribe(name)
    for bus, listener in ((sending, sender), (receiving, receiver)):
        bus.add_listener(listener)
        bus.start()
    took = None
    with suppress(TimeoutError):
        async with asyncio.timeout(WAKE_UP_TIMEOUT_SECONDS):
            await sender.connected.wait()
            await receiver.connected.wait()
            started = time.perf_counter()
            sending.publish_wake_up(name, 1, sender=sender)
            await receiver.woken_up[name].wait()
            took = round((time.perf_counter() - started) * 1000)
    await asyncio.gather(sending.close(), receiving.close())
    return doctor.check_bus("PostgreSQL" if kind in ("auto", "postgresql") else kind, took)
