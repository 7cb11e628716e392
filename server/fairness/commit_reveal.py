"""Commit and reveal: how a deal is bound before anybody has seen a card, and shown to be the same one afterwards.

The host draws a secret and publishes its commitment. The cards come from a seed made of the secret, the game's name and
a nonce: for a daily challenge the day itself, for a casual game a text of the player's own, which the host learns only
after committing, for a race the texts of all its players. So neither side alone chooses the cards, and once the secret
is revealed anyone can deal them again.

>>> commitment(bytes(32))[:16]
'bc36489aba05a99d'
"""

from collections.abc import Iterable
from hashlib import sha256
from secrets import token_bytes

SECRET_BYTES = 32


def draw_secret() -> bytes:
    """A new secret of 32 bytes, from the operating system's randomness."""
    return token_bytes(SECRET_BYTES)


def commitment(secret: bytes) -> str:
    """What is published before the first card: SHA-256, in hex, which tells nothing of the secret but binds it."""
    return sha256(b"cadogan/commitment/1\0" + secret).hexdigest()


def seed(game: str, nonce: str, secret: bytes) -> bytes:
    """The 32 bytes from which the cards of this game are shuffled."""
    return sha256(b"cadogan/seed/1\0" + game.encode() + b"\0" + nonce.encode() + b"\0" + secret).digest()


def shared_nonce(nonces: Iterable[str]) -> str:
    """The nonce of a race: SHA-256, in hex, over the nonces of its players in the order of their joining.

    >>> shared_nonce(["a rainy Friday", "eight red queens"])[:16]
    'a870f6c74dbd03a3'
    """
    return sha256(b"\0".join([b"cadogan/race/1", *(nonce.encode() for nonce in nonces)])).hexdigest()
