"""The command that checks records offline: `verify`, for one game, a day, a race, an evening or an archive.

It imports neither the server nor a database driver (enforced in `pyproject.toml`).
"""

import json
import sys
from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import BinaryIO, NamedTuple

import click

from cadogan.server.cli.attested import (
    attestation_as_json,
    describe_attestation,
    describe_dating,
    trust_flags,
    trust_of,
)
from cadogan.server.cli.described_cards import beacon_as_json, describe_beacon, describe_certificates, describe_evening
from cadogan.server.cli.output import Failure, say
from cadogan.server.core import dates
from cadogan.server.core.eventlog.streams import day_stream, race_stream
from cadogan.server.core.fairness.certificates import CertificateBroken
from cadogan.server.subjects.audit import game_audit
from cadogan.server.subjects.audit.attestation import (
    Attestation,
    NotAttested,
    Trust,
    attest,
    attest_announcement,
    attest_events,
)
from cadogan.server.subjects.audit.game_audit import Verdict
from cadogan.server.subjects.audit.stored_records import (
    ArchiveBroken,
    NotCompared,
    find_difference,
    is_archive,
    read_archive,
    read_stored_hashes,
)
from cadogan.server.subjects.daily.day_record import (
    DayBroken,
    is_day_record,
    parse_day_record,
    verify_day,
)
from cadogan.server.subjects.evenings.evening_record import EveningBroken, is_evening_record, verify_evening
from cadogan.server.subjects.races.race_record import RaceBroken, is_race_record, parse_race_record, verify_race
from cadogan.server.subjects.transparency.receipts import is_receipt


@click.command("verify")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path))
@click.option(
    "--against",
    metavar="KEPT",
    help="What was kept of the game: a record, the folder of `cadogan export`, or a backup. For a receipt: the address "
    "of the server, or a folder with a copy of its log.",
)
@click.option("--root", nargs=2, metavar="DATE ROOT", help="A day and its published root, which the backup must have.")
@trust_flags
@click.option("--resolve", is_flag=True, help="Search the candidates of a winnable deal again, which takes seconds.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def verify_command(
    file: Path,
    against: str | None,
    root: tuple[str, str] | None,
    keys: tuple[str, ...],
    host: BinaryIO | None,
    resolve: bool,
    as_json: bool,
) -> None:
    """Check whether the record in FILE is consistent with its rules and its seal, offline; `-` reads standard input.

    FILE may also be the record of a day: then the seal, the hash chain and the certificates of its deals are checked,
    and which witnesses saw its announcement, and when.
    Or it is the record of a race: then the seal, the hash chain and the order of its results are checked. Or that of
    an evening: then the seals, the hash chain and the times of its clock are checked, and who saw its announcement. Or
    it is an archive: then every record in it is checked, and that none is missing.

    With --key or --trust, also whether it is attested: whether the host's log has it, as its proof says, and which
    witnesses have seen this log. A key that was rotated leads to those before and after it; with both options, the
    host's keys count only if the given one leads to them.

    With --against, the record must also be what was kept of the game. With --resolve, a winnable deal must be the first
    candidate that its search wins.

    Says what all this does not show. Exits 1 if the record is broken, was cut, or cannot be compared.

    FILE may also be a receipt, the promise that a game will be in a log; then --against is required. Exits 0 if the
    promise was kept, 1 if it was broken, and 2 if that cannot be decided, for example because it is not due yet.
    """
    if root is not None and (against is None or not dates.is_valid(root[0])):
        raise click.UsageError("--root is a day like 2026-11-20 and its root, and needs --against with a backup")
    trust = trust_of(keys, host)
    if file != Path("-") and is_archive(file):
        _require_game("an archive", against, resolve)
        _verify_archive(file, trust, as_json)
        return
    text = sys.stdin.buffer.read() if file == Path("-") else file.read_bytes()
    if is_receipt(text) or (against or "").startswith(("http://", "https://")):
        if against is None:
            raise click.UsageError("a receipt needs --against with the address of the server that gave it")
        receipts = import_module(".receipts", __package__)  # only this check reads from the network
        receipts.verify_receipt(text, against, trust, as_json)
    kept = None if against is None else Path(against)
    if kept is not None and not kept.exists():
        raise click.BadParameter(f"there is no such file: {against}", param_hint="--against")
    for is_of_kind, what, verify_kind in (
        (is_day_record, "the record of a day", _verify_day),
        (is_evening_record, "the record of an evening", _verify_evening),
        (is_race_record, "the record of a race", _verify_race),
    ):
        if is_of_kind(text):
            _require_game(what, against, resolve)
            verify_kind(text, trust, as_json)
            return
    verdict = game_audit.verify(text)
    count, attested, searched = None, None, False
    if verdict.consistent and kept is not None:
        try:
            hashes = read_stored_hashes(verdict.game, kept, root)
        except (NotCompared, OSError) as error:
            raise Failure(f"{kept}: {error}") from None
        count = len(hashes)
        if difference := find_difference(verdict.hashes, hashes):
            verdict = Verdict(False, f"compared with {kept}, {difference.reason}", difference.version)
    if verdict.consistent:
        try:
            attested = attest(game_audit.read_record(text), verdict.hashes, trust)
        except NotAttested as error:
            verdict = Verdict(False, str(error), 0)
    if verdict.consistent and resolve:
        try:
            searched = game_audit.search_again(game_audit.read_record(text))
        except CertificateBroken as error:
            verdict = Verdict(False, str(error), 1)
    checked = Checked(verdict, count, attested, searched)
    for line in [describe_as_json(checked)] if as_json else describe(checked):
        say(line)
    if not verdict.consistent:
        raise SystemExit(1)


