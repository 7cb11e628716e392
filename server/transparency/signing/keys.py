"""Keys that sign notes: Ed25519, in the text formats of C2SP `signed-note` and Go's `note` package.

A key has a name, which identifies its owner, and an id of four bytes, derived from name, kind and public key. One key
pair serves as two keys: `LOG` signs the text of a note, `WITNESS` signs a checkpoint with a time.

    BadKey      a text that is not a key, or not a key of these kinds

>>> key = draw_key("club.example/log")
>>> VerifierKey.read(key.verifier().text) == key.verifier()
True
>>> SigningKey.read(key.text) == key
True
"""

import os
import re
from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from dataclasses import dataclass, field
from hashlib import sha256
from typing import NamedTuple, Self

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

LOG = 1
"""The kind of a key that signs the text of a note."""
WITNESS = 4
"""The kind of a key that signs a checkpoint together with the time at which it was seen (`tlog-cosignature`)."""
KEY_BYTES = 32
_NAME = re.compile(r"[^\s+]+")
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
        try:
            Ed25519PublicKey.from_public_bytes(key.public)
        except ValueError:
            raise BadKey("its bytes are no public key") from None
        return key

    def has_signed(self, signature: bytes, message: bytes) -> bool:
        """Return whether these 64 bytes are this key's signature of the message."""
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
    kind, rest = raw[:1], raw[1:]
    if kind not in (bytes([LOG]), bytes([WITNESS])) or len(rest) != KEY_BYTES:
        raise BadKey("it is not an Ed25519 key of a log or a witness")
    if not is_secret and key_id(name, kind[0], rest).hex() != id:
        raise BadKey("its id does not fit it: a part of it is missing or was changed")
    return name, kind[0], rest
