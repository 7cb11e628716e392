"""The audit of a game: whether a record is consistent with its rules and its commitment, offline.

It checks that the secret matches the commitment, deals the cards again from secret and nonce, checks the hash chain,
and replays every command: the result of `game_state.decide` must equal the recorded events.

Anybody who knows the rules can write a consistent record. `not_proven` lists what a consistent record does not prove;
`cadogan.server.subjects.audit.attestation` checks whether the host's log contains it, and
`cadogan.server.subjects.audit.stored_records` compares it with copies of the same game.
"""

import re
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from cadogan import engine
from cadogan.engine.solver import SOLVER_VERSIONS
from cadogan.server.core import dates
from cadogan.server.core.errors import RefusalError
from cadogan.server.core.eventlog import hash_chain
from cadogan.server.core.eventlog.event_store import NewEvent
from cadogan.server.core.eventlog.events import (
    ChallengeSpoiled,
    Event,
    GameDealt,
    GameFinished,
    MovePlayed,
    MoveTakenBack,
    UnreadableEvent,
    Winnable,
    canonical_json,
    decode_event,
    encode_event,
)
from cadogan.server.core.eventlog.streams import game_stream
from cadogan.server.core.fairness import commit_reveal
from cadogan.server.core.fairness.certificates import WINNABLE_BUDGET, check_winnable
from cadogan.server.core.fairness.commit_reveal import (
    COMPETITION_DIGITS,
    MAX_CANDIDATES,
    NONCE_DIGITS,
    beacon_digits,
    chain_name,
    is_genuine,
    round_at,
    round_digest,
)
from cadogan.server.core.games import game_state
from cadogan.server.core.games.competition_rules import RulesRegistry, UnknownCompetition
from cadogan.server.core.games.game_state import Command, GameState, Step
from cadogan.server.core.untrusted_input import UnreadableJson, read_json
from cadogan.server.subjects.known_rules import known_rules
from cadogan.wire.beacon import SignedRound
from cadogan.wire.bodies import Record, RecordedEvent
from cadogan.wire.messages import Play, TakeBack

_GAME_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


class Verdict(NamedTuple):
    """The result of an audit, and the reason.

    `broken_at` is the version of the first event that fails; 0 if the record's head is wrong. For a consistent record,
    `hashes` are the hashes of its events, and `finished` is whether it includes the end of the game. `beacon` is the
    beacon round that determines its cards together with the secret, if any. `winnable` says which candidate was dealt
    of a deal that is said to be winnable, which `search_again` checks.
    """

    consistent: bool
    reason: str
    broken_at: int | None = None
    game: str = ""
    hashes: tuple[str, ...] = ()
    finished: bool = False
    beacon: SignedRound | None = None
    winnable: Winnable | None = None


NOT_PROVEN = {
    "player": "who played: the record names a player by id, and nobody stands for it",
    "times": "when it was played: the times are what the host's clock said, or what somebody wrote",
    "kept": "that the host has this record: compare it with an export or a backup (--against)",
    "winnable": "that a search wins these cards, and no candidate before them: --resolve searches again",
    "end": "that the game stopped here: the record has no end, and may have been cut",
    "alone": "that nobody helped, or knew the cards: docs/fairness.md says what is left",
}
"""What a consistent record does not prove, by a stable key."""
NOT_PROVEN_ATTESTED = NOT_PROVEN | {
    "player": "who played: the host says which player it was, by id, and no player has signed anything",
    "times": "when it was played: the times are what the host's clock said",
}
"""The same for an attested record, up to the last attested event."""


def not_proven(
    verdict: Verdict, stored: int | None = None, *, attested: bool = False, searched: bool = False
) -> list[str]:
    """Return the keys of `NOT_PROVEN` that apply to this record.

    `stored` is the number of events of a copy with which the record was compared, if any. `attested` is
    whether the host's log covers the whole record, `searched` whether `search_again` has confirmed the candidate.
    """
    settled = {"kept"} if attested or stored == len(verdict.hashes) else set()
    if searched or verdict.winnable is None:
        settled.add("winnable")
    if verdict.finished or attested:
        settled.add("end")
    return [key for key in NOT_PROVEN if key not in settled]


class _Broken(Exception):
    """The record is refuted at the event of this version; 0 for its head."""

    def __init__(self, version: int, reason: str) -> None:
        super().__init__(reason)
        self.version = version


def read_record(text: bytes) -> Record:
    """Parse the untrusted content of a record file. Raises UnreadableJson."""
    try:
        return msgspec.convert(read_json(text), Record)
    except msgspec.ValidationError as error:
        raise UnreadableJson(str(error)) from None