def _require_game(what: str, against: str | None, resolve: bool) -> None:
    """Check that no option was given that is only for the record of a game. Raises click.UsageError."""
    if against is not None:
        raise click.UsageError(f"--against compares the record of a game, and this is {what}")
    if resolve:
        hint = "for a day or an evening there is `cadogan recompute`"
        raise click.UsageError(f"--resolve searches the deal of a game again, and this is {what}: {hint}")


MAX_BROKEN = 100
"""After so many broken records an archive is read no further."""


class _CheckedGames:
    """The results for an archive's records: the broken ones, and how many each key and witness attests."""

    def __init__(self, trust: Trust) -> None:
        self._trust = trust
        self.number = 0
        self.broken: dict[str, str] = {}
        self.attested: Counter[str] = Counter()
        self.witnessed: Counter[str] = Counter()

    def check(self, text: bytes) -> None:
        """Check one record. Raises ArchiveBroken if it is the last of too many that are broken."""
        self.number += 1
        verdict = game_audit.verify(text)
        wrong = None if verdict.consistent else f"broken at event {verdict.broken_at}: {verdict.reason}"
        if verdict.consistent:
            try:
                found = attest(game_audit.read_record(text), verdict.hashes, self._trust)
            except NotAttested as error:
                wrong = f"broken at its header: {error}"
            else:
                self._count(Checked(verdict, attested=found))
        if wrong is not None:
            self.broken[f"line {self.number + 1}"] = wrong
        if len(self.broken) == MAX_BROKEN:
            raise ArchiveBroken(f"{MAX_BROKEN} records are broken, and those after them were not checked")

    def _count(self, checked: "Checked") -> None:
        found = checked.attested
        if checked.is_attested and found is not None and found.key is not None:
            self.attested[f"the log {found.origin}, signed by its key {found.key.id.hex()}"] += 1
            self.witnessed.update(witness.name for witness in found.witnesses)

    def describe(self) -> list[str]:
        """Return who attests the records, as lines for people."""
        if not self.attested:
            return ["not attested: none has a proof that is signed by a key that you have given (--key, --trust)"]
        lines = [f"attested: {count} of {self.number} by {log}" for log, count in sorted(self.attested.items())]
        lines += [f"witnessed: {count} of these by {name}" for name, count in sorted(self.witnessed.items())]
        return lines if self.witnessed else [*lines, "not witnessed: nobody else whom you trust has signed this log"]


