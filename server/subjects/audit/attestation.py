"""Attestation of a record: whether the host's log contains it, and which witnesses have seen that state of the log.

A consistent record follows from its rules and its commitment, but anybody can write one. Its proof shows that a host
has it in a log signed with the host key, and cannot remove or change it unnoticed.

    NotAttested     an invalid proof; the message says why
"""

import json
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from cadogan.server.core import dates
from cadogan.server.core.eventlog.streams import day_stream
from cadogan.server.subjects.evenings.evening_rules import evening_stream
from cadogan.server.subjects.transparency.checkpoints import (
    Checkpoint,
    EntryProof,
    KeySpan,
    Rotation,
    join_rotations,
    read_proof,
    read_rotations,
    trusted_spans,
    unpack_rotations,
)
from cadogan.server.subjects.transparency.leaves import Announcement, DayEvent, Ended
from cadogan.server.subjects.transparency.notes import LOG, WITNESSES, BadKey, BadNote, Note, VerifierKey
from cadogan.server.subjects.transparency.tree import NotInTree, leaf_hash
from cadogan.wire.bodies import DayRecord, Record, RecordedEvent
from cadogan.wire.evening_standings import EveningRecord

_Covering = Ended | DayEvent | Announcement
CLOCKS_SECONDS = 60
"""So much may the clocks of a host and of its witnesses differ."""


class NotAttested(Exception):
    """A proof is invalid. The message says why."""


class Trust(NamedTuple):
    """The public keys that the caller trusts: those of hosts, and those of witnesses.

    `rotations` are the known rotations of one host's keys; untrusted keys count only if they are linked to a trusted
    key.
    """

    hosts: tuple[VerifierKey, ...] = ()
    witnesses: tuple[VerifierKey, ...] = ()
    rotations: tuple[Rotation, ...] = ()


class Witness(NamedTuple):
    """A witness that has signed the checkpoint, and when, in seconds since 1970."""

    name: str
    at_seconds: int


class Attestation(NamedTuple):
    """What a proof shows: the log, the entry's number, the tree's size, and the last event that the entry covers.

    `key` is the host key that signed: a trusted one, or one linked to a trusted key by rotations; None if no key of
    this log is trusted, so that nothing is proven. `witnesses` are the trusted witnesses that signed the checkpoint.
    `skipped` are those whose signatures the installed library cannot check (ML-DSA-44).
    """

    origin: str
    number: int
    size: int
    version: int
    key: VerifierKey | None
    witnesses: tuple[Witness, ...]
    skipped: tuple[str, ...] = ()


def attest(record: Record, hashes: Sequence[str], trust: Trust) -> Attestation | None:
    """Check the proof in a consistent record; None if it has none. `hashes` are the hashes of the record's events.

    Raises NotAttested for an invalid proof.
    """
    secret = bytes.fromhex(record.secret)
    ends = [
        (Ended.of(record.stream, version, secret, bytes.fromhex(one)), record.events[version - 1].recorded_at)
        for version, one in enumerate(hashes, 1)
    ]
    return _attest(record.proof, ends, trust)


def attest_events(stream: str, proof: str | None, events: Sequence[RecordedEvent], trust: Trust) -> Attestation | None:
    """Check the proof in the record of a day or a race, whose events are consistent; None if it has none.

    Raises NotAttested for an invalid proof.
    """
    ends = [(Ended.of(stream, one.version, b"", bytes.fromhex(one.hash)), one.recorded_at) for one in events]
    return _attest(proof, ends, trust)


def attest_announcement(record: DayRecord | EveningRecord, trust: Trust) -> Attestation | None:
    """Check the proof that the log has the announcement of a day or an evening; None if its record has none.

    The record is consistent. The witnesses of the result date the announcement. Raises NotAttested if the proof is
    invalid.
    """
    first = record.events[0]
    head = bytes.fromhex(first.hash)
    entry: DayEvent | Announcement = (
        DayEvent.of(
            day_stream(record.day), 1, first.type, first.recorded_at, head, commitment=str(first.data["commitment"])
        )
        if isinstance(record, DayRecord)
        else Announcement.of(evening_stream(record.evening), first.recorded_at, head)
    )
    return _attest(record.announcement, [(entry, first.recorded_at)], trust)


def _attest(text: str | None, entries: Sequence[tuple[_Covering, int]], trust: Trust) -> Attestation | None:
    """Check a proof of one of these entries, the last that fits; each comes with the time of its event."""
    if text is None:
        return None
    try:
        proof = read_proof(text)
        checkpoint = proof.checkpoint()
        entry, ended_at = _covered(entries, proof)
        signed = find_signers(proof.note, checkpoint, trust, proof.extra)
        seen = [
            Witness(key.name, at)
            for key in trust.witnesses
            if key.is_checkable and proof.note.is_signed_by(key)
            for at in proof.note.times_by(key)
        ]
        skipped = tuple(
            key.name for key in trust.witnesses if not key.is_checkable and proof.note.signatures_by(key) and signed
        )
    except (BadNote, NotInTree) as error:
        raise NotAttested(f"its proof does not hold: {error}") from None
    for witness in seen:
        if early := find_early(witness.at_seconds, ended_at):
            raise NotAttested(f"the witness {witness.name} {early}")
    key = signed[0] if signed else None
    witnesses = tuple(seen) if signed else ()
    return Attestation(checkpoint.origin, proof.index, checkpoint.size, entry.version, key, witnesses, skipped)


