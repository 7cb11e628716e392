"""The final, the frozen last round, and outages that are adjusted."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from aiohttp.test_utils import TestServer
from msgspec import json
from sqlalchemy import select

from cadogan.server.app import Server
from cadogan.server.core.cluster.bus import LocalBus
from cadogan.server.core.database.tables import pulse
from cadogan.server.core.scoring.answer import score
from cadogan.server.subjects.evenings.leading.outage_watch import OutageWatch
from cadogan.server.web_app import make_web_app
from tests.harness.evening_actions import MINUTE, PAUSE, ROUND, Room, open_room
from tests.harness.patience import soon


@pytest.fixture
async def room(database_url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Room]:
    """A room without an evening, whose nodes do nothing by the clock after their start."""
    monkeypatch.setattr("cadogan.server.web_app.CLOCK_INTERVAL_SECONDS", 3600.0)
    async with open_room(database_url, count=1) as one:
        yield one


async def gather(room: Room, *names: str) -> None:
    """Let people enter, and round 1 open."""
    for name in names:
        await room.guest(name)
    await room.pass_time(10 * MINUTE)


def shown(standing: dict[str, object], name: str) -> list[tuple[str, str]]:
    """How each share of a player came about, and what it is."""
    fields = standing["fields"]
    assert isinstance(fields, list)
    row = next(row for row in fields[0]["rows"] if row["player"]["name"] == name)
    return [(share["how"], share["shown"]) for share in row["shares"]]


async def test_the_best_play_a_final_that_the_others_cannot_open(room: Room) -> None:
    final = {"rounds": 1, "best": 2, "carry": "half"}
    await room.announce(rounds=2, games=["klondike"] * 3, final=final)
    await gather(room, "ann", "bob", "cat")
    for moves, name in enumerate(("ann", "bob", "cat")):
        await room.play(name, moves)
    await room.pass_time(ROUND + PAUSE)
    for moves, name in enumerate(("ann", "bob", "cat")):
        await room.play(name, moves)
    await room.pass_time(ROUND + 5 * MINUTE)
    assert (await room.show())["state"] == "round"
    status, refused = await room.people["cat"].post(f"/evenings/{room.evening}/games")
    assert (status, refused["message"]) == (409, "The final is for those who have reached it.")
    assert "may_play" not in await room.show("cat")
    await room.play("bob")
    await room.play("ann", 1)
    await room.pass_time(ROUND)
    standing = await room.standing()
    rows = [
        (row["place"], row["player"]["name"], row.get("stage"), row["shown"]) for row in standing["fields"][0]["rows"]
    ]
    # ann: (0 + (1 + 1) / 2) / (1 + 2 / 2); bob: (1 + (1/2 + 1/2) / 2) / 2
    assert rows == [(1, "bob", "final", "75.00"), (2, "ann", "final", "50.00"), (3, "cat", None, "0.00")]
    assert [name for name, _ in await room.events() if name == "finalists_named"] == ["finalists_named"]


async def test_a_frozen_standing_leaves_the_last_round_out_until_the_leader_shows_it(room: Room) -> None:
    await room.announce(rounds=2, games=["klondike"] * 2, freeze=True)
    await gather(room, "ann", "bob")
    await room.play("ann")
    await room.play("bob", 1)
    await room.pass_time(ROUND + PAUSE)
    await room.play("bob")
    frozen = await room.standing()
    assert (frozen["frozen"], shown(frozen, "ann"), shown(frozen, "bob")) == (
        True,
        [("played", "100.00")],
        [("played", "0.00")],
    )
    await room.pass_time(ROUND)
    assert shown(await room.standing(), "bob") == [("played", "0.00")]
    assert (await room.people["ann"].get(f"/evenings/{room.evening}/form"))[0] == 403
    status, answer = await room.rule(kind="thaw")
    assert status == 200, answer
    thawed = await room.standing()
    assert ("frozen" in thawed, len(shown(thawed, "bob")), len(thawed["reveal"])) == (False, 2, 2)


async def test_an_outage_that_the_server_sees_by_itself_is_noted_once_and_adjusted(room: Room) -> None:
    await room.announce(rounds=2, games=["klondike"] * 2)
    server = room.first.server
    watch = OutageWatch(server.database, server.evenings, server.clocks, room.clock)
    await gather(room, "ann", "bob", "cat", "dan")
    for name in ("ann", "bob", "cat"):
        await room.play(name)
    await room.play("dan", 1, give_up=False)
    await watch.run_due()
    await room.pass_time(4 * MINUTE)
    await watch.run_due()
    await OutageWatch(server.database, server.evenings, server.clocks, room.clock).run_due()
    stored = [event for event in await server.store.read(f"evening/{room.evening}") if "outage" in event.type]
    told = [json.decode(event.data) for event in stored]
    assert [one["until"] - one["from"] for one in told] == [4 * MINUTE]
    await room.pass_time(6 * MINUTE + PAUSE)
    for name in ("ann", "bob", "cat", "dan"):
        await room.play(name)
    await room.pass_time(ROUND)
    standing = await room.standing()
    assert shown(standing, "dan") == [("adjusted", "60.00"), ("played", "50.00")]
    assert shown(standing, "ann")[0] == ("played", "50.00")
    _, form = await room.people["ann"].get(f"/evenings/{room.evening}/form")
    assert score(json.encode(form))["standings"][0]["rows"][0]["player"] == room.people["dan"].id


async def touched_at(server: Server) -> int:
    """When a node has touched the row by which outages are known, in milliseconds since 1970."""
    return await server.database.fetch_value(select(pulse.c.at)) or 0


async def test_a_node_that_starts_tells_a_restart_from_an_outage_at_once(room: Room) -> None:
    await room.announce(rounds=1, games=["klondike"])
    await gather(room, "ann")
    server = room.first.server
    await OutageWatch(server.database, server.evenings, server.clocks, room.clock).run_due()
    for seconds in (20, 20, 40):
        room.clock.at += seconds * 1000
        node = Server(server.settings, room.clock, LocalBus())
        async with TestServer(make_web_app(node)), asyncio.timeout(soon()):
            while await touched_at(server) < room.clock.at:  # noqa: ASYNC110  # its parts begin side by side
                await asyncio.sleep(0)
    stored = [event for event in await server.store.read(f"evening/{room.evening}") if "outage" in event.type]
    told = [json.decode(event.data) for event in stored]
    assert [(one["from"], one["until"]) for one in told] == [(room.clock.at - 40_000, room.clock.at)]


async def test_a_round_that_the_leader_voids_counts_for_nobody(room: Room) -> None:
    await room.announce(rounds=2, games=["klondike"] * 2)
    await gather(room, "ann", "bob")
    await room.play("ann")
    await room.play("bob", 1)
    assert (await room.rule(kind="void_round", round=2, reason="It has not begun."))[0] == 409
    assert (await room.rule(kind="void_round", round=1, reason="A light went out."))[0] == 200
    await room.pass_time(ROUND + PAUSE)
    await room.play("bob")
    await room.pass_time(ROUND)
    standing = await room.standing()
    assert (standing["void_rounds"], shown(standing, "bob")) == ([1], [("played", "50.00")])
