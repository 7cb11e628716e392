"""The commands that check records offline: `verify` for one game, `recompute` for the boards of a day.

They load neither the server nor a database driver (`pyproject.toml` holds this for the modules that they import).
"""

import json
from pathlib import Path
from typing import BinaryIO

import click

from server.audit import game_audit
from server.audit.day_audit import DayBroken, VerifiedDay, is_day_record, search_again, verify_day
from server.audit.game_audit import Verdict
from server.audit.kept_records import NotCompared, find_difference, read_kept
from server.audit.recompute_leaderboards import recompute
from server.cli.output import Failure, say
from server.core import dates


@click.command("verify")
@click.argument("file", type=click.File("rb"))
@click.option(
    "--against",
    "kept",
    metavar="KEPT",
    type=click.Path(exists=True, path_type=Path),
    help="What was kept of the game: a record, the folder of `cadogan export`, or a backup.",
)
@click.option("--root", nargs=2, metavar="DATE ROOT", help="A day and its published root, which the backup must have.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def verify_command(file: BinaryIO, kept: Path | None, root: tuple[str, str] | None, as_json: bool) -> None:
    """Check whether the record in FILE is consistent with its rules and its seal, offline; `-` reads standard input.

    FILE may also be the record of a day: then the seal, the hash chain and the certificates of its deals are checked.

    With --against, the record must also be what was kept of the game. Says what all this does not show. Exits 1 if the
    record is broken, was cut, or cannot be compared.
    """
    if root is not None and (kept is None or not dates.is_valid(root[0])):
        raise click.UsageError("--root is a day like 2026-11-20 and its root, and needs --against with a backup")
    text = file.read()
    if is_day_record(text):
        if kept is not None:
            raise click.UsageError("--against compares the record of a game, and this is that of a day")
        _verify_day(text, as_json)
        return
    verdict = game_audit.verify(text)
    count = None
    if verdict.consistent and kept is not None:
        try:
            hashes = read_kept(verdict.game, kept, root)
        except (NotCompared, OSError) as error:
            raise Failure(f"{kept}: {error}") from None
        count = len(hashes)
        if difference := find_difference(verdict.hashes, hashes):
            verdict = Verdict(False, f"compared with {kept}, {difference.reason}", difference.version)
    for line in [describe_as_json(verdict, count)] if as_json else describe(verdict, count):
        say(line)
    if not verdict.consistent:
        raise SystemExit(1)


def _verify_day(text: bytes, as_json: bool) -> None:
    """Say whether the record of a day is consistent; exit with code 1 if not."""
    try:
        day = verify_day(text)
    except DayBroken as error:
        said = {"consistent": False, "reason": str(error)}
        lines = [f"broken: {error}"]
    else:
        lines = [f"consistent with its seal: the day {day.day}, {len(day.deals)} deals", *describe_certificates(day)]
        said = {"consistent": True, "day": day.day, "certified": [one.deal for one in day.closed.certificates]}
    for line in [json.dumps(said)] if as_json else lines:
        say(line)
    if not said["consistent"]:
        raise SystemExit(1)


def describe_certificates(day: VerifiedDay) -> list[str]:
    """Return for each certified deal of a day a line for people."""
    return [
        f"{one.deal}: candidate {one.candidate} can be won, its line has {len(one.line)} moves"
        for one in day.closed.certificates
    ]


def describe(verdict: Verdict, kept: int | None) -> list[str]:
    """Return the verdict in lines for people. `kept` is how many events of the game were kept, if it was compared."""
    if not verdict.consistent:
        where = f"event {verdict.broken_at}" if verdict.broken_at else "its header"
        return [f"broken at {where}: {verdict.reason}"]
    lines = [f"consistent with its rules and its seal: {verdict.reason}"]
    if kept is not None:
        lines.append(f"{kept} of its {len(verdict.hashes)} events were kept, and are the same")
    unknown = game_audit.not_shown(verdict, kept)
    return [*lines, "this does not show", *(f"  - {game_audit.NOT_SHOWN[key]}" for key in unknown)]


def describe_as_json(verdict: Verdict, kept: int | None) -> str:
    """Return the verdict as JSON, in one line."""
    said = {
        "consistent": verdict.consistent,
        "reason": verdict.reason,
        "broken_at": verdict.broken_at,
        "game": verdict.game,
        "events": len(verdict.hashes),
        "last_hash": verdict.hashes[-1] if verdict.hashes else None,
        "finished": verdict.finished,
        "kept": kept,
        "not_shown": game_audit.not_shown(verdict, kept) if verdict.consistent else [],
    }
    return json.dumps(said)


@click.command("recompute")
@click.argument("day", metavar="DATE")
@click.option(
    "--from",
    "folder",
    required=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The folder that `cadogan export` wrote.",
)
@click.option("--resolve", is_flag=True, help="Search the candidates of certified deals again, which takes minutes.")
def recompute_command(day: str, folder: Path, resolve: bool) -> None:
    """Compute the boards of DATE from exported records alone, and compare them with those written at its close.

    The certificates of the day's deals are checked as well. Exits 1 if a record is broken or a board differs, or with
    --resolve if a certified deal is not the first candidate that the announced search wins.
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
    for line in describe_certificates(found.day):
        say(line)
    wrong = not found.agrees
    for deal, why, is_wrong in search_again(found.day) if resolve else ():
        say(f"{deal}: {why}")
        wrong = wrong or is_wrong
    if wrong:
        raise SystemExit(1)
