"""The probes of `cadogan upgrade-check`: they read what `upgrade_check` judges. They change nothing."""

import asyncio
import gzip
import re
import shutil
import socket
import sys
import time
import zlib
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import closing
from importlib import metadata as packages
from pathlib import Path

import msgspec
from sqlalchemy import func, inspect, select, table, text
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.engine.solver import SOLVER_VERSIONS
from cadogan.server.config import Settings
from cadogan.server.core import dates
from cadogan.server.core.clock import now
from cadogan.server.core.cluster.choose_bus import APPLICATION_NAME
from cadogan.server.core.database.connections import APPLICATION, Database
from cadogan.server.core.database.revisions import current_revision
from cadogan.server.core.database.tables import certificates, events
from cadogan.server.core.eventlog.events import DailyAnnounced, decode_event
from cadogan.server.core.eventlog.streams import DAYS, day_stream
from cadogan.server.core.fairness.certificates import can_be_searched
from cadogan.server.core.version import MIGRATIONS, known_revisions, version
from cadogan.server.operations import upgrade_check
from cadogan.server.operations.backup import Header
from cadogan.server.operations.doctor import Finding
from cadogan.server.operations.upgrade_check import BackupFile, Effect, Pending, read_effects

ESTIMATED_FROM_ROWS = 100_000
"""Above this estimate, the rows of a PostgreSQL table are estimated from its statistics, not counted."""
CONNECT_TIMEOUT_SECONDS = 2.0


async def check_upgrade(
    settings: Settings, backups: Path | None, unknown_settings: Sequence[str]
) -> AsyncIterator[Finding]:
    """Run all checks and yield their findings. `backups` is a backup file, or a folder of them.

    Raises what the database driver raises when the database does not answer.
    """
    yield upgrade_check.check_python(sys.version_info[:2], _oldest_python())
    yield upgrade_check.check_settings(unknown_settings)
    known = known_revisions()
    database = Database(settings.database_url)
    file = Path(database.url.database or "") if database.is_sqlite else None
    if file is not None and not await asyncio.to_thread(file.exists):
        yield upgrade_check.check_revision(None, known)
        return
    try:
        async with database.reading() as connection:
            found = await connection.run_sync(current_revision)
            yield upgrade_check.check_revision(found, known)
            if found not in known:
                return
            tables = frozenset(await connection.run_sync(lambda each: inspect(each).get_table_names()))
            pending = await asyncio.to_thread(_read_pending, known[known.index(found) + 1 :], tables)
            changed = {name for each in pending for name in each.effects}
            rows = {name: await _count(connection, name) for name in changed}
            for each in pending:
                yield upgrade_check.check_migration(each, rows)
            if file is None:
                for finding in await _probe_postgresql(connection, bool(pending)):
                    yield finding
            else:
                for finding in await asyncio.to_thread(_probe_sqlite, file, pending, settings):
                    yield finding
            yield await _probe_solver(connection, "certificates" in tables)
            yield upgrade_check.check_backup(await asyncio.to_thread(_newest_backup, backups), found)
    finally:
        await database.close()


def _oldest_python() -> tuple[int, int]:
    """Return the oldest Python version that the installed package requires; the running one if it is not installed."""
    try:
        wanted = re.search(r">=\s*(\d+)\.(\d+)", packages.metadata("cadogan")["Requires-Python"] or "")
    except packages.PackageNotFoundError:
        wanted = None
    return (int(wanted[1]), int(wanted[2])) if wanted else sys.version_info[:2]


def _read_pending(revisions: Sequence[str], tables: frozenset[str]) -> list[Pending]:
    files = {file.name.partition("_")[0]: file for file in (MIGRATIONS / "versions").glob("[0-9]*.py")}
    return [Pending(revision, read_effects(files[revision], tables)) for revision in revisions]


