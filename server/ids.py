"""Names for things: sixteen lower-case base32 characters, eighty bits.

A drawn id cannot be guessed. A derived one is the same each time it is made from the same parts, and cannot be guessed
by anyone without the key: two nodes that begin the same thing at once give it the same name, and the log's unique
constraint decides which of them did it.
"""

from base64 import b32encode
from hashlib import sha256
from hmac import digest
from secrets import token_bytes

LENGTH = 16
_BYTES = 10
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz234567")


def draw() -> str:
    """A new id, from the operating system's randomness."""
    return _text(token_bytes(_BYTES))


def derive(key: bytes, *parts: str) -> str:
    """The id that belongs to these parts under this secret key."""
    return _text(digest(key, b"\0".join(part.encode() for part in parts), sha256)[:_BYTES])


def readable(text: str) -> bool:
    """Whether the text has the form of an id."""
    return len(text) == LENGTH and _LETTERS.issuperset(text)


def _text(raw: bytes) -> str:
    return b32encode(raw).decode().lower()
