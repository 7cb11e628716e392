"""What the command does with a whole database: backs it up, restores it, and tells its root."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import TypeVar

import click

from server.cli.options import report_errors, settings_flags
from server.config import Settings
from server.core import dates
from server.core.clock import now
from server.database.connections import Database, open_database
from server.database.migrations import require_current
from server.operations.backup import write_backup
from server.operations.merkle_roots import SETTLE_MILLISECONDS, Root, last_root, root_of
from server.operations.restore import RestoreError, restore

Done = TypeVar("Done")


def back_up(settings: Settings, file: Path) -> None:
    """Write everything into the file, and say how much it was, and the root of its last day."""

    async def work(database: Database) -> tuple[dict[str, int], Root | None]:
        await require_current(database)
        counts = await write_backup(database, file)
        async with database.reading() as connection:
            return counts, await last_root(connection)

    counts, root = _with(settings, work)
    click.echo(f"{file}: {_rows(counts)}")
    if root is not None:
        click.echo(_said(root))


@click.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--root", nargs=2, metavar="DATE ROOT", help="The root that was published for a day, to be met.")
@settings_flags("database_url")
def import_command(settings: Settings, file: Path, root: tuple[str, str] | None) -> None:
    """Fill an empty database from the backup in FILE; its tables are made, and boards and lists derived from the log.

    Nothing is written unless the whole file is as it was exported, every hash fits and, with --root, the log restored
    has the root that was published on that day.
    """
    if root is not None:
        _check_day(root[0])
    try:
        restored = _with(settings, lambda database: restore(database, file, root))
    except RestoreError as error:
        raise click.ClickException(f"{file}: {error}") from None
    click.echo(f"{_rows(restored.rows)}; {restored.derived} rows derived from the log")
    if restored.root is not None:
        click.echo(_said(restored.root))


@click.command("root")
@click.argument("day", metavar="[DATE]", required=False)
@settings_flags("database_url")
def root_command(settings: Settings, day: str | None) -> None:
    """Tell the root over everything that was revealed before DATE began, today unless it is given."""
    today = dates.day_of(now() - SETTLE_MILLISECONDS)
    _check_day(day or today)
    if (day or today) > today:
        raise click.ClickException(f"the root of {day} can be had when the day has begun")

    async def work(database: Database) -> Root:
        await require_current(database)
        async with database.reading() as connection:
            return await root_of(connection, day or today)

    click.echo(_said(_with(settings, work)))


def _with(settings: Settings, work: Callable[[Database], Awaitable[Done]]) -> Done:
    async def run() -> Done:
        async with open_database(settings.database_url) as database:
            return await work(database)

    with report_errors():
        return asyncio.run(run())


def _check_day(day: str) -> None:
    if not dates.is_valid(day):
        raise click.UsageError(f"{day!r} is no day, as 2026-11-20")


def _rows(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items())


def _said(root: Root) -> str:
    return f"root of {root.day}: {root.root} over {root.streams} streams"
