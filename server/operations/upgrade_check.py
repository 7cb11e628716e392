"""Checks before an upgrade: the effects of migrations on the tables, and the measured figures.

Obstacles to an upgrade to this version: for each check, whether the measured figures are good.

The functions here are pure. `cadogan.server.operations.upgrade_probes` reads the figures.

The effects of a migration on existing tables, read from its file without running it.

Tables that the migration itself creates are empty, and are not listed.
"""

import ast
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from enum import IntEnum
from pathlib import Path
from typing import NamedTuple

from cadogan.server.operations.doctor import LOW_SPACE_BYTES, Finding, error, ok, warning


class Effect(IntEnum):
    """The effect of a migration on a table, in increasing order of cost."""

    CHANGES_COLUMNS = 1
    """Columns are added or dropped: the table is locked briefly."""
    BUILDS_INDEX = 2
    """The whole table is read, and writes are blocked meanwhile."""
    REWRITES = 3
    """Rows are changed or copied: writes are blocked, and the table needs its disk space a second time."""


_OPERATIONS: Mapping[str, tuple[int, Effect]] = {
    "add_column": (0, Effect.CHANGES_COLUMNS),
    "drop_column": (0, Effect.CHANGES_COLUMNS),
    "drop_constraint": (1, Effect.CHANGES_COLUMNS),
    "drop_index": (1, Effect.CHANGES_COLUMNS),
    "create_index": (1, Effect.BUILDS_INDEX),
    "create_primary_key": (1, Effect.BUILDS_INDEX),
    "create_unique_constraint": (1, Effect.BUILDS_INDEX),
    "create_foreign_key": (1, Effect.BUILDS_INDEX),
    "create_check_constraint": (1, Effect.BUILDS_INDEX),
    "alter_column": (0, Effect.REWRITES),
    "batch_alter_table": (0, Effect.REWRITES),
    "rename_table": (0, Effect.CHANGES_COLUMNS),
    "drop_table": (0, Effect.CHANGES_COLUMNS),
}
"""For each alembic operation: the index of its table argument, and its effect."""
_WRITTEN = re.compile(r"\b(?:UPDATE|INSERT INTO|DELETE FROM|ALTER TABLE|DROP TABLE)\s+\"?(\w+)")
"""Matches SQL statements that write to a table. Keywords are in capitals, unlike words in prose."""


def read_effects(file: Path, tables: frozenset[str]) -> dict[str, Effect]:
    """Return the costliest effect of the migration in the file on each of these tables that it changes."""
    tree = ast.parse(file.read_text("utf-8"))
    body = [part for part in tree.body if not (isinstance(part, ast.FunctionDef) and part.name == "downgrade")]
    effects: dict[str, Effect] = {}
    for table, effect in (found for part in body for found in _effects(part)):
        if table in tables:
            effects[table] = max(effect, effects.get(table, effect))
    return effects


def _effects(part: ast.stmt) -> Iterator[tuple[str, Effect]]:
    for node in ast.walk(part):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name("op"), attr=name), args=arguments) if name in _OPERATIONS:
                place, effect = _OPERATIONS[name]
                if len(arguments) > place and isinstance(table := arguments[place], ast.Constant):
                    yield str(table.value), effect
            case ast.Constant(str() as sql):
                yield from ((table, Effect.REWRITES) for table in _WRITTEN.findall(sql))


BIG_TABLE_ROWS = 1_000_000
"""From this many rows on, reading or rewriting a table takes noticeable time."""
MAX_BACKUP_AGE_HOURS = 24.0
"""An older backup is a warning."""
MAX_TRANSACTION_SECONDS = 60.0
"""A longer open transaction would delay a migration."""
_SAID = {
    Effect.CHANGES_COLUMNS: "changes columns of",
    Effect.BUILDS_INDEX: "reads all of",
    Effect.REWRITES: "rewrites",
}


class Pending(NamedTuple):
    """A migration that would run, and its effects on the existing tables."""

    revision: str
    effects: Mapping[str, Effect]


class BackupFile(NamedTuple):
    """A backup: its file, its age, and the revision of its tables (None: the file is not a backup)."""

    name: str
    age_hours: float
    revision: str | None


def check_revision(found: str | None, known: Sequence[str]) -> Finding:
    """Compare the revision of the database's tables (None: no tables) with those that this version knows."""
    wanted = known[-1]
    if found is None:
        return error("tables", "there are none", "name the database of the server: CADOGAN_DATABASE_URL or --config")
    if found not in known:
        message = f"they are at revision {found}, of a newer version than this one, {wanted}"
        return error("tables", message, "run the check, and the upgrade, with the newer version")
    if found == wanted:
        return ok("tables", f"they are at revision {found}, as this version needs them: no migration will run")
    count = len(known) - 1 - known.index(found)
    return ok("tables", f"they are at revision {found}, this version needs {wanted}: migrations that will run: {count}")


