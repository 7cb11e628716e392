"""The doctor's probes: they read the figures of a deployment, which `doctor` judges. They change nothing."""

import asyncio
import random
import shutil
import time
from collections.abc import AsyncIterator, Collection, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import Select, func, or_, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.engine.compiled import choice
from cadogan.server.config import Settings, is_secret, process_count, witness_keys
from cadogan.server.config_sources import GivenValue, Source
from cadogan.server.core import dates, ids
from cadogan.server.core.clock import now
from cadogan.server.core.cluster.bus import LocalBus
from cadogan.server.core.cluster.choose_bus import bus_name, make_bus
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.pooler import SessionsShared, require_own_sessions
from cadogan.server.core.database.revisions import DatabaseDamaged, current_revision
from cadogan.server.core.database.tables import (
    archived_games,
    archives,
    days,
    digest_readers,
    events,
    games,
    metadata,
    notification_devices,
    passkeys,
    players,
)
from cadogan.server.core.errors import RefusalError
from cadogan.server.core.event_loop import count_cores
from cadogan.server.core.eventlog.streams import DAYS, GAMES, RACES, VIEWS, day_stream, id_of
from cadogan.server.core.fairness import commit_reveal
from cadogan.server.core.fairness.commit_reveal import chain_name, round_at
from cadogan.server.core.mailer import Mailer, MailFailed, SmtpServer
from cadogan.server.core.metrics import Metrics
from cadogan.server.core.storage.citus import extension as citus
from cadogan.server.core.version import known_revisions
from cadogan.server.operations import doctor, outside_checks
from cadogan.server.operations.doctor import Finding
from cadogan.server.operations.host_keys import host_key_of, key_file
from cadogan.server.operations.soundness import check_all_chains, check_tables_and_values, check_whole
from cadogan.server.subjects.accounts.oidc_provider import OidcProvider
from cadogan.server.subjects.analysis.jobs import AnalysisJobs
from cadogan.server.subjects.daily.beacon_days import BeaconAddress, BeaconSource, BeaconUnavailable
from cadogan.server.subjects.daily.days import LAST_DAY
from cadogan.server.subjects.news.notifications.devices import NotificationKeyUnusable, read_server_key
from cadogan.server.subjects.news.webhooks import failing_webhooks
from cadogan.server.subjects.transparency.host_key import KeyUnusable
from cadogan.server.subjects.transparency.notes import VerifierKey
from cadogan.server.subjects.transparency.sequencer import LogSetBack, SignedState, count_log
from cadogan.server.subjects.transparency.transparency_log import TransparencyLog

SAMPLED_STREAMS = 50
"""Streams whose hash chains are checked."""
CHECKED_DAYS = 40
"""Days, the latest first, whose secrets are checked against their commitments."""
DAYS_CHECKED = 7
"""The clock is compared with the events of this many past days."""
WAKE_UP_TIMEOUT_SECONDS = 5.0
MINUTE_MILLISECONDS = 60_000
_STREAM_PREFIXES = (DAYS, GAMES, RACES, VIEWS)
_DURABILITY_SETTINGS = ("fsync", "full_page_writes", "synchronous_commit")


class _Announced(msgspec.Struct):
    commitment: str = ""


async def diagnose(settings: Settings, whole: bool = False) -> AsyncIterator[Finding]:
    """Run all checks of a deployment and yield their findings; with `whole`, check every event and row.

    Raises what the database driver raises when the database does not answer.
    """
    yield doctor.check_proxy(settings)
    yield doctor.check_processes(settings, count_cores())
    yield doctor.check_solver(choice.find_library()[1], choice.games_in_python())
    known = known_revisions()
    database = Database(settings.database_url, serving=True)
    if await asyncio.to_thread(_is_missing, database):
        yield doctor.check_tables(None, known[-1])
        return
    try:
        if not database.is_sqlite:
            yield (pooler := await _probe_pooler(database))
            if pooler.severity is not doctor.Severity.OK:
                return
        async with database.reading() as connection:
            sqlite = connection.dialect.name == "sqlite"
            for finding in await (_probe_sqlite if sqlite else _probe_postgresql)(database, connection, settings):
                yield finding
            found = await connection.run_sync(current_revision)
            yield doctor.check_tables(found, known[-1], known)
            if found == known[-1]:
                yield (values := await _probe_values(connection))
                if values.severity is doctor.Severity.OK:
                    yield await _probe_clock(connection)
                    yield await _probe_secrets(connection)
                    if whole:
                        async for finding in check_whole(database):
                            yield finding
                    else:
                        yield await _probe_chains(connection)
                    yield await _probe_archives(connection)
                    yield await _probe_log(database, settings)
                    yield await _probe_hosts(connection)
                    yield doctor.check_passkeys(await _count(connection, select(passkeys)), settings)
                    yield outside_checks.check_webhooks(await failing_webhooks(connection))
                    yield await _probe_notifications(connection, settings)
                    yield await _probe_digests(connection, settings)
                    yield doctor.check_analysts(*await AnalysisJobs(database, now).count())
    finally:
        await database.close()
    yield await _probe_bus(settings)
    yield await _probe_mail(settings)
    yield await _probe_provider(settings)
    yield await asyncio.to_thread(_probe_key, settings)
    yield await _probe_beacon(settings)


