"""Comparing the records that a watched server shows with their entries in the log: of games, races, days and evenings.

RecordDiffers    the record is not the one of the entry; the message says what is wrong with "its record"
"""

from typing import Any

import msgspec

from cadogan.server.core.eventlog.race_events import RaceResult
from cadogan.server.core.eventlog.streams import id_of
from cadogan.server.operations.watched_server import WatchedServer
from cadogan.server.subjects.audit import game_audit
from cadogan.server.subjects.daily.day_record import DayBroken, VerifiedDay, verify_day
from cadogan.server.subjects.evenings.evening_record import EveningBroken, VerifiedEvening, verify_evening
from cadogan.server.subjects.races.race_record import RaceBroken, parse_race_record, verify_race
from cadogan.server.subjects.transparency.leaves import Ended
from cadogan.wire.bodies import Record, RecordedEvent


class RecordDiffers(Exception):
    """The record is broken, or not the one that is in the log. The message says why."""


def compare_game(text: bytes, entry: Ended) -> tuple[game_audit.Verdict, Record]:
    """Verify the record of a game; return the verdict and the record. Raises RecordDiffers."""
    verdict = game_audit.verify(text)
    if not verdict.consistent:
        raise RecordDiffers(f"its record is broken: {verdict.reason}")
    record = game_audit.read_record(text)
    if len(verdict.hashes) < entry.version:
        raise RecordDiffers(f"its record was cut before event {entry.version}")
    head = bytes.fromhex(verdict.hashes[entry.version - 1])
    _compare(entry, Ended.of(record.stream, entry.version, bytes.fromhex(record.secret), head))
    return verdict, record


def compare_day(text: bytes, entry: Ended) -> tuple[VerifiedDay, list[dict[str, Any]]]:
    """Verify the record of a day; return what it says, and its events as they are recorded. Raises RecordDiffers."""
    try:
        verified = verify_day(text, id_of(entry.stream))
    except DayBroken as error:
        raise RecordDiffers(f"its record is broken: {error}") from None
    events: list[dict[str, Any]] = msgspec.json.decode(text)["events"]
    _compare(entry, Ended.of(entry.stream, entry.version, b"", _hash_at(entry, [one["hash"] for one in events])))
    return verified, events


def compare_evening(text: bytes, entry: Ended) -> VerifiedEvening:
    """Verify the record of an evening, and return it. Raises RecordDiffers."""
    try:
        verified = verify_evening(text, id_of(entry.stream))
    except EveningBroken as error:
        raise RecordDiffers(f"its record is broken: {error}") from None
    _compare(
        entry, Ended.of(entry.stream, entry.version, b"", _hash_at(entry, [one.hash for one in verified.record.events]))
    )
    return verified


async def compare_race(server: WatchedServer, entry: Ended) -> list[RecordedEvent]:
    """Verify the record of a race, and compare its results with its games; return its events.

    Raises RecordDiffers, Unreachable, NotPublic, and RecordWithheld if there is no such race.
    """
    race = id_of(entry.stream)
    text = await server.race_record(race)
    try:
        finished = verify_race(text, race).finished
    except RaceBroken as error:
        raise RecordDiffers(f"its record is broken: {error}") from None
    events = parse_race_record(text).events
    _compare(entry, Ended.of(entry.stream, entry.version, b"", _hash_at(entry, [one.hash for one in events])))
    for result in finished.results if finished else ():
        await _compare_with_game(server, race, result)
    return events


async def _compare_with_game(server: WatchedServer, race: str, result: RaceResult) -> None:
    text = await server.game_record(result.game)
    if text is None:  # archived games are counted where their own entries are checked
        return
    verdict = game_audit.verify(text)
    if not verdict.consistent:
        raise RecordDiffers(f"the record of its game {result.game} is broken: {verdict.reason}")
    events = game_audit.read_record(text).events
    dealt = events[0].data
    end = next((one.data for one in events if one.type == "game_finished"), {})
    shown = [dealt.get("match"), dealt.get("player"), *(end.get(name) for name in _FIELDS)]
    if shown != [race, result.player, *(getattr(result, name) for name in _FIELDS)]:
        raise RecordDiffers(f"the result of {result.player} is not that of the game {result.game}")


_FIELDS = ("result", "score", "moves", "milliseconds")


def _hash_at(entry: Ended, hashes: list[str]) -> bytes:
    """Return the hash of the event that an entry names; empty if there is none."""
    return bytes.fromhex(hashes[entry.version - 1]) if 0 < entry.version <= len(hashes) else b""


def _compare(entry: Ended, shown: Ended) -> None:
    if shown != entry:
        raise RecordDiffers("its record is not the one that is in the log")
