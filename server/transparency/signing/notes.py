"""Signed notes, as C2SP `signed-note` describes them: a text, an empty line, and a line for each signature.

    BadNote     a text that is not a note, or an invalid signature

>>> from cadogan.server.transparency.signing.keys import draw_key
>>> key = draw_key("club.example/log")
>>> note = sign_note("a text\\n", key)
>>> note.require_signature(key.verifier())
>>> read_note(note.as_text()) == note
True
"""

from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple

from cadogan.server.transparency.signing.keys import LOG, WITNESS, SigningKey, VerifierKey

MAX_NOTE_CHARACTERS = 64 * 1024
_LINE_START = "\N{EM DASH} "


class BadNote(ValueError):
    """A text that is not a signed note, or a note without a required signature. The message says why."""


class Signature(NamedTuple):
    """A signature line of a note: the name and the id of a key, and the signature bytes."""

    name: str
    id: bytes
    value: bytes

    def line(self) -> str:
        """Return the line, without its newline."""
        return f"{_LINE_START}{self.name} {b64encode(self.id + self.value).decode()}"


@dataclass(frozen=True)
class Note:
    """A text that ends with a newline, and its signatures."""

    text: str
    signatures: tuple[Signature, ...]

    def as_text(self) -> str:
        """Return the note as stored and sent."""
        return "".join([self.text, "\n", *(f"{signature.line()}\n" for signature in self.signatures)])

    def signatures_by(self, key: VerifierKey) -> list[Signature]:
        """Return the signatures that claim to be by this key. They are not checked."""
        return [one for one in self.signatures if (one.name, one.id) == (key.name, key.id)]

    def is_signed_by(self, key: VerifierKey) -> bool:
        """Return whether the key has signed the note. Raises BadNote for an invalid signature."""
        found = self.signatures_by(key)
        for signature in found:
            if not has_signed(key, signature, self.text):
                raise BadNote(f"the signature of {key.name} does not fit the text")
        return bool(found)

    def require_signature(self, key: VerifierKey) -> None:
        """Check that the key has signed the note. Raises BadNote."""
        if not self.is_signed_by(key):
            raise BadNote(f"it is not signed by the key {key.name}+{key.id.hex()}")

    def with_signatures(self, signatures: Collection[Signature]) -> "Note":
        """Return the note with these signatures added; each replaces an earlier one by the same key."""
        by_key = {(one.name, one.id): one for one in [*self.signatures, *signatures]}
        return Note(self.text, tuple(by_key.values()))


def has_signed(key: VerifierKey, signature: Signature, text: str) -> bool:
    """Return whether this is a valid signature of the text by this key."""
    if key.kind == LOG:
        return key.has_signed(signature.value, text.encode())
    time, value = signature.value[:8], signature.value[8:]
    return len(time) == 8 and key.has_signed(value, _cosigned(int.from_bytes(time), text))


def cosigned_at(signature: Signature) -> int:
    """Return the time at which a witness claims to have seen the checkpoint, in seconds since 1970."""
    return int.from_bytes(signature.value[:8])


def sign_note(text: str, key: SigningKey) -> Note:
    """Return the text as a note signed by this key. Raises BadNote for a text that a note cannot have."""
    _require_text(text)
    return Note(text, (sign_text(text, key),))


def sign_text(text: str, key: SigningKey) -> Signature:
    """Return a key's signature of the text of a note."""
    return Signature(key.name, key.verifier(LOG).id, key.sign(text.encode()))


def cosign(text: str, key: SigningKey, at_seconds: int) -> Signature:
    """Return a witness's signature of the text of a checkpoint, seen at this time in seconds since 1970."""
    value = at_seconds.to_bytes(8) + key.sign(_cosigned(at_seconds, text))
    return Signature(key.name, key.verifier(WITNESS).id, value)


def read_note(text: str) -> Note:
    """Parse a note. Its signatures are not checked. Raises BadNote."""
    if len(text) > MAX_NOTE_CHARACTERS:
        raise BadNote(f"it is longer than {MAX_NOTE_CHARACTERS} characters")
    body, separator, lines = text.rpartition("\n\n")
    if not separator or not lines.endswith("\n"):
        raise BadNote("a note ends with an empty line and lines with signatures")
    body += "\n"
    _require_text(body)
    return Note(body, tuple(read_signatures(lines)))


def read_signatures(lines: str) -> list[Signature]:
    """Parse signature lines, each with its newline. The signatures are not checked. Raises BadNote."""
    return [_read_signature(line) for line in lines.removesuffix("\n").split("\n")]


def _read_signature(line: str) -> Signature:
    name, space, encoded = line.removeprefix(_LINE_START).partition(" ")
    if not line.startswith(_LINE_START) or not name or not space or "+" in name:
        raise BadNote("a line under the text is not a signature")
    try:
        raw = b64decode(encoded, validate=True)
    except (NotBase64, ValueError):
        raise BadNote("a signature is not base64") from None
    if len(raw) <= 4 or b64encode(raw).decode() != encoded:
        raise BadNote("a signature is too short, or written in another way than it should be")
    return Signature(name, raw[:4], raw[4:])


def _require_text(text: str) -> None:
    if not text.endswith("\n") or any(character < " " and character != "\n" for character in text):
        raise BadNote("the text of a note ends with the end of a line, and has no control characters")


def _cosigned(at_seconds: int, text: str) -> bytes:
    return f"cosignature/v1\ntime {at_seconds}\n{text}".encode()