def _is_missing(database: Database) -> bool:
    """Return whether the SQLite file does not exist. Opening it would create it."""
    return database.url.get_backend_name() == "sqlite" and not Path(database.url.database or "").exists()


async def _probe_sqlite(database: Database, connection: AsyncConnection, _: Settings) -> list[Finding]:
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


async def _probe_pooler(database: Database) -> Finding:
    try:
        await require_own_sessions(database)
    except SessionsShared as shared:
        return doctor.check_pooler(str(shared))
    return doctor.check_pooler(None)


async def _probe_postgresql(database: Database, connection: AsyncConnection, chosen: Settings) -> list[Finding]:
    settings = {name: await _read_setting(connection, name) for name in _DURABILITY_SETTINGS}
    maximum = int(await _read_setting(connection, "max_connections"))
    reserved = int(await _read_setting(connection, "superuser_reserved_connections"))
    others = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND application_name NOT LIKE"
    used = await connection.scalar(text(f"{others} 'cadogan%'"))
    connections = doctor.check_connections(maximum, reserved, used or 0, process_count(chosen, count_cores()))
    found = [doctor.check_postgresql_durability(settings), connections]
    if hosts := await database.find_hosts():
        found.append(doctor.check_failover(hosts, await _read_setting(connection, "synchronous_standby_names")))
    away, hanging = await citus.find_unavailable_workers(connection), await citus.find_stale_transactions(connection)
    return [*found, doctor.check_workers(away, hanging, citus.FINISH_STALE)]


async def _read_setting(connection: AsyncConnection, name: str) -> str:
    return str(await connection.scalar(text(f"SHOW {name}")))


async def _probe_values(connection: AsyncConnection) -> Finding:
    try:
        await check_tables_and_values(connection, metadata.sorted_tables)
    except DatabaseDamaged as error:
        return doctor.check_values(str(error))
    return doctor.check_values(None)


