"""The close of a day: finishing ends on the stroke, the boards' digests are logged, and records give them again."""

import asyncio

import pytest
from msgspec import json
from msgspec.structs import replace
from sqlalchemy import select

from cadogan import engine
from cadogan.server.core import dates, ranking
from cadogan.server.core.database.tables import entries, games
from cadogan.server.core.eventlog.events import GameDealt, GameFinished, decode_event
from cadogan.server.core.eventlog.projections import EntryRow, Row, project
from cadogan.server.core.games.competition import make_deal_event
from cadogan.server.core.storage.rebuild import rebuild
from cadogan.server.subjects.known_rules import known_rules
from tests.harness.daily_actions import (
    CLOSED,
    CLOSES,
    DAY,
    access_level_of,
    ask_to_be_shown,
    attempt_id,
    close_day,
    event_types,
    play_and_resign,
    refusal,
)
from tests.harness.people import Person
from tests.harness.running_server import RunningServer
from tests.harness.two_nodes import TwoNodes

DEALS = [f"{DAY}.{slot}" for slot in (1, 2, 3)]
DEAD_END = {"tableau.0": ["7H"], "tableau.1": ["8S"]}
"""A Klondike with one move, after which none is left."""


async def entries_from_records(running_server: RunningServer, games: list[str]) -> list[EntryRow]:
    """What the downloaded records say of the runs that count."""
    rows: list[Row] = []
    for game in games:
        status, record = await running_server.stranger().get(f"/games/{game}/record")
        assert status == 200
        facts = [
            (decode_event(event["type"], event["schema"], json.encode(event["data"]).decode()), event["recorded_at"])
            for event in record["events"]
        ]
        rows += project(record["stream"], facts, known_rules())
    return [row for row in rows if isinstance(row, EntryRow)]


async def test_the_boards_digests_are_in_the_log_and_records_give_them_again(running_server: RunningServer) -> None:
    people = [await running_server.guest() for _ in range(4)]
    games = []
    for moves, person in enumerate(people):
        for slot in (1, 2, 3)[: moves + 1]:
            games.append(await person.enter(slot=slot))
            await play_and_resign(person, games[-1], moves)
    await ask_to_be_shown(people[0], 2)
    last = await people[1].enter(slot=3)
    events = await close_day(running_server)
    assert [event.type for event in events] == ["daily_announced", "daily_opened", "daily_closed"]
    closed = json.decode(events[-1].data)
    assert set(closed["boards"]) == {*DEALS, "day"}
    runs = await entries_from_records(running_server, [*games, last])
    assert len(runs) == len(games) - 1  # a run without a move counts nowhere
    assert ranking.day_digests(DAY, DEALS, runs) == closed["boards"]
    assert ranking.day_digests(DAY, DEALS, runs[1:]) != closed["boards"]
    assert len(set(closed["boards"].values())) == 4


async def test_a_finish_before_the_close_counts_and_one_after_it_is_refused(running_server: RunningServer) -> None:
    ann, bob = await running_server.guest(), await running_server.guest()
    anns, bobs = await ann.enter(), await bob.enter()
    running_server.clock.at = CLOSES - 1
    await play_and_resign(ann, anns, moves=1)
    running_server.clock.at = CLOSES
    async with bob.connect() as socket:
        assert (await socket.request("resign", game=bobs, version=1))["code"] == "day_not_open"
    assert "daily_closed" not in await event_types(running_server, f"daily/{DAY}")
    running_server.clock.at = CLOSED - 1
    await bob.get("/dailies/today")
    assert "daily_closed" not in await event_types(running_server, f"daily/{DAY}")
    closed = json.decode((await close_day(running_server))[-1].data)
    runs = await entries_from_records(running_server, [anns, bobs])
    assert [run.player for run in runs] == [ann.id]
    assert ranking.day_digests(DAY, DEALS, runs) == closed["boards"]


async def received_of(stranger: Person, game: str) -> list[object]:
    """What a stranger is told of a day and of one of its runs: state, secret, sight, and what is answered for ways."""
    _, daily = await stranger.get(f"/dailies/{DAY}")
    ways = [(await stranger.get(f"/games/{game}/{way}"))[0] for way in ("replay", "record")]
    return [daily["state"], "secret" in daily, await access_level_of(stranger, game), *ways]


