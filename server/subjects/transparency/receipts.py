"""Receipts: the host's signed promise that the end of a game will be in its log by a named time.

A receipt is a note, signed with the key of the log under a name of its own: that of the log, and `/receipt`. Its text
has five lines: this name, the stream, the version of its last event, the digest of its entry (`Ended`), and when the
entry is due. It names the digest and not the hash of the event, with which guesses at hidden cards could be tested.

The text follows from the recorded end alone, so every node gives the same receipt, at any time.

    BadNote     a text that is no receipt; its signature may still be anybody's

>>> from cadogan.server.subjects.transparency.notes import SigningKey
>>> key = SigningKey("club.example/log", bytes(range(32)))
>>> receipt = Receipt.of(key.name, Ended("game/aaaabbbbccccdddd", 57, "ab" * 32), 1_763_640_000_000)
>>> print(receipt.text)
club.example/log/receipt
game/aaaabbbbccccdddd
57
abababababababababababababababababababababababababababababababab
2025-11-21T12:00:00Z
<BLANKLINE>
>>> note = sign_receipt(receipt, key)
>>> read_receipt(note.text) == receipt, note.is_signed_by(receipt_key(key.verifier()))
(True, True)
"""

import re
from datetime import UTC, datetime
from typing import NamedTuple

from cadogan.server.core import dates
from cadogan.server.subjects.transparency.leaves import Ended
from cadogan.server.subjects.transparency.notes import BadNote, Note, SigningKey, VerifierKey, sign_note

MAX_DELAY_MILLISECONDS = 24 * 60 * 60 * 1000
"""So long after its recorded end a game has its entry at the latest. It takes seconds, unless something is broken."""
_SUFFIX = "/receipt"
_STREAM = re.compile(r"[a-z][a-z0-9_]*/[A-Za-z0-9_-]{1,64}")
_VERSION = re.compile(r"[1-9][0-9]{0,8}")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_DUE = "%Y-%m-%dT%H:%M:%SZ"


class Receipt(NamedTuple):
    """A promise: the log `origin` will have this entry by `due_at`, in milliseconds since 1970 and a whole second."""

    origin: str
    entry: Ended
    due_at: int

    @classmethod
    def of(cls, origin: str, entry: Ended, ended_at: int) -> "Receipt":
        """Return the receipt for an entry of a stream whose last event was recorded at `ended_at`."""
        due_seconds = min(-(-(ended_at + MAX_DELAY_MILLISECONDS) // 1000), dates.LAST_MOMENT // 1000)
        return cls(origin, entry, due_seconds * 1000)

    @property
    def text(self) -> str:
        """The text of the note."""
        entry, due = self.entry, write_due(self.due_at)
        return f"{self.origin}{_SUFFIX}\n{entry.stream}\n{entry.version}\n{entry.digest}\n{due}\n"


def receipt_key(key: VerifierKey) -> VerifierKey:
    """Return the key of a log under the name with which it signs receipts."""
    return key._replace(name=key.name + _SUFFIX)


def sign_receipt(receipt: Receipt, key: SigningKey) -> Note:
    """Return the receipt as a note, signed with the key of the log."""
    return sign_note(receipt.text, SigningKey(key.name + _SUFFIX, key.secret))


def is_receipt(text: bytes) -> bool:
    """Return whether the bytes of a file are meant to be a receipt: the first line says so."""
    return text.partition(b"\n")[0].endswith(_SUFFIX.encode())


def read_receipt(text: str) -> Receipt:
    """Parse a receipt from the text of a note. Raises BadNote."""
    lines = text.split("\n")
    if len(lines) != 6 or not lines[0].endswith(_SUFFIX):
        raise BadNote("a receipt has five lines: the name of a log with /receipt, stream, version, digest and due time")
    name, stream, version, digest, due, _ = lines
    if not _STREAM.fullmatch(stream) or not _VERSION.fullmatch(version) or not _DIGEST.fullmatch(digest):
        raise BadNote("a receipt names a stream, the version of its last event, and 64 hex digits")
    receipt = Receipt(name.removesuffix(_SUFFIX), Ended(stream, int(version), digest), _read_due(due))
    if not receipt.origin or receipt.text != text:
        raise BadNote("a receipt is written in another way than it should be")
    return receipt


def write_due(due_at: int) -> str:
    """Return a time in milliseconds since 1970 as in a receipt."""
    return datetime.fromtimestamp(due_at // 1000, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _read_due(text: str) -> int:
    try:
        return int(datetime.strptime(text, _DUE).replace(tzinfo=UTC).timestamp()) * 1000
    except ValueError:
        raise BadNote(f"{text[:30]!r} is not a time like 2026-11-20T12:00:00Z") from None
