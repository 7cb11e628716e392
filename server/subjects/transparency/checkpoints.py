"""Checkpoints of a log, proofs that an entry is in it, and how the key of a host names the next one.

Checkpoints of a log, and inclusion proofs, in the formats C2SP `tlog-checkpoint` and `tlog-proof`.

A checkpoint is a note whose text has the origin of the log, its number of entries, and its root hash.

>>> checkpoint = Checkpoint("club.example/log", 3, bytes(32))
>>> print(checkpoint.text)
club.example/log
3
AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=
<BLANKLINE>
>>> read_checkpoint(checkpoint.text) == checkpoint
True

Key rotations: how one host key names the next one, and which trees each key may sign.

A rotation is a note, and an entry of the log. Its text has four lines: a title, the number of its entry, the old key
and the new key, both with the same name. Both keys sign it, so a client that trusts one of them can trust the other.
The old key signs trees without this entry, the new key signs trees with it.

>>> from cadogan.server.subjects.transparency.notes import draw_key
>>> old, new = draw_key("club.example/log"), draw_key("club.example/log")
>>> rotation = sign_rotation(57, old, new)
>>> read_rotation(rotation.note.as_text()) == rotation
True
>>> [(span.key == key.verifier(), span.after, span.until) for key, span in zip((old, new), spans_of([rotation]))]
[(True, -1, 57), (True, 57, None)]
"""

import re
from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from cadogan.server.subjects.transparency.notes import (
    LOG,
    BadKey,
    BadNote,
    Note,
    SigningKey,
    VerifierKey,
    read_note,
    sign_note,
    sign_text,
)
from cadogan.server.subjects.transparency.tree import (
    HASH_BYTES,
    NotInTree,
    Tile,
    consistency_parts,
    part_hash,
    require_consistency,
    require_inclusion,
    tiles_under,
)

MAX_ENTRIES = 2**62
MAX_PROOF_HASHES = 63
_FIRST_LINE = "c2sp.org/tlog-proof@v1"
_EXTRA = "extra "
_NUMBER = re.compile(r"0|[1-9][0-9]{0,18}")


class Checkpoint(NamedTuple):
    """A state of a log: its origin, its number of entries, and its root hash."""

    origin: str
    size: int
    root: bytes

    @property
    def text(self) -> str:
        """The text of the note."""
        return f"{self.origin}\n{self.size}\n{write_hash(self.root)}\n"


def read_checkpoint(text: str) -> Checkpoint:
    """Parse a checkpoint from the text of a note; lines after the third one are ignored. Raises BadNote."""
    lines = text.split("\n")
    if len(lines) < 4 or not all(lines[:-1]):
        raise BadNote("a checkpoint has three lines: origin, size and root")
    return Checkpoint(lines[0], read_number(lines[1]), read_hash(lines[2]))


def read_number(text: str) -> int:
    """Parse a number of entries. Raises BadNote."""
    if not _NUMBER.fullmatch(text) or int(text) > MAX_ENTRIES:
        raise BadNote(f"{text[:30]!r} is not a number of entries")
    return int(text)


def write_hash(digest: bytes) -> str:
    """Return a hash in base64."""
    return b64encode(digest).decode()


def read_hash(text: str) -> bytes:
    """Parse a hash from a line of base64. Raises BadNote."""
    try:
        digest = b64decode(text, validate=True)
    except (NotBase64, ValueError):
        raise BadNote("a hash is not base64") from None
    if len(digest) != HASH_BYTES or write_hash(digest) != text:
        raise BadNote("a hash is not 32 bytes in base64")
    return digest


def read_hashes(lines: Iterable[str]) -> list[bytes]:
    """Parse the hashes of a proof. Raises BadNote, also if there are more than a proof can have."""
    hashes = [read_hash(line) for line in lines]
    if len(hashes) > MAX_PROOF_HASHES:
        raise BadNote(f"a proof has at most {MAX_PROOF_HASHES} hashes")
    return hashes


