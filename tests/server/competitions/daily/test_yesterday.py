"""What somebody who comes back is told: yesterday's places, everybody's results, friends, groups, and today."""

from typing import Any

from cadogan.server.core.dates import MILLISECONDS_PER_DAY
from cadogan.wire.admin import Why
from tests.harness.daily_actions import DAY, play_and_resign
from tests.harness.people import Person
from tests.harness.running_server import RunningServer

NEXT_DAY = "2026-11-21"


async def told(person: Person) -> dict[str, Any]:
    """The answer to a person."""
    status, body = await person.get("/home/yesterday")
    assert status == 200
    return dict(body)


async def claim(person: Person, name: str) -> None:
    assert (await person.post("/account", {"name": name, "password": "eight red queens"}))[0] == 200


async def test_who_was_here_yesterday_is_told_how_it_went(sqlite_server: RunningServer) -> None:
    ann, bob, eve = [await sqlite_server.guest() for _ in range(3)]
    for person, name in ((ann, "Ann Rose"), (bob, "Bob"), (eve, "Eve")):
        await claim(person, name)
    await ann.ask("PUT", "/friends/Bob")
    _, group = await ann.post("/groups", {"name": "The snug"})
    await eve.post("/groups/join", {"token": group["token"]})
    games = {}
    for person, moves in ((ann, 12), (bob, 15), (eve, 11)):
        games[person.id] = await person.enter()
        await play_and_resign(person, games[person.id], moves)
    sqlite_server.clock.at += MILLISECONDS_PER_DAY
    await play_and_resign(bob, of_today := await bob.enter(), 2)

    about = await told(ann)
    assert (about["day"], about["streak"], about["best_streak"]) == (DAY, 1, 1)
    (deal,) = about["deals"]
    _, board = await ann.get(f"/boards/deal:{DAY}.1")
    own = next(row for row in board["entries"] if row["player"]["id"] == ann.id)
    assert (deal["slot"], deal["runs"], deal["won"]) == (1, 3, 0)
    assert deal["best_score"] == max(row["score"] for row in board["entries"])
    assert (deal["yours"]["game"], deal["yours"]["score"]) == (games[ann.id], own["score"])
    assert (deal["yours"]["place"]["rank"], deal["yours"]["place"]["total"]) == (own["rank"], 3)
    _, of_day = await ann.get(f"/boards/day:{DAY}")
    assert about["points"] == of_day["you"]["points"]
    assert about["place"]["rank"] == of_day["you"]["rank"]

    assert [(glance.get("among"), glance.get("name"), glance["total"]) for glance in about["boards"]] == [
        ("friends", None, 2),
        (f"group:{group['id']}", "The snug", 2),
        (None, None, 3),
    ]
    _, among = await ann.get(f"/boards/day:{DAY}?among=friends")
    assert about["boards"][0]["entries"] == among["entries"]
    assert about["boards"][0]["you"] == among["you"]
    assert [(run["day"], run["game"], run["player"]["name"]) for run in about["friends"]] == [
        (NEXT_DAY, of_today, "Bob"),
        (DAY, games[bob.id], "Bob"),
    ]
    _, today = await ann.get("/dailies/today")
    assert about["today"] == today["deals"] != []


async def test_a_run_that_hosts_have_struck_is_in_no_figure(sqlite_server: RunningServer) -> None:
    ann, bob = await sqlite_server.guest(), await sqlite_server.guest()
    await play_and_resign(ann, struck := await ann.enter(), 12)
    await play_and_resign(bob, await bob.enter(), 12)
    sqlite_server.clock.at += MILLISECONDS_PER_DAY
    assert (await told(ann))["deals"][0]["runs"] == 2
    await sqlite_server.server.admin.strikes.strike(None, struck, True, Why(reason="cheating"))
    about = await told(ann)
    assert about["deals"][0]["runs"] == 1
    assert "yours" not in about["deals"][0]
    assert (about["points"], about["streak"], about.get("place")) == (0, 0, None)


async def test_who_was_not_here_is_told_only_what_others_did(sqlite_server: RunningServer) -> None:
    ann, bob = await sqlite_server.guest(), await sqlite_server.guest()
    await play_and_resign(bob, await bob.enter(), 12)
    sqlite_server.clock.at += MILLISECONDS_PER_DAY
    about = await told(ann)
    assert (about["points"], about["streak"], about.get("place"), about.get("friends")) == (0, 0, None, None)
    assert [glance.get("among") for glance in about["boards"]] == [None]
    assert (await sqlite_server.stranger().get("/home/yesterday"))[0] == 401


async def test_a_collection_is_public_until_its_player_leaves(sqlite_server: RunningServer) -> None:
    ann = await sqlite_server.guest()
    await play_and_resign(ann, await ann.deal("maze"), 12)
    path = f"/players/{ann.id}/collection"
    status, seen = await sqlite_server.stranger().get(path)
    assert status == 200
    assert (seen["player"]["id"], seen["month"], seen["shields"], seen["badges"]) == (ann.id, DAY[:7], [], [])
    assert [(game["rules"], game["played"], game["won"], game.get("first_win")) for game in seen["games"]] == [
        ("maze", 1, 0, None)
    ]
    assert (await ann.ask("DELETE", "/account"))[0] == 200
    for unknown in (ann.id, "nobody"):
        assert (await sqlite_server.stranger().get(f"/players/{unknown}/collection"))[0] == 404
