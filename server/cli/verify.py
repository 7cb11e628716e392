"""The commands that check records offline: `verify` for one game, `recompute` for the boards of a day.

They load neither the server nor a database driver (`pyproject.toml` holds this for the modules that they import).
"""

from pathlib import Path
from typing import BinaryIO

import click

from server.audit import game_audit
from server.audit.day_audit import DayBroken
from server.audit.recompute_leaderboards import recompute
from server.cli.output import Failure, say


@click.command("verify")
@click.argument("file", type=click.File("rb"))
def verify_command(file: BinaryIO) -> None:
    """Prove or refute the record in FILE, offline; `-` reads standard input. Exits 1 if it is broken."""
    verdict = game_audit.verify(file.read())
    if verdict.proven:
        say(f"proven: {verdict.reason}")
        return
    where = f"event {verdict.broken_at}" if verdict.broken_at else "its header"
    say(f"broken at {where}: {verdict.reason}")
    raise SystemExit(1)


@click.command("recompute")
@click.argument("day", metavar="DATE")
@click.option(
    "--from",
    "folder",
    required=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The folder that `cadogan export` wrote.",
)
def recompute_command(day: str, folder: Path) -> None:
    """Compute the boards of DATE from exported records alone, and compare them with those written at its close.

    Exits 1 if a record is broken or a board differs.
    """
    try:
        found = recompute(day, folder)
    except (DayBroken, OSError) as error:
        raise Failure(f"{day}: {error}") from None
    for file, why in found.faults.items():
        say(f"{file}: {why}")
    for board in found.boards:
        say(f"{board.board}: {'agrees' if board.agrees else 'differs'} {board.derived}")
    say(f"{found.runs} runs count")
    if not found.agrees:
        raise SystemExit(1)
