"""A drand chain with its own key, which signs valid rounds; and rounds signed by quicknet."""

from hashlib import sha256

from py_arkworks_bls12381 import G1Point, G2Point, Scalar

from cadogan.server.core.fairness.commit_reveal import DOMAIN, QUICKNET
from cadogan.wire.beacon import BeaconChain, BeaconRound, SignedRound

RECORDED = {
    1: (
        "b55e7cb2d5c613ee0b2e28d6750aabbb78c39dcc96bd9d38c2c2e12198df95571de8e8e402a0cc48871c7089a2b3af4b",
        "1466a6cd24e327188770752f6134001c64d6efcc590ccc26b721611ad96f165a",
    ),
    123: (
        "b75c69d0b72a5d906e854e808ba7e2accb1542ac355ae486d591aa9d43765482e26cd02df835d3546d23c4b13e0dfc92",
        "fb8f7bc29bf24db51871ec8c79f3a1e4bd0557bc0dfcee9ed1d924e69d1c60dc",
    ),
    1000: (
        "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39",
        "fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd",
    ),
}
"""Rounds of quicknet: the signature, and the randomness that drand returns with it (the signature's hash)."""


def recorded_round(number: int) -> SignedRound:
    """Return a round as signed by quicknet."""
    return SignedRound(chain=QUICKNET, round=number, signature=RECORDED[number][0])


class DrandChain:
    """A chain whose private key is known here, so that any round can be signed."""

    def __init__(self, key: int = 2026, genesis_time: int = 1_600_000_000, period: int = 3) -> None:
        self._key = Scalar(key)
        self.chain = BeaconChain(
            beacon_id="tests",
            genesis_seed=sha256(b"the tests' group").hexdigest(),
            genesis_time=genesis_time,
            period=period,
            public_key=(G2Point() * self._key).to_compressed_bytes().hex(),
        )

    def signature(self, number: int) -> str:
        """Return the signature of a round, in hex."""
        message = G1Point.hash_to_curve(sha256(number.to_bytes(8, "big")).digest(), DOMAIN)
        return (message * self._key).to_compressed_bytes().hex()

    def sign(self, one: BeaconRound) -> SignedRound:
        """Return a round of this chain with its signature."""
        return SignedRound(chain=one.chain, round=one.round, signature=self.signature(one.round))
