"""The web client's library for pairings and that for Python: the same rounds are genuine for both."""

import random
import subprocess
from hashlib import sha256
from pathlib import Path

from msgspec import json
from msgspec.structs import replace
from py_arkworks_bls12381 import G1Point, G2Point, Scalar

from cadogan.server.core.fairness.commit_reveal import QUICKNET, is_genuine
from cadogan.wire.beacon import SignedRound
from tests.harness.drand_chain import RECORDED, DrandChain, recorded_round
from tests.harness.patience import long
from tests.harness.web_verifier import node, require_library

PROGRAM = Path(__file__).parent.parent / "signed_rounds.mjs"


def point_outside(number: random.Random) -> str:
    """A point of the curve that is none of the group."""
    while True:
        raw = bytes([0x80 | number.randrange(0x1A), *number.randbytes(47)])
        try:
            point = G1Point.from_compressed_bytes_unchecked(raw)
        except ValueError:
            continue
        if not point.is_in_subgroup():
            return raw.hex()


def rounds(number: random.Random) -> list[SignedRound]:
    """Genuine rounds, and others that are wrong in one way each."""
    recorded = [recorded_round(one) for one in RECORDED]
    own = DrandChain(number.randrange(1, 2**250))
    found = [*recorded, *(replace(one, round=one.round + 1) for one in recorded)]
    for _ in range(4):
        signed = SignedRound(chain=own.chain, round=number.randrange(1, 2**40), signature="")
        signed = replace(signed, signature=own.signature(signed.round))
        stranger = DrandChain(number.randrange(1, 2**250))
        raw = bytearray.fromhex(signed.signature)
        raw[number.randrange(48)] ^= 1 << number.randrange(8)
        found += [
            signed,
            replace(signed, chain=stranger.chain),
            replace(signed, chain=QUICKNET),
            replace(signed, signature=raw.hex()),
            replace(signed, signature=(G1Point() * Scalar(number.randrange(2**250))).to_compressed_bytes().hex()),
            replace(signed, signature=point_outside(number)),
            replace(signed, signature=number.randbytes(48).hex()),
            replace(signed, chain=replace(own.chain, public_key=(-G2Point()).to_compressed_bytes().hex())),
            replace(signed, chain=replace(own.chain, public_key=sha256(raw).hexdigest() * 3)),
        ]
    return found


def test_both_verifiers_call_the_same_rounds_genuine() -> None:
    require_library()
    asked = rounds(random.Random(381))
    text = b"".join(json.encode(one) + b"\n" for one in asked)
    said = subprocess.run([node(), PROGRAM], input=text, capture_output=True, check=True, timeout=long())
    ours = [is_genuine(one) for one in asked]
    assert [line == "true" for line in said.stdout.decode().split()] == ours
    assert ours.count(True) == len(RECORDED) + 4
