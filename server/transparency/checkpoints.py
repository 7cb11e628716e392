"""Checkpoints of a log, and inclusion proofs, in the formats C2SP `tlog-checkpoint` and `tlog-proof`.

A checkpoint is a note whose text has the origin of the log, its number of entries, and its root hash.

>>> checkpoint = Checkpoint("club.example/log", 3, bytes(32))
>>> print(checkpoint.text)
club.example/log
3
AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=
<BLANKLINE>
>>> read_checkpoint(checkpoint.text) == checkpoint
True
"""

import re
from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cadogan.server.transparency.signing.notes import BadNote, Note, read_note
from cadogan.server.transparency.tree.merkle import HASH_BYTES, require_inclusion

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

    `extra` has the rotations of the host key, if any (`cadogan.server.transparency.signing.rotations`).
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