@dataclass(frozen=True)
class EntryProof:
    """A proof that a log contains an entry: the entry's number, the audit path of hashes, and the checkpoint.

    `extra` has the rotations of the host key, if any (`cadogan.server.subjects.transparency.checkpoints`).
    """

    index: int
    hashes: Sequence[bytes]
    note: Note
    extra: str = ""

    def as_text(self) -> str:
        """Return the proof as it is stored and sent."""
        extra = [f"{_EXTRA}{self.extra}"] if self.extra else []
        lines = [_FIRST_LINE, *extra, f"index {self.index}", *map(write_hash, self.hashes), ""]
        return "\n".join(lines) + "\n" + self.note.as_text()

    def checkpoint(self) -> Checkpoint:
        """Return the checkpoint. Its signatures are not checked. Raises BadNote."""
        return read_checkpoint(self.note.text)

    def require_entry(self, leaf: bytes) -> None:
        """Check that the tree contains the entry with this leaf hash. Raises BadNote and NotInTree."""
        checkpoint = self.checkpoint()
        require_inclusion(leaf, self.index, checkpoint.size, checkpoint.root, self.hashes)


def read_proof(text: str) -> EntryProof:
    """Parse a proof without checking it. Raises BadNote."""
    head, separator, note = text.partition("\n\n")
    first, *rest = head.split("\n")
    if not separator or first != _FIRST_LINE:
        raise BadNote(f"a proof begins with {_FIRST_LINE}")
    extra = rest.pop(0).removeprefix(_EXTRA) if rest and rest[0].startswith(_EXTRA) else ""
    if not rest or not rest[0].startswith("index "):
        raise BadNote("a proof names the index of its entry")
    hashes = tuple(read_hashes(rest[1:]))
    return EntryProof(read_number(rest[0].removeprefix("index ")), hashes, read_note(note), extra)


MAX_ROTATIONS = 1000
_ROTATION_FIRST_LINE = "cadogan key rotation 1"
_LINES = 7
"""How many lines a rotation has: four of text, an empty one, and two signatures."""


class Rotation(NamedTuple):
    """A rotation that both keys have signed. `number` is the number of its entry in the log."""

    number: int
    old: VerifierKey
    new: VerifierKey
    note: Note


class KeySpan(NamedTuple):
    """A key and the trees that it may sign: more than `after` and at most `until` entries; None: no upper limit."""

    key: VerifierKey
    after: int = -1
    until: int | None = None

    def may_sign(self, size: int) -> bool:
        """Return whether the key may sign a tree of this size."""
        return self.after < size and (self.until is None or size <= self.until)


def sign_rotation(number: int, old: SigningKey, new: SigningKey) -> Rotation:
    """Return the rotation from one key to another, for the entry with this number."""
    text = f"{_ROTATION_FIRST_LINE}\n{number}\n{old.verifier().text}\n{new.verifier().text}\n"
    note = sign_note(text, old).with_signatures([sign_text(text, new)])
    return Rotation(number, old.verifier(), new.verifier(), note)


def read_rotation(text: str) -> Rotation:
    """Parse a rotation and check its signatures. Raises BadNote."""
    note = read_note(text)
    lines = note.text.split("\n")
    if len(lines) != 5 or lines[0] != _ROTATION_FIRST_LINE or len(note.signatures) != 2:
        raise BadNote("it is not a note in which one key names the next one")
    try:
        old, new = VerifierKey.read(lines[2]), VerifierKey.read(lines[3])
    except BadKey as error:
        raise BadNote(f"a rotation names what is no key: {error}") from None
    if (old.name, old.kind, new.kind) != (new.name, LOG, LOG) or old.id == new.id or [old.text, new.text] != lines[2:4]:
        raise BadNote("a rotation is from one key of a log to another one of the same name")
    for key in (old, new):
        note.require_signature(key)
    return Rotation(read_number(lines[1]), old, new, note)


def read_rotations(texts: Sequence[str]) -> tuple[Rotation, ...]:
    """Parse rotations in order, from the first key of a log. Raises BadNote if one does not continue the one before."""
    if len(texts) > MAX_ROTATIONS:
        raise BadNote(f"there are more than {MAX_ROTATIONS} rotations")
    found = tuple(map(read_rotation, texts))
    for before, after in pairwise(found):
        if before.new != after.old or before.number >= after.number:
            raise BadNote(f"the rotation at entry {after.number + 1} does not follow from the one before it")
    return found


