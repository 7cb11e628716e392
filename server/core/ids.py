"""Ids: sixteen lower-case base32 characters, which are eighty bits.

A new id is random and cannot be guessed. A derived id is always the same for the same key and parts, and cannot be
guessed without the key. Two nodes that create the same thing at the same time therefore give it the same id, and the
log's unique constraint decides which one succeeds.

The id of a bot has a prefix, so bots can be recognised from the log alone.
"""

from base64 import b32encode
from hashlib import sha256
from hmac import digest
from secrets import token_bytes

LENGTH = 16
"""Characters in an id, without a prefix."""
BOT_PREFIX = "bot-"
_BYTES = 10
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz234567")


def new_id() -> str:
    """Return a new id, from the operating system's source of randomness."""
    return _as_base32(token_bytes(_BYTES))


def is_bot(player: str) -> bool:
    """Whether this is the id of a bot."""
    return player.startswith(BOT_PREFIX)


def derive_id(key: bytes, *parts: str) -> str:
    """Return the id derived from these parts; computing it requires the key."""
    return _as_base32(digest(key, b"\0".join(part.encode() for part in parts), sha256)[:_BYTES])


def is_valid(text: str) -> bool:
    """Whether the text has the form of an id; it need not exist."""
    letters = text.removeprefix(BOT_PREFIX)
    return len(letters) == LENGTH and _LETTERS.issuperset(letters)


def _as_base32(raw: bytes) -> str:
    return b32encode(raw).decode().lower()
