"""Second accounts: new ones see meters, and every board that is shown before it is everybody's is in the log."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from msgspec import json

from server.core import dates
from server.play.view_log import stream_of
from tests.harness.daily_actions import CLOSES, DAY, give_up, sight, spoil
from tests.harness.running_server import UNHURRIED, House, open_house
from tests.harness.two_nodes import Town

DEAL = f"{DAY}.1"


@pytest.fixture
async def wary_house(sqlite_url: str) -> AsyncIterator[House]:
    """A house in which an account is new for a day."""
    async for one in open_house(replace(UNHURRIED, database_url=sqlite_url, fresh=86_400)):
        yield one


async def watched(house: House, player: str) -> list[str]:
    """The games that a player was shown of the first deal, as the log has it."""
    return [json.decode(event.data)["game"] for event in await house.service._store.read(stream_of(DEAL, player))]


async def test_a_new_account_sees_meters_though_its_run_is_over_until_it_is_a_day_old(wary_house: House) -> None:
    house = wary_house
    house.clock.at = dates.span(DAY, 0).opens_at + 1000
    ann, bob = await house.guest(), await house.guest()
    anns, bobs = await ann.enter(), await bob.enter()
    async with bob.talk() as watching:
        assert (await watching.ask("subscribe", game=anns))["sight"] == "meter"
        await give_up(bob, bobs)
        assert await sight(bob, anns) == "meter"
        assert (await bob.get(f"/games/{anns}/replay"))[1]["code"] == "spoiler_embargo"
        assert await sight(bob, bobs) == "seat"
        assert (await watching.ask("ping"))["type"] == "pong"
    assert await watched(house, bob.id) == []
    house.clock.at += dates.MILLISECONDS
    assert await sight(bob, anns) == "board"
    assert await watched(house, bob.id) == [anns]


async def test_a_new_account_is_not_shown_a_deal_for_the_asking(wary_house: House) -> None:
    ann, bob = await wary_house.guest(), await wary_house.guest()
    anns = await ann.enter()
    assert (await spoil(bob))["code"] == "spoiler_embargo"
    assert await sight(bob, anns) == "meter"
    await bob.enter()


async def test_when_the_day_has_closed_newcomers_and_strangers_see_everything(wary_house: House) -> None:
    ann = await wary_house.guest()
    anns = await ann.enter()
    assert await sight(wary_house.stranger(), anns) == "meter"
    wary_house.clock.at = CLOSES
    assert await sight(wary_house.stranger(), anns) == "board"
    assert await sight(await wary_house.guest(), anns) == "board"


async def test_each_first_board_is_in_the_log_whichever_way_it_is_shown(house: House) -> None:
    ann, bob, cat, eve = [await house.guest() for _ in range(4)]
    games = [await one.enter() for one in (ann, bob, cat)]
    await spoil(eve)
    async with eve.talk() as talk:
        await talk.ask("subscribe", game=games[0])
        await talk.ask("subscribe", game=games[0], since=1)
    await eve.get(f"/games/{games[1]}")
    await eve.get(f"/games/{games[2]}/replay")
    await eve.get(f"/games/{games[2]}")
    assert await watched(house, eve.id) == games


async def test_a_board_shown_at_two_nodes_at_once_is_in_the_log_once(town: Town) -> None:
    ann, bob, cat = [await town.first.guest() for _ in range(3)]
    games = [await one.enter() for one in (ann, bob)]
    await give_up(cat, await cat.enter())
    there = town.at_second(cat)
    seen = await asyncio.gather(*(sight(one, game) for game in games for one in (cat, there, cat, there)))
    assert set(seen) == {"board"}
    assert sorted(await watched(town.first, cat.id)) == sorted(games)


async def test_neither_meters_nor_ones_own_nor_what_is_everybodys_is_logged(small_house: House) -> None:
    house = small_house
    ann, bob = await house.guest(), await house.guest()
    anns, bobs, casual = await ann.enter(), await bob.enter(), await ann.deal()
    assert await sight(bob, anns) == "meter"
    assert await sight(bob, bobs) == "seat"
    assert await sight(bob, casual) == "board"
    house.clock.at = CLOSES
    assert await sight(bob, anns) == "board"
    assert [name async for name in house.service._store.streams("watched/")] == []


async def test_boards_opened_by_ones_own_end_are_in_the_log_before_they_are_shown(small_house: House) -> None:
    ann, bob = await small_house.guest(), await small_house.guest()
    anns, bobs = await ann.enter(), await bob.enter()
    async with bob.talk() as talk:
        await talk.ask("subscribe", game=anns)
        await talk.ask("resign", game=bobs, version=1)
        assert (await talk.hear("view"))["sight"] == "board"
        assert await watched(small_house, bob.id) == [anns]
