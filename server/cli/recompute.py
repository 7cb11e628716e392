"""The command that derives boards and standings again from exported records, offline.

It imports neither the server nor a database driver (enforced in `pyproject.toml`).
"""

from pathlib import Path
from typing import BinaryIO

import click

from cadogan.server.cli.attested import describe_attestation, describe_dating, trust_flags, trust_of
from cadogan.server.cli.described_cards import describe_certificates, describe_evening
from cadogan.server.cli.output import Failure, say
from cadogan.server.core import dates
from cadogan.server.core.eventlog.streams import day_stream
from cadogan.server.subjects.audit.attestation import NotAttested, Trust, attest_announcement, attest_events
from cadogan.server.subjects.audit.recompute_evening import recompute_evening
from cadogan.server.subjects.audit.recompute_leaderboards import recompute
from cadogan.server.subjects.audit.recompute_season import ID as SEASON_ID
from cadogan.server.subjects.audit.recompute_season import SeasonBroken, recompute_season
from cadogan.server.subjects.daily.day_record import DayBroken, file_name, parse_day_record, search_again
from cadogan.server.subjects.evenings import evening_record
from cadogan.server.subjects.evenings.evening_record import EveningBroken


@click.command("recompute")
@click.argument("subject", metavar="DATE|EVENING|SEASON")
@click.option(
    "--from",
    "folder",
    required=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The folder that `cadogan export` wrote.",
)
@click.option("--resolve", is_flag=True, help="Search the candidates of certified deals again, which takes minutes.")
@trust_flags
def recompute_command(subject: str, folder: Path, resolve: bool, keys: tuple[str, ...], host: BinaryIO | None) -> None:
    """Compute the boards of DATE from exported records alone, and compare them with those written at its close.

    The certificates of the day's deals are checked as well. Exits 1 if a record is broken or a board differs, or with
    --resolve if a certified deal is not the first candidate that the announced search wins.

    Or compute the standing of EVENING, which is the id of one, and compare it with the written one and its digest.
    Or compute the table of SEASON, such as 2026-W48, from the records of its days and evenings in FOLDER.
    With --key or --trust, also whether the host's log has this, and who saw what was announced before. Exits 1 if a
    record is broken or missing, if a line of the standing differs, or if the log has something else.
    """
    try:
        if dates.is_valid(subject):
            is_right = _recompute_day(subject, folder, resolve, trust_of(keys, host))
        elif SEASON_ID.fullmatch(subject):
            if resolve:
                raise click.UsageError("--resolve searches the deals of a day or an evening again, not of a season")
            is_right = _recompute_season(subject, folder, trust_of(keys, host))
        else:
            is_right = _recompute_evening(subject, folder, resolve, trust_of(keys, host))
    except FileNotFoundError as error:
        name = Path(error.filename).name
        raise Failure(f"{subject}: {folder} has no {name}, which `cadogan export` writes once this is over") from None
    except (DayBroken, EveningBroken, SeasonBroken, NotAttested, OSError) as error:
        raise Failure(f"{subject}: {error}") from None
    if not is_right:
        raise SystemExit(1)


def _recompute_day(day: str, folder: Path, resolve: bool, trust: Trust) -> bool:
    found = recompute(day, folder)
    record = parse_day_record((folder / file_name(day)).read_bytes())
    attested = attest_events(day_stream(day), record.proof, record.events, trust)
    dated = attest_announcement(record, trust)
    for file, why in found.faults.items():
        say(f"{file}: {why}")
    for board in found.boards:
        say(f"{board.board}: {'agrees' if board.agrees else 'differs'} {board.derived}")
    say(
        f"{len(found.counted)} runs count"
        + (f"; {len(found.struck)} were struck off the boards" if len(found.struck) else "")
    )
    for line in describe_attestation(attested, len(record.events)):
        say(line)
    for line in describe_dating("the day", dates.day_times(day, 0).opens_at, dated):
        say(line)
    for line in describe_certificates(found.day.closed.certificates):
        say(line)
    wrong = not found.agrees
    for deal, why, is_wrong in search_again(found.day) if resolve else ():
        say(f"{deal}: {why}")
        wrong = wrong or is_wrong
    return not wrong


def _recompute_season(season: str, folder: Path, trust: Trust) -> bool:
    found = recompute_season(season, folder, trust)
    for file, why in found.faults.items():
        say(f"{file}: {why}")
    for line in found.differences:
        say(line)
    agrees = "agrees" if found.written == found.derived else f"differs, the log has {found.written}"
    say(f"the digest {agrees}: {found.derived}, of {len(found.sessions)} sessions")
    for line in found.not_shown:
        say(f"not shown: {line}")
    for line in describe_attestation(found.attested, found.events):
        say(line)
    return found.agrees


def _recompute_evening(evening: str, folder: Path, resolve: bool, trust: Trust) -> bool:
    found = recompute_evening(evening, folder, trust)
    for file, why in found.faults.items():
        say(f"{file}: {why}")
    for line in found.differences:
        say(line)
    if found.written is None:
        say(f"the evening is void: {found.evening.state.plan.title!r}, {len(found.runs)} runs")
    else:
        agrees = "agrees" if found.written == found.derived else f"differs, the log has {found.written}"
        say(f"the digest {agrees}: {found.derived}, of {len(found.runs)} runs")
    for line in describe_attestation(found.attested, len(found.evening.record.events)):
        say(line)
    for line in describe_dating("the evening", found.evening.state.rounds[0].opens_at, found.dated):
        say(line)
    for line in describe_evening(found.evening.state):
        say(line)
    wrong = not found.agrees
    for deal, why, is_wrong in evening_record.search_again(found.evening.state) if resolve else ():
        say(f"{deal}: {why}")
        wrong = wrong or is_wrong
    return not wrong
