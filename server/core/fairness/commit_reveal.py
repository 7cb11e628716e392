"""Commit and reveal: how a deal is fixed before anybody has seen a card, its id, and the public beacon. Pure.

The server draws a secret and publishes its commitment. The cards are shuffled from a seed, which is made from the
secret, the name of the game and a nonce. For a daily deal the nonce is the deal's id; for a casual game it is a text of
the player's choice, which the server learns only after it has committed; for a race it is computed from the texts of
all players. So neither side can choose the cards alone, and once the secret is revealed anybody can repeat the deal.

>>> commitment(bytes(32))[:16]
'bc36489aba05a99d'

The ids of deals:

<id>              a casual game's, which is also the id of the game
<day>.<slot>      a day's
race-<race>       a race's
<key>-<id>-<…>    a competition's that is an extension: its key, what the deal is about, with hyphens for slashes

The public beacon: rounds of drand, which are unpredictable until they are signed.

At the time of a round, a drand chain signs the round's number, with BLS on the curve BLS12-381. Each number has exactly
one valid signature, so nobody can choose it. The scheme is `bls-unchained-g1-rfc9380`: signatures in G1, public keys in
G2, and numbers hashed to G1 by RFC 9380.
"""

import re
from collections.abc import Iterable
from hashlib import sha256
from secrets import token_bytes

from py_arkworks_bls12381 import GT, G1Point, G2Point

from cadogan.server.core import dates
from cadogan.server.core.errors import BadMessage
from cadogan.server.core.eventlog.events import Winnable
from cadogan.server.core.eventlog.streams import day_stream, race_stream
from cadogan.server.core.untrusted_input import has_unseen_characters
from cadogan.wire.beacon import BeaconChain, BeaconRound, SignedRound

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


def candidate_nonce(nonce: str, candidate: int) -> str:
    """Return the nonce of the candidate with this number; that of number 0 is the nonce itself.

    >>> candidate_nonce("a rainy Friday", 0), candidate_nonce("a rainy Friday", 7)
    ('a rainy Friday', 'a rainy Friday/7')
    """
    return f"{nonce}/{candidate}" if candidate else nonce


def game_seed(game: str, nonce: str, winnable: Winnable | None, secret: bytes) -> bytes:
    """Return the seed of a game with this nonce, of the candidate that was taken if its deal is a winnable one."""
    return seed(game, candidate_nonce(nonce, winnable.candidate if winnable else 0), secret)


def shared_nonce(nonces: Iterable[str]) -> str:
    """Return the nonce of a race: a SHA-256 hash, in hex, over its players' nonces in the order in which they joined.

    >>> shared_nonce(["a rainy Friday", "eight red queens"])[:16]
    'a870f6c74dbd03a3'
    """
    return sha256(b"\0".join([b"cadogan/race/1", *(nonce.encode() for nonce in nonces)])).hexdigest()


MAX_CANDIDATES = 50
"""The number of candidates for a deal of a day, and for a winnable one; one of them is played."""
NONCE_DIGITS = 48
"""Digits of a round's digest in a nonce: 192 bits, because a nonce has at most 64 characters."""
COMPETITION_DIGITS = 32
"""The same in a nonce of a competition, whose names are longer: 128 bits."""
_BEACON = "@"
_RACE = "race-"


def daily_deal_id(day: str, slot: int) -> str:
    """Return the id of a deal of a day: the day, and the deal's number among the deals of that day, from 1.

    >>> daily_deal_id("2026-11-20", 1)
    '2026-11-20.1'
    """
    return f"{day}.{slot}"


def daily_nonce(deal: str, candidate: int = 0, round_digest: str | None = None) -> str:
    """Return the nonce that determines the cards of a candidate for a day's deal (`commit_reveal.seed`).

    The nonce of the first candidate, of number 0, is the id of the deal. `round_digest` is the digest of the day's
    beacon round, if it has one (`cadogan.server.core.fairness.commit_reveal`).

    >>> daily_nonce("2026-11-20.1"), daily_nonce("2026-11-20.1", 7)
    ('2026-11-20.1', '2026-11-20.1/7')
    >>> daily_nonce("2026-11-20.1", 7, "fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd")
    '2026-11-20.1/7@fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff'
    """
    name = candidate_nonce(deal, candidate)
    return name if round_digest is None else f"{name}{_BEACON}{round_digest[:NONCE_DIGITS]}"


def beacon_digits(nonce: str) -> str | None:
    """Return the digits of a round's digest in the nonce of a day's deal; None if it has none.

    >>> beacon_digits("2026-11-20.1/7")
    """
    _, separator, digits = nonce.partition(_BEACON)
    return digits if separator else None


