"""The record of an evening that is over: all events of its stream with their hash chain, and its standing. Pure.

The record shows that the deals were fixed before they were dealt, what the leader decided and when, and which digest
was written down. The standing follows from the records of the games, each of which is a file of its own:
`cadogan.server.subjects.audit.recompute_evening` derives it.

    EveningBroken      a record that is broken; the message says where and why
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from cadogan.engine.errors import EngineError
from cadogan.server.core import ids
from cadogan.server.core.eventlog import hash_chain
from cadogan.server.core.eventlog.event_store import require_contiguous
from cadogan.server.core.eventlog.events import (
    CompetitionEvent,
    UnreadableEvent,
    canonical_json,
    decode_event,
    encode_event,
    register_events,
)
from cadogan.server.core.fairness import commit_reveal
from cadogan.server.core.fairness.certificates import (
    CertificateBroken,
    certificate_seal,
    check_certificate,
    search_certified,
)
from cadogan.server.core.fairness.commit_reveal import chain_name, is_genuine, signed_at
from cadogan.server.core.games.game_record import recorded_event
from cadogan.server.core.games.game_state import Recorded
from cadogan.server.core.scoring.forms import Evening
from cadogan.server.core.untrusted_input import UnreadableJson, read_json
from cadogan.server.subjects.evenings import evening_events
from cadogan.server.subjects.evenings.cards.evening_cards import expected_beacon, to_search
from cadogan.server.subjects.evenings.evening_events import KEY
from cadogan.server.subjects.evenings.evening_rules import about_of, evening_stream
from cadogan.server.subjects.evenings.evening_state import EveningState
from cadogan.wire.bodies import RecordedEvent
from cadogan.wire.evening_standings import EveningRecord

FORMAT: Literal["cadogan evening record 1"] = "cadogan evening record 1"
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_SECRET = re.compile(r"[0-9a-f]{64}")
_BY_CLOCK = (
    evening_events.EntryOpened,
    evening_events.Drawn,
    evening_events.RoundOpened,
    evening_events.RoundClosed,
    evening_events.ArenaOpened,
    evening_events.ArenaClosed,
    evening_events.Ended,
    evening_events.FinalistsNamed,
    evening_events.Finalised,
)
"""The events that only the clock writes, as of the time for which they were due."""
_BY_LEADERS = (
    evening_events.Extended,
    evening_events.RoundVoided,
    evening_events.OutageNoted,
    evening_events.ObjectionAnswered,
    evening_events.Thawed,
)
"""The decisions that are never made in a match by who plays in it."""


class EveningBroken(Exception):
    """The record of an evening is broken. The message says where and why."""


class VerifiedEvening(NamedTuple):
    """A record that is consistent with its seals, and the evening at its last event."""

    record: EveningRecord
    state: EveningState


def file_name(evening: str) -> str:
    """Return the name of an evening's file among exported records."""
    return f"evening-{evening}.record.json"


def build_evening_record(
    evening: str,
    events: Sequence[Recorded],
    form: Evening,
    standing: Mapping[str, Any],
    proof: str | None = None,
    announcement: str | None = None,
) -> EveningRecord:
    """Return the record of an evening: all its events, and the standing of its form. Raises StreamIncomplete.

    `proof` and `announcement` are the proofs that its end and its announcement are in the transparency log.
    """
    require_contiguous(evening_stream(evening), 0, events)
    return EveningRecord(
        format=FORMAT,
        evening=evening,
        proof=proof,
        announcement=announcement,
        events=[recorded_event(event) for event in events],
        runs=[one.run for one in form.runs],
        standing={**standing},
    )


def is_evening_record(text: bytes) -> bool:
    """Return whether the content of a file claims to be the record of an evening."""
    try:
        record = read_json(text)
    except UnreadableJson:
        return False
    return isinstance(record, dict) and record.get("format") == FORMAT


def verify_evening(text: bytes, evening: str | None = None) -> VerifiedEvening:
    """Verify the record of an evening, which must be `evening` if that is given. Raises EveningBroken."""
    try:
        record = msgspec.convert(read_json(text), EveningRecord)
    except (UnreadableJson, msgspec.ValidationError) as error:
        raise EveningBroken(f"this is not the record of an evening: {error}") from None
    register_events(KEY, evening_events.EVENTS)  # where no server runs, nobody else has done this
    if not _ID.fullmatch(record.evening) or evening not in (None, record.evening):
        raise EveningBroken(f"it is the record of {record.evening!r}")
    state = EveningState(stream=evening_stream(record.evening))
    for place, one in enumerate(record.events, 1):
        try:
            state = _follow(state, one, place)
        except (EveningBroken, UnreadableEvent, IndexError, KeyError, ValueError) as error:
            raise EveningBroken(f"event {place}, {one.type}: {error}") from None
    if not state.is_over:
        raise EveningBroken("it does not hold the events of an evening from its announcement to its end")
    return VerifiedEvening(record, state)


