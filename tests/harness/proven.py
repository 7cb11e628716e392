"""Proofs that entries are in the log of a host, which one witness has signed."""

from collections.abc import Sequence

from cadogan.server.subjects.audit.attestation import Trust
from cadogan.server.subjects.transparency.checkpoints import Checkpoint, EntryProof
from cadogan.server.subjects.transparency.notes import WITNESS, SigningKey, cosign, sign_note
from cadogan.server.subjects.transparency.tree import inclusion_parts, leaf_hash, tree_hash

KEY = SigningKey("club.example/log", bytes(range(32)))
FRIEND = SigningKey("friends.example/witness", bytes(31) + b"\1")
TRUST = Trust((KEY.verifier(),), (FRIEND.verifier(WITNESS),))
HOST = {"origin": KEY.name, "keys": [KEY.verifier().text], "witnesses": [FRIEND.verifier(WITNESS).text]}


def prove(entries: Sequence[bytes], index: int, seen_at: int, key: SigningKey = KEY) -> str:
    """The proof that a log of these entries has the one at `index`; the witness saw it at `seen_at`, in seconds."""
    leaves = [leaf_hash(entry) for entry in entries]
    note = sign_note(Checkpoint(key.name, len(leaves), tree_hash(leaves)).text, key)
    note = note.with_signatures([cosign(note.text, FRIEND, seen_at)])
    hashes = [tree_hash(leaves[low:high]) for low, high in inclusion_parts(index, len(leaves))]
    return EntryProof(index, hashes, note, "").as_text()