def pack_rotations(rotations: Iterable[Rotation]) -> str:
    """Encode rotations for the `extra` line of a proof: their notes, concatenated, in base64."""
    return b64encode("".join(rotation.note.as_text() for rotation in rotations).encode()).decode()


def unpack_rotations(packed: str) -> tuple[Rotation, ...]:
    """Decode the rotations in the `extra` line of a proof. Raises BadNote."""
    try:
        raw = b64decode(packed, validate=True)
        lines = raw.decode().split("\n")
    except (NotBase64, ValueError):
        raise BadNote("the rotations of a proof are not base64") from None
    if b64encode(raw).decode() != packed or lines.pop() or len(lines) % _LINES:
        raise BadNote("the rotations of a proof are not whole notes")
    return read_rotations(["\n".join([*lines[at : at + _LINES], ""]) for at in range(0, len(lines), _LINES)])


def join_rotations(one: Sequence[Rotation], other: Sequence[Rotation]) -> Sequence[Rotation]:
    """Return the longer of two histories of one log's keys. Raises BadNote if they contradict each other."""
    shorter, longer = sorted((one, other), key=len)
    if [rotation[:3] for rotation in longer[: len(shorter)]] != [rotation[:3] for rotation in shorter]:
        raise BadNote("its keys are not those that the host names: one key has named two others")
    return longer


def spans_of(rotations: Sequence[Rotation]) -> list[KeySpan]:
    """Return every key of these rotations, in order, with the trees that it may sign."""
    if not rotations:
        return []
    keys = [rotations[0].old, *(rotation.new for rotation in rotations)]
    starts = [-1, *(rotation.number for rotation in rotations)]
    ends = [*(rotation.number for rotation in rotations), None]
    return [KeySpan(*span) for span in zip(keys, starts, ends, strict=True)]


def trusted_spans(trusted: Collection[VerifierKey], rotations: Sequence[Rotation]) -> list[KeySpan]:
    """Return the trusted keys, and the keys from and to which these were rotated."""
    chain = spans_of(rotations)
    known = [span.key for span in chain]
    alone = [KeySpan(key) for key in trusted if key not in known]
    return [*chain, *alone] if any(key in known for key in trusted) else alone


ReadTile = Callable[[Tile, int], Awaitable[bytes]]
"""Returns a tile of the log as its server has it, for a tree of this size."""


class Undecided(Exception):
    """The two checkpoints cannot be compared. The message says why."""


class Contradiction(Exception):
    """No log has both trees. The message says why."""


async def compare_checkpoints(one: Checkpoint, other: Checkpoint, read: ReadTile | None) -> str:
    """Return how two checkpoints agree: by equal roots, or by a consistency proof.

    Two trees of the same size agree if they have the same root. Of two sizes, the proof that the larger tree begins
    with the smaller one is computed from the tiles of the log. Raises Contradiction or Undecided.
    """
    old, new = sorted((one, other), key=lambda checkpoint: checkpoint.size)
    if old.origin != new.origin:
        raise Undecided(f"they are of two logs: {old.origin} and {new.origin}")
    if old.size == new.size:
        if old.root != new.root:
            raise Contradiction(f"two different trees of {old.size} entries are signed")
        return f"both are the tree of {old.size} entries"
    if old.size == 0:
        return f"a log of {new.size} entries, and the empty log before it"
    if read is None:
        raise Undecided(f"trees of {old.size} and {new.size} entries: the tiles of the log are needed, name its server")
    parts = consistency_parts(old.size, new.size)
    tiles = {tile: await read(tile, new.size) for tile in tiles_under(parts)}
    try:
        proof = [part_hash(part, tiles.__getitem__) for part in parts]
        require_consistency(old.size, old.root, new.size, new.root, proof)
    except (NotInTree, ValueError, IndexError) as error:
        begins = f"the tree of {new.size} entries begins with that of {old.size}"
        raise Contradiction(f"the tiles of the server do not prove that {begins}: {error}") from None
    return f"the tree of {new.size} entries begins with that of {old.size}"