async def test_nothing_is_shown_for_the_close_before_it_is_in_the_log_and_no_run_counts_after_it(
    running_server: RunningServer,
) -> None:
    ann, bob, cat, stranger = [await running_server.guest() for _ in range(3)] + [running_server.stranger()]
    anns, bobs, noon = await ann.enter(), await bob.enter(), running_server.clock.at
    await play_and_resign(bob, bobs)
    for at in (CLOSES, CLOSED - 1):
        running_server.clock.at = at
        assert await received_of(stranger, anns) == ["open", False, "meter", 403, 403]
        assert await refusal(cat, f"/dailies/{DAY}/deals/1/games") == "day_not_open"
        assert await refusal(cat, f"/dailies/{DAY}/deals/1/games", {"practice": True}) == "spoiler_embargo"
    running_server.clock.at = noon
    assert await received_of(stranger, anns) == ["open", False, "meter", 403, 403]
    async with ann.connect() as socket:
        seen = await socket.play(await socket.request("subscribe", game=anns))
        assert seen["version"] == 2
        running_server.clock.at = CLOSED
        assert await received_of(stranger, anns) == ["closed", True, "board", 200, 200]
        running_server.clock.at = noon
        assert await received_of(stranger, anns) == ["closed", True, "board", 200, 200]
        assert (await socket.request("resign", game=anns, version=2))["code"] == "day_not_open"
    assert await refusal(cat, f"/dailies/{DAY}/deals/1/games") == "day_not_open"
    assert await refusal(cat, f"/dailies/{DAY}/deals/2/spoil") == "day_not_open"


async def test_a_node_whose_clock_is_behind_takes_no_run_of_a_day_that_another_node_has_closed(
    two_nodes: TwoNodes,
) -> None:
    ann, bob = await two_nodes.first.guest(), await two_nodes.first.guest()
    anns, noon = await ann.enter(), two_nodes.first.clock.at
    ann_there, bob_there = two_nodes.at_second(ann), two_nodes.at_second(bob)
    two_nodes.cut()
    async with ann_there.connect() as socket:
        seen = await socket.request("subscribe", game=anns)
        await close_day(two_nodes.first)
        two_nodes.first.clock.at = noon
        assert (await socket.play(seen))["code"] == "day_not_open"
        assert (await socket.request("resign", game=anns, version=1))["code"] == "day_not_open"
    for slot in (1, 2):
        assert await refusal(bob_there, f"/dailies/{DAY}/deals/{slot}/games") == "day_not_open"
        assert await refusal(bob_there, f"/dailies/{DAY}/deals/{slot}/spoil") == "day_not_open"


async def test_a_clock_that_was_years_ahead_for_a_moment_does_not_stop_the_days(running_server: RunningServer) -> None:
    ann, noon = await running_server.guest(), running_server.clock.at
    running_server.clock.at = noon + 100 * dates.MILLISECONDS_PER_DAY
    await ann.enter()
    running_server.clock.at = noon + 20 * dates.MILLISECONDS_PER_DAY
    await ann.enter()


@pytest.mark.both_databases
async def test_two_nodes_close_a_day_once(two_nodes: TwoNodes) -> None:
    ann = await two_nodes.first.guest()
    await play_and_resign(ann, await ann.enter())
    two_nodes.first.clock.at = CLOSED

    async def look(running_server: RunningServer) -> tuple[int, object]:
        return await Person(running_server.url, running_server.session).get("/dailies/today")

    await asyncio.gather(
        *(
            look(running_server)
            for running_server in (two_nodes.first, two_nodes.second, two_nodes.first, two_nodes.second)
        )
    )
    assert (await event_types(two_nodes.first, f"daily/{DAY}")).count("daily_closed") == 1


async def test_active_time_counts_a_minute_of_a_wait_at_most_and_the_clock_all_of_it(
    sqlite_server: RunningServer,
) -> None:
    ann = await sqlite_server.guest()
    game = await ann.enter()
    async with ann.connect() as socket:
        seen = await socket.request("subscribe", game=game)
        sqlite_server.clock.at += 20_000
        played = await socket.play(seen)
        sqlite_server.clock.at += 600_000
        finished = await socket.request("resign", game=game, version=played["version"])
    assert (finished["milliseconds"], finished["active"]) == (620_000, 80_000)
    _, view = await ann.get(f"/games/{game}")
    assert (view["clock"], view["active"]) == (620_000, 80_000)