def verify(text: bytes, competitions: RulesRegistry | None = None) -> Verdict:
    """Check whether the record in this file content is consistent. Never raises, whatever the content is.

    `competitions` are those that the game may belong to; by default all that this version knows.
    """
    try:
        record = read_record(text)
    except UnreadableJson as error:
        return Verdict(False, f"this is not a record: {error}", 0)
    try:
        last = _replay(record, competitions or known_rules())
    except _Broken as broken:
        return Verdict(False, str(broken), broken.version)
    hashes = tuple([event.hash for event in record.events])
    return Verdict(True, _summary(last), None, record.game, hashes, last.over, record.beacon, last.dealt.winnable)


def search_again(record: Record) -> bool:
    """Search the candidates of a consistent record's winnable deal again, which takes some seconds.

    Return whether the search was repeated: it needs the same version of the solver, and a budget that a server gives.
    Raises CertificateBroken if it wins another candidate first, or none.
    """
    first = record.events[0]
    dealt = decode_event(first.type, first.schema, canonical_json(first.data))
    if not isinstance(dealt, GameDealt) or dealt.winnable is None:
        return False
    if dealt.winnable.solver not in SOLVER_VERSIONS or dealt.winnable.budget > WINNABLE_BUDGET:
        return False
    check_winnable(dealt, bytes.fromhex(record.secret))
    return True


def _summary(last: GameState) -> str:
    end = f"{last.finished.result} with score {last.finished.score}" if last.finished else "no end"
    return f"{last.rules.name}, {last.moves} moves, {end}: deal, moves, effects and hashes are as the rules give them"


def _replay(record: Record, competitions: RulesRegistry) -> GameState:
    secret = _check_header(record)
    expected: list[Step] = []
    last: GameState | None = None
    before = hash_chain.START_HASH
    for place, entry in enumerate(record.events, 1):
        event, written = _check_chain(record, entry, place, before)
        if not expected:
            if last is None:
                expected = _check_deal(record, event, secret, written, competitions)
            else:
                expected = _decide(last, event, written)
        step = expected.pop(0)
        _compare(step, event, written)
        last, before = step.after, written.hash
    if last is None:
        raise _Broken(0, "the record has no events")
    if expected:
        raise _Broken(last.version + 1, f"the record ends before {expected[0].sealed.type}, which follows by itself")
    return last


def _check_header(record: Record) -> bytes:
    secret = bytes.fromhex(record.secret)
    if len(secret) != commit_reveal.SECRET_BYTES:
        raise _Broken(0, f"the secret has {len(secret)} bytes, not {commit_reveal.SECRET_BYTES}")
    if commit_reveal.commitment(secret) != record.commitment:
        raise _Broken(0, "the secret does not fit the commitment")
    if not _GAME_ID.fullmatch(record.game):
        raise _Broken(0, f"{record.game!r} is not the id of a game")
    if record.stream != game_stream(record.game):
        raise _Broken(0, f"{record.stream!r} is not the stream of game {record.game!r}")
    if record.beacon is not None:
        _check_signature(record.beacon, record.nonce)
    return secret


def _check_signature(beacon: SignedRound, nonce: str) -> None:
    """Check a beacon round's signature, and that the nonce contains the digits of its digest."""
    if not is_genuine(beacon):
        chain = chain_name(beacon.chain)
        raise _Broken(0, f"this is not the signature of round {beacon.round} by the beacon {chain}")
    digits = beacon_digits(nonce)
    if digits not in (round_digest(beacon)[:NONCE_DIGITS], round_digest(beacon)[:COMPETITION_DIGITS]):
        raise _Broken(0, f"the nonce does not have the digest of round {beacon.round}")


def _check_round(beacon: SignedRound | None, dealt: GameDealt, is_drawn: bool) -> None:
    """Check that the cards were dealt with the beacon round at which their day began.

    Of another competition its own record says which round that was.
    """
    if not is_drawn:
        if beacon is not None:
            raise _Broken(1, "there is a round of the beacon, and the cards of this deal do not follow from it")
        return
    if beacon is None:
        raise _Broken(1, "the cards follow from a round of the beacon, which the record does not have")
    if dealt.day is None:
        return
    expected = round_at(beacon.chain, dates.day_times(dealt.day, 0).opens_at)
    if beacon.round != expected.round:
        why = f"the day began with round {expected.round} of the beacon {chain_name(beacon.chain)}"
        raise _Broken(1, f"{why}, not with {beacon.round}")


def _check_chain(record: Record, entry: RecordedEvent, place: int, before: bytes) -> tuple[Event, NewEvent]:
    if entry.version != place:
        raise _Broken(place, f"event {place} says that it is version {entry.version}")
    data = canonical_json(entry.data)
    digest = hash_chain.event_hash(before, record.stream, place, entry.type, entry.schema, data, entry.recorded_at)
    if digest.hex() != entry.hash:
        raise _Broken(place, f"the hash of event {place} does not fit what it says and what came before it")
    try:
        event = decode_event(entry.type, entry.schema, data)
    except UnreadableEvent as error:
        raise _Broken(place, str(error)) from None
    if encode_event(event) != (entry.type, entry.schema, data):
        raise _Broken(place, f"the data of this {entry.type} has keys that such an event does not have")
    return event, NewEvent(place, entry.type, entry.schema, data, entry.recorded_at, digest)


