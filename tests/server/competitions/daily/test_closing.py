"""The close of a day: finishing ends on the stroke, the boards' digests are logged, and records give them again."""

import asyncio

from msgspec import json
from sqlalchemy import select

from server.competitions.daily.challenges import SETTLE
from server.database.tables import entries, games
from server.eventlog.events import GameDealt, GameFinished, decode_event
from server.eventlog.projections import EntryRow, Row, project
from server.http import app_keys
from server.leaderboards import digests
from server.storage.rebuild import rebuild
from tests.harness.daily_actions import CLOSES, DAY, attempt_of, close, give_up, logged, spoil
from tests.harness.people import Person
from tests.harness.running_server import House
from tests.harness.two_nodes import Town

DEALS = [f"{DAY}.{slot}" for slot in (1, 2, 3)]


async def entries_from_records(house: House, games: list[str]) -> list[EntryRow]:
    """What the downloaded records say of the runs that count."""
    rows: list[Row] = []
    for game in games:
        status, record = await house.stranger().get(f"/games/{game}/record")
        assert status == 200
        facts = [
            (decode_event(event["type"], event["schema"], json.encode(event["data"]).decode()), event["recorded_at"])
            for event in record["events"]
        ]
        rows += project(record["stream"], facts)
    return [row for row in rows if isinstance(row, EntryRow)]


async def test_the_boards_digests_are_in_the_log_and_records_give_them_again(house: House) -> None:
    people = [await house.guest() for _ in range(4)]
    games = []
    for moves, person in enumerate(people):
        for slot in (1, 2, 3)[: moves + 1]:
            games.append(await person.enter(slot=slot))
            await give_up(person, games[-1], moves)
    await spoil(people[0], 2)
    last = await people[1].enter(slot=3)
    events = await close(house)
    assert [event.type for event in events] == ["daily_announced", "daily_opened", "daily_closed"]
    closed = json.decode(events[-1].data)
    assert set(closed["boards"]) == {*DEALS, "day"}
    runs = await entries_from_records(house, [*games, last])
    assert len(runs) == len(games)
    assert digests.day_digests(DAY, DEALS, runs) == closed["boards"]
    assert digests.day_digests(DAY, DEALS, runs[1:]) != closed["boards"]
    assert len(set(closed["boards"].values())) == 4


async def test_a_finish_before_the_stroke_counts_and_one_after_it_is_refused(house: House) -> None:
    ann, bob = await house.guest(), await house.guest()
    anns, bobs = await ann.enter(), await bob.enter()
    house.clock.at = CLOSES - 1
    await give_up(ann, anns)
    house.clock.at = CLOSES
    async with bob.talk() as talk:
        assert (await talk.ask("resign", game=bobs, version=1))["code"] == "day_not_open"
    assert "daily_closed" not in await logged(house, f"daily/{DAY}")
    house.clock.at = CLOSES + SETTLE - 1
    await bob.get("/dailies/today")
    assert "daily_closed" not in await logged(house, f"daily/{DAY}")
    closed = json.decode((await close(house))[-1].data)
    runs = await entries_from_records(house, [anns, bobs])
    assert [run.player for run in runs] == [ann.id]
    assert digests.day_digests(DAY, DEALS, runs) == closed["boards"]


async def test_two_nodes_close_a_day_once(town: Town) -> None:
    ann = await town.first.guest()
    await give_up(ann, await ann.enter())
    town.first.clock.at = CLOSES + SETTLE

    async def look(house: House) -> tuple[int, object]:
        return await Person(house.url, house.session).get("/dailies/today")

    await asyncio.gather(*(look(house) for house in (town.first, town.second, town.first, town.second)))
    assert (await logged(town.first, f"daily/{DAY}")).count("daily_closed") == 1


async def test_active_time_counts_a_minute_of_a_wait_at_most_and_the_clock_all_of_it(small_house: House) -> None:
    ann = await small_house.guest()
    game = await ann.enter()
    async with ann.talk() as talk:
        seen = await talk.ask("subscribe", game=game)
        small_house.clock.at += 20_000
        played = await talk.play(seen)
        small_house.clock.at += 600_000
        finished = await talk.ask("resign", game=game, version=played["version"])
    assert (finished["milliseconds"], finished["active"]) == (620_000, 80_000)
    _, view = await ann.get(f"/games/{game}")
    assert (view["clock"], view["active"]) == (620_000, 80_000)


async def test_every_run_names_its_deal_in_the_log(small_house: House) -> None:
    ann = await small_house.guest()
    game = await ann.enter(slot=2)
    assert game == await attempt_of(small_house, ann, 2)
    (stored,) = await small_house.service._store.read(f"game/{game}")
    dealt = decode_event(stored.type, stored.schema, stored.data)
    assert isinstance(dealt, GameDealt)
    assert not isinstance(dealt, GameFinished)
    assert (dealt.deal, dealt.nonce, dealt.day, dealt.slot) == (f"{DAY}.2", f"{DAY}.2", DAY, 2)


async def rows(house: House) -> list[tuple[object, ...]]:
    """What is derived from the log of games and of runs that count."""
    async with house.app[app_keys.DATABASE].reading() as connection:
        found = [tuple(row) for table in (games, entries) for row in await connection.execute(select(table))]
    return sorted(found, key=str)


async def test_what_is_derived_anew_from_a_day_of_spoiling_and_practice_is_the_same(house: House) -> None:
    ann, bob, cat = [await house.guest() for _ in range(3)]
    await give_up(ann, await ann.enter(), moves=1)
    await ann.enter(practice=True)
    await bob.enter()
    await spoil(bob)
    await give_up(bob, await bob.enter(), moves=2)
    await spoil(cat)
    await give_up(cat, await cat.enter(practice=True))
    await cat.enter(slot=2)
    before = await rows(house)
    assert len(before) == 6
    await rebuild(house.app[app_keys.DATABASE])
    assert await rows(house) == before