async def _count(connection: AsyncConnection, name: str) -> int:
    if connection.dialect.name == "postgresql":
        estimate = "SELECT reltuples::bigint FROM pg_class WHERE oid = to_regclass(quote_ident(:name))"
        if (rows := await connection.scalar(text(estimate), {"name": name}) or 0) > ESTIMATED_FROM_ROWS:
            return int(rows)
    return await connection.scalar(select(func.count()).select_from(table(name))) or 0


async def _probe_postgresql(connection: AsyncConnection, will_migrate: bool) -> list[Finding]:
    others = (
        "FROM pg_stat_activity WHERE backend_type = 'client backend' AND datname = current_database()"
        " AND pid <> pg_backend_pid()"
    )
    named = text(
        f"SELECT application_name, count(*) AS connections {others} AND application_name LIKE :name GROUP BY 1"
    )
    found = {
        row.application_name: row.connections for row in await connection.execute(named, {"name": f"{APPLICATION}%"})
    }
    found.pop(APPLICATION_NAME, None)  # a node's connection to the bus, in addition to those that report its version
    running = {name.partition(" ")[2]: count for name, count in found.items()}
    oldest = text(f"SELECT coalesce(max(extract(epoch FROM clock_timestamp() - xact_start)), 0)::float8 {others}")
    return [
        upgrade_check.check_nodes(running, version(), will_migrate),
        upgrade_check.check_transactions(await connection.scalar(oldest) or 0.0),
    ]


def _probe_sqlite(file: Path, pending: Sequence[Pending], settings: Settings) -> list[Finding]:
    rewrites = any(Effect.REWRITES in each.effects.values() for each in pending)
    # Measured: the file and the write-ahead log both get the new table, and the log gets the overwritten one too.
    needed = 3 * file.stat().st_size if rewrites else 0
    running: Mapping[str, int] = {"": 1} if _answers(settings) else {}
    return [
        upgrade_check.check_nodes(running, version(), bool(pending)),
        upgrade_check.check_room(shutil.disk_usage(file.absolute().parent).free, needed),
    ]


def _answers(settings: Settings) -> bool:
    """Return whether a server listens at the address in these settings."""
    host = "127.0.0.1" if settings.host == "0.0.0.0" else settings.host
    try:
        with closing(socket.create_connection((host, settings.port), CONNECT_TIMEOUT_SECONDS)):
            return True
    except OSError:
        return False


async def _probe_solver(connection: AsyncConnection, has_certificates: bool) -> Finding:
    """Count the deals of days that have not begun, which only an older version of the solver would search."""
    tomorrow = day_stream(dates.add_days(dates.day_of(now()), 1))
    first = select(events.c.stream, events.c.type, events.c.schema, events.c.data)
    coming = first.where(events.c.stream >= tomorrow, events.c.stream < DAYS.replace("/", "0"), events.c.version == 1)
    done = set(await connection.scalars(select(certificates.c.deal))) if has_certificates else set()
    others = {}
    for row in await connection.execute(coming):
        match decode_event(row.type, row.schema, row.data):
            case DailyAnnounced(day=day, deals=deals):
                lost = [deal for deal in deals if deal.search and not can_be_searched(deal) and deal.deal not in done]
                if lost:
                    others[day] = len(lost)
    return upgrade_check.check_solver(others, SOLVER_VERSIONS)


def _newest_backup(place: Path | None) -> BackupFile | None:
    """Return the file, or the newest one in the folder whose name ends in `.gz`, as those of backups do."""
    if place is None or not place.exists():
        return None
    files = [file for file in place.glob("*.gz") if file.is_file()] if place.is_dir() else [place]
    if not files:
        return None
    newest = max(files, key=lambda file: file.stat().st_mtime)
    try:
        with gzip.open(newest) as lines:
            revision = msgspec.json.decode(lines.readline(1 << 20), type=Header).revision
    except (OSError, EOFError, zlib.error, msgspec.DecodeError):
        revision = None
    return BackupFile(str(newest), (time.time() - newest.stat().st_mtime) / 3600, revision)