def _verify_archive(file: Path, trust: Trust, as_json: bool) -> None:
    """Print which games of an archive are broken, and whether it is complete; exit with code 1 if anything is wrong."""
    games = _CheckedGames(trust)
    try:
        found = read_archive(file, games.check)
    except ArchiveBroken as error:
        games.broken["the file"] = str(error)
        said: dict[str, object] = {"consistent": False, "broken": games.broken}
        lines = []
    else:
        said = {"consistent": not games.broken, "games": found.games, "before": found.before, "sha256": found.sha256}
        said |= {"broken": games.broken, "attested": games.attested.total(), "witnessed": dict(games.witnessed)}
        lines = [f"an archive of {found.games} games from before {found.before}, sha256 {found.sha256}"]
        lines += [] if games.broken else ["every record in it is consistent with its rules and its seal"]
        lines += games.describe()
    lines += [f"{place}: {why}" for place, why in games.broken.items()]
    for line in [json.dumps(said)] if as_json else lines:
        say(line)
    if games.broken:
        raise SystemExit(1)


def _verify_day(text: bytes, trust: Trust, as_json: bool) -> None:
    """Print whether the record of a day is consistent, and who attests it; exit with code 1 if it is broken."""
    try:
        day = verify_day(text)
        record = parse_day_record(text)
        attested = attest_events(day_stream(day.day), record.proof, record.events, trust)
        dated = attest_announcement(record, trust)
    except (DayBroken, NotAttested) as error:
        said = {"consistent": False, "reason": str(error)}
        lines = [f"broken: {error}"]
    else:
        promised = day.announced.beacon or None
        lines = [
            f"consistent with its seal: the day {day.day}, {len(day.deals)} deals",
            *describe_certificates(day.closed.certificates),
        ]
        lines += [describe_beacon(promised, away=day.beacon is None)] if promised else []
        begins_at = dates.day_times(day.day, 0).opens_at
        lines += [_LATE[moment] for moment in day.late]
        lines += [*describe_attestation(attested, len(record.events)), *describe_dating("the day", begins_at, dated)]
        said = {"consistent": True, "day": day.day, "certified": [one.deal for one in day.closed.certificates]}
        said["late"] = [*day.late]
        said |= attestation_as_json(attested)
        said["dated"] = [one._asdict() for one in dated.witnesses] if dated else []
        said["beacon"] = beacon_as_json(promised, away=day.beacon is None)
    for line in [json.dumps(said)] if as_json else lines:
        say(line)
    if not said["consistent"]:
        raise SystemExit(1)


def _verify_race(text: bytes, trust: Trust, as_json: bool) -> None:
    """Print whether the record of a race is consistent, and who attests it; exit with code 1 if it is broken."""
    try:
        race = verify_race(text)
        record = parse_race_record(text)
        attested = attest_events(race_stream(race.id), record.proof, record.events, trust)
    except (RaceBroken, NotAttested) as error:
        said: dict[str, object] = {"consistent": False, "reason": str(error)}
        lines = [f"broken: {error}"]
    else:
        said = {"consistent": True, "race": race.id, "players": race.players, **attestation_as_json(attested)}
        lines = [f"consistent with its seal: the race {race.id} of {len(race.racers)} players"]
        lines += describe_attestation(attested, len(record.events))
        lines.append("this does not show that the results follow from the games: each game has a record of its own")
    for line in [json.dumps(said)] if as_json else lines:
        say(line)
    if not said["consistent"]:
        raise SystemExit(1)


