"""Whether a database is sound: every table, value, stream, entry of the transparency log and derived row.

Integrity of a database: every table exists, and every value has its column's type and format.

PostgreSQL enforces this itself. SQLite stores whatever another program writes.
"""

from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import (
    Boolean,
    Column,
    ColumnElement,
    Integer,
    LargeBinary,
    Select,
    Table,
    case,
    func,
    inspect,
    or_,
    select,
    text,
    true,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.core.clock import now
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.revisions import DatabaseDamaged, require_current
from cadogan.server.core.database.tables import archived_games, days, deals, events, log_entries, metadata
from cadogan.server.core.eventlog import hash_chain
from cadogan.server.core.eventlog.event_store import StreamIncomplete
from cadogan.server.core.eventlog.events import UnreadableEvent
from cadogan.server.core.eventlog.streams import GAMES, id_of
from cadogan.server.core.fairness.commit_reveal import SECRET_BYTES
from cadogan.server.core.storage.rebuild import DERIVED_TABLES, find_differences
from cadogan.server.operations import doctor
from cadogan.server.operations.doctor import Finding
from cadogan.server.subjects.known_rules import known_rules
from cadogan.server.subjects.transparency.leaves import Announcement, DayEvent, Ended, NoEntry, read_entry
from cadogan.server.subjects.transparency.queued_entries import deal_secrets

STORED_TABLES = tuple(table for table in metadata.sorted_tables if table not in DERIVED_TABLES)
"""The log, and the tables that cannot be derived from it."""
HASH_BYTES = 32
"""The length of an event's hash."""


async def require_sound(database: Database) -> None:
    """Check the database before all of its `STORED_TABLES` are read.

    Raises DatabaseNotCurrent, DatabaseTooNew or DatabaseDamaged.
    """
    await require_current(database)
    async with database.reading() as connection:
        await check_tables_and_values(connection, STORED_TABLES)


async def check_tables_and_values(connection: AsyncConnection, tables: Iterable[Table]) -> None:
    """Check that these tables exist and hold only valid values. Raises DatabaseDamaged.

    An SQLite file is read completely.
    """
    found = await connection.run_sync(lambda each: inspect(each).get_table_names())
    if connection.dialect.name == "sqlite":
        state = await connection.scalar(text("PRAGMA quick_check(1)"))
        if state != "ok":
            raise DatabaseDamaged(str(state))
    for table in tables:
        if table.name not in found:
            raise DatabaseDamaged(f"the table {table.name} is missing")
        if connection.dialect.name == "sqlite":
            wrong = (await connection.execute(_select_wrong(table))).first()
            if wrong is not None:
                column, *keys = wrong
                row = ", ".join(map(str, keys))
                raise DatabaseDamaged(f"the table {table.name} has a wrong value in {column}, in the row {row}")


def _select_wrong(table: Table) -> Select[Any]:
    """Return a query for the first column with an invalid value, and the key of its row."""
    wrong = [(_is_wrong(column), column.name) for column in table.c]
    chosen = select(case(*wrong), *table.primary_key)
    return chosen.where(or_(*(condition for condition, _ in wrong))).limit(1)


def _is_wrong(column: Column[Any]) -> ColumnElement[bool]:
    kind = column.type
    name = "integer" if isinstance(kind, Integer | Boolean) else "blob" if isinstance(kind, LargeBinary) else "text"
    has_other_type = func.typeof(column).not_in([name, "null"] if column.nullable else [name])
    if column is events.c.hash:
        return has_other_type | (func.length(column) != HASH_BYTES)
    if column in (deals.c.secret, days.c.secret):
        return has_other_type | column.op("GLOB")("*[^0-9a-f]*") | (func.length(column) != 2 * SECRET_BYTES)
    return has_other_type


MAX_AHEAD_MILLISECONDS = 60_000
"""An event that is further ahead of this machine's clock is reported as being in the future."""
ENTRIES_AT_ONCE = 500
SHOWN = 3
"""The number of names in a finding's message; the rest are counted."""


@dataclass
class Chains:
    """Faults of streams: broken hashes or versions, times in the future, times that go backwards."""

    checked: int = 0
    broken: list[str] = field(default_factory=list)
    ahead: list[str] = field(default_factory=list)
    backwards: list[str] = field(default_factory=list)


async def check_whole(database: Database) -> AsyncIterator[Finding]:
    """Check the whole log and everything derived from it, and yield the findings."""
    async with database.reading() as connection:
        chains = await check_all_chains(connection, now())
        yield doctor.check_chains(chains.checked, chains.broken, chains.checked)
        yield report_times(chains)
        yield report_entries(*await compare_entries(connection))
    try:
        yield report_rows(await find_differences(database, known_rules()))
    except (UnreadableEvent, StreamIncomplete) as problem:
        yield doctor.error("rows", f"they cannot be compared with the log: {problem}", "restore a backup")


async def check_all_chains(connection: AsyncConnection, now: int, chosen: ColumnElement[bool] | None = None) -> Chains:
    """Check versions, hashes and times of the chosen events, by default all. `now` is in ms since 1970."""
    chains, stream, faults = Chains(), "", set[str]()
    head, version, before = hash_chain.START_HASH, 0, 0
    ordered = select(events).where(true() if chosen is None else chosen).order_by(events.c.stream, events.c.version)
    async with connection.stream(ordered) as rows:
        async for row in rows:
            if row.stream != stream:
                _note(chains, stream, faults)
                stream, faults, head, version, before = row.stream, set(), hash_chain.START_HASH, 0, 0
            version += 1
            head = hash_chain.event_hash(head, stream, version, row.type, row.schema, row.data, row.recorded_at)
            if (row.version, row.hash) != (version, head):
                faults.add("broken")
                head, version = row.hash, row.version
            if row.recorded_at > now + MAX_AHEAD_MILLISECONDS:
                faults.add("ahead")
            if row.recorded_at < before and stream.startswith(GAMES):
                faults.add("backwards")
            before = row.recorded_at
    _note(chains, stream, faults)
    return chains


def _note(chains: Chains, stream: str, faults: set[str]) -> None:
    chains.checked += bool(stream)
    for fault in faults:
        getattr(chains, fault).append(stream)


async def compare_entries(connection: AsyncConnection) -> tuple[int, list[str]]:
    """Compare every entry about an ended stream, a day or an announcement with the event that it names.

    Returns the number of entries, and the streams that differ from their entry. Archived games are skipped.
    """
    checked, wrong, after = 0, list[str](), -1
    archived = select(archived_games.c.stream)
    while True:
        chosen = select(log_entries).where(log_entries.c.number > after).order_by(log_entries.c.number)
        page = [*await connection.execute(chosen.limit(ENTRIES_AT_ONCE))]
        if not page:
            return checked, wrong
        after, checked = page[-1].number, checked + len(page)
        named = list[Ended | DayEvent | Announcement]()
        for row in page:
            try:
                entry = read_entry(row.entry)
            except NoEntry:
                wrong.append(row.stream)
                continue
            if isinstance(entry, Ended | DayEvent | Announcement):
                named.append(entry)
        names = {entry.stream for entry in named}
        away = {*await connection.scalars(archived.where(archived_games.c.stream.in_(names)))}
        known = select(events.c.stream, events.c.version, events.c.hash).where(events.c.stream.in_(names))
        hashes = {(row.stream, row.version): row.hash for row in await connection.execute(known)}
        secrets = await deal_secrets(connection, [id_of(name) for name in names if name.startswith(GAMES)])
        for entry in named:
            if entry.stream not in away:
                head = hashes.get((entry.stream, entry.version))
                secret = secrets.get(entry.stream, b"")
                if head is None or Ended.of(entry.stream, entry.version, secret, head).digest != entry.digest:
                    wrong.append(entry.stream)


def report_times(chains: Chains) -> Finding:
    """Report events in the future, and games whose times go backwards."""
    if chains.ahead or chains.backwards:
        parts = [f"events of the future in {_named(chains.ahead)}"] if chains.ahead else []
        parts += [f"times that go back in {_named(chains.backwards)}"] if chains.backwards else []
        advice = "a clock was wrong, or somebody changed the log: correct the clock, and compare with a backup"
        return doctor.error("times", ", ".join(parts), advice)
    return doctor.ok("times", "no event is later than now, and in no game does time go back")


def report_entries(checked: int, wrong: list[str]) -> Finding:
    """Report streams that differ from the transparency log."""
    if wrong:
        advice = "events were deleted or changed after they were signed: restore the last backup that has them"
        return doctor.error("entries", f"of {checked} entries of the log, not as it says: {_named(wrong)}", advice)
    return doctor.ok("entries", f"all streams are as the {checked} entries of the transparency log say")


def report_rows(differences: list[str]) -> Finding:
    """Report rows of leaderboards and lists that cannot be derived from the log."""
    if differences:
        return doctor.error("rows", f"they do not follow from the log: {_named(differences)}", "run `cadogan rebuild`")
    return doctor.ok("rows", "leaderboards and lists follow from the log")


def _named(names: list[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more
