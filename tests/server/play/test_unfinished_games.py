"""The list of games that a player can go on with."""

from cadogan.server.core.dates import add_days
from cadogan.server.core.games.game_index import UNFINISHED_PAGE
from tests.harness.daily_actions import DAY, close_day
from tests.harness.people import Person
from tests.harness.race_actions import let_race_start, make_race
from tests.harness.running_server import RunningServer


async def unfinished(person: Person) -> list[str]:
    """The ids of the games in the person's list."""
    status, listed = await person.get("/games/unfinished")
    assert status == 200
    return [one["game"] for one in listed["games"]]


async def test_the_game_played_last_stands_first_and_an_ended_one_is_gone(sqlite_server: RunningServer) -> None:
    ann = await sqlite_server.guest()
    first, second, untouched = await ann.deal(), await ann.deal("quatorze"), await ann.deal()
    async with ann.connect() as socket:
        for game in (second, first):
            sqlite_server.clock.at += 1000
            seen = await socket.play(await socket.request("subscribe", game=game))
        assert await unfinished(ann) == [first, second]
        await socket.request("resign", game=first, version=seen["version"])
    assert untouched not in await unfinished(ann)
    assert await unfinished(ann) == [second]
    (shown,) = (await ann.get("/games/unfinished"))[1]["games"]
    assert (shown["rules"], shown["mode"], shown["moves"], shown["maximum"]) == ("quatorze", "casual", 1, 52)


async def test_a_run_of_the_day_is_in_the_list_until_the_day_closes_and_a_race_leads_to_it(
    sqlite_server: RunningServer,
) -> None:
    ann, bob = await sqlite_server.guest(), await sqlite_server.guest()
    run = await ann.enter()
    assert await unfinished(ann) == [run]
    race = await let_race_start(sqlite_server, ann, await make_race(ann, bob))
    shown = {one["mode"]: one for one in (await ann.get("/games/unfinished"))[1]["games"]}
    assert (shown["race"]["race"], shown["daily"]["game"]) == (race["race"], run)
    await close_day(sqlite_server)
    assert run not in await unfinished(ann)


async def test_nobody_has_no_list(sqlite_server: RunningServer) -> None:
    status, refused = await sqlite_server.stranger().get("/games/unfinished")
    assert (status, refused["code"]) == (401, "unauthorized")


async def test_four_days_of_deals_that_were_opened_and_left_hide_no_game_that_can_be_gone_on_with(
    sqlite_server: RunningServer,
) -> None:
    ann = await sqlite_server.guest()
    going_on = [await ann.deal()]
    async with ann.connect() as socket:
        await socket.play(await socket.request("subscribe", game=going_on[0]))
    for number in range(4):
        day = add_days(DAY, number)
        for slot in (1, 2, 3):
            await ann.enter(slot=slot)
        await close_day(sqlite_server, day)
    assert await unfinished(ann) == going_on
    for _ in range(UNFINISHED_PAGE + 1):
        await ann.deal()  # looked at, and left without a move
    assert await unfinished(ann) == going_on
