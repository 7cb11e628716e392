"""Reports: each thing once, with the evidence beside it and no card, and settled in the log."""

import json
from typing import Any

import pytest

from cadogan.server.core.eventlog.streams import game_stream
from tests.harness.daily_actions import play_and_resign
from tests.harness.hosts import WHY, log_of, player, with_role
from tests.harness.people import Person
from tests.harness.running_server import RunningServer

CHEATING = {"reason": "cheating", "text": "Every move of mine,\nan hour later."}
DAY = 24 * 3600 * 1000


async def report(person: Person, what: str, id: str, **body: str) -> tuple[int, Any]:
    """The answer to somebody who reports a run or a player."""
    return await person.ask("PUT", f"/reports/{what}/{id}", {**CHEATING, **body})


async def waiting(person: Person, settled: int = 0) -> list[dict[str, Any]]:
    """The reports that somebody with a role finds."""
    status, answer = await person.get(f"/house/reports?settled={settled}")
    assert status == 200, answer
    found: list[dict[str, Any]] = answer["reports"]
    return found


@pytest.mark.both_databases
async def test_a_report_stands_in_the_queue_with_the_evidence_and_who_reported_is_told_the_outcome(
    running_server: RunningServer,
) -> None:
    mod, bob = await with_role(running_server, "Mo", "moderator"), await player(running_server, "Bob")
    ann, cat = await player(running_server, "Ann"), await player(running_server, "Cat")
    game = await bob.enter()
    await play_and_resign(bob, game, moves=2)
    await mod.ask("PUT", f"/house/players/{bob.id}/mute", {"until": running_server.clock.at + DAY, **WHY})
    status, mine = await report(ann, "runs", game)
    assert (status, mine["reports"][0]["game"], "outcome" in mine["reports"][0]) == (200, game, False)
    running_server.clock.at += 1
    await report(cat, "runs", game)
    first, _ = await waiting(mod)
    assert (first["by"]["name"], first["reason"], first["text"]) == ("Ann", "cheating", CHEATING["text"])
    assert (first["about"]["player"]["name"], first["others"], first["run"]["game"]) == ("Bob", 1, game)
    assert [(act["act"], "note" in act) for act in first["acts"]] == [("muted", False)]
    settling = {"outcome": "acted", "note": "Struck it."}
    status, settled = await mod.ask("PUT", f"/house/reports/{first['id']}", settling)
    assert (status, settled["outcome"], settled["settled_at"]) == (200, "acted", running_server.clock.at)
    assert [one["by"]["name"] for one in await waiting(mod)] == ["Cat"]
    assert [one["by"]["name"] for one in await waiting(mod, settled=1)] == ["Ann"]
    (received,) = (await ann.get("/reports"))[1]["reports"]
    assert (received["outcome"], received["settled_at"]) == ("acted", running_server.clock.at)
    assert not {"by", "settled_by", "note"} & received.keys()
    host = await with_role(running_server, "Ada", "host")
    act = next(one for one in await log_of(host) if one["act"] == "report_settled")
    assert (act["by"]["name"], act["player"]["id"], act["game"], act["note"]) == ("Mo", bob.id, game, "Struck it.")


async def test_each_thing_is_reported_once_by_each_player(sqlite_server: RunningServer) -> None:
    mod, bob = await with_role(sqlite_server, "Mo", "moderator"), await player(sqlite_server, "Bob")
    ann = await player(sqlite_server, "Ann")
    game = await bob.enter()
    for _ in range(2):
        assert (await report(ann, "runs", game))[0] == 200
        assert (await report(ann, "players", bob.id, reason="name"))[0] == 200
    assert sorted(one["reason"] for one in await waiting(mod)) == ["cheating", "name"]


async def test_a_player_with_ten_bots_is_one_reporter(sqlite_server: RunningServer) -> None:
    mod, bob, ann = (
        await with_role(sqlite_server, "Mo", "moderator"),
        await player(sqlite_server, "Bob"),
        await player(sqlite_server, "Ann"),
    )
    cyd = await player(sqlite_server, "Cyd")
    bots = []
    for number in range(10):
        made = (await ann.post("/bots", {"name": f"Bot {number}"}))[1]
        bot = Person(ann.url, ann.session)
        bot.id, bot.token = made["player"]["id"], made["token"]
        bots.append(bot)
    for person in (bots[0], ann, *bots, cyd):
        assert (await report(person, "players", bob.id))[0] == 200
    assert [one["others"] for one in await waiting(mod)] == [1, 1]
    assert (await report(bots[1], "players", ann.id))[1]["code"] == "conflict"
    assert (await report(bots[1], "players", bots[2].id))[1]["code"] == "conflict"
    others = [await sqlite_server.guest() for _ in range(10)]
    answers = [(await report(bot, "players", other.id))[0] for bot, other in zip(bots, others, strict=True)]
    assert answers == [200] * 9 + [429]


