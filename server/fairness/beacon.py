"""The public beacon: drand's rounds, which nobody can know before they are signed. Pure; the verifier uses it too.

A chain of drand signs the number of a round at the moment of the round, by BLS on the curve BLS12-381. A number has one
signature only, so nobody can choose it. Here the scheme is
`bls-unchained-g1-rfc9380`: signatures in G1, public keys in G2, and numbers hashed to G1 as RFC 9380 says.
"""

from hashlib import sha256

from py_arkworks_bls12381 import GT, G1Point, G2Point

from cadogan.wire.beacon import BeaconChain, BeaconRound, SignedRound

DOMAIN = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"
"""What RFC 9380 calls the domain separation tag of the scheme."""
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
"""The name that drand leaves out of the hash of a chain."""


def chain_hash(chain: BeaconChain) -> str:
    """Return the hash by which drand names a chain, in hex.

    >>> chain_hash(QUICKNET)[:16]
    '52db9ba70e0cc0f6'
    """
    numbers = chain.period.to_bytes(4, "big") + chain.genesis_time.to_bytes(8, "big")
    name = b"" if chain.beacon_id == DEFAULT_ID else chain.beacon_id.encode()
    return sha256(numbers + bytes.fromhex(chain.public_key) + bytes.fromhex(chain.genesis_seed) + name).hexdigest()


def chain_name(chain: BeaconChain) -> str:
    """Return what people call a chain: `quicknet` for that of the League of Entropy, for any other its whole hash.

    Anybody can run a chain and give it any name; only the hash says which one it is.
    """
    return "quicknet" if chain == QUICKNET else chain_hash(chain)


def round_at(chain: BeaconChain, moment: int) -> BeaconRound:
    """Return the first round that is signed at this moment, in milliseconds since 1970, or after it."""
    ahead = -(-(moment - chain.genesis_time * 1000) // (chain.period * 1000))
    return BeaconRound(chain=chain, round=max(ahead, 0) + 1)


def signed_at(one: BeaconRound | SignedRound) -> int:
    """Return when a round is signed, in milliseconds since 1970."""
    return (one.chain.genesis_time + (one.round - 1) * one.chain.period) * 1000


def is_genuine(one: SignedRound) -> bool:
    """Return whether this is the signature of the round, by the key of its chain. It takes some milliseconds."""
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
    """Return the digest from which cards follow beside a secret: a SHA-256 hash over chain and signature, in hex."""
    chain, signature = bytes.fromhex(chain_hash(one.chain)), bytes.fromhex(one.signature)
    return sha256(b"cadogan/beacon/1\0" + chain + signature).hexdigest()
