"""Boards over HTTP and the socket: whose places are shown, and how soon."""

import asyncio
from typing import Any

import pytest

from cadogan.server.subjects.players.groups import MAX_GROUPS
from tests.harness.leaderboard_runs import DAY
from tests.harness.patience import soon
from tests.harness.people import Person
from tests.harness.running_server import RunningServer
from tests.harness.two_nodes import TwoNodes

pytestmark = pytest.mark.slow

DEAL = f"deal:{DAY}.1"
BOARDS = (DEAL, f"day:{DAY}", "week:2026-W47", "month:2026-11", "all")


async def give_up(person: Person, slot: int = 1, turns: int = 1) -> str:
    """Play so many turns of a deal of the day, or until no move is legal, then resign, and return the game's id."""
    game = await person.enter(slot=slot)
    async with person.connect() as player_socket:
        seen = await player_socket.request("subscribe", game=game)
        for _ in range(turns):
            if seen["legal"]:
                seen = await player_socket.play(seen)
        await player_socket.request("resign", game=game, version=seen["version"])
    return game


async def named(running_server: RunningServer, name: str) -> Person:
    """Somebody with a name."""
    person = await running_server.guest()
    status, _ = await person.post("/account", {"name": name, "password": "eight red queens"})
    assert status == 200
    return person


async def board_of(person: Person, board: str, **query: Any) -> Any:
    asked = "&".join(f"{key}={value}" for key, value in query.items())
    status, body = await person.get(f"/boards/{board}?{asked}")
    assert status == 200, body
    return body


def who(board: Any) -> list[str]:
    return [entry["player"]["id"] for entry in board["entries"]]


async def test_a_finished_run_is_on_every_board_that_it_counts_on(sqlite_server: RunningServer) -> None:
    ann = await sqlite_server.guest()
    game = await give_up(ann, turns=1)
    rules = (await ann.get("/dailies/today"))[1]["deals"][0]["rules"]
    for board in (*BOARDS, f"game:{rules}"):
        shown = await board_of(ann, board)
        assert (shown["board"], shown["total"], shown["offset"]) == (board, 1, 0)
        assert shown["entries"] == [shown["you"]]
        assert (shown["you"]["rank"], shown["you"]["moves"], shown["you"]["player"]["id"]) == (1, 1, ann.id)
    of_deal, of_day = [await board_of(ann, board) for board in BOARDS[:2]]
    assert (of_deal["you"]["game"], of_deal["you"]["result"]) == (game, "resigned")
    assert (of_day["you"]["runs"], of_day["you"]["points"] >= 0) == (1, True)


async def test_a_run_under_way_is_on_no_board(sqlite_server: RunningServer) -> None:
    ann = await sqlite_server.guest()
    await ann.enter()
    assert [await board_of(ann, board) for board in BOARDS] == [
        {"board": board, "total": 0, "offset": 0, "entries": []} for board in BOARDS
    ]


async def test_a_practice_run_is_on_no_board(sqlite_server: RunningServer) -> None:
    ann = await sqlite_server.guest()
    await give_up(ann)
    before = await board_of(ann, "all")
    game = await ann.enter(practice=True)
    async with ann.connect() as player_socket:
        await player_socket.request("resign", game=game, version=1)
    assert await board_of(ann, "all") == before


async def test_a_player_stands_in_the_middle_of_the_entries_around_them(sqlite_server: RunningServer) -> None:
    people = [await sqlite_server.guest() for _ in range(7)]
    for turns, person in enumerate(people, 1):
        await give_up(person, turns=turns)
    everybody = who(await board_of(people[0], DEAL))
    for place, player in enumerate(everybody):
        shown = await board_of(people[0], DEAL, around=player, limit=3)
        start = min(max(0, place - 1), len(everybody) - 3)
        assert (shown["offset"], who(shown)) == (start, everybody[start : start + 3])
    assert (await board_of(people[0], DEAL, around="me", limit=1))["entries"][0]["player"]["id"] == people[0].id
    assert who(await board_of(sqlite_server.stranger(), DEAL, around="me", offset=5)) == everybody[5:]


