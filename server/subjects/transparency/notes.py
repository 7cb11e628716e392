"""Signed notes and the keys that sign them, as C2SP `signed-note` describes them.

Keys that sign notes, in the text formats of C2SP `signed-note` and Go's `note` package: Ed25519, and for witnesses also
ML-DSA-44, which is only checked here and never used to sign.

A key has a name, which identifies its owner, and an id of four bytes, derived from name, kind and public key. One key
pair of Ed25519 serves as two keys: `LOG` signs the text of a note, `WITNESS` signs a checkpoint with a time.

    BadKey      a text that is not a key, or not a key of these kinds

>>> key = draw_key("club.example/log")
>>> VerifierKey.read(key.verifier().text) == key.verifier()
True
>>> SigningKey.read(key.text) == key
True

Signed notes, as C2SP `signed-note` describes them: a text, an empty line, and a line for each signature.

    BadNote     a text that is not a note, or an invalid signature

>>> from cadogan.server.subjects.transparency.notes import draw_key
>>> key = draw_key("club.example/log")
>>> note = sign_note("a text\\n", key)
>>> note.require_signature(key.verifier())
>>> read_note(note.as_text()) == note
True
"""

import os
import re
from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from collections.abc import Collection
from dataclasses import dataclass, field
from hashlib import sha256
from typing import NamedTuple, Self

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from cadogan.server.subjects.transparency import ml_dsa

LOG = 1
"""The kind of a key that signs the text of a note."""
WITNESS = 4
"""The kind of a key that signs a checkpoint together with the time at which it was seen (`tlog-cosignature`)."""
ML_DSA_WITNESS = 6
"""The kind of a key of a witness that signs by ML-DSA-44 (`tlog-cosignature`)."""
WITNESSES = (WITNESS, ML_DSA_WITNESS)
KEY_BYTES = 32
_LENGTHS = {LOG: KEY_BYTES, WITNESS: KEY_BYTES, ML_DSA_WITNESS: ml_dsa.PUBLIC_KEY_BYTES}
"""The bytes of a public key of each kind."""
_NAME = re.compile(r"[^\s+\x00-\x1f]+")
"""The names that Go's `note` package accepts: no Unicode white space, no plus, no control character."""
_SECRET = "PRIVATE+KEY"


class BadKey(ValueError):
    """A text that is not a key. The message never includes it, because it may be secret."""


def key_id(name: str, kind: int, public: bytes) -> bytes:
    """Return the id of a key, four bytes."""
    return sha256(name.encode() + b"\n" + bytes([kind]) + public).digest()[:4]


class VerifierKey(NamedTuple):
    """The public half of a key, for checking signatures."""

    name: str
    kind: int
    public: bytes

    @property
    def id(self) -> bytes:
        """The four bytes that identify the key in a signature."""
        return key_id(*self)

    @property
    def text(self) -> str:
        """The key as it is published, in one line."""
        return _write(self.name, self.id, self.kind, self.public)

    @classmethod
    def read(cls, text: str) -> Self:
        """Parse a key. Raises BadKey."""
        key = cls(*_read(text.strip()))
        if key.kind == ML_DSA_WITNESS:
            return key
        try:
            Ed25519PublicKey.from_public_bytes(key.public)
        except ValueError:
            raise BadKey("its bytes are no public key") from None
        return key

    @property
    def is_checkable(self) -> bool:
        """Whether signatures by this key can be checked here: those by ML-DSA-44 need a recent `cryptography`."""
        return self.kind != ML_DSA_WITNESS or ml_dsa.is_known()

    def has_signed(self, signature: bytes, message: bytes) -> bool:
        """Return whether these bytes are this key's signature of the message. The key must be checkable."""
        if self.kind == ML_DSA_WITNESS:
            return ml_dsa.has_signed(self.public, signature, message)
        try:
            Ed25519PublicKey.from_public_bytes(self.public).verify(signature, message)
        except (InvalidSignature, ValueError):
            return False
        return True


@dataclass(frozen=True)
class SigningKey:
    """The private half of a key, which creates signatures."""

    name: str
    secret: bytes = field(repr=False)

    @property
    def text(self) -> str:
        """The key as it is stored. It must stay secret."""
        return f"{_SECRET}+{_write(self.name, self.verifier().id, LOG, self.secret)}"

    @classmethod
    def read(cls, text: str) -> Self:
        """Parse a key. Raises BadKey."""
        if not text.startswith(f"{_SECRET}+"):
            raise BadKey(f"a secret key begins with {_SECRET}+")
        name, kind, secret = _read(text.strip().removeprefix(f"{_SECRET}+"), is_secret=True)
        key = cls(name, secret)
        if kind != LOG or key.text != text.strip():
            raise BadKey("its id does not fit it: a part of it is missing or was changed")
        return key

    def verifier(self, kind: int = LOG) -> VerifierKey:
        """Return the public half, as a key of this kind."""
        public = Ed25519PrivateKey.from_private_bytes(self.secret).public_key()
        return VerifierKey(self.name, kind, public.public_bytes_raw())

    def witness(self) -> "SigningKey":
        """Return the key with which the same host signs as a witness: another pair, derived from this one."""
        return SigningKey(f"{self.name}/witness", sha256(b"cadogan/witness key/1\0" + self.secret).digest())

    def sign(self, message: bytes) -> bytes:
        """Return the signature of a message, 64 bytes."""
        return Ed25519PrivateKey.from_private_bytes(self.secret).sign(message)


def draw_key(name: str) -> SigningKey:
    """Return a new random key with this name. Raises BadKey for an empty name, or one with spaces or `+`."""
    _require_name(name)
    return SigningKey(name, os.urandom(KEY_BYTES))


def _require_name(name: str) -> None:
    if not _NAME.fullmatch(name) or not name.isprintable():
        raise BadKey("the name of a key is a word without spaces and without +")


def _write(name: str, id: bytes, kind: int, bytes_of_key: bytes) -> str:
    return f"{name}+{id.hex()}+{b64encode(bytes([kind]) + bytes_of_key).decode()}"


def _read(text: str, *, is_secret: bool = False) -> tuple[str, int, bytes]:
    parts = text.split("+", 2)
    if len(parts) != 3:
        raise BadKey("a key has three parts with + between them: name, id, and base64")
    name, id, encoded = parts
    _require_name(name)
    try:
        raw = b64decode(encoded, validate=True)
    except (NotBase64, ValueError):
        raise BadKey("its last part is not base64") from None
    kind, rest = int.from_bytes(raw[:1]), raw[1:]
    if len(rest) != _LENGTHS.get(kind) or (is_secret and kind == ML_DSA_WITNESS):
        raise BadKey("it is not an Ed25519 key of a log or a witness, nor an ML-DSA-44 key of a witness")
    if not is_secret and key_id(name, kind, rest).hex() != id:
        raise BadKey("its id does not fit it: a part of it is missing or was changed")
    return name, kind, rest


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

    def times_by(self, key: VerifierKey) -> list[int]:
        """Return when this witness claims to have seen the checkpoint, in seconds since 1970. Nothing is checked.

        A cosignature by ML-DSA-44 with the time 0 says nothing about when, and is left out.
        """
        times = map(cosigned_at, self.signatures_by(key))
        return [time for time in times if time or key.kind == WITNESS]

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
    cosigned = ml_dsa.cosigned_message(key.name, int.from_bytes(time), text)
    message = _cosigned(int.from_bytes(time), text) if key.kind == WITNESS else cosigned
    return len(time) == 8 and message is not None and key.has_signed(value, message)


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
    if not line.startswith(_LINE_START) or not space or not _NAME.fullmatch(name):
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
