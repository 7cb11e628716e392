"""Recomputing the boards of a closed day from exported records, offline.

Every record of a run of that day is verified first (`game_audit`). The boards are computed from the ranked runs, and
their digests are compared with those written when the day closed. This detects missing, changed and added runs.
"""

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

from cadogan.server.core import ids
from cadogan.server.core.eventlog.events import canonical_json, decode_event
from cadogan.server.core.eventlog.projections import EntryRow, project
from cadogan.server.core.ranking import day_digests
from cadogan.server.core.untrusted_input import UnreadableJson
from cadogan.server.subjects.audit import game_audit
from cadogan.server.subjects.daily import day_record
from cadogan.server.subjects.daily.day_record import VerifiedDay
from cadogan.server.subjects.known_rules import known_rules
from cadogan.wire.bodies import Record


class ComparedBoard(NamedTuple):
    """One board of the day, by the deal's id or ``day``: its digest in the log, and its digest from the records."""

    board: str
    written: str | None
    derived: str | None

    @property
    def agrees(self) -> bool:
        """Whether the two digests are equal."""
        return self.written is not None and self.written == self.derived


class Recomputed(NamedTuple):
    """The result for a day: the runs that count, the wrong files with reasons, and the boards.

    `struck` are the runs that were struck before the close of the day; they have records like all others.
    """

    day: VerifiedDay
    counted: list[EntryRow]
    struck: list[EntryRow]
    faults: dict[str, str]
    boards: list[ComparedBoard]

    @property
    def agrees(self) -> bool:
        """Whether every record is consistent and every board agrees."""
        return not self.faults and all(board.agrees for board in self.boards)


def recompute(day: str, folder: Path) -> Recomputed:
    """Compute the boards of a day from the records in this folder, and compare them with the day's own record.

    Raises DayBroken for the day's record, and OSError for a file that cannot be read.
    """
    published = day_record.verify_day((folder / day_record.file_name(day)).read_bytes(), day)
    faults: dict[str, str] = {}
    runs, struck = list[EntryRow](), list[EntryRow]()
    disqualified = {*(published.closed.struck or ())}
    played: set[tuple[str, str]] = set()
    for file, text, record in _records(day, folder):
        verdict = game_audit.verify(text)
        if not verdict.consistent:
            faults[file.name] = verdict.reason
            continue
        run = entry_of(record)
        if run is not None and (why := _fault(run, record, published, played)):
            faults[file.name] = why
        elif run is not None:
            played.add((run.player, run.deal))
            if run.game_id in disqualified:
                disqualified.remove(run.game_id)
                struck.append(run)
            else:
                runs.append(run)
    faults |= {
        f"{game}.json": "this run was struck off the boards, and its record is missing" for game in sorted(disqualified)
    }
    derived = day_digests(day, published.deals, runs)
    written = published.closed.boards
    boards = [ComparedBoard(name, written.get(name), derived.get(name)) for name in dict.fromkeys((*derived, *written))]
    return Recomputed(published, runs, struck, faults, boards)


def _records(day: str, folder: Path) -> Iterator[tuple[Path, bytes, Record]]:
    """Yield the files that claim to be records of that day's runs. Other files are ignored."""
    for file in sorted(folder.glob("*.json")):
        if not file.is_file():
            continue
        text = file.read_bytes()
        if day.encode() not in text:
            continue
        try:
            record = game_audit.read_record(text)
        except UnreadableJson:
            continue
        if any(event.type == "game_dealt" and event.data.get("day") == day for event in record.events):
            yield file, text, record


def entry_of(record: Record) -> EntryRow | None:
    """Return the run as a board entry; None if it does not count, because it was practice or spoiled."""
    facts = [(decode_event(one.type, one.schema, canonical_json(one.data)), one.recorded_at) for one in record.events]
    return next((row for row in project(record.stream, facts, known_rules()) if isinstance(row, EntryRow)), None)


def _fault(run: EntryRow, record: Record, published: VerifiedDay, played: Collection[tuple[str, str]]) -> str | None:
    """Return the reason why a consistent run does not belong to that day; None if it does.

    `played` has the player and the deal of every earlier run. The id of a person's run is derived from the day's
    secret, the deal and the player; the id of a bot's run uses the bot's owner, whom no record names.
    """
    if record.secret != published.closed.secret:
        return "it was not dealt from the day's secret"
    if (run.deal, run.rules) not in {(one.deal, one.game) for one in published.announced.deals}:
        return "the day has no such deal"
    if record.nonce != published.nonce(run.deal):
        return f"the cards of this deal have the nonce {published.nonce(run.deal)}, not {record.nonce!r}"
    its_own = ids.derive_id(bytes.fromhex(record.secret), "attempt", run.deal, run.player) == run.game_id
    if not its_own and not ids.is_bot(run.player):
        return "it is not the player's one ranked attempt at the deal"
    if (run.player, run.deal) in played:
        return "the player has another ranked attempt at the deal"
    return None