async def test_friends_are_followed_by_name_and_have_a_board(sqlite_server: RunningServer) -> None:
    ann, bob, carl = [await named(sqlite_server, name) for name in ("Ann", "Bob", "Carl")]
    for person in (ann, bob, carl):
        await give_up(person)
    assert (await ann.ask("PUT", "/friends/nobody"))[1]["code"] == "not_found"
    assert (await ann.ask("PUT", "/friends/Ann"))[1]["code"] == "not_found"
    for name in ("BOB", "carl", "bob"):
        status, friends = await ann.ask("PUT", f"/friends/{name}")
        assert status == 200
    assert [friend["name"] for friend in friends["friends"]] == ["Bob", "Carl"]
    ranked = who(await board_of(ann, DEAL, among="friends"))
    assert set(ranked) == {ann.id, bob.id, carl.id}
    for player in ranked:
        assert who(await board_of(ann, DEAL, among="friends", around=player, limit=3)) == ranked
    assert set(who(await board_of(bob, DEAL, among="friends", around="me"))) == {bob.id}
    for person, limit in ((ann, 2), (bob, 1), (ann, 1)):
        around = await board_of(person, "all", around="me", limit=limit)
        assert len(around["entries"]) == limit
        among = await board_of(person, DEAL, among="friends", around="me", limit=limit)
        assert len(among["entries"]) == min(limit, among["total"])
    for name in ("bob", "carl"):
        await ann.ask("DELETE", f"/friends/{name}")
    assert who(await board_of(ann, DEAL, among="friends")) == [ann.id]
    assert (await sqlite_server.stranger().get(f"/boards/{DEAL}?among=friends"))[0] == 401


async def test_a_group_has_boards_for_those_who_joined_by_its_link(sqlite_server: RunningServer) -> None:
    ann, bob, eve = [await sqlite_server.guest() for _ in range(3)]
    for person in (ann, bob, eve):
        await give_up(person)
    _, group = await ann.post("/groups", {"name": "The  Tuesday club"})
    assert (group["name"], [member["id"] for member in group["members"]]) == ("The Tuesday club", [ann.id])
    assert (await bob.post("/groups/join", {"token": "guessed"}))[1]["code"] == "not_found"
    assert [(await eve.get(f"/groups/join/{one}"))[1]["code"] for one in ("guessed", "%00")] == ["not_found"] * 2
    assert (await sqlite_server.stranger().get(f"/groups/join/{group['token']}"))[1] == {"name": "The Tuesday club"}
    for _ in range(2):
        _, joined = await bob.post("/groups/join", {"token": group["token"]})
        assert {member["id"] for member in joined["members"]} == {ann.id, bob.id}
    among = f"group:{group['id']}"
    shown = await board_of(ann, DEAL, among=among)
    assert (set(who(shown)), shown["total"]) == ({ann.id, bob.id}, 2)
    assert (await eve.get(f"/boards/{DEAL}?among={among}"))[1]["code"] == "not_found"
    assert (await bob.ask("DELETE", f"/groups/{group['id']}/members/me"))[1] == {"groups": []}
    assert (await bob.get(f"/boards/{DEAL}?among={among}"))[1]["code"] == "not_found"
    assert [one["id"] for one in (await ann.get("/groups"))[1]["groups"]] == [group["id"]]


async def test_the_owner_of_a_group_puts_a_person_out_and_renews_its_link(sqlite_server: RunningServer) -> None:
    ann, bob, eve = [await named(sqlite_server, name) for name in ("Ann", "Bob", "Eve")]
    bot = Person(bob.url, bob.session)
    made = (await bob.post("/bots", {"name": "Marvin"}))[1]
    bot.id, bot.token = made["player"]["id"], made["token"]
    _, group = await ann.post("/groups", {"name": "The Tuesday club"})
    path, link = f"/groups/{group['id']}", {"token": group["token"]}
    for person in (bob, bot, eve):
        sqlite_server.clock.at += 1
        assert (await person.post("/groups/join", link))[0] == 200
    for method, asked in (("DELETE", f"{path}/members/{eve.id}"), ("PUT", f"{path}/link")):
        assert (await bob.ask(method, asked))[1]["code"] == "forbidden"
        assert (await sqlite_server.stranger().ask(method, asked))[1]["code"] == "unauthorized"
        assert (await (await sqlite_server.guest()).ask(method, asked))[1]["code"] == "not_found"
    assert (await ann.ask("DELETE", f"{path}/members/{ann.id}"))[1]["code"] == "conflict"

    status, left = await ann.ask("DELETE", f"{path}/members/{bob.id}")
    assert (status, [member["id"] for member in left["members"]]) == (200, [ann.id, eve.id])
    assert (await ann.ask("DELETE", f"{path}/members/{bob.id}"))[1] == left  # asked again, nothing more
    for person in (bob, bot):
        assert (await person.get("/groups"))[1] == {"groups": []}
        assert (await person.get(f"/boards/{DEAL}?among=group:{group['id']}"))[1]["code"] == "not_found"
        assert (await person.post("/groups/join", link))[1]["code"] == "not_found"
    assert (await eve.get("/groups"))[1]["groups"][0]["token"] == left["token"] != group["token"]

    _, renewed = await ann.ask("PUT", f"{path}/link")
    assert (await bob.post("/groups/join", {"token": left["token"]}))[1]["code"] == "not_found"
    assert len((await bob.post("/groups/join", {"token": renewed["token"]}))[1]["members"]) == 3


