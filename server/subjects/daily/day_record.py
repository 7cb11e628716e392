"""The record of a closed day: its announcement, secret, certificates and board digests, with their hash chain.

It is exported as one file next to the records of the games. `cadogan recompute` compares the boards derived from those
games with these digests.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

import msgspec

from cadogan.engine.errors import EngineError
from cadogan.server.core import dates
from cadogan.server.core.eventlog import hash_chain
from cadogan.server.core.eventlog.event_store import require_contiguous
from cadogan.server.core.eventlog.events import (
    DailyAnnounced,
    DailyClosed,
    DailyDrawn,
    DailyOpened,
    Event,
    UnreadableEvent,
    canonical_json,
    decode_event,
    encode_event,
)
from cadogan.server.core.eventlog.streams import day_stream
from cadogan.server.core.fairness import commit_reveal
from cadogan.server.core.fairness.certificates import (
    CertificateBroken,
    certificate_seal,
    check_certificate,
    search_certified,
)
from cadogan.server.core.fairness.commit_reveal import (
    chain_name,
    daily_deal_id,
    daily_nonce,
    is_genuine,
    round_at,
    round_digest,
    signed_at,
)
from cadogan.server.core.games.game_record import recorded_event
from cadogan.server.core.games.game_state import Recorded
from cadogan.server.core.untrusted_input import UnreadableJson, read_json
from cadogan.wire.beacon import SignedRound
from cadogan.wire.bodies import DayRecord

FORMAT: Literal["cadogan day 1"] = "cadogan day 1"
_DIGEST = re.compile(r"[0-9a-f]{64}")
"""A secret, or a digest of a board: 32 bytes in lower-case hex."""
_LATE_MILLISECONDS = dates.MILLISECONDS_PER_DAY
"""A close so long after the end of the day is late: a grace period has at most half a day."""


class VerifiedDay(NamedTuple):
    """The verified content of a day's record: the announcement, and the data published when the day closed.

    `beacon` is the round that, with the secret, determines the cards. It is None if the secret alone determines them,
    also if `announced` has a round and the beacon was unavailable for too long. `late` are the moments that were late:
    ``announced`` if the day had begun by then, ``closed`` if it came more than a day after the end of the day.
    """

    day: str
    announced: DailyAnnounced
    closed: DailyClosed
    beacon: SignedRound | None = None
    late: tuple[str, ...] = ()

    @property
    def deals(self) -> list[str]:
        """The ids of the day's deals."""
        return [one.deal for one in self.announced.deals]

    @property
    def round_digest(self) -> str | None:
        """The digest of the beacon round (`beacon`)."""
        return None if self.beacon is None else round_digest(self.beacon)

    def nonce(self, deal: str) -> str:
        """Return the nonce for the cards of a deal: that of the certified candidate, or of the first one."""
        certified = {one.deal: one.candidate for one in self.closed.certificates}
        return daily_nonce(deal, certified.get(deal, 0), self.round_digest)


class DayBroken(Exception):
    """A day's record is broken. The message says why."""


def file_name(day: str) -> str:
    """Return the name of a day's file among exported records."""
    return f"day-{day}.json"


def build_day_record(
    day: str, events: Sequence[Recorded], proof: str | None = None, announcement: str | None = None
) -> DayRecord | None:
    """Return the record of a day from all its events; None if the day is not closed. Raises StreamIncomplete.

    `proof` and `announcement` are the proofs that its close and its announcement are in the transparency log.
    """
    require_contiguous(day_stream(day), 0, events)
    if not events or events[-1].type != "daily_closed":
        return None
    return DayRecord(
        format=FORMAT,
        day=day,
        proof=proof,
        announcement=announcement,
        events=[recorded_event(event) for event in events],
    )


def is_day_record(text: bytes) -> bool:
    """Return whether the content of a file claims to be the record of a day."""
    try:
        record = read_json(text)
    except UnreadableJson:
        return False
    return isinstance(record, dict) and record.get("format") == FORMAT


def parse_day_record(text: bytes) -> DayRecord:
    """Parse the record of a day, unverified. Raises DayBroken."""
    try:
        return msgspec.convert(read_json(text), DayRecord)
    except (UnreadableJson, msgspec.ValidationError) as error:
        raise DayBroken(f"this is not the record of a day: {error}") from None


