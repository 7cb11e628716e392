"""Asking a beacon: what it answers is believed if it is signed, and nothing else does harm."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from aiohttp import web
from msgspec import json

from cadogan.server.core.fairness.commit_reveal import QUICKNET, chain_hash
from cadogan.server.subjects.daily import beacon_days
from cadogan.server.subjects.daily.beacon_days import BeaconAddress, BeaconSource, BeaconUnavailable
from cadogan.wire.beacon import BeaconRound
from tests.harness.drand_chain import DrandChain
from tests.harness.drand_server import Answer, DrandServer, drand_server

NUMBER = 5_000


@pytest.fixture
async def drand() -> AsyncIterator[DrandServer]:
    async with drand_server() as server:
        yield server


def round_of(drand: DrandServer) -> BeaconRound:
    return BeaconRound(chain=drand.chain.chain, round=NUMBER)


async def test_the_chain_and_a_round_are_read_and_are_known_from_then_on(drand: DrandServer) -> None:
    source = BeaconSource(drand.address)
    assert (source.chain(), source.signature(round_of(drand))) == (None, None)
    assert (source.chain(), source.signature(round_of(drand))) == (None, None)
    await source.wait_until_idle()
    assert source.chain() == drand.chain.chain
    assert source.signature(round_of(drand)) == drand.chain.signature(NUMBER)
    assert sorted(drand.asked) == [f"/{drand.hash}/info", f"/{drand.hash}/public/{NUMBER}"]


async def test_nobody_has_to_tell_what_quicknet_is(drand: DrandServer) -> None:
    assert BeaconSource(BeaconAddress(chain_hash(QUICKNET), drand.url)).chain() == QUICKNET
    assert drand.asked == []


def other_round(right: dict[str, Any]) -> web.Response:
    return web.json_response({**right, "round": NUMBER + 1, "signature": DrandChain().signature(NUMBER + 1)})


def signature_of_another_round(right: dict[str, Any]) -> web.Response:
    return web.json_response({**right, "signature": DrandChain().signature(NUMBER + 1)})


def signature_of_another_chain(right: dict[str, Any]) -> web.Response:
    return web.json_response({**right, "signature": DrandChain(7).signature(NUMBER)})


def no_signature(right: dict[str, Any]) -> web.Response:
    return web.json_response({**right, "signature": "00"})


def other_types(right: dict[str, Any]) -> web.Response:
    return web.json_response({**right, "round": str(NUMBER)})


def no_json(right: dict[str, Any]) -> web.Response:
    return web.Response(text="<html>")


def nested_deep(right: dict[str, Any]) -> web.Response:
    return web.Response(text="[" * 4000)


def no_text(right: dict[str, Any]) -> web.Response:
    return web.Response(body=b'{"round":\xff\xfe')


def huge(right: dict[str, Any]) -> web.Response:
    return web.Response(body=json.encode(right) + b" " * beacon_days.MAX_ANSWER_BYTES)


def error(right: dict[str, Any]) -> web.Response:
    return web.json_response(right, status=500)


class Elsewhere:
    """Leads to another address, which would say what is right."""

    __name__ = "elsewhere"

    def __init__(self) -> None:
        self.was_asked = False

    def __call__(self, right: dict[str, Any]) -> web.Response:
        if self.was_asked:
            return web.json_response(right)
        self.was_asked = True
        return web.Response(status=302, headers={"Location": "?again"})


WRONG = [
    other_round,
    signature_of_another_round,
    signature_of_another_chain,
    no_signature,
    other_types,
    no_json,
    nested_deep,
    no_text,
    huge,
    error,
    Elsewhere(),
]


@pytest.mark.parametrize("answer", WRONG, ids=lambda one: one.__name__)
async def test_a_wrong_answer_is_no_round(drand: DrandServer, answer: Answer) -> None:
    source = BeaconSource(drand.address)
    drand.answer = answer
    with pytest.raises(BeaconUnavailable):
        await source.read_round(round_of(drand))
    drand.answer = web.json_response
    assert (await source.read_round(round_of(drand))).signature == drand.chain.signature(NUMBER)


def changed(**values: object) -> Answer:
    return lambda right: web.json_response({**right, **values})


@pytest.mark.parametrize(
    "answer",
    [
        changed(period=4),
        changed(period=0),
        changed(schemeID="pedersen-bls-chained"),
        changed(public_key=DrandChain(7).chain.public_key),
        changed(metadata={"beaconID": "quicknet"}),
        changed(groupHash=""),
        no_json,
        huge,
        Elsewhere(),
    ],
)
async def test_another_chain_than_the_one_with_the_hash_is_refused(drand: DrandServer, answer: Answer) -> None:
    source = BeaconSource(drand.address)
    drand.answer = answer
    with pytest.raises(BeaconUnavailable):
        await source.read_chain()
    drand.answer = web.json_response
    assert await source.read_chain() == drand.chain.chain


async def test_a_round_that_is_not_due_is_waited_for_and_asked_for_again_after_a_pause(
    drand: DrandServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(beacon_days, "RETRY_SECONDS", 0.01)
    source, drand.latest = BeaconSource(drand.address), NUMBER - 1
    assert source.signature(round_of(drand)) is None
    await source.wait_until_idle()
    drand.latest = NUMBER
    assert source.signature(round_of(drand)) is None
    await source.wait_until_idle()
    assert source.signature(round_of(drand)) == drand.chain.signature(NUMBER)


async def test_a_beacon_that_is_silent_keeps_nobody_waiting(
    drand: DrandServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(beacon_days, "TIMEOUT_SECONDS", 0.05)
    source, drand.is_silent = BeaconSource(drand.address), True
    with pytest.raises(BeaconUnavailable):
        await source.read_round(round_of(drand))
    assert [source.signature(round_of(drand)) for _ in range(1000)] == [None] * 1000
    await source.close()
    assert len(drand.asked) <= 2


async def test_a_beacon_that_is_not_there_is_away() -> None:
    source = BeaconSource(BeaconAddress("00" * 32, "http://127.0.0.1:1"))
    with pytest.raises(BeaconUnavailable):
        await source.read_chain()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "drand",
        "https://api.drand.sh",
        f"drand:{'ab' * 31}@https://api.drand.sh",
        f"drand:{'AB' * 32}@https://api.drand.sh",
        f"drand:{'ab' * 32}@api.drand.sh",
        f"drand:{'ab' * 32}@ftp://api.drand.sh",
        f"drand:{'ab' * 32}@https://me:secret@api.drand.sh",
        f"drand:{'ab' * 32}@https://api.drand.sh?more",
        f"nist:{'ab' * 32}@https://api.drand.sh",
    ],
)
def test_another_text_is_not_a_beacon(text: str) -> None:
    with pytest.raises(ValueError, match="is not a beacon"):
        BeaconAddress.read(text)