async def test_who_reports_has_an_account_and_another_player_to_report(sqlite_server: RunningServer) -> None:
    ann, guest = await player(sqlite_server, "Ann"), await sqlite_server.guest()
    bot = (await ann.post("/bots", {"name": "Marvin"}))[1]["player"]["id"]
    assert (await report(guest, "players", ann.id))[1]["code"] == "forbidden"
    for own in (ann.id, bot):
        assert (await report(ann, "players", own))[1]["code"] == "conflict"
    for unknown in ("aaaaaaaaaaaaaaaa", "nothing"):
        assert (await report(ann, "players", unknown))[1]["code"] == "not_found"
        assert (await report(ann, "runs", unknown))[1]["code"] == "not_found"
    assert (await report(ann, "players", guest.id, text="x" * 501))[1]["code"] == "bad_message"
    assert (await ann.get("/reports"))[1]["reports"] == []


async def test_a_player_reports_ten_things_a_day(sqlite_server: RunningServer) -> None:
    ann = await player(sqlite_server, "Ann")
    others = [await sqlite_server.guest() for _ in range(11)]
    answers = [await report(ann, "players", other.id) for other in others]
    assert [status for status, _ in answers] == [200] * 10 + [429]
    assert answers[-1][1]["code"] == "too_many"
    sqlite_server.clock.at += DAY
    assert (await report(ann, "players", others[-1].id))[0] == 200


async def test_nobody_settles_a_report_of_their_own_or_about_themselves_and_none_is_settled_twice(
    sqlite_server: RunningServer,
) -> None:
    mo, ed = [await with_role(sqlite_server, name, "moderator") for name in ("Mo", "Ed")]
    ann = await player(sqlite_server, "Ann")
    await report(ann, "players", mo.id)
    await report(mo, "players", ann.id)
    for one in await waiting(mo):
        path = f"/house/reports/{one['id']}"
        assert (await mo.ask("PUT", path, {"outcome": "nothing"}))[1]["code"] == "forbidden"
        for _ in range(2):
            assert (await ed.ask("PUT", path, {"outcome": "nothing"}))[0] == 200
        assert (await ed.ask("PUT", path, {"outcome": "acted"}))[1]["code"] == "conflict"
    assert (await ed.ask("PUT", "/house/reports/aaaaaaaaaaaaaaaa", {"outcome": "acted"}))[1]["code"] == "not_found"


@pytest.mark.parametrize("role", ["moderator", "host"])
async def test_the_evidence_shows_no_card_of_an_open_day(sqlite_server: RunningServer, role: str) -> None:
    staff, bob = await with_role(sqlite_server, "Ada", role), await player(sqlite_server, "Bob")
    ann = await player(sqlite_server, "Ann")
    game = await bob.enter()
    await report(ann, "runs", game)
    (dealt,) = await sqlite_server.server.store.read(game_stream(game))
    cards = {card.lstrip("-") for pile in json.loads(dealt.data)["piles"].values() for card in pile}
    text = json.dumps([await waiting(staff), (await ann.get("/reports"))[1]])
    assert game in text
    assert not cards & {*text.replace('"', " ").replace(",", " ").split()}
    assert not any(word in text for word in ("piles", "secret", "commitment", "legal"))


async def test_reports_are_erased_with_who_made_them_and_whom_they_are_about(sqlite_server: RunningServer) -> None:
    mod, people = await with_role(sqlite_server, "Mo", "moderator"), {}
    for name in ("Ann", "Bob", "Cat"):
        people[name] = await player(sqlite_server, name)
    await report(people["Ann"], "players", people["Bob"].id)
    await report(people["Bob"], "players", people["Cat"].id)
    await report(people["Ann"], "players", people["Cat"].id)
    async with sqlite_server.server.database.writing() as connection:
        await connection.exec_driver_sql(f"DELETE FROM players WHERE id = '{people['Bob'].id}'")
    assert [(one["by"]["name"], one["about"]["player"]["name"]) for one in await waiting(mod)] == [("Ann", "Cat")]


async def test_a_message_is_reported_with_its_text_which_stays_with_the_report(running_server: RunningServer) -> None:
    mod, bob = await with_role(running_server, "Mo", "moderator"), await player(running_server, "Bob")
    ann, eve = await player(running_server, "Ann"), await player(running_server, "Eve")
    _, group = await ann.post("/groups", {"name": "The snug"})
    await bob.post("/groups/join", {"token": group["token"]})
    await ann.ask("PUT", f"/groups/{group['id']}/talk", {"on": True})
    rude, other = [
        (await bob.post(f"/groups/{group['id']}/messages", {"text": text}))[1]["id"] for text in ("Rude!", "Ruder!")
    ]
    for stranger in (eve, mod):
        assert (await report(stranger, "messages", rude))[1]["code"] == "not_found"
    assert (await report(bob, "messages", rude))[1]["code"] == "conflict"
    await report(ann, "players", bob.id)
    for message in (rude, other, rude):
        running_server.clock.at += 1
        status, mine = await report(ann, "messages", message, reason="conduct")
        assert status == 200, mine
    assert [one.get("quoted") for one in mine["reports"]] == ["Ruder!", "Rude!", None]
    found = [one.get("message") for one in await waiting(mod)]
    assert found == [
        None,
        {"id": rude, "text": "Rude!", "group": group["id"]},
        {"id": other, "text": "Ruder!", "group": group["id"]},
    ]
    assert (await mod.ask("DELETE", f"/groups/{group['id']}/messages/{rude}"))[0] == 200
    assert (await waiting(mod))[1]["message"] == {"id": rude, "text": "Rude!"}
    assert (await report(ann, "messages", rude))[1]["code"] == "not_found"
