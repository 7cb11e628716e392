"""The record of a closed season, and recomputing its table from exported records, offline.

The record has the members and the logged digest. The sessions follow from the records of the days and evenings, which
are derived again themselves; so a run that was changed, added or left out is found, and named. The ratings with which
members came in are those of the events: they do not follow from records of games.

    SeasonBroken    a record that is broken; the message says where and why
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from cadogan.server.core import dates, ids
from cadogan.server.core.eventlog import hash_chain
from cadogan.server.core.eventlog.event_store import require_contiguous
from cadogan.server.core.eventlog.events import UnreadableEvent, canonical_json, decode_event, encode_event
from cadogan.server.core.eventlog.projections import EntryRow
from cadogan.server.core.eventlog.season_events import (
    MemberJoined,
    MemberLeft,
    SeasonClosed,
    SeasonOpened,
    SeasonState,
    closes_at,
    fold_season,
)
from cadogan.server.core.eventlog.streams import season_stream
from cadogan.server.core.games.game_record import recorded_event
from cadogan.server.core.games.game_state import Recorded
from cadogan.server.core.scoring.forms import InvalidForm, Session, Struck, check_season_settings
from cadogan.server.core.scoring.seasons import score_season
from cadogan.server.core.scoring.sessions import read_shares, score_week
from cadogan.server.core.scoring.standing import score_evening
from cadogan.server.core.untrusted_input import UnreadableJson, read_json
from cadogan.server.subjects.audit.attestation import Attestation, NotAttested, Trust, attest_events
from cadogan.server.subjects.audit.recompute_evening import recompute_evening
from cadogan.server.subjects.audit.recompute_leaderboards import recompute
from cadogan.server.subjects.daily import day_record
from cadogan.server.subjects.daily.day_record import DayBroken
from cadogan.server.subjects.evenings import evening_record
from cadogan.server.subjects.evenings.evening_events import KEY
from cadogan.server.subjects.evenings.evening_form import form_of
from cadogan.server.subjects.evenings.evening_record import EveningBroken
from cadogan.wire.bodies import RecordedEvent

FORMAT: Literal["cadogan season record 1"] = "cadogan season record 1"
ID = re.compile("[0-9]{4}-W[0-9]{2}")


class SeasonBroken(Exception):
    """The record of a season is broken. The message says where and why."""


class SeasonRecord(msgspec.Struct, frozen=True, kw_only=True):
    """All events of a closed season. `proof` shows that its close is in the transparency log."""

    format: Literal["cadogan season record 1"] = FORMAT
    season: str
    proof: str | None = None
    events: list[RecordedEvent]


class RecomputedSeason(NamedTuple):
    """The result for a season: its table, the wrong files with reasons, and other differences.

    `written` is the digest in the log, `derived` that from the records. `attested` is who says that the log has it.
    """

    table: dict[str, Any]
    sessions: list[Session]
    faults: dict[str, str]
    differences: list[str]
    written: str
    derived: str
    attested: Attestation | None
    events: int
    """How many events the record has."""
    not_shown: list[str]
    """What the records do not show, because the host alone says it: believed, and named."""

    @property
    def agrees(self) -> bool:
        """Whether every record is consistent, and the table and its digest are derived again."""
        return not self.faults and not self.differences and self.written == self.derived


def file_name(season: str) -> str:
    """Return the name of a season's file among exported records."""
    return f"season-{season}.json"


def build_season_record(season: str, events: Sequence[Recorded], proof: str | None) -> SeasonRecord | None:
    """Return the record of a season; None if it is not closed. Raises StreamIncomplete."""
    require_contiguous(season_stream(season), 0, events)
    if not events or events[-1].type != "season_closed":
        return None
    return SeasonRecord(season=season, proof=proof, events=[recorded_event(event) for event in events])