def _follow(state: EveningState, one: RecordedEvent, place: int) -> EveningState:
    """Return the evening after the next event of a record, which is checked."""
    data = canonical_json(one.data)
    digest = hash_chain.event_hash(state.head, state.stream, place, one.type, one.schema, data, one.recorded_at)
    if (one.version, one.hash) != (place, digest.hex()):
        raise EveningBroken("its hash does not fit what it says and what came before it")
    event = decode_event(one.type, one.schema, data)
    if not isinstance(event, CompetitionEvent) or encode_event(event)[2] != data:
        raise EveningBroken("it is no event of an evening, or its data has keys that such an event does not have")
    if one.recorded_at < state.changed_at:
        raise EveningBroken("its time is before that of the event before it")
    if isinstance(event, evening_events.Announced) != (place == 1):
        raise EveningBroken("an evening begins with its announcement, and has one")
    if isinstance(event, evening_events.Corrected) != state.is_over or (place > 1 and state.voided is not None):
        raise EveningBroken("only corrections follow the final standing, and nothing follows a void evening")
    if isinstance(event, evening_events.ObjectionRaised) and (
        state.ended_at is None or event.player not in state.entrants
    ):
        raise EveningBroken("only entrants object, and only while the standing is provisional")
    if isinstance(event, evening_events.Joined | evening_events.TeamAssigned) and not (
        event.team is None or event.team in state.team_names
    ):
        raise EveningBroken(f"the evening has no team {event.team!r}")
    number = getattr(event, "round", None)
    if number is not None and state.round(number) is None:
        raise EveningBroken(f"there is no round {number}")
    _check_decision(state, event, one.recorded_at)
    if isinstance(event, _BY_CLOCK):
        _check_clock(state, event, one.recorded_at)
    after = state.follow(hash_chain.chain_event(state.head, state.stream, place, event, one.recorded_at))
    _check_deals(after, state.secrets)
    if isinstance(event, evening_events.Announced):
        _check_beacon(event, one.recorded_at)
    if isinstance(event, evening_events.Drawn) and after.signed is not None and not is_genuine(after.signed):
        chain = chain_name(after.signed.chain)
        raise EveningBroken(f"this is not the signature of round {after.signed.round} by the beacon {chain}")
    for number in sorted((after.secrets.keys() - state.secrets.keys()) | (after.seals.keys() - state.seals.keys())):
        _check_certificate(after, number)
    return after


def _check_beacon(announced: evening_events.Announced, at: int) -> None:
    """Check that the beacon round is the one required by the rules, and was not published before the announcement."""
    promised = announced.beacon
    if promised is None:
        return
    if promised != expected_beacon(announced):
        raise EveningBroken(f"round {promised.round} of the beacon is not the one from which its cards should follow")
    if at >= signed_at(promised):
        raise EveningBroken(f"it was announced when round {promised.round} of the beacon was known")


def _check_certificate(state: EveningState, number: int) -> None:
    """Check the seal of a round that has opened, and once its secret is known, its certificate."""
    one, seal, found = state.rounds[number - 1], state.seals.get(number), state.certificates.get(number)
    if seal is not None and one.search is None:
        raise EveningBroken(f"no certificate of round {number} was announced")
    if number not in state.secrets:
        return
    if seal is None or found is None:
        if seal is not None or found is not None:
            raise EveningBroken(f"round {number} has a seal without a certificate, or a certificate without a seal")
        return
    secret = bytes.fromhex(state.secrets[number])
    if found.deal != one.deal or certificate_seal(secret, found) != seal:
        raise EveningBroken(f"the certificate of round {number} does not fit its seal")
    try:
        check_certificate(to_search(one), secret, found, state.round_digest)
    except (CertificateBroken, EngineError) as error:
        raise EveningBroken(f"the certificate of round {number}: {error}") from None


def search_again(state: EveningState) -> Iterator[tuple[str, str, bool]]:
    """Repeat the search of every certified deal; yield its id, the result, and whether the certificate is wrong.

    It takes as long as certifying the evening took.
    """
    for number, certificate in sorted(state.certificates.items()):
        deal, secret = to_search(state.rounds[number - 1]), bytes.fromhex(state.secrets[number])
        yield search_certified(deal, secret, certificate, state.round_digest)


