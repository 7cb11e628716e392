"""The command `archive`: moves old casual games of guests from the database into a verifiable file."""

import asyncio
from pathlib import Path

import click

from cadogan.server.cli.options import report_errors, settings_flags
from cadogan.server.cli.output import Failure, say
from cadogan.server.config import Settings
from cadogan.server.core import dates
from cadogan.server.core.clock import now
from cadogan.server.database.connections import open_database
from cadogan.server.database.revisions import require_current
from cadogan.server.operations.archive import ArchiveRefused, ArchiveResult, Candidates, archive, count_candidates


@click.command("archive")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path), required=False)
@click.option("--before", "day", required=True, metavar="DATE", help="The day before which the games ended.")
@click.option("--dry-run", is_flag=True, help="Say how many games there are, and do nothing.")
@settings_flags("database_url")
def archive_command(settings: Settings, file: Path | None, day: str, dry_run: bool) -> None:
    """Move old casual games of guests into FILE, and delete them from the database. Servers may go on meanwhile.

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
