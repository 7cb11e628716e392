"""The commands for a whole database: `backup`, `restore`, `archive`, and `root`, which prints a Merkle root."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from copy import copy
from pathlib import Path
from typing import TypeVar

import click

from cadogan.server.cli.options import report_errors, settings_flags
from cadogan.server.cli.output import Failure, say
from cadogan.server.config import Settings
from cadogan.server.core import dates
from cadogan.server.core.clock import now
from cadogan.server.core.database.connections import Database, open_database
from cadogan.server.core.database.revisions import require_current
from cadogan.server.operations.archive import ArchiveRefused, ArchiveResult, Candidates, archive, count_candidates
from cadogan.server.operations.backup import Contents, write_backup
from cadogan.server.operations.merkle_roots import SETTLE_MILLISECONDS, Root, last_root, root_of
from cadogan.server.operations.restore import RestoreError, restore
from cadogan.server.operations.soundness import require_sound
from cadogan.server.operations.upkeep import note_backup
from cadogan.server.subjects.players.own_data import UnreadableList, read_list


@click.command("archive")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path), required=False)
@click.option("--before", "day", required=True, metavar="DATE", help="The day before which the games ended.")
@click.option("--dry-run", is_flag=True, help="Say how many games there are, and do nothing.")
@settings_flags("database_url")
def archive_command(settings: Settings, file: Path | None, day: str, dry_run: bool) -> None:
    """Move old casual games of guests into FILE, and delete them from the database. Servers may keep running.

    Only games of guests who cannot come back go, which were over or given up before DATE, and belong to no day, no race
    and no leaderboard. FILE is complete and on the disk before anything is deleted. If this is stopped, run it again
    with the same FILE. `cadogan verify FILE` checks every record in it.
    """
    if not dates.is_valid(day):
        raise click.UsageError(f"--before: {day!r} is not a day like 2026-11-20")
    if file is None and not dry_run:
        raise click.UsageError("name the FILE into which the games go, or say --dry-run")

    async def work() -> Candidates | ArchiveResult:
        async with open_database(settings.database_url) as database:
            await require_current(database)
            if dry_run or file is None:
                return await count_candidates(database, day, now())
            return await archive(database, day, file, now)

    with report_errors(settings):
        try:
            found = asyncio.run(work())
        except ArchiveRefused as error:
            raise Failure(str(error)) from None
    if isinstance(found, Candidates):
        say(f"{found.games} games with {found.events} events would be archived")
        return
    say(f"{file}: {found.in_file} games, {found.deleted} of them deleted now; sha256 {found.sha256}")
    if found.left:
        say(f"{found.left} games in the file were left in the database: somebody has touched them since")
    if found.unverified:
        say(f"{found.unverified} old games were left alone, because their records do not verify")


Result = TypeVar("Result")


def back_up(settings: Settings, file: Path) -> None:
    """Write a backup into the file, and print its number of rows, its time, and the root of the last day."""

    async def work(database: Database) -> tuple[Contents, Root | None]:
        await require_sound(database)
        contents = await write_backup(database, file)
        async with database.writing() as connection:
            await note_backup(connection, contents.at)
        async with database.reading() as connection:
            return contents, await last_root(connection)

    contents, root = _run(settings, work)
    say(f"{file}: {_rows(contents.rows)}, as of {dates.moment_text(contents.at)}")
    if root is not None:
        say(_root_line(root))


@click.command("backup")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@settings_flags("database_url")
def backup_command(settings: Settings, file: Path) -> None:
    """Write everything that the database holds into FILE: the log, the accounts, the secrets.

    `cadogan restore` reads it back, into the same or the other kind of database. `export --all` does the same.
    """
    back_up(settings, file)


@click.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--root",
    nargs=2,
    metavar="DATE ROOT",
    help="A day and its published root, which the restored log must have.",
)
@click.option(
    "--erased",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Erase the players of this list, as `cadogan house erased` prints it, who may be in an older backup.",
)
@settings_flags("database_url")
def import_command(settings: Settings, file: Path, root: tuple[str, str] | None, erased: Path | None) -> None:
    """Fill an empty database from the backup in FILE. `restore` and `import` are the same command.

    The tables are created, and the boards and lists are derived from the log. Nothing is written unless the whole file
    is as it was exported, every hash fits and, with --root, the restored log has the root that was published.
    """
    if root is not None:
        _check_day(root[0])
    try:
        wanted = read_list(erased.read_text(encoding="utf-8").splitlines()) if erased else []
    except (UnreadableList, UnicodeDecodeError) as error:
        raise Failure(f"{erased}: {error}") from None
    try:
        restored = _run(settings, lambda database: restore(database, file, root, wanted))
    except RestoreError as error:
        raise Failure(f"{file}: {error}") from None
    say(f"{_rows(restored.rows)}; {restored.derived} rows derived from the log")
    if wanted:
        say(f"players of {erased} who are erased here, too: {len(wanted)}")
    if restored.root is not None:
        say(_root_line(restored.root))


restore_command = copy(import_command)
restore_command.name = "restore"


@click.command("root")
@click.argument("day", metavar="[DATE]", required=False)
@settings_flags("database_url")
def root_command(settings: Settings, day: str | None) -> None:
    """Print the root over everything that was revealed before DATE began, by default today."""
    today = dates.day_of(now() - SETTLE_MILLISECONDS)
    _check_day(day or today)
    if (day or today) > today:
        raise Failure(f"the root of {day} exists once the day has begun")

    async def work(database: Database) -> Root:
        await require_sound(database)
        async with database.reading() as connection:
            return await root_of(connection, day or today)

    say(_root_line(_run(settings, work)))


def _run(settings: Settings, work: Callable[[Database], Awaitable[Result]]) -> Result:
    async def run() -> Result:
        async with open_database(settings.database_url) as database:
            return await work(database)

    with report_errors(settings):
        return asyncio.run(run())


def _check_day(day: str) -> None:
    if not dates.is_valid(day):
        raise click.UsageError(f"{day!r} is not a day like 2026-11-20")


def _rows(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items() if count) or "0 rows"


def _root_line(root: Root) -> str:
    return f"root of {root.day}: {root.root} over {root.streams} streams"
