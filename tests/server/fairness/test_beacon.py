"""Rounds of drand: those that were recorded are genuine, and nothing else is."""

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from cadogan.server.core.fairness.commit_reveal import (
    QUICKNET,
    chain_hash,
    chain_name,
    is_genuine,
    round_at,
    round_digest,
    signed_at,
)
from cadogan.wire.beacon import SignedRound
from tests.harness.drand_chain import RECORDED, DrandChain, recorded_round

INFINITY = "c0" + "00" * 47
OWN = DrandChain()
MOMENTS = st.integers(0, 2**42)


@pytest.mark.parametrize("number", RECORDED)
def test_a_recorded_round_of_quicknet_is_genuine_and_has_its_randomness(number: int) -> None:
    one = recorded_round(number)
    assert is_genuine(one)
    assert sha256(bytes.fromhex(one.signature)).hexdigest() == RECORDED[number][1]
    assert not is_genuine(replace(one, round=number + 1))
    assert not is_genuine(replace(one, chain=OWN.chain))


def test_the_digest_of_a_round_is_of_the_chain_and_the_signature() -> None:
    one = recorded_round(1000)
    renamed = replace(one, chain=replace(QUICKNET, beacon_id="quicker"))
    digests = {round_digest(each) for each in (one, recorded_round(123), renamed)}
    assert len(digests) == 3
    assert round_digest(one) in digests


def test_the_hash_of_quicknet_is_the_one_that_drand_gives_it() -> None:
    assert chain_hash(QUICKNET) == "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
    assert chain_name(QUICKNET) == "quicknet"
    pretender = replace(OWN.chain, beacon_id="quicknet")
    assert chain_name(pretender) == chain_hash(pretender) != chain_hash(QUICKNET)
    unnamed = replace(OWN.chain, beacon_id="default")
    assert chain_hash(unnamed) not in (chain_hash(OWN.chain), chain_hash(pretender))


@pytest.mark.parametrize(
    "text",
    [
        INFINITY,  # the point at infinity, which fits any message under no key
        "00" * 48,
        "ff" * 48,
        "80" + "00" * 47,
        recorded_round(1).signature,
        "9" + recorded_round(1000).signature[1:],  # the other of the two points with this x
        "00" * 47,
        "",
    ],
)
def test_another_point_or_none_is_not_the_signature(text: str) -> None:
    assert not is_genuine(SignedRound(chain=QUICKNET, round=1000, signature=text))


@pytest.mark.parametrize("key", ["c0" + "00" * 95, "00" * 96, QUICKNET.public_key[:-2]])
def test_a_key_that_is_none_signs_nothing(key: str) -> None:
    for signature in (INFINITY, recorded_round(1000).signature):
        bad = replace(QUICKNET, public_key=key)
        assert not is_genuine(SignedRound(chain=bad, round=1000, signature=signature))


@given(st.integers(1, 2**40), st.integers(0, 47), st.integers(1, 255))
def test_a_signature_is_genuine_and_with_any_byte_changed_it_is_not(number: int, place: int, change: int) -> None:
    one = SignedRound(chain=OWN.chain, round=number, signature=OWN.signature(number))
    assert is_genuine(one)
    raw = bytearray.fromhex(one.signature)
    raw[place] ^= change
    assert not is_genuine(replace(one, signature=raw.hex()))


@given(MOMENTS)
def test_the_round_of_a_moment_is_the_first_that_is_not_signed_before_it(moment: int) -> None:
    one = round_at(QUICKNET, moment)
    assert signed_at(one) >= moment
    assert one.round == 1 or signed_at(replace(one, round=one.round - 1)) < moment