def _check_decision(state: EveningState, event: CompetitionEvent, at: int) -> None:
    """Check that the actions of entrants and leaders were allowed at their time."""
    match event:
        case evening_events.Joined(player=player) if _is_for_others(state, player):
            raise EveningBroken(f"{player} has no place in this match")
        case evening_events.Joined() if state.ended_at is not None:
            raise EveningBroken("nobody enters an evening that has ended")
        case evening_events.Joined(player, kind) if (kind == "bot") != ids.is_bot(player):
            raise EveningBroken(f"{player} is no {kind}")
        case evening_events.Left(player) | evening_events.TeamAssigned(player=player) if player not in state.entrants:
            raise EveningBroken(f"{player} had not entered")
        case evening_events.Changed() if state.opened:
            raise EveningBroken("an evening that has begun does not change")
        case evening_events.RoundShortened(number) if state.match is None or not _is_open(state, number, at):
            raise EveningBroken("only the open round of a match is shortened")
        case evening_events.Extended(number) if not _is_open(state, number, at):
            raise EveningBroken("only the open round is extended")
        case evening_events.Extended(seconds=seconds) if seconds < 1:
            raise EveningBroken("a round that is extended closes later")
        case evening_events.Voided(by=str(by)) if state.opened and state.is_player_of_match(by):
            raise EveningBroken(f"{by} plays in this match, which has begun")
        case _ if isinstance(event, _BY_LEADERS) and state.is_player_of_match(event.by or ""):
            raise EveningBroken(f"{event.by} plays in this match, and decides nothing in it")
        case evening_events.RoundVoided(number) if number > state.opened:
            raise EveningBroken(f"round {number} had not begun")
        case evening_events.SeriesEnded() if not state.repeats:
            raise EveningBroken("it is not in a series, or this has ended")
        case evening_events.Voided(reason="no_opponent", by=None) if not state.waits_for_opponent:
            raise EveningBroken("it is no match that waited for an opponent")
        case evening_events.Voided(by=None) if at != max(state.due_at or at, state.changed_at):
            raise EveningBroken("the clock writes it when it is due, and this is another time")


def _is_for_others(state: EveningState, player: str) -> bool:
    """Return whether an evening is a match that is for others than this player, who has not entered before."""
    if state.match is None or player in state.entrants or player == state.plan.leader:
        return False
    return state.match.opponent not in (None, player) or not state.waits_for_opponent


def _is_open(state: EveningState, number: int, at: int) -> bool:
    coming = state.open_round
    return coming is not None and coming.round == number and at < coming.closes_at


def _check_clock(state: EveningState, event: CompetitionEvent, at: int) -> None:
    """Check that an event written by the clock was the one due at its time."""
    match event:
        case evening_events.Drawn():
            is_next = state.plan.beacon is not None and state.drawn is None
        case evening_events.ArenaOpened():
            is_drawn = state.plan.beacon is None or state.drawn is not None
            is_next = state.is_arena and state.opened == 0 and is_drawn
        case evening_events.ArenaClosed(secrets=secrets):
            is_next = state.phase == "round" and {*secrets} == {str(one.round) for one in state.rounds}
        case evening_events.RoundOpened() | evening_events.RoundClosed() if state.is_arena:
            is_next = False
        case evening_events.RoundOpened(round=number):
            is_drawn = state.plan.beacon is None or state.drawn is not None
            is_next = number == state.opened + 1 == state.closed + 1 and is_drawn
            is_next = is_next and (state.finalists is not None or not _is_final(state, number))
        case evening_events.RoundClosed(round=number):
            is_next = number == state.opened == state.closed + 1
        case evening_events.Ended():
            is_next = state.ended_at is None and state.closed == len(state.rounds)
        case evening_events.Finalised():
            is_next = state.ended_at is not None and not state.is_over
        case evening_events.FinalistsNamed():
            is_first_time = state.finalists is None and not state.is_arena
            is_next = is_first_time and state.opened == state.closed and _is_final(state, state.closed + 1)
        case _:
            is_next = not state.is_over
    if not is_next:
        raise EveningBroken("it does not follow here")
    due = state.changed_at if isinstance(event, evening_events.Ended) else state.due_at
    if due is None or at != max(due, state.changed_at):
        raise EveningBroken("the clock writes it when it is due, and this is another time")


def _is_final(state: EveningState, number: int) -> bool:
    coming = state.round(number)
    return coming is not None and coming.stage == "final"


def _check_deals(state: EveningState, known: Mapping[int, str]) -> None:
    """Check the deals that are new in a state: their names when they are announced, their secrets when these are."""
    for one in state.rounds if state.version == 1 else ():
        if one.deal != commit_reveal.competition_deal_id(KEY, about_of(state.id, one.round)):
            raise EveningBroken(f"the deal {one.deal!r} is not that of round {one.round}")
    for number, secret in state.secrets.items():
        one = state.rounds[number - 1]
        held = bytes.fromhex(secret) if _SECRET.fullmatch(secret) else b""
        if number not in known and commit_reveal.commitment(held) != one.commitment:
            raise EveningBroken(f"the secret of round {number} does not fit its commitment")
