"""Turns: few requests of one address at a time, the others in their order."""

import asyncio

import pytest

from cadogan.server.core.errors import TooMany
from cadogan.server.core.rate_limits import Turns
from tests.harness.patience import soon


async def test_what_is_beyond_the_limit_of_an_address_waits_in_its_order_and_other_addresses_do_not_wait() -> None:
    turns, done, ends = Turns(2, 10), list[int](), asyncio.Event()

    async def work(number: int) -> None:
        async with turns.of("192.0.2.1"):
            done.append(number)
            await ends.wait()

    working = [asyncio.ensure_future(work(number)) for number in range(4)]
    async with asyncio.timeout(soon()), turns.of("192.0.2.2"), turns.of("192.0.2.2"):
        await asyncio.sleep(0)
        assert done == [0, 1]
    working[2].cancel()
    ends.set()
    await asyncio.gather(*working, return_exceptions=True)
    assert done == [0, 1, 3]


async def test_a_turn_is_given_back_once_and_after_an_error() -> None:
    turns = Turns(1, 1)
    with pytest.raises(ValueError, match="no"):
        async with turns.of("2001:db8::1"):
            raise ValueError("no")
    async with asyncio.timeout(soon()):
        async with turns.of("2001:db8::2") as first:
            first.give_back()
            async with turns.of("2001:db8::3"):
                first.give_back()
                waiting = asyncio.ensure_future(turns.of("2001:db8::4").take())
                await asyncio.sleep(0)
                assert not waiting.done()
                with pytest.raises(TooMany):
                    await turns.of("2001:db8::5").take()
        await waiting
