"""Who stands for a record: whether the host's log has it, and which witnesses have seen that state of the log.

A consistent record shows that it follows from its rules and its seal, and anybody can write one. Its proof shows that a
host has it in the log that the host's key signs, and cannot take it back or change it without being noticed.

    NotAttested     a proof that is wrong; the text says how
"""

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from cadogan.server.transparency.checkpoints import Checkpoint, EntryProof, read_proof
from cadogan.server.transparency.leaves import Ended
from cadogan.server.transparency.signing.keys import LOG, WITNESS, BadKey, VerifierKey
from cadogan.server.transparency.signing.notes import BadNote, cosigned_at
from cadogan.server.transparency.signing.rotations import (
    Rotation,
    join_rotations,
    read_rotations,
    trusted_spans,
    unpack_rotations,
)
from cadogan.server.transparency.tree.merkle import NotInTree, leaf_hash
from cadogan.wire.bodies import Record


class NotAttested(Exception):
    """A proof that does not hold. The text says why."""


class Trust(NamedTuple):
    """The public keys that somebody trusts: those of hosts, and those of witnesses.

    `rotations` are those of the keys of one host, as they are known; the others' keys count only as far as a trusted
    one leads to them.
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

    `key` is the key of the host that has signed it: one that is trusted, or one that was rotated from or to such a key;
    None if no key of this log is trusted, and so nothing was shown. `witnesses` are those of the trusted ones that have
    signed the checkpoint.
    """

    origin: str
    number: int
    size: int
    version: int
    key: VerifierKey | None
    witnesses: tuple[Witness, ...]


def attest(record: Record, hashes: Sequence[str], trust: Trust) -> Attestation | None:
    """Return what the proof in a consistent record shows; None if it has none. `hashes` are those of its events.

    Raises NotAttested for a proof that does not hold.
    """
    if record.proof is None:
        return None
    try:
        proof = read_proof(record.proof)
        checkpoint = proof.checkpoint()
        version = _covered(record, hashes, proof)
        signed = _signers(proof, checkpoint, trust)
        seen = [
            Witness(key.name, cosigned_at(signature))
            for key in trust.witnesses
            if proof.note.is_signed_by(key)
            for signature in proof.note.signatures_by(key)
        ]
    except (BadNote, NotInTree) as error:
        raise NotAttested(f"its proof does not hold: {error}") from None
    key = signed[0] if signed else None
    return Attestation(checkpoint.origin, proof.index, checkpoint.size, version, key, tuple(seen) if signed else ())


def _signers(proof: EntryProof, checkpoint: Checkpoint, trust: Trust) -> list[VerifierKey]:
    """Return the host's keys that are trusted and have signed the checkpoint; none if no key of this log is trusted.

    Raises BadNote, and NotAttested if the keys that are trusted have not signed it, or may not have signed it.
    """
    ours = [one for one in trust.rotations if one.old.name == checkpoint.origin]
    theirs = unpack_rotations(proof.extra) if proof.extra else ()
    if any(one.old.name != checkpoint.origin for one in theirs):
        raise BadNote("its rotations are those of another log")
    hosts = [key for key in trust.hosts if key.name == checkpoint.origin]
    spans = trusted_spans(hosts, join_rotations(ours, theirs))
    signed = [span for span in spans if proof.note.is_signed_by(span.key)]
    if spans and not signed:
        raise NotAttested(f"the log's checkpoint is not signed by the key of {checkpoint.origin}")
    allowed = [span.key for span in signed if span.may_sign(checkpoint.size)]
    if signed and not allowed:
        late = signed[0].key.id.hex()
        raise NotAttested(f"the log's checkpoint is signed by the key {late}, which was rotated before or after this")
    return allowed


def _covered(record: Record, hashes: Sequence[str], proof: EntryProof) -> int:
    """Return the version of the last event that the entry covers: of a game without an end, perhaps not its last.

    Raises NotInTree.
    """
    problem = NotInTree("the record has no events")
    for version in range(len(hashes), 0, -1):
        entry = Ended.of(record.stream, version, bytes.fromhex(record.secret), bytes.fromhex(hashes[version - 1]))
        try:
            proof.require_entry(leaf_hash(entry.as_bytes()))
        except NotInTree as error:
            problem = error
        else:
            return version
    raise problem


def read_trust(texts: Collection[str]) -> Trust:
    """Return the keys in these texts, each of a host or of a witness. Raises BadKey."""
    keys = [VerifierKey.read(text) for text in texts]
    return Trust(tuple(key for key in keys if key.kind == LOG), tuple(key for key in keys if key.kind == WITNESS))


def read_host(host: Any) -> Trust:
    """Return the keys in what a server answers at `/.well-known/cadogan.json`. Raises BadKey.

    The host's keys are the current one and those from which it was rotated.
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
    """Return the keys that somebody trusts who was given some, and has what a host says of its keys.

    Of a log whose key was given, the host's keys count only as far as the given key leads to them. Raises BadKey if the
    host names a current key to which it does not lead.
    """
    pinned = {key.name for key in given.hosts}
    spans = trusted_spans(given.hosts, host.rotations)
    for key in host.hosts:
        if key.name in pinned and key not in [span.key for span in spans]:
            raise BadKey(f"{key.name} names the key {key.id.hex()}, which the key that you have given has not signed")
    hosts = [*given.hosts, *(key for key in host.hosts if key.name not in pinned)]
    return Trust(tuple(hosts), (*given.witnesses, *host.witnesses), host.rotations)