async def _probe_clock(connection: AsyncConnection) -> Finding:
    newest = await connection.scalar(select(func.max(func.coalesce(games.c.finished_at, games.c.started_at))))
    first = day_stream(dates.add_days(dates.day_of(now()), -DAYS_CHECKED))
    later = select(func.max(events.c.recorded_at)).where(
        events.c.stream >= first, events.c.stream <= day_stream(LAST_DAY)
    )
    newest_of_days = await connection.scalar(later)
    before = now()
    if connection.dialect.name == "postgresql":
        seconds = await connection.scalar(text("SELECT extract(epoch FROM clock_timestamp())::float8"))
    else:
        seconds = await connection.scalar(text("SELECT (julianday('now') - 2440587.5) * 86400.0"))
    return doctor.check_clock((before + now()) // 2, int((seconds or 0) * 1000), newest, newest_of_days)


async def _probe_secrets(connection: AsyncConnection) -> Finding:
    first = select(events.c.stream, events.c.data).where(
        events.c.stream >= DAYS,
        events.c.stream < DAYS.replace("/", "0"),
        events.c.version == 1,  # "0" is the character after "/"
    )
    stored = {row.day: (row.secret, row.commitment) for row in await connection.execute(select(days))}
    wrong, checked = [], 0
    for stream, data in await connection.execute(first.order_by(events.c.stream.desc()).limit(CHECKED_DAYS)):
        day, announced = id_of(stream), _announced_commitment(data)
        secret, commitment = stored.get(day, ("", ""))
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
    chains = await check_all_chains(connection, now(), events.c.stream.in_(streams))
    count = await connection.scalar(select(func.count()).select_from(events).where(events.c.version == 1)) or 0
    return doctor.check_chains(len(streams), chains.broken, count)


async def _probe_archives(connection: AsyncConnection) -> Finding:
    names = list(await connection.scalars(select(archives.c.name).order_by(archives.c.created_at.desc())))
    count = await connection.scalar(select(func.count()).select_from(archived_games)) or 0
    twice = select(archived_games.c.stream).join(events, events.c.stream == archived_games.c.stream)
    found = await connection.scalars(twice.where(events.c.version == 1).limit(10))
    return doctor.check_archives(names, count, list(found))


async def _probe_log(database: Database, settings: Settings) -> Finding:
    key, problem = host_key_of(settings), ""
    signed = SignedState(key.file)
    figures = await count_log(database, [VerifierKey.read(text) for text in witness_keys(settings)], now())
    log = TransparencyLog(database)
    head = await log.head()
    try:
        await signed.require_growth(log)
        if head is not None:
            key.of(head)
    except (KeyUnusable, LogSetBack) as error:
        problem = str(error)
    at = signed.signed_at()
    return doctor.check_log(figures, None if at is None else max(0.0, now() / 1000 - at), problem)


async def _probe_notifications(connection: AsyncConnection, settings: Settings) -> Finding:
    problem, has_key = None, True
    try:
        has_key = await read_server_key(connection) is not None
    except NotificationKeyUnusable as error:
        problem = str(error)
    devices = await _count(connection, select(notification_devices))
    return outside_checks.check_notifications(settings, has_key, problem, devices)


async def _probe_digests(connection: AsyncConnection, settings: Settings) -> Finding:
    readers = select(digest_readers)
    failed = readers.where(digest_readers.c.problem.is_not(None))
    return outside_checks.check_digests(settings, await _count(connection, readers), await _count(connection, failed))


async def _probe_hosts(connection: AsyncConnection) -> Finding:
    accounts = select(players.c.id).where(players.c.name_key.is_not(None), players.c.owner.is_(None))
    can_sign_in = or_(players.c.suspended_until.is_(None), players.c.suspended_until <= now())
    hosts = await _count(connection, accounts.where(players.c.role == "host", can_sign_in))
    return doctor.check_hosts(hosts, await _count(connection, accounts))


async def _count(connection: AsyncConnection, chosen: Select[Any]) -> int:
    return await connection.scalar(select(func.count()).select_from(chosen.subquery())) or 0


class _Listener:
    """A bus listener that waits until the bus is connected, and then for wake-ups."""

    def __init__(self) -> None:
        self.connected = asyncio.Event()
        self.woken_up: dict[str, asyncio.Event] = {}

    def on_wake_up(self, name: str, version: int) -> None:
        if name in self.woken_up:
            self.woken_up[name].set()

    def on_presence(self, name: str, text: str) -> None:
        """Do nothing: presence is not published here."""

    def on_gap(self, topics: Collection[str] | None) -> None:
        """Handle a gap, which the bus reports when it has just connected."""
        self.connected.set()


async def _probe_bus(settings: Settings) -> Finding:
    """Measure how long a wake-up takes from one node of the bus to another."""
    sending, receiving = (make_bus(settings.bus, settings.database_url, Metrics()) for _ in range(2))
    if isinstance(sending, LocalBus):
        return outside_checks.check_bus("local", None)
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
    return outside_checks.check_bus(bus_name(settings.bus), took)


async def _probe_beacon(settings: Settings) -> Finding:
    """Request the beacon's chain info, and the round of a minute ago."""
    if not settings.beacon:
        return outside_checks.check_beacon(None, None)
    source = BeaconSource(BeaconAddress.read(settings.beacon))
    try:
        chain = await source.read_chain()
        await source.read_round(round_at(chain, now() - MINUTE_MILLISECONDS))
    except BeaconUnavailable as away:
        return outside_checks.check_beacon(None, str(away))
    return outside_checks.check_beacon(chain_name(chain), None)


async def _probe_mail(settings: Settings) -> Finding:
    """Connect to the SMTP server as if to send a mail, if one is configured."""
    problem = None
    if settings.smtp_url and settings.mail_from:
        try:
            await Mailer(SmtpServer.read(settings.smtp_url), settings.mail_from).check()
        except MailFailed as failed:
            problem = str(failed)
    return outside_checks.check_mail(settings, problem)


async def _probe_provider(settings: Settings) -> Finding:
    """Request the sign-in provider's configuration, as before a sign-in, if one is configured."""
    problem = None
    if settings.oidc_issuer and settings.oidc_client_id and settings.oidc_client_secret:
        try:
            await OidcProvider(settings.oidc_issuer, settings.oidc_client_id, settings.oidc_client_secret, now).check()
        except RefusalError as refusal:
            problem = refusal.message
    return outside_checks.check_provider(settings, problem)


def _probe_key(settings: Settings) -> Finding:
    file = key_file(settings)
    try:
        return doctor.check_key(str(file), file.stat().st_mode)
    except FileNotFoundError:
        return doctor.check_key(str(file), None)


def probe_settings_file(found: Iterable[GivenValue]) -> Finding | None:
    """Check who may read and write the settings file, given the sources of the settings; None if no file is used."""
    written = [each for each in found if each.source is Source.FILE]
    if not written:
        return None
    file = Path(written[0].where.rpartition(", line ")[0])
    secrets = [each.setting.name for each in written if is_secret(each.setting)]
    return doctor.check_settings_file(str(file), file.stat().st_mode, secrets)
