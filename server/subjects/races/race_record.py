"""The record of a race that is over: all events of its stream, from its opening to its results, with their hash chain.

The record shows who was in the race, that its cards were fixed before they were dealt, and which results the server
wrote down. The results follow from the records of the games; each has a record of its own.

    RaceBroken      a record that is broken; the message says why
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

import msgspec

from cadogan.server.core.eventlog import hash_chain
from cadogan.server.core.eventlog.event_store import require_contiguous
from cadogan.server.core.eventlog.events import UnreadableEvent, canonical_json, decode_event, encode_event
from cadogan.server.core.eventlog.streams import race_stream
from cadogan.server.core.fairness import commit_reveal
from cadogan.server.core.games.game_record import recorded_event
from cadogan.server.core.games.game_state import Recorded
from cadogan.server.core.ranking import race_rank_key
from cadogan.server.core.untrusted_input import UnreadableJson, read_json
from cadogan.server.subjects.races import race_state
from cadogan.server.subjects.races.race_state import RaceState
from cadogan.wire.bodies import RaceRecord

FORMAT: Literal["cadogan race 1"] = "cadogan race 1"
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_SECRET = re.compile(r"[0-9a-f]{64}")
_ORDER = re.compile(
    r"match_opened (?:player_joined |player_left )*match_started match_finished(?: rematch_opened)?", re.ASCII
)


class RaceBroken(Exception):
    """The record of a race is broken. The message says why."""


def file_name(race: str) -> str:
    """Return the name of a race's file among exported records."""
    return f"race-{race}.json"


def build_race_record(race: str, events: Sequence[Recorded], proof: str | None = None) -> RaceRecord | None:
    """Return the record of a race from all its events; None if it is not over. Raises StreamIncomplete."""
    require_contiguous(race_stream(race), 0, events)
    if not any(event.type == "match_finished" for event in events):
        return None
    return RaceRecord(format=FORMAT, race=race, proof=proof, events=[recorded_event(event) for event in events])


def is_race_record(text: bytes) -> bool:
    """Return whether the content of a file claims to be the record of a race."""
    try:
        record = read_json(text)
    except UnreadableJson:
        return False
    return isinstance(record, dict) and record.get("format") == FORMAT


def parse_race_record(text: bytes) -> RaceRecord:
    """Parse the record of a race, unverified. Raises RaceBroken."""
    try:
        return msgspec.convert(read_json(text), RaceRecord)
    except (UnreadableJson, msgspec.ValidationError) as error:
        raise RaceBroken(f"this is not the record of a race: {error}") from None


def verify_race(text: bytes, race: str | None = None) -> RaceState:
    """Verify the record of a race, which must be `race` if that is given; return the race. Raises RaceBroken."""
    record = parse_race_record(text)
    if not _ID.fullmatch(record.race) or race not in (None, record.race):
        raise RaceBroken(f"it is the record of {record.race!r}")
    events = _check_chain(record)
    if not _ORDER.fullmatch(" ".join(event.type for event in record.events)):
        raise RaceBroken("it does not hold the events of a race from its opening to its results, in their order")
    if any(after.recorded_at < before.recorded_at for before, after in pairwise(record.events)):
        raise RaceBroken("the time of an event is before that of the event before it")
    found = _fold(record.race, events)
    _check_start(found, record)
    _check_end(found, record)
    return found


def _check_chain(record: RaceRecord) -> list[Recorded]:
    """Return the events of a record, after checking their hash chain."""
    before, stream = hash_chain.START_HASH, race_stream(record.race)
    found: list[Recorded] = []
    for place, one in enumerate(record.events, 1):
        data = canonical_json(one.data)
        before = hash_chain.event_hash(before, stream, place, one.type, one.schema, data, one.recorded_at)
        if (one.version, one.hash) != (place, before.hex()):
            raise RaceBroken(f"the hash of event {place} does not fit what it says and what came before it")
        try:
            event = decode_event(one.type, one.schema, data)
        except UnreadableEvent as error:
            raise RaceBroken(str(error)) from None
        if data != encode_event(event)[2]:
            raise RaceBroken(f"the data of this {one.type} has keys that such an event does not have")
        found.append(hash_chain.chain_event(b"", stream, place, event, one.recorded_at))
    return found


def _fold(race: str, events: Sequence[Recorded]) -> RaceState:
    """Return the race after these events; players join and leave only as they could."""
    state: RaceState | None = None
    for event in events:
        if state is not None and event.type in ("player_joined", "player_left"):
            player = msgspec.json.decode(event.data)["player"]
            others = [one for one in state.invited if one != player]
            if event.type == "player_joined":
                possible = player not in state.players and len(state.racers) + len(others) < state.opened.size
            else:
                possible = player in state.players or player in state.invited
            if not possible:
                raise RaceBroken(f"event {event.version}: {player} could not do this {event.type}")
        state = race_state.apply(state, race, event)
    assert state is not None
    return state


def _check_start(race: RaceState, record: RaceRecord) -> None:
    """Check that the cards follow from the secret and from the texts of all who took part."""
    opened, started = race.opened, race.started
    assert started is not None
    at = next(place for place, event in enumerate(record.events) if event.type == "match_started")
    if opened.deal != commit_reveal.race_deal_id(race.id):
        raise RaceBroken(f"the deal {opened.deal!r} is not that of this race")
    if len(race.racers) < race_state.MIN_RACERS:
        raise RaceBroken("it was started with fewer than two players")
    if started.nonce != commit_reveal.shared_nonce(racer.nonce for racer in race.racers):
        raise RaceBroken("the nonce of its cards does not follow from the texts of its players")
    if started.starts_at < record.events[at - 1].recorded_at + 1000 * opened.countdown:
        raise RaceBroken("it starts before its countdown is over")
    if record.events[at + 1].recorded_at < started.starts_at:
        raise RaceBroken("it was over before it started")


def _check_end(race: RaceState, record: RaceRecord) -> None:
    """Check the secret, and that the results are those of its players, in their order."""
    finished = race.finished
    assert finished is not None
    secret = bytes.fromhex(finished.secret) if _SECRET.fullmatch(finished.secret) else b""
    if commit_reveal.commitment(secret) != race.opened.commitment:
        raise RaceBroken("the secret does not fit the commitment")
    if sorted(result.player for result in finished.results) != sorted(race.players):
        raise RaceBroken("the results are not those of the players who took part")
    for result in finished.results:
        if result.game != race.game_of(result.player, secret):
            raise RaceBroken(f"the game {result.game} is not that of {result.player} in this race")
    keys = [race_rank_key(result) for result in finished.results]
    if keys != sorted(keys):
        raise RaceBroken("the results are not in their order")
    if race.rematch is not None and race.rematch != race_state.rematch_id(race.id, secret):
        raise RaceBroken(f"{race.rematch} is not the rematch of this race")