def recompute_season(season: str, folder: Path, trust: Trust) -> RecomputedSeason:
    """Derive the table of a season from the records in this folder, and compare it with the season's own record.

    Raises SeasonBroken for the season's record, NotAttested for its proof, and OSError for a file that cannot be read.
    """
    record, state = _verify((folder / file_name(season)).read_bytes(), season)
    assert state.closed is not None
    attested = attest_events(season_stream(season), record.proof, record.events, trust)
    faults: dict[str, str] = {}
    played: set[str] = set()
    sessions = [*_read_days(state, folder, faults, played), *_read_evenings(state, folder, faults, played)]
    table = score_season(state.form(sessions))
    players = {player for session in sessions for player in session.shares}
    differences = [f"{player} has a session, and is no member" for player in sorted(players - state.members.keys())]
    if [*map(list, state.closed.next)] != table["next"]:
        differences.append(f"the divisions of the next season: written {state.closed.next}, derived {table['next']}")
    last = _find_last(state, folder)
    opened_with = tuple([tuple([one.player for one in members]) for members in state.opened.divisions])
    if last is not None and opened_with != last.closed_with:
        differences.append(f"the season opened with other divisions than {last.id} closed with")
    differences += _find_irregular(state, played, table["version"])
    written, derived = state.closed.digest, table["digest"]
    not_shown = [*_find_not_shown(state, folder, last is None)]
    return RecomputedSeason(
        table, sessions, faults, differences, written, derived, attested, len(record.events), not_shown
    )


def _verify(text: bytes, season: str) -> tuple[SeasonRecord, SeasonState]:
    """Return the record of a closed season, and the season at its end. Raises SeasonBroken."""
    try:
        record = msgspec.convert(read_json(text), SeasonRecord)
    except (UnreadableJson, msgspec.ValidationError) as error:
        raise SeasonBroken(f"this is not the record of a season: {error}") from None
    if record.season != season:
        raise SeasonBroken(f"it is the record of {record.season!r}")
    before, at, facts = hash_chain.START_HASH, 0, list[tuple[object, int]]()
    for place, one in enumerate(record.events, 1):
        data = canonical_json(one.data)
        head = (season_stream(season), place, one.type, one.schema, data, one.recorded_at)
        before = hash_chain.event_hash(before, *head)
        if (one.version, one.hash) != (place, before.hex()):
            raise SeasonBroken(f"event {place}, {one.type}: its hash does not fit what it says and what came before it")
        try:
            event = decode_event(one.type, one.schema, data)
        except UnreadableEvent as error:
            raise SeasonBroken(f"event {place}: {error}") from None
        if encode_event(event)[2] != data or one.recorded_at < at:
            raise SeasonBroken(f"event {place}, {one.type}: it has other keys than such an event, or runs backwards")
        is_end = place == len(record.events)
        if isinstance(event, SeasonOpened) != (place == 1) or isinstance(event, SeasonClosed) != is_end:
            raise SeasonBroken(f"event {place}, {one.type}: a season goes from its opening to its close")
        if not isinstance(event, SeasonOpened | MemberJoined | MemberLeft | SeasonClosed):
            raise SeasonBroken(f"event {place}, {one.type}: it is no event of a season")
        at = one.recorded_at
        facts.append((event, at))
    state = fold_season(season, facts)
    if state is None or state.closed is None or state.version != len(record.events):
        raise SeasonBroken("it does not hold the events of a season from its opening to its close")
    if state.opened.weeks != _weeks_from(season, len(state.opened.weeks)):
        raise SeasonBroken(f"its weeks do not follow each other from {season} on: {', '.join(state.opened.weeks)}")
    try:
        check_season_settings(state.opened.settings)
    except InvalidForm as error:
        raise SeasonBroken(f"its settings: {error}") from None
    return record, state


def _weeks_from(season: str, count: int) -> tuple[str, ...]:
    """Return so many weeks from the first one of a season on; at least this one. Raises SeasonBroken."""
    try:
        first = dates.week_number(dates.week_begins(season))
        weeks = [dates.week_name(first + number) for number in range(max(1, count) + 1)]
    except (ValueError, OverflowError):
        raise SeasonBroken(f"{season!r} is no week, or its season ends after the year 9999") from None
    return tuple(weeks[:-1])


def _find_irregular(state: SeasonState, played: Collection[str], version: str) -> Iterator[str]:
    """Yield what a server never writes of a season of the house.

    `played` are those who have a run of one of its days, struck or not, or entered one of its evenings. `version` is
    that of the scoring.
    """
    if state.closed is not None and state.closed.version != version:
        yield f"the version of its table: written {state.closed.version!r}, derived {version!r}"
    if state.closed_at is not None and state.closed_at < closes_at(state.opened.weeks[-1]):
        yield "it was closed earlier than 24 hours after its last week"
    for player in sorted(state.first_weeks):
        yield f"not all weeks count for {player}, and it is not the season of a group"
    named = Counter(member.player for division in state.divisions for member in division)
    for player in sorted(player for player, count in named.items() if count > 1):
        yield f"{player} is a member twice"
    for player in sorted({member.player for member in state.joined} - {*played}):
        yield f"{player} has joined, and has played nothing"
    for player in sorted({*state.left} - named.keys()):
        yield f"{player} has left, and was no member"