async def test_a_player_and_their_bots_are_in_fifty_groups_together(sqlite_server: RunningServer) -> None:
    ann = await named(sqlite_server, "Ann")
    bot = Person(ann.url, ann.session)
    bot.token = (await ann.post("/bots", {"name": "Marvin"}))[1]["token"]
    statuses = [(await (ann, bot)[n % 2].post("/groups", {"name": f"Club {n}"}))[0] for n in range(MAX_GROUPS + 1)]
    assert statuses == [200] * MAX_GROUPS + [429]


async def test_a_bot_is_shown_as_one_and_has_boards_of_its_own(sqlite_server: RunningServer) -> None:
    ann = await named(sqlite_server, "Ann")
    status, made = await ann.post("/bots", {"name": "Marvin"})
    assert status == 200
    assert made["player"] == {"id": made["player"]["id"], "name": "Marvin", "guest": False, "bot": True}
    bot = Person(sqlite_server.url, sqlite_server.session)
    bot.id, bot.token = made["player"]["id"], made["token"]
    game = await give_up(bot)
    assert (await bot.get("/session"))[1]["player"]["bot"]
    assert (await ann.get(f"/games/{game}"))[1]["game"]["player"]["bot"]
    for board in BOARDS:
        assert who(await board_of(ann, board)) == []
        assert who(await board_of(ann, board, bots=1)) == who(await board_of(ann, f"bots:{board}")) == [bot.id]


async def test_only_a_player_with_a_name_makes_bots_and_no_more_than_ten(sqlite_server: RunningServer) -> None:
    guest, ann = await sqlite_server.guest(), await named(sqlite_server, "Ann")
    assert (await guest.post("/bots", {"name": "Marvin"}))[1]["code"] == "conflict"
    _, made = await ann.post("/bots", {"name": "Marvin"})
    assert (await ann.post("/bots", {"name": "MARVIN"}))[1]["code"] == "name_taken"
    bot = Person(sqlite_server.url, sqlite_server.session)
    bot.token = made["token"]
    assert (await bot.post("/bots", {"name": "Marvin's own"}))[1]["code"] == "conflict"
    for number in range(9):
        assert (await ann.post("/bots", {"name": f"Marvin {number}"}))[0] == 200
    assert (await ann.post("/bots", {"name": "Marvin 10"}))[1]["code"] == "too_many"
    entered = await bot.post("/session", {"name": "Marvin", "password": "eight red queens"})
    assert entered[1]["code"] == "bad_credentials"


async def test_a_finish_reaches_viewers_of_the_board(running_server: RunningServer) -> None:
    ann, bob = await running_server.guest(), await running_server.guest()
    async with running_server.stranger().connect() as watching:
        for board in (DEAL, "all", f"bots:{DEAL}"):
            assert (await watching.request("watch_board", board=board))["type"] == "done"
        assert (await watching.request("watch_board", board="day:2026-02-30"))["code"] == "not_found"
        async with asyncio.timeout(soon()):
            for number, person in enumerate((ann, bob), 1):
                game = await give_up(person, turns=number)
                heard = [await watching.receive("board_changed") for _ in range(2)]
                changes = {change["board"]: change for change in heard}
                assert {change["total"] for change in heard} == {number}
                assert changes[DEAL]["entries"] == [(await board_of(person, DEAL))["you"]]
                assert changes[DEAL]["entries"][0]["game"] == game
                assert changes["all"]["entries"] == [(await board_of(person, "all"))["you"]]
        await watching.request("unwatch_board", board="all")
        carl = await running_server.guest()
        await give_up(carl)
        assert (await watching.receive("board_changed"))["board"] == DEAL
        assert (await watching.request("ping"))["type"] == "pong"


async def test_after_a_gap_of_all_topics_viewers_read_their_boards_again(sqlite_server: RunningServer) -> None:
    async with sqlite_server.stranger().connect() as watching, asyncio.timeout(soon()):
        await watching.request("watch_board", board=DEAL)
        await sqlite_server.server.live_boards.resync(["game/of/another"])
        assert (await watching.request("ping"))["type"] == "pong"
        await sqlite_server.server.live_boards.resync(None)
        assert await watching.receive("board_changed") == {
            "type": "board_changed",
            "board": DEAL,
            "total": 0,
            "entries": [],
        }


async def test_a_finish_at_one_node_reaches_viewers_at_the_other(two_nodes: TwoNodes) -> None:
    ann = await two_nodes.first.guest()
    async with two_nodes.second.stranger().connect() as watching, asyncio.timeout(soon()):
        await watching.request("watch_board", board=DEAL)
        game = await give_up(ann, turns=1)
        assert (await watching.receive("board_changed"))["entries"][0]["game"] == game
