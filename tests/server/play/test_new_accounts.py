"""Second accounts: new ones see meters, and every board that is shown before it is everybody's is in the log."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from msgspec import json

from cadogan.server.core import dates
from cadogan.server.core.eventlog.streams import view_stream
from tests.harness.daily_actions import (
    CLOSED,
    DAY,
    access_level_of,
    ask_to_be_shown,
    daily_deal,
    play_and_resign,
    refusal,
)
from tests.harness.people import Person
from tests.harness.race_actions import game_in_race, let_race_start, make_race, post_race, race_refusal
from tests.harness.running_server import TEST_SETTINGS, RunningServer, open_server
from tests.harness.two_nodes import TwoNodes

DEAL = f"{DAY}.1"


async def claim(guest: Person, name: str) -> None:
    """Give a guest a name."""
    status, answer = await guest.post("/account", {"name": name, "password": "eight red queens"})
    assert status == 200, answer
    guest.token = answer["token"]


async def bot_of(owner: Person, name: str) -> Person:
    """A new bot of this owner."""
    _, made = await owner.post("/bots", {"name": name})
    bot = Person(owner.url, owner.session)
    bot.id, bot.token = made["player"]["id"], made["token"]
    return bot


@pytest.fixture
async def server_wary_of_new_accounts(sqlite_url: str) -> AsyncIterator[RunningServer]:
    """A server for which a name counts as new for a day."""
    async with open_server(replace(TEST_SETTINGS, database_url=sqlite_url, fresh=86_400)) as one:
        yield one


async def watched(running_server: RunningServer, player: str) -> list[str]:
    """The games that a player was shown of the first deal, as the log has it."""
    return [
        json.decode(event.data)["game"] for event in await running_server.server.store.read(view_stream(DEAL, player))
    ]


async def test_a_guest_or_new_name_sees_meters_and_practises_nothing_until_the_day_has_closed(
    server_wary_of_new_accounts: RunningServer,
) -> None:
    running_server = server_wary_of_new_accounts
    ann, guest, new = [await running_server.guest() for _ in range(3)]
    await claim(new, "New")  # half a day before the next day begins
    running_server.clock.at += dates.MILLISECONDS_PER_DAY
    today = dates.add_days(DAY, 1)
    anns = await ann.enter()
    for one in (guest, new):
        await play_and_resign(one, await one.enter())
        assert await access_level_of(one, anns) == "meter"
        _, refused = await one.post("/dailies/today/deals/1/games", {"practice": True})
        assert (refused["code"], "Guests and new accounts" in refused["message"]) == ("spoiler_embargo", True)
        for way in ("replay", "pace"):
            _, refused = await one.get(f"/games/{anns}/{way}")
            assert (refused["code"], "Guests and new accounts" in refused["message"]) == ("spoiler_embargo", True)
        assert (await ask_to_be_shown(one, 2, today))["code"] == "spoiler_embargo"
        assert await access_level_of(one, (await daily_deal(one, day=today))["your_game"]) == "seat"
    running_server.clock.at = CLOSED + dates.MILLISECONDS_PER_DAY
    for one in (guest, new):
        await one.enter(today, practice=True)
        assert await access_level_of(one, anns) == "board"


async def test_a_name_that_is_old_enough_when_the_day_begins_sees_boards_and_practises(
    server_wary_of_new_accounts: RunningServer,
) -> None:
    running_server = server_wary_of_new_accounts
    ann, bob = await running_server.guest(), await running_server.guest()
    await claim(bob, "Bob")
    running_server.clock.at += 2 * dates.MILLISECONDS_PER_DAY
    anns = await ann.enter()
    assert await refusal(bob, "/dailies/today/deals/1/games", {"practice": True}) == "spoiler_embargo"
    await play_and_resign(bob, await bob.enter())
    assert await access_level_of(bob, anns) == "board"
    await bob.enter(practice=True)


async def test_an_owner_and_their_bots_have_one_attempt_whoever_begins_it(running_server: RunningServer) -> None:
    ann, cat = await running_server.guest(), await running_server.guest()
    cats = [await cat.enter(slot=slot) for slot in (1, 2, 3)]
    await claim(ann, "Ann")
    bots = [await bot_of(ann, name) for name in ("Marvin", "Zaphod")]
    marvins, practice = await bots[0].enter(), {"practice": True}
    for one in (ann, bots[1]):
        _, refused = await one.post("/dailies/today/deals/1/games")
        assert (refused["code"], "Marvin" in refused["message"]) == ("already_played", True)
        deal = await daily_deal(one)
        assert (deal.get("your_game"), deal["spoiled"]) == (None, True)
        assert await refusal(one, "/dailies/today/deals/1/games", practice) == "spoiler_embargo"
        assert {await access_level_of(one, game) for game in (marvins, cats[0])} == {"meter"}
    assert (await daily_deal(bots[0]))["your_game"] == marvins

    anns = await ann.enter(slot=2)
    assert await refusal(bots[0], "/dailies/today/deals/2/games") == "already_played"
    assert await refusal(bots[0], "/dailies/today/deals/2/games", practice) == "spoiler_embargo"
    assert await access_level_of(bots[0], cats[1]) == "meter"
    await play_and_resign(ann, anns)
    assert {await access_level_of(one, cats[1]) for one in (ann, *bots)} == {"board"}
    await bots[1].enter(slot=2, practice=True)

    assert "deal" in await ask_to_be_shown(bots[1], 3)
    assert (await ann.ask("DELETE", f"/bots/{bots[1].id}"))[0] == 200
    for one in (ann, bots[0]):
        assert await refusal(one, "/dailies/today/deals/3/games") == "already_played"
        assert await access_level_of(one, cats[2]) == "board"


async def test_the_end_of_a_bots_run_shows_its_owner_the_boards_at_once(two_nodes: TwoNodes) -> None:
    ann, cat, bob = [await two_nodes.first.guest() for _ in range(3)]
    cats = await cat.enter()
    await claim(ann, "Ann")
    bot = await bot_of(ann, "Marvin")
    marvins = await bot.enter()
    async with ann.connect() as here, two_nodes.at_second(ann).connect() as there, bob.connect() as other:
        for socket in (here, there, other):
            assert (await socket.request("subscribe", game=cats))["sight"] == "meter"
        await play_and_resign(bot, marvins)
        for socket in (here, there):
            assert (await socket.receive("view"))["sight"] == "board"
        assert (await other.request("ping"))["type"] == "pong"


async def test_an_owner_and_their_bots_have_one_place_in_a_race(sqlite_server: RunningServer) -> None:
    ann, cat = await sqlite_server.guest(), await sqlite_server.guest()
    await claim(ann, "Ann")
    bot = await bot_of(ann, "Marvin")
    race = await make_race(cat, ann, start=False)
    joining = {"nonce": "my own words", "token": race["token"]}
    assert await race_refusal(bot, f"/{race['race']}/join", joining) == "conflict"
    await post_race(ann, f"/{race['race']}/leave")
    await post_race(bot, f"/{race['race']}/join", joining)
    running = await let_race_start(sqlite_server, cat, await post_race(cat, f"/{race['race']}/start"))
    cats = game_in_race(running, cat)
    assert {await access_level_of(one, cats) for one in (ann, bot)} == {"meter"}


async def test_when_the_day_has_closed_new_and_anonymous_viewers_see_everything(
    server_wary_of_new_accounts: RunningServer,
) -> None:
    ann = await server_wary_of_new_accounts.guest()
    anns = await ann.enter()
    assert await access_level_of(server_wary_of_new_accounts.stranger(), anns) == "meter"
    server_wary_of_new_accounts.clock.at = CLOSED
    assert await access_level_of(server_wary_of_new_accounts.stranger(), anns) == "board"
    assert await access_level_of(await server_wary_of_new_accounts.guest(), anns) == "board"


async def test_each_first_board_is_in_the_log_whichever_way_it_is_shown(running_server: RunningServer) -> None:
    ann, bob, cat, eve = [await running_server.guest() for _ in range(4)]
    games = [await one.enter() for one in (ann, bob, cat)]
    await ask_to_be_shown(eve)
    async with eve.connect() as socket:
        await socket.request("subscribe", game=games[0])
        await socket.request("subscribe", game=games[0], since=1)
    await eve.get(f"/games/{games[1]}")
    await eve.get(f"/games/{games[2]}/replay")
    await eve.get(f"/games/{games[2]}")
    assert await watched(running_server, eve.id) == games


@pytest.mark.both_databases
async def test_a_board_shown_at_two_nodes_at_once_is_in_the_log_once(two_nodes: TwoNodes) -> None:
    ann, bob, cat = [await two_nodes.first.guest() for _ in range(3)]
    games = [await one.enter() for one in (ann, bob)]
    await play_and_resign(cat, await cat.enter())
    there = two_nodes.at_second(cat)
    seen = await asyncio.gather(*(access_level_of(one, game) for game in games for one in (cat, there, cat, there)))
    assert set(seen) == {"board"}
    assert sorted(await watched(two_nodes.first, cat.id)) == sorted(games)


async def test_views_of_meters_own_games_and_public_games_are_not_logged(sqlite_server: RunningServer) -> None:
    running_server = sqlite_server
    ann, bob = await running_server.guest(), await running_server.guest()
    anns, bobs, casual = await ann.enter(), await bob.enter(), await ann.deal()
    assert await access_level_of(bob, anns) == "meter"
    assert await access_level_of(bob, bobs) == "seat"
    assert await access_level_of(bob, casual) == "board"
    running_server.clock.at = CLOSED
    assert await access_level_of(bob, anns) == "board"
    assert [name async for name in running_server.server.store.stream_names("watched/")] == []


async def test_boards_shown_because_the_own_run_ended_are_logged_before_they_are_shown(
    sqlite_server: RunningServer,
) -> None:
    ann, bob = await sqlite_server.guest(), await sqlite_server.guest()
    anns, bobs = await ann.enter(), await bob.enter()
    async with bob.connect() as socket:
        await socket.request("subscribe", game=anns)
        await socket.request("resign", game=bobs, version=1)
        assert (await socket.receive("view"))["sight"] == "board"
        assert await watched(sqlite_server, bob.id) == [anns]