def is_candidate_nonce(nonce: str, deal: str, digits: int) -> bool:
    """Return whether it is the nonce of a candidate for this deal, perhaps with so many digits of a beacon round.

    >>> [is_candidate_nonce(nonce, "2026-11-20.1", 48) for nonce in ("2026-11-20.1/7", "2026-11-20.1/50")]
    [True, False]
    """
    found = beacon_digits(nonce)
    if found is not None and re.fullmatch(f"[0-9a-f]{{{digits}}}", found) is None:
        return False
    return nonce in [daily_nonce(deal, number, found) for number in range(MAX_CANDIDATES)]


def race_deal_id(race_id: str) -> str:
    """Return the id of a race's deal. Its format differs from a game's id, so no casual game can have it."""
    return _RACE + race_id


def competition_deal_id(key: str, about: str) -> str:
    """Return the id of a deal of the competition with this key.

    `about` is the id of the competition's stream, and perhaps words after it. The nonce of the cards is the same text.

    >>> competition_deal_id("duplicate", "aaaabbbbccccdddd/1")
    'duplicate-aaaabbbbccccdddd-1'
    """
    return f"{key}-{about.replace('/', '-')}"


def revealing_stream(deal: str) -> str | None:
    """Return the stream whose end reveals the secret of a deal; None for a casual game, which reveals its own.

    >>> deals = ("2026-11-20.1", "race-aaaabbbbccccdddd", "aaaabbbbccccdddd")
    >>> tuple(revealing_stream(deal) for deal in deals)
    ('daily/2026-11-20', 'match/aaaabbbbccccdddd', None)
    """
    if deal.startswith(_RACE):
        return race_stream(deal.removeprefix(_RACE))
    day = deal.partition(".")[0]
    return day_stream(day) if dates.is_valid(day) else None


DOMAIN = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"
"""The domain separation tag of the scheme (RFC 9380)."""
SCHEME = "bls-unchained-g1-rfc9380"
QUICKNET = BeaconChain(
    beacon_id="quicknet",
    genesis_seed="f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e",
    genesis_time=1692803367,
    period=3,
    public_key="83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec75"
    "8c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
)
"""The chain of the League of Entropy that signs a round every three seconds."""
DEFAULT_ID = "default"
"""The beacon id that drand leaves out of the chain hash."""


def chain_hash(chain: BeaconChain) -> str:
    """Return the hash that identifies a chain in drand, in hex.

    >>> chain_hash(QUICKNET)[:16]
    '52db9ba70e0cc0f6'
    """
    numbers = chain.period.to_bytes(4, "big") + chain.genesis_time.to_bytes(8, "big")
    name = b"" if chain.beacon_id == DEFAULT_ID else chain.beacon_id.encode()
    return sha256(numbers + bytes.fromhex(chain.public_key) + bytes.fromhex(chain.genesis_seed) + name).hexdigest()


def chain_name(chain: BeaconChain) -> str:
    """Return the display name of a chain: `quicknet` for that of the League of Entropy, the full hash for any other.

    Anybody can run a chain under any name; only the hash identifies it.
    """
    return "quicknet" if chain == QUICKNET else chain_hash(chain)


def round_at(chain: BeaconChain, moment: int) -> BeaconRound:
    """Return the first round that is signed at or after this time, in milliseconds since 1970."""
    ahead = -(-(moment - chain.genesis_time * 1000) // (chain.period * 1000))
    return BeaconRound(chain=chain, round=max(ahead, 0) + 1)


def signed_at(one: BeaconRound | SignedRound) -> int:
    """Return when a round is signed, in milliseconds since 1970."""
    return (one.chain.genesis_time + (one.round - 1) * one.chain.period) * 1000


def is_genuine(one: SignedRound) -> bool:
    """Return whether the signature of the round is valid for the public key of its chain. Takes some milliseconds."""
    try:
        signature = G1Point.from_compressed_bytes(bytes.fromhex(one.signature))
        key = G2Point.from_compressed_bytes(bytes.fromhex(one.chain.public_key))
    except ValueError:
        return False
    if G2Point.identity() == key:
        return False
    message = G1Point.hash_to_curve(sha256(one.round.to_bytes(8, "big")).digest(), DOMAIN)
    return GT.pairing_check([signature, -message], [G2Point(), key])


def round_digest(one: SignedRound) -> str:
    """Return the digest that is mixed with a secret into the shuffle: SHA-256 over chain and signature, in hex."""
    chain, signature = bytes.fromhex(chain_hash(one.chain)), bytes.fromhex(one.signature)
    return sha256(b"cadogan/beacon/1\0" + chain + signature).hexdigest()
