"""Recomputing the boards of a closed day from exported records alone, with no database.

Every record of a run of that day is proven first (`game_audit`); those that count give the boards, and the digests of
these are held to the ones that were written when the day closed. A run that is missing, changed or added shows.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from clients.wire.bodies import Record
from server.audit import day_audit, game_audit
from server.audit.day_audit import Day
from server.competitions.known_rules import known_rules
from server.core import ids
from server.eventlog.events import canonical_json, decode_event
from server.eventlog.projections import EntryRow, project
from server.leaderboards.digests import day_digests


class Compared(NamedTuple):
    """One board of the day, by the deal's name or ``day``: its digest in the log, and as the records give it."""

    board: str
    written: str | None
    derived: str | None

    @property
    def agrees(self) -> bool:
        """Whether they are the same."""
        return self.written is not None and self.written == self.derived


class Recomputed(NamedTuple):
    """What the records say: how many runs count, the records that are at fault and why, and the boards."""

    runs: int
    faults: dict[str, str]
    boards: list[Compared]

    @property
    def agrees(self) -> bool:
        """Whether every record is proven and every board is as it was written."""
        return not self.faults and all(board.agrees for board in self.boards)


def recompute(day: str, folder: Path) -> Recomputed:
    """The boards of a day from the records in this folder, which hold the day's own as well.

    Raises DayBroken, or OSError for what cannot be read.
    """
    told = day_audit.verify(day, (folder / day_audit.file_of(day)).read_bytes())
    faults: dict[str, str] = {}
    runs: list[EntryRow] = []
    for file, text, record in _records(day, folder):
        verdict = game_audit.verify(text)
        if not verdict.proven:
            faults[file.name] = verdict.reason
            continue
        run = _entry(record)
        if run is not None and (why := _fault(run, record, told)):
            faults[file.name] = why
        elif run is not None:
            runs.append(run)
    derived = day_digests(day, told.deals, runs)
    written = told.closed.boards
    boards = [Compared(name, written.get(name), derived.get(name)) for name in dict.fromkeys((*derived, *written))]
    return Recomputed(len(runs), faults, boards)


def _records(day: str, folder: Path) -> Iterator[tuple[Path, bytes, Record]]:
    """The files that claim to be records of that day's runs."""
    for file in sorted(folder.glob("*.json")):
        text = file.read_bytes()
        try:
            record = msgspec.json.decode(text, type=Record)
        except msgspec.DecodeError:
            continue
        if any(event.type == "game_dealt" and event.data.get("day") == day for event in record.events):
            yield file, text, record


def _entry(record: Record) -> EntryRow | None:
    """The run as it counts; None for one that does not: for practice, or spoiled."""
    facts = [(decode_event(one.type, one.schema, canonical_json(one.data)), one.recorded_at) for one in record.events]
    return next((row for row in project(record.stream, facts, known_rules()) if isinstance(row, EntryRow)), None)


def _fault(run: EntryRow, record: Record, told: Day) -> str | None:
    """Why a run that is proven by itself is none of that day's."""
    if record.secret != told.closed.secret:
        return "it was not dealt from the day's secret"
    if (run.deal, run.rules) not in {(one.deal, one.game) for one in told.announced.deals}:
        return "the day's card has no such deal"
    if ids.derive_id(bytes.fromhex(record.secret), "attempt", run.deal, run.player) != run.game_id:
        return "it is not its player's one attempt at the deal"
    return None
