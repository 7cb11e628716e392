"""Names for things: sixteen lower-case base32 characters, eighty bits.

A drawn id cannot be guessed. A derived one is the same each time it is made from the same parts, and cannot be guessed
by anyone without the key: two nodes that begin the same thing at once give it the same name, and the log's unique
constraint decides which of them did it.

A bot's id says that it is a bot's, so that the log alone tells bots from people.
"""

from base64 import b32encode
from hashlib import sha256
from hmac import digest
from secrets import token_bytes

LENGTH = 16
BOT = "bot-"
_BYTES = 10
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz234567")


def draw() -> str:
    """A new id, from the operating system's randomness."""
    return _text(token_bytes(_BYTES))


def draw_bot() -> str:
    """A new id for a bot."""
    return BOT + draw()


def is_bot(player: str) -> bool:
    """Whether a player's id is a bot's."""
    return player.startswith(BOT)


def derive(key: bytes, *parts: str) -> str:
    """The id that belongs to these parts under this secret key."""
    return _text(digest(key, b"\0".join(part.encode() for part in parts), sha256)[:_BYTES])


def readable(text: str) -> bool:
    """Whether the text has the form of an id."""
    letters = text.removeprefix(BOT)
    return len(letters) == LENGTH and _LETTERS.issuperset(letters)


def _text(raw: bytes) -> str:
    return b32encode(raw).decode().lower()