def verify_day(text: bytes, day: str | None = None) -> VerifiedDay:
    """Verify the record of a day, which must be `day` if that is given. Raises DayBroken."""
    record = parse_day_record(text)
    if day not in (None, record.day):
        raise DayBroken(f"it is the record of {record.day}")
    opened = DailyOpened()
    drawn: DailyDrawn | None = None
    match _read_events(record):
        case [DailyAnnounced() as announced, DailyClosed() as closed]:
            pass
        case [DailyAnnounced(beacon=msgspec.UNSET) as announced, DailyOpened() as opened, DailyClosed() as closed]:
            pass
        case [DailyAnnounced() as announced, DailyDrawn() as drawn, DailyClosed() as closed]:
            pass
        case [DailyAnnounced() as announced, DailyDrawn() as drawn, DailyOpened() as opened, DailyClosed() as closed]:
            pass
        case _:
            raise DayBroken("it does not hold the events from the announcement of the day to its close")
    names = [daily_deal_id(record.day, one.slot) for one in announced.deals]
    if announced.day != record.day or [one.deal for one in announced.deals] != names:
        raise DayBroken("the announcement is that of another day")
    if len({*names}) < len(names):
        raise DayBroken("the announcement names a deal twice")
    late = _check_times(record)
    secret = bytes.fromhex(closed.secret) if _DIGEST.fullmatch(closed.secret) else b""
    if commit_reveal.commitment(secret) != announced.commitment:
        raise DayBroken("the secret does not fit the commitment")
    for board, digest in closed.boards.items():
        if not _DIGEST.fullmatch(digest):
            raise DayBroken(f"the digest of the board {board} does not have 64 lower-case hex digits")
    beacon = _check_beacon(record, announced, drawn)
    verified = VerifiedDay(record.day, announced, closed, beacon, late)
    _check_certificates(verified, opened.certificates, secret)
    return verified


def _check_times(record: DayRecord) -> tuple[str, ...]:
    """Check that the events have times at which a server may write them, in order; return which moments were late."""
    if not dates.is_valid(record.day):
        raise DayBroken(f"{record.day!r} is not a day")
    opens_at, ends_at, _ = dates.day_times(record.day, 0)
    before = 0
    for event in record.events:
        at, name = event.recorded_at, event.type
        if at < before:
            raise DayBroken(f"the time of {name} is before that of the event before it")
        if name == "daily_closed" and at < ends_at:
            raise DayBroken("it was closed before its end")
        if name != "daily_closed" and at >= ends_at:
            raise DayBroken(f"the time of {name} is after the end of the day")
        if name in ("daily_drawn", "daily_opened") and at < opens_at:
            raise DayBroken(f"the time of {name} is before the beginning of the day")
        before = at
    is_late = {"announced": record.events[0].recorded_at > opens_at, "closed": before > ends_at + _LATE_MILLISECONDS}
    return tuple(moment for moment, late in is_late.items() if late)


def _check_beacon(record: DayRecord, announced: DailyAnnounced, drawn: DailyDrawn | None) -> SignedRound | None:
    """Return the beacon round that determines the cards; None if the secret alone determines them."""
    promised = announced.beacon
    if promised is msgspec.UNSET:
        if drawn is not None:
            raise DayBroken("it has the signature of a round of a beacon, and no round was announced")
        return None
    chain = chain_name(promised.chain)
    if promised != round_at(promised.chain, dates.day_times(record.day, 0).opens_at):
        raise DayBroken(f"round {promised.round} of the beacon {chain} is not the one at which the day begins")
    if record.events[0].recorded_at >= signed_at(promised):
        raise DayBroken(f"it was announced when round {promised.round} of the beacon {chain} was known")
    if drawn is None or drawn.signature is None:
        return None
    signed = SignedRound(chain=promised.chain, round=promised.round, signature=drawn.signature)
    if not is_genuine(signed):
        raise DayBroken(f"this is not the signature of round {promised.round} by the beacon {chain}")
    return signed


def _read_events(record: DayRecord) -> list[Event]:
    """Return the events of a record, after checking their hash chain."""
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
        if data != (expected if one.schema == schema else _in_first_schema(one.type, expected)):
            raise DayBroken(f"the data of this {one.type} has keys that such an event does not have")
        events.append(event)
    return events


_FIRST_FIELDS = {
    "daily_announced": ("day", "commitment", "deals"),
    "daily_opened": (),
    "daily_closed": ("secret", "boards"),
}
"""The fields of events in their first schema, for those that have another one; its deals had no `search`."""


def _in_first_schema(name: str, data: str) -> str:
    """Return the data of an event, given in the newest schema, as the first one has it."""
    newest = msgspec.json.decode(data)
    first = {field: newest[field] for field in _FIRST_FIELDS[name]}
    for deal in first.get("deals", ()):
        del deal["search"]
    return canonical_json(first)


def _check_certificates(day: VerifiedDay, seals: Mapping[str, str], secret: bytes) -> None:
    """Check that the certificates committed to when the day began were published at its close, and are valid."""
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
            check_certificate(deal, secret, certificate, day.round_digest)
        except (CertificateBroken, EngineError) as error:
            raise DayBroken(f"the certificate of {certificate.deal}: {error}") from None


def search_again(day: VerifiedDay) -> Iterator[tuple[str, str, bool]]:
    """Repeat the search of every certified deal; yield its id, the result, and whether the certificate is wrong.

    It takes as long as certifying the day took.
    """
    secret = bytes.fromhex(day.closed.secret)
    certificates = {one.deal: one for one in day.closed.certificates}
    for deal in day.announced.deals:
        if deal.search is None or deal.deal not in certificates:
            continue
        yield search_certified(deal, secret, certificates[deal.deal], day.round_digest)
