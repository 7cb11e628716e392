"""The public beacon: rounds of drand, which are unpredictable until they are signed. Pure; the verifier uses it too.

At the time of a round, a drand chain signs the round's number, with BLS on the curve BLS12-381. Each number has exactly
one valid signature, so nobody can choose it. The scheme is `bls-unchained-g1-rfc9380`: signatures in G1, public keys in
G2, and numbers hashed to G1 by RFC 9380.
"""

from hashlib import sha256

from py_arkworks_bls12381 import GT, G1Point, G2Point

from cadogan.wire.beacon import BeaconChain, BeaconRound, SignedRound

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