async def test_every_run_names_its_deal_in_the_log(sqlite_server: RunningServer) -> None:
    ann = await sqlite_server.guest()
    game = await ann.enter(slot=2)
    assert game == await attempt_id(sqlite_server, ann, 2)
    (stored,) = await sqlite_server.server.store.read(f"game/{game}")
    dealt = decode_event(stored.type, stored.schema, stored.data)
    assert isinstance(dealt, GameDealt)
    assert not isinstance(dealt, GameFinished)
    assert (dealt.deal, dealt.nonce, dealt.day, dealt.slot) == (f"{DAY}.2", f"{DAY}.2", DAY, 2)


async def rows(running_server: RunningServer) -> list[tuple[object, ...]]:
    """What is derived from the log of games and of runs that count."""
    async with running_server.server.database.reading() as connection:
        found = [tuple(row) for table in (games, entries) for row in await connection.execute(select(table))]
    return sorted(found, key=str)


async def test_rows_rebuilt_from_a_day_of_spoiling_and_practice_are_the_same(
    running_server: RunningServer,
) -> None:
    ann, bob, cat = [await running_server.guest() for _ in range(3)]
    await play_and_resign(ann, await ann.enter(), moves=1)
    await ann.enter(practice=True)
    await bob.enter()
    await ask_to_be_shown(bob)
    await play_and_resign(bob, await bob.enter(), moves=2)
    await ask_to_be_shown(cat)
    await play_and_resign(cat, await cat.enter(practice=True))
    await cat.enter(slot=2)
    before = await rows(running_server)
    assert len(before) == 6
    await rebuild(running_server.server.database, known_rules())
    assert await rows(running_server) == before


async def begin_near_dead_end(running_server: RunningServer, person: Person) -> str:
    """Begin the person's attempt at the first deal of the day, with the cards of `DEAD_END`; the game's id."""
    klondike = engine.game("klondike")
    state = klondike.read_state(DEAD_END)
    daily = await running_server.server.challenges.get(DAY, running_server.clock.at)
    assert daily is not None
    deal = daily.sealed.deal(1, "klondike")
    dealt = replace(
        make_deal_event(deal, person.id, ranked=True),
        piles=klondike.write_piles(state),
        counters=klondike.write_counters(state),
    )
    game_id = daily.attempt(deal.id, person.id)
    await running_server.server.commands.deal(game_id, dealt, deal.secret, running_server.clock.at)
    return game_id


async def test_a_run_left_where_no_move_is_left_is_on_the_board_when_the_day_closes(
    running_server: RunningServer,
) -> None:
    ann, bob, cat = [await running_server.guest() for _ in range(3)]
    games = [await begin_near_dead_end(running_server, person) for person in (ann, bob, cat)]
    for person, game in zip((ann, bob), games[:2], strict=True):
        running_server.clock.at += 60_000
        async with person.connect() as socket:
            view = await socket.request("subscribe", game=game)
            seen = await socket.play(view, "tableau.0/tableau.1")
            assert (seen["status"], seen["can_take_back"]) == ("stuck", True)
            if person is bob:
                running_server.clock.at += 3_600_000
                end = await socket.request("resign", game=game, version=seen["version"])
                assert (end["result"], end["milliseconds"]) == ("lost", 120_000)
    assert "gave up" not in (await bob.get(f"/dailies/{DAY}/share"))[1]["text"]
    closed = json.decode((await close_day(running_server))[-1].data)
    _, board = await ann.get(f"/boards/deal:{DEALS[0]}")
    shown = [(row["player"]["id"], row["rank"], row["result"], row["milliseconds"]) for row in board["entries"]]
    assert shown == [(ann.id, 1, "lost", 60_000), (bob.id, 2, "lost", 120_000)]
    runs = await entries_from_records(running_server, games)
    assert ranking.day_digests(DAY, DEALS, runs) == closed["boards"]
    assert (await ann.get(f"/games/{games[0]}"))[1]["status"] == "lost"
    assert (await cat.get(f"/games/{games[2]}"))[1]["status"] == "playing"