def check_migration(pending: Pending, rows: Mapping[str, int]) -> Finding:
    """Describe the effects of a migration, given the number of rows of each table."""
    parts = [
        f"{_SAID[effect]} {table} ({rows.get(table, 0)} rows)"
        for table, effect in sorted(pending.effects.items(), key=lambda each: (-each[1], each[0]))
    ]
    message = f"{pending.revision} {', '.join(parts) or 'adds tables only'}"
    slow = [
        table
        for table, effect in pending.effects.items()
        if effect is not Effect.CHANGES_COLUMNS and rows.get(table, 0) >= BIG_TABLE_ROWS
    ]
    if slow:
        return warning("migration", message, "nobody can write to a table meanwhile: stop the servers first")
    return ok("migration", message)


def check_backup(found: BackupFile | None, revision: str | None) -> Finding:
    """Check the newest backup. `revision` is the database's."""
    advice = "run `cadogan backup FILE` with the version that is running, and name it with --backup"
    if found is None:
        return warning("backup", "no backup was named, or none is there", advice)
    if found.revision is None:
        return error("backup", f"{found.name} is not a backup of this program", advice)
    message = f"{found.name} is {found.age_hours:.1f} hours old, of revision {found.revision}"
    if found.revision != revision:
        return warning("backup", message, f"the database is at revision {revision}: {advice}")
    return warning("backup", message, advice) if found.age_hours > MAX_BACKUP_AGE_HOURS else ok("backup", message)


def check_room(free_bytes: int, needed_bytes: int) -> Finding:
    """Check that there is disk space for the rewritten tables."""
    message = f"{free_bytes / 2**30:.1f} GiB are free, the migrations need up to {needed_bytes / 2**30:.1f}"
    if needed_bytes:
        message += "; afterwards, while no server runs, `sqlite3 FILE VACUUM` gives back what the file no longer uses"
    advice = "make room: a migration that finds none is undone, and takes its time again"
    if free_bytes < needed_bytes:
        return error("room", message, advice)
    return warning("room", message, advice) if free_bytes - needed_bytes < LOW_SPACE_BYTES else ok("room", message)


def check_nodes(running: Mapping[str, int], own: str, will_migrate: bool) -> Finding:
    """Check which nodes use the database now; `running` counts connections by version of this program."""
    if not running:
        return ok("nodes", "nothing of this program uses the database")
    versions = ", ".join(f"{name or 'an unknown version'} ({count})" for name, count in sorted(running.items()))
    message = f"in use by {versions}; this is {own}"
    if will_migrate:
        return warning("nodes", message, "stop them before `cadogan migrate`: it may change what they rely on")
    return ok("nodes", message)


def check_transactions(oldest_seconds: float) -> Finding:
    """Check the age of the oldest open transaction of any other connection."""
    if oldest_seconds > MAX_TRANSACTION_SECONDS:
        message = f"another connection has had a transaction open for {oldest_seconds:.0f} s"
        return warning("locks", message, "end it first (pg_stat_activity): a migration waits for it, and all for that")
    return ok("locks", "no transaction has been open for long")


def check_settings(unknown: Collection[str]) -> Finding:
    """Check that this version knows every given setting. A settings file with an unknown key was already rejected."""
    if unknown:
        advice = "see the changelog: they were renamed or dropped; `cadogan config` lists those that there are"
        return warning("settings", f"variables that this version does not know: {', '.join(unknown)}", advice)
    return ok("settings", "this version knows all that are given")


def check_solver(others: Mapping[str, int], own: Sequence[int]) -> Finding:
    """Check the solver for the coming days: `others` counts deals that only another solver version would search."""
    versions = ("version " if len(own) == 1 else "versions ") + ", ".join(map(str, own))
    if others:
        deals = ", ".join(f"{day} ({count})" for day, count in sorted(others.items()))
        message = f"deals of these days are announced for none of {versions}, and have no certificate: {deals}"
        advice = "let the version that is running finish `cadogan certify` first, or these deals are played uncertified"
        return warning("solver", message, advice)
    return ok("solver", f"every coming deal has its certificate, or can be searched by {versions}")


def check_python(running: tuple[int, int], oldest: tuple[int, int]) -> Finding:
    """Compare the running Python version with the oldest supported one."""
    message = f"this is {running[0]}.{running[1]}, at least {oldest[0]}.{oldest[1]} is needed"
    if running < oldest:
        return error("python", message, "install a newer Python, and the program into it")
    return ok("python", message)