def find_early(at_seconds: int, recorded_at: int) -> str | None:
    """Return the fault if a witness signed at this time a log with a later event, or None.

    Then one of the two clocks was wrong, or one of the two parties lies.
    """
    if at_seconds + CLOCKS_SECONDS >= recorded_at // 1000:
        return None
    when, end = (dates.moment_text(min(at, dates.LAST_MOMENT)) for at in (1000 * at_seconds, recorded_at))
    return f"signed it at {when}, and it went on until {end}"


def find_spans(origin: str, trust: Trust, packed_rotations: str = "") -> list[KeySpan]:
    """Return the trusted keys of a log, with the trees that they may sign; these rotations are known besides.

    Raises BadNote if the rotations cannot be used.
    """
    ours = [one for one in trust.rotations if one.old.name == origin]
    theirs = unpack_rotations(packed_rotations) if packed_rotations else ()
    if any(one.old.name != origin for one in theirs):
        raise BadNote("its rotations are those of another log")
    return trusted_spans([key for key in trust.hosts if key.name == origin], join_rotations(ours, theirs))


def find_signers(note: Note, checkpoint: Checkpoint, trust: Trust, packed_rotations: str = "") -> list[VerifierKey]:
    """Return the trusted host keys that signed the checkpoint; empty if no key of this log is trusted.

    Raises BadNote, and NotAttested if the trusted keys did not sign it, or were not allowed to sign it.
    """
    spans = find_spans(checkpoint.origin, trust, packed_rotations)
    signed = [span for span in spans if note.is_signed_by(span.key)]
    if spans and not signed:
        raise NotAttested(f"the log's checkpoint is not signed by the key of {checkpoint.origin}")
    allowed = [span.key for span in signed if span.may_sign(checkpoint.size)]
    if signed and not allowed:
        late = signed[0].key.id.hex()
        raise NotAttested(f"the log's checkpoint is signed by the key {late}, which was rotated before or after this")
    return allowed


def _covered(entries: Sequence[tuple[_Covering, int]], proof: EntryProof) -> tuple[_Covering, int]:
    """Return the entry that the proof is about; an unfinished game may have later events than it covers.

    Raises NotInTree.
    """
    problem = NotInTree("the record has no events")
    for entry, at in reversed(entries):
        try:
            proof.require_entry(leaf_hash(entry.as_bytes()))
        except NotInTree as error:
            problem = error
        else:
            return entry, at
    raise problem


def read_trust(texts: Collection[str]) -> Trust:
    """Parse keys of hosts and of witnesses. Raises BadKey."""
    keys = [VerifierKey.read(text) for text in texts]
    return Trust(tuple(key for key in keys if key.kind == LOG), tuple(key for key in keys if key.kind in WITNESSES))


def parse_host(text: bytes) -> Trust:
    """Parse the bytes of a server's `/.well-known/cadogan.json`. Raises BadKey."""
    try:
        return read_host(json.loads(text))
    except BadKey:
        raise
    except (ValueError, RecursionError):
        raise BadKey("it is not the JSON that a server says at /.well-known/cadogan.json") from None


def read_host(host: Any) -> Trust:
    """Parse a server's `/.well-known/cadogan.json`. Raises BadKey.

    The host's keys are the current key and those from which it was rotated.
    """
    given = host if isinstance(host, dict) else {}
    keys, witnesses, rotations = given.get("keys"), given.get("witnesses", []), given.get("rotations", [])
    if not isinstance(keys, list) or not isinstance(witnesses, list) or not isinstance(rotations, list):
        raise BadKey("it is not what a server says at /.well-known/cadogan.json")
    named = read_trust([str(key) for key in [*keys, *witnesses]])
    try:
        return Trust(*named[:2], read_rotations([str(note) for note in rotations]))
    except BadNote as error:
        raise BadKey(f"its rotations cannot be used: {error}") from None


def join_trust(given: Trust, host: Trust) -> Trust:
    """Combine explicitly given keys with the keys that a host publishes.

    If a key of the host's log was given, the published keys count only if the given key leads to them. Raises BadKey if
    the current key is not linked to the given one.
    """
    pinned = {key.name for key in given.hosts}
    spans = trusted_spans(given.hosts, host.rotations)
    for key in host.hosts:
        if key.name in pinned and key not in [span.key for span in spans]:
            raise BadKey(f"{key.name} names the key {key.id.hex()}, which the key that you have given has not signed")
    hosts = [*given.hosts, *(key for key in host.hosts if key.name not in pinned)]
    return Trust(tuple(hosts), (*given.witnesses, *host.witnesses), host.rotations)
