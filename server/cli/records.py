"""What the command does with records and the log: proves a record, writes records out, derives the projections anew."""

import asyncio
from pathlib import Path
from typing import BinaryIO

import click

from clients.wire.codec import encode
from server.app import at_work, make_node
from server.audit import day_audit, game_audit
from server.audit.day_audit import DayBroken
from server.audit.recompute_leaderboards import recompute
from server.cli.backup import back_up
from server.cli.options import complaints, settings_flags
from server.config import Settings
from server.core.clock import Clock, now
from server.core.errors import Conflict, NotFound, SpoilerEmbargo
from server.database.connections import opened
from server.database.revision import require_current
from server.eventlog.event_store import Store
from server.games.game_state import stream
from server.storage.rebuild import rebuild


@click.command("verify")
@click.argument("file", type=click.File("rb"))
def verify_command(file: BinaryIO) -> None:
    """Prove or refute the record in FILE, offline; `-` reads standard input. Exits 1 if it is broken."""
    verdict = game_audit.verify(file.read())
    if verdict.proven:
        click.echo(f"proven: {verdict.reason}")
        return
    where = f"event {verdict.broken_at}" if verdict.broken_at else "its head"
    click.echo(f"broken at {where}: {verdict.reason}")
    raise SystemExit(1)


@click.command("export")
@click.argument("target", metavar="FOLDER|FILE", type=click.Path(path_type=Path))
@click.option("--all", "everything", is_flag=True, help="A backup of everything, into one FILE.")
@settings_flags("database_url", "daily_grace")
def export_command(settings: Settings, target: Path, everything: bool) -> None:
    """Write the records of all finished games into FOLDER, one file each; dailies' once their day has closed.

    Every closed day has a file as well, with the digests of its boards.

    With --all, write everything the database holds into FILE: the log, the accounts, the secrets. `cadogan import`
    reads it back, into the same or the other kind of database.
    """
    if everything:
        back_up(settings, target)
        return
    with complaints():
        written, kept = asyncio.run(export(settings, target))
    click.echo(f"{written} records written; {kept} games are not over, or their day has not closed")


async def export(settings: Settings, folder: Path, clock: Clock = now) -> tuple[int, int]:
    """Write every record that anyone may have by now, and return how many, and how many there are beside."""
    written = kept = 0
    prefix = stream("")
    await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
    async with at_work(make_node(settings, clock)) as node:
        async for name in node.store.streams(prefix):
            game_id = name.removeprefix(prefix)
            try:
                record = await node.service.watching.record(None, game_id)
            except (Conflict, SpoilerEmbargo):
                kept += 1
                continue
            except NotFound:
                continue  # a run that was spoiled before it was begun: no game
            await asyncio.to_thread((folder / f"{game_id}.json").write_bytes, encode(record))
            written += 1
        await _export_days(node.store, folder)
    return written, kept


async def _export_days(store: Store, folder: Path) -> None:
    async for name in store.streams(day_audit.STREAM):
        day = name.removeprefix(day_audit.STREAM)
        if record := day_audit.build(day, await store.read(name)):
            await asyncio.to_thread((folder / day_audit.file_of(day)).write_bytes, encode(record))


@click.command("recompute")
@click.argument("day", metavar="DATE")
@click.option(
    "--from", "folder", required=True, type=click.Path(exists=True, file_okay=False, path_type=Path), help="The export."
)
def recompute_command(day: str, folder: Path) -> None:
    """Derive the boards of DATE from exported records alone, and compare them with what was written at its close.

    Exits 1 if a record is broken or a board differs.
    """
    try:
        found = recompute(day, folder)
    except (DayBroken, OSError) as error:
        raise click.ClickException(f"{day}: {error}") from None
    for file, why in found.faults.items():
        click.echo(f"{file}: {why}")
    for board in found.boards:
        click.echo(f"{board.board}: {'agrees' if board.agrees else 'differs'} {board.derived}")
    click.echo(f"{found.runs} runs count")
    if not found.agrees:
        raise SystemExit(1)


@click.command("rebuild")
@settings_flags("database_url")
def rebuild_command(settings: Settings) -> None:
    """Derive boards and lists from the log anew."""
    with complaints():
        rows = asyncio.run(_rebuild(settings))
    click.echo(f"{rows} rows derived from the log")


async def _rebuild(settings: Settings) -> int:
    async with opened(settings.database_url) as database:
        await require_current(database)
        return await rebuild(database)
