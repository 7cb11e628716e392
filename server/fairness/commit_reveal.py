"""The commit-reveal scheme: a deal is fixed before anybody sees a card, and anybody can verify that later.

The server draws a secret and publishes its commitment. The cards are shuffled from a seed, which is made from the
secret, the name of the game and a nonce. For a daily deal the nonce is the deal's id; for a casual game it is a text of
the player's choice, which the server learns only after it has committed; for a race it is computed from the texts of
all players. So neither side can choose the cards alone, and once the secret is revealed anybody can repeat the deal.

>>> commitment(bytes(32))[:16]
'bc36489aba05a99d'
"""

from collections.abc import Iterable
from hashlib import sha256
from secrets import token_bytes

from cadogan.server.core.errors import BadMessage
from cadogan.server.core.visible_text import has_unseen_characters

SECRET_BYTES = 32
"""Bytes in a secret."""


def draw_secret() -> bytes:
    """Return a new secret of 32 bytes, from the operating system's source of randomness."""
    return token_bytes(SECRET_BYTES)


def commitment(secret: bytes) -> str:
    """Return the commitment to a secret, which is published before the first card: a SHA-256 hash, in hex."""
    return sha256(b"cadogan/commitment/1\0" + secret).hexdigest()


def check_nonce(nonce: str) -> None:
    """Raise BadMessage for a nonce that cannot be displayed safely. Old games may have such nonces."""
    if has_unseen_characters(nonce):
        raise BadMessage("The text for your deal has characters that cannot be shown.")


def seed(game: str, nonce: str, secret: bytes) -> bytes:
    """Return the 32 bytes from which the cards of this game are shuffled."""
    return sha256(b"cadogan/seed/1\0" + game.encode() + b"\0" + nonce.encode() + b"\0" + secret).digest()


def shared_nonce(nonces: Iterable[str]) -> str:
    """Return the nonce of a race: a SHA-256 hash, in hex, over its players' nonces in the order in which they joined.

    >>> shared_nonce(["a rainy Friday", "eight red queens"])[:16]
    'a870f6c74dbd03a3'
    """
    return sha256(b"\0".join([b"cadogan/race/1", *(nonce.encode() for nonce in nonces)])).hexdigest()