def _check_deal(
    record: Record, event: Event, secret: bytes, written: NewEvent, competitions: RulesRegistry
) -> list[Step]:
    if not isinstance(event, GameDealt):
        raise _Broken(1, f"a game begins with its deal, not with {written.type}")
    if (event.nonce, event.commitment) != (record.nonce, record.commitment):
        raise _Broken(1, "the deal's nonce and commitment are not the record's")
    try:
        fault = _find_other_kind(event) or competitions.rules_of(event).find_fault(event)
    except UnknownCompetition as error:
        raise _Broken(1, str(error)) from None
    if fault is not None:
        raise _Broken(1, fault)
    if event.number is not None and competitions.rules_of(event).is_shared:
        raise _Broken(1, "only a casual game has the cards of a numbered deal")
    if event.winnable is not None:
        _check_winnable(event, competitions)
    _check_round(record.beacon, event, competitions.rules_of(event).draws_from_beacon(event))
    try:
        game = engine.game(event.game)
    except engine.UnknownGame as error:
        raise _Broken(1, str(error)) from None
    if game.rules_version != event.rules_version:
        why = f"it was played by version {event.rules_version} of the rules, this program has {game.rules_version}"
        raise _Broken(1, why)
    try:
        state = game.deal(commit_reveal.game_seed(event.game, event.nonce, event.winnable, secret), event.number)
    except engine.UnknownDeal as error:
        raise _Broken(1, str(error)) from None
    if event.piles != game.write_piles(state) or event.counters != game.write_counters(state):
        source = "the secret and the nonce deal" if event.number is None else f"the deal number {event.number} has"
        raise _Broken(1, f"these are not the cards that {source}")
    return game_state.deal(record.game, event, secret, written.recorded_at, competitions)


def _find_other_kind(dealt: GameDealt) -> str | None:
    """Return what a deal says that only games of another kind have, as text; None if there is nothing."""
    if (dealt.slot is None) != (dealt.day is None):
        return "a deal of a day has a slot, and no other one has"
    if dealt.ranked and dealt.day is None and dealt.race is None:
        return "only a game of a day or of a race is ranked"
    if [dealt.day, dealt.race, dealt.competition].count(None) < 2:
        return "a game is of a day, of a race or of another competition, and of one of these only"
    if dealt.competition is None and dealt.about is not None:
        return "a game says what it is played for, and names no competition"
    return None


def _check_winnable(dealt: GameDealt, competitions: RulesRegistry) -> None:
    """Check that such a game can have the cards of a candidate, and that there is one with this number."""
    assert dealt.winnable is not None
    if competitions.rules_of(dealt).is_shared or dealt.number is not None:
        raise _Broken(1, "only a casual game without a number has the cards of a winnable deal")
    if not 0 <= dealt.winnable.candidate < MAX_CANDIDATES:
        raise _Broken(1, f"there is no candidate {dealt.winnable.candidate}")


def _decide(last: GameState, event: Event, written: NewEvent) -> list[Step]:
    command: Command
    match event:
        case MovePlayed(move):
            command = Play(id="audit", game=last.id, version=last.version, move=move)
        case MoveTakenBack():
            command = TakeBack(id="audit", game=last.id, version=last.version)
        case GameFinished("out_of_time") if steps := game_state.end_on_time(last, written.recorded_at):
            return steps
        case GameFinished("out_of_time") if steps := game_state.end_idle(last, written.recorded_at):
            return steps
        case ChallengeSpoiled() if last.ranked and not last.over:
            return [game_state.spoil(last, written.recorded_at)]
        case GameFinished("resigned") if not last.over:  # earlier versions recorded a stuck game as resigned, too
            return game_state.resign(last, written.recorded_at)
        case GameFinished("lost") if steps := game_state.end_at_dead_end(last):
            return steps
        case _:
            raise _Broken(written.version, f"{written.type} does not follow here")
    try:
        return game_state.decide(last, command, written.recorded_at)
    except RefusalError as refusal:
        raise _Broken(written.version, f"the rules do not allow event {written.version}: {refusal.message}") from None


def _of_earlier_version(event: Event) -> Event:
    """Return the event as written by earlier versions, in which runs without an own move counted, too."""
    return replace(event, counts=True) if isinstance(event, GameFinished) and event.result == "resigned" else event


def _compare(step: Step, event: Event, written: NewEvent) -> None:
    if event not in (step.event, _of_earlier_version(step.event)):
        ours, _, data = encode_event(step.event)
        why = f"event {written.version} says {written.type} {written.data}, the rules give {ours} {data}"
        raise _Broken(written.version, why)
    if step.sealed.recorded_at != written.recorded_at:
        raise _Broken(written.version, f"the time of event {written.version} runs backwards")