def _read_days(state: SeasonState, folder: Path, faults: dict[str, str], played: set[str]) -> Iterator[Session]:
    """Yield the sessions of the days in a folder, and add who played them.

    The wrong files go to `faults`, each with the reason.
    """
    assert state.closed is not None
    for week in state.opened.weeks:
        rows: list[EntryRow] = []
        for number in range(7):
            day = dates.add_days(dates.first_day(week), number)
            if not (folder / day_record.file_name(day)).is_file():
                continue
            try:
                found = recompute(day, folder)
            except DayBroken as error:
                faults[day_record.file_name(day)] = str(error)
                continue
            faults |= found.faults
            if differ := [board.board for board in found.boards if not board.agrees]:
                faults[day_record.file_name(day)] = f"its boards do not follow from the records: {', '.join(differ)}"
            rows += [*found.counted, *found.struck]
        people = [row for row in rows if not ids.is_bot(row.player)]
        played.update(row.player for row in people)
        yield from score_week(week, people, state.closed.struck)


def _read_evenings(state: SeasonState, folder: Path, faults: dict[str, str], played: set[str]) -> Iterator[Session]:
    """Yield the sessions of the evenings of the server in a folder, and add who entered them."""
    assert state.closed is not None
    assert state.closed_at is not None
    for file in sorted(folder.glob(evening_record.file_name("*"))):
        try:
            found = recompute_evening(evening_record.verify_evening(file.read_bytes()).record.evening, folder, Trust())
        except (EveningBroken, NotAttested) as error:
            faults[file.name] = str(error)
            continue
        evening = found.evening.state
        week, at = dates.week_name(dates.week_number(evening.rounds[0].opens_at)), evening.finalised_at
        is_of_house = evening.entry == "all" and evening.plan.group is None
        if not is_of_house or week not in state.opened.weeks or at is None:
            continue
        if at > state.closed_at:
            faults[file.name] = "the season was closed before this evening was final"
            continue
        faults |= found.faults
        if not found.agrees and not found.faults:
            faults[file.name] = "its standing does not follow from its runs"
        if evening.is_by_matchpoints:
            played.update(evening.entrants)
            struck = [Struck(run.run, 0) for run in found.runs if run.run in state.closed.struck]
            form = form_of(evening, found.runs, struck, at)
            if shares := read_shares(form, score_evening(replace(form, struck=struck))):
                yield Session(f"{KEY}-{evening.id}", week, shares)


class _Last(NamedTuple):
    """The season before: its id, and the divisions with which it closed."""

    id: str
    closed_with: tuple[tuple[str, ...], ...]


def _find_last(state: SeasonState, folder: Path) -> _Last | None:
    """Return the season before, if its record is in the folder. Raises SeasonBroken."""
    for file in folder.glob(file_name("*")):
        season = file.stem.removeprefix("season-")
        if season >= state.id or not ID.fullmatch(season):
            continue
        last = _verify(file.read_bytes(), season)[1]
        after = dates.week_name(dates.week_number(dates.week_begins(last.opened.weeks[-1])) + 1)
        if last.closed is not None and after == state.id:
            return _Last(season, last.closed.next)
    return None


def _find_not_shown(state: SeasonState, folder: Path, is_first: bool) -> Iterator[str]:
    """Yield what a season says that follows from no record in the folder; `is_first` is whether it has none before."""
    assert state.closed is not None
    if is_first and any(state.opened.divisions):
        yield "who was a member at its opening: no record of the season before is here"
    if state.closed.struck:
        yield f"that these runs were struck, which the log has to say: {', '.join(state.closed.struck)}"
    first = dates.first_day(state.opened.weeks[0])
    days = [dates.add_days(first, number) for number in range(7 * len(state.opened.weeks))]
    if missing := [day for day in days if not (folder / day_record.file_name(day)).is_file()]:
        yield f"that nothing was played on these days, of which no record is here: {', '.join(missing)}"