def _verify_evening(text: bytes, trust: Trust, as_json: bool) -> None:
    """Print whether the record of an evening is consistent, and who attests it; exit with code 1 if it is broken."""
    try:
        record, state = verify_evening(text)
        attested = attest_events(state.stream, record.proof, record.events, trust)
        dated = attest_announcement(record, trust)
    except (EveningBroken, NotAttested) as error:
        said: dict[str, object] = {"consistent": False, "reason": str(error)}
        lines = [f"broken: {error}"]
    else:
        said = {"consistent": True, "evening": state.id, "rounds": len(state.rounds), "entrants": [*state.entrants]}
        said["certified"] = [one.deal for one in state.certificates.values()]
        said["beacon"] = beacon_as_json(state.plan.beacon, away=state.signed is None)
        said |= attestation_as_json(attested)
        said["dated"] = [one._asdict() for one in dated.witnesses] if dated else []
        begins_at = state.rounds[0].opens_at
        lines = [f"consistent with its seals: the evening {state.id} of {len(state.entrants)} entrants, {state.phase}"]
        lines += [*describe_evening(state), *describe_attestation(attested, len(record.events))]
        lines += describe_dating("the evening", begins_at, dated)
        lines.append(f"this does not show that its standing follows from the games: see `cadogan recompute {state.id}`")
    for line in [json.dumps(said)] if as_json else lines:
        say(line)
    if not said["consistent"]:
        raise SystemExit(1)


_LATE = {
    "announced": "late: it was announced after it had begun",
    "closed": "late: it was closed more than a day after its end",
}


class Checked(NamedTuple):
    """The results for the record of a game.

    `kept` is the number of events in the copy, if one was compared; `attested` is what the proof shows, if any.
    `searched` is whether a search confirms that the dealt candidate is the first that can be won.
    """

    verdict: Verdict
    kept: int | None = None
    attested: Attestation | None = None
    searched: bool = False

    @property
    def is_attested(self) -> bool:
        """Whether a trusted host attests the whole record."""
        found = self.attested
        return found is not None and found.key is not None and found.version == len(self.verdict.hashes)

    @property
    def not_proven(self) -> list[str]:
        """The keys of `game_audit.NOT_PROVEN` that apply to it."""
        return game_audit.not_proven(self.verdict, self.kept, attested=self.is_attested, searched=self.searched)


def describe(checked: Checked) -> list[str]:
    """Return the results as lines for people."""
    verdict, kept = checked.verdict, checked.kept
    if not verdict.consistent:
        where = f"event {verdict.broken_at}" if verdict.broken_at else "its header"
        return [f"broken at {where}: {verdict.reason}"]
    lines = [
        f"consistent with its rules and its seal: {verdict.reason}",
        *describe_attestation(checked.attested, len(verdict.hashes)),
    ]
    if verdict.beacon is not None:
        lines.append(describe_beacon(verdict.beacon))
    if verdict.winnable is not None:
        found = "wins it first" if checked.searched else "was not repeated"
        lines.append(f"winnable: candidate {verdict.winnable.candidate}; the search {found}")
    if kept is not None:
        lines.append(f"{kept} of its {len(verdict.hashes)} events were kept, and are the same")
    words = game_audit.NOT_PROVEN_ATTESTED if checked.is_attested else game_audit.NOT_PROVEN
    return [*lines, "this does not show", *(f"  - {words[key]}" for key in checked.not_proven)]


def describe_as_json(checked: Checked) -> str:
    """Return the results as one line of JSON."""
    verdict = checked.verdict
    said = {
        "consistent": verdict.consistent,
        "reason": verdict.reason,
        "broken_at": verdict.broken_at,
        "game": verdict.game,
        "events": len(verdict.hashes),
        "last_hash": verdict.hashes[-1] if verdict.hashes else None,
        "finished": verdict.finished,
        "kept": checked.kept,
        "beacon": beacon_as_json(verdict.beacon),
        **attestation_as_json(checked.attested),
        "not_shown": checked.not_proven if verdict.consistent else [],
    }
    return json.dumps(said)
