"""The record of a closed day: its announcement, secret, certificates and digests of boards, with their hash chain.

It is exported as one file beside the records of the games. `cadogan recompute` compares the boards that follow from
those games with these digests.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

import msgspec

from clients.wire.bodies import RecordedEvent
from engine.errors import EngineError
from engine.solver import SOLVER_VERSION
from server.audit.strict_json import UnreadableJson, read_json
from server.eventlog import hash_chain
from server.eventlog.event_store import require_contiguous
from server.eventlog.events import (
    DailyAnnounced,
    DailyClosed,
    DailyOpened,
    Event,
    UnreadableEvent,
    canonical_json,
    decode_event,
    encode_event,
)
from server.eventlog.streams import day_stream
from server.fairness import commit_reveal
from server.fairness.certificates import (
    CertificateBroken,
    can_be_searched,
    certificate_seal,
    check_certificate,
    check_earlier_candidates,
)
from server.fairness.deal_ids import daily_deal_id, daily_nonce
from server.games.game_record import recorded_event
from server.games.game_state import Recorded

FORMAT: Literal["cadogan day 1"] = "cadogan day 1"
_SECRET = re.compile(r"[0-9a-f]{64}")


class DayRecord(msgspec.Struct, frozen=True):
    """All events of a closed day, from the first one on."""

    format: Literal["cadogan day 1"]
    day: str
    events: list[RecordedEvent]


class VerifiedDay(NamedTuple):
    """What a verified record says of a day: what was announced, and what was published when the day closed."""

    day: str
    announced: DailyAnnounced
    closed: DailyClosed

    @property
    def deals(self) -> list[str]:
        """The ids of the day's deals."""
        return [one.deal for one in self.announced.deals]

    def nonce(self, deal: str) -> str:
        """Return the nonce of the cards of a deal: that of the certified candidate, or of the first one."""
        certified = {one.deal: one.candidate for one in self.closed.certificates}
        return daily_nonce(deal, certified.get(deal, 0))


class DayBroken(Exception):
    """A day's record that is broken. The text says why."""


def file_name(day: str) -> str:
    """Return the name of a day's file among exported records."""
    return f"day-{day}.json"


def build_day_record(day: str, events: Sequence[Recorded]) -> DayRecord | None:
    """Return the record of a day from all its events; None if the day is not closed. Raises StreamIncomplete."""
    require_contiguous(day_stream(day), 0, events)
    if not events or events[-1].type != "daily_closed":
        return None
    return DayRecord(FORMAT, day, [recorded_event(event) for event in events])


def is_day_record(text: bytes) -> bool:
    """Return whether these bytes of a file claim to be the record of a day."""
    try:
        record = read_json(text)
    except UnreadableJson:
        return False
    return isinstance(record, dict) and record.get("format") == FORMAT


def verify_day(text: bytes, day: str | None = None) -> VerifiedDay:
    """Verify the record in these bytes of a file, which must be that of `day` if it is given. Raises DayBroken."""
    try:
        record = msgspec.convert(read_json(text), DayRecord)
    except (UnreadableJson, msgspec.ValidationError) as error:
        raise DayBroken(f"this is not the record of a day: {error}") from None
    if day not in (None, record.day):
        raise DayBroken(f"it is the record of {record.day}")
    opened = DailyOpened()
    match _read_events(record):
        case [DailyAnnounced() as announced, DailyClosed() as closed]:
            pass
        case [DailyAnnounced() as announced, DailyOpened() as opened, DailyClosed() as closed]:
            pass
        case _:
            raise DayBroken("it does not hold the events from the announcement of the day to its close")
    names = [daily_deal_id(record.day, one.slot) for one in announced.deals]
    if announced.day != record.day or [one.deal for one in announced.deals] != names:
        raise DayBroken("the announcement is that of another day")
    secret = bytes.fromhex(closed.secret) if _SECRET.fullmatch(closed.secret) else b""
    if commit_reveal.commitment(secret) != announced.commitment:
        raise DayBroken("the secret does not fit the commitment")
    verified = VerifiedDay(record.day, announced, closed)
    _check_certificates(verified, opened.certificates, secret)
    return verified


def _read_events(record: DayRecord) -> list[Event]:
    """Return the events of a record, whose hash chain is right."""
    events: list[Event] = []
    before = hash_chain.START_HASH
    for place, one in enumerate(record.events, 1):
        data = canonical_json(one.data)
        stream = day_stream(record.day)
        before = hash_chain.event_hash(before, stream, place, one.type, one.schema, data, one.recorded_at)
        if (one.version, one.hash) != (place, before.hex()):
            raise DayBroken(f"the hash of event {place} does not fit what it says and what came before it")
        try:
            event = decode_event(one.type, one.schema, data)
        except UnreadableEvent as error:
            raise DayBroken(str(error)) from None
        _, schema, expected = encode_event(event)
        if one.schema == schema and data != expected:
            raise DayBroken(f"the data of this {one.type} has keys that such an event does not have")
        events.append(event)
    return events


def _check_certificates(day: VerifiedDay, seals: Mapping[str, str], secret: bytes) -> None:
    """Check that what was sealed when the day began was published at its close, and shows what it should."""
    published = [one.deal for one in day.closed.certificates]
    if sorted(published) != sorted(seals):
        raise DayBroken(f"the day began with the seals of {sorted(seals)}, and certificates of {published} followed")
    announced = {one.deal: one for one in day.announced.deals if one.search is not None}
    for certificate in day.closed.certificates:
        deal = announced.get(certificate.deal)
        if deal is None:
            raise DayBroken(f"no certificate of {certificate.deal} was announced")
        if certificate_seal(secret, certificate) != seals[certificate.deal]:
            raise DayBroken(f"the certificate of {certificate.deal} does not fit its seal")
        try:
            check_certificate(deal, secret, certificate)
        except (CertificateBroken, EngineError) as error:
            raise DayBroken(f"the certificate of {certificate.deal}: {error}") from None


def search_again(day: VerifiedDay) -> Iterator[tuple[str, str, bool]]:
    """Search the candidates of every certified deal again; yield its id, what was found, and whether that is wrong.

    It takes as long as it took to certify the day.
    """
    secret = bytes.fromhex(day.closed.secret)
    certificates = {one.deal: one for one in day.closed.certificates}
    for deal in day.announced.deals:
        if deal.search is None or deal.deal not in certificates:
            continue
        if not can_be_searched(deal):
            versions = f"version {deal.search.solver} of the solver, and this program has {SOLVER_VERSION}"
            yield deal.deal, f"not searched again: it was found by {versions}", False
            continue
        try:
            check_earlier_candidates(deal, secret, certificates[deal.deal])
        except CertificateBroken as error:
            yield deal.deal, str(error), True
        else:
            yield deal.deal, "the search finds the same candidate and the same line again", False
