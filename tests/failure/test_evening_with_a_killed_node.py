"""A whole evening of thirty at two nodes in processes of their own: one is killed in round two, both in round three."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from msgspec import json
from sqlalchemy import select

from cadogan.server.core.database.connections import open_database
from cadogan.server.core.database.tables import pulse
from tests.harness.clocked_server import CLOCK_FILE, SERVE, SharedClock
from tests.harness.command_line import run
from tests.harness.hosts import PASSWORD, WHY
from tests.harness.patience import long
from tests.harness.people import Person
from tests.harness.server_process import NO_RATE_LIMIT, ServerProcess

MINUTE = 60_000
ROUND, PAUSE = 10 * MINUTE, MINUTE
ROUNDS = 4
PEOPLE, BOTS, LATE = 23, 4, 3
MOST_MOVES = 20
"""More deals than these empty the stock, and the game is over."""
CUT = 8
"""How many have an open run at the node that is killed."""
OUTAGE = 4 * MINUTE
"""Milliseconds of round three in which no node runs."""


class Night:
    """Two nodes over one database, whose clock the test sets, and the people of one evening."""

    def __init__(self, url: str, folder: Path, session: aiohttp.ClientSession) -> None:
        self.url = url
        self.clock = SharedClock(folder / "clock")
        settings = {CLOCK_FILE: str(folder / "clock"), "CADOGAN_KEY_FILE": str(folder / "cadogan.key")}
        self.nodes = [ServerProcess(url, folder / f"log-{n}", NO_RATE_LIMIT | settings, SERVE) for n in range(2)]
        self.session = session
        self.host = Person("", session)
        self.people: list[Person] = []
        self.evening = ""
        self.rounds: list[dict[str, Any]] = []

    async def arrive(self, node: int) -> Person:
        """Create a guest who plays at this node."""
        return await Person(self.nodes[node].url, self.session).arrive()

    async def announce(self) -> None:
        """Let a host make an evening that begins in ten minutes."""
        self.host = await self.named("Rosamund")
        await asyncio.to_thread(self.nodes[0].command, "host", "Rosamund")
        assert (await self.host.ask("PUT", "/session/confirmation", {"password": PASSWORD}))[0] == 200
        games = ["klondike"] * ROUNDS
        new = {"title": "Thursday", "starts_at": self.clock() + ROUND, "rounds": ROUNDS, "games": games}
        made = await done(self.host.post("/evenings", new))
        self.evening, self.rounds = made["id"], made["rounds"]

    async def named(self, name: str) -> Person:
        """Create a player with an account."""
        person = await self.arrive(0)
        await done(person.post("/account", {"name": name, "password": PASSWORD}))
        return person

    async def enter(self, name: str, node: int) -> None:
        """Let a guest enter under this name."""
        guest = await self.arrive(node)
        await done(guest.ask("PUT", f"/evenings/{self.evening}/entrants/me", {"name": name}))
        self.people.append(guest)

    async def enter_bot(self, number: int, node: int) -> None:
        """Let the bot of somebody who does not play enter."""
        owner = await self.named(f"Owner {number}")
        made = await done(owner.post("/bots", {"name": f"Robot {number}"}))
        bot = Person(self.nodes[node].url, self.session)
        bot.id, bot.token = made["player"]["id"], made["token"]
        await done(bot.ask("PUT", f"/evenings/{self.evening}/entrants/me", {}))
        self.people.append(bot)

    def move_to(self, node: int, people: Sequence[Person]) -> None:
        """Let people go on at this node."""
        for person in people:
            person.url = self.nodes[node].url

    async def open_deal(self, person: Person) -> str:
        """Open the deal of the open round, or find the run that was dealt; return its game."""
        return str((await done(person.post(f"/evenings/{self.evening}/games")))["game"])

    async def play(self, person: Person, moves: int, *, give_up: bool = True) -> str:
        """Open the deal, play so many moves, and give up; return the game. Of equal scores fewer moves win."""
        game = await self.open_deal(person)
        async with person.connect() as socket:
            version = (await socket.request("subscribe", game=game))["version"]
            for _ in range(moves):
                version = (await socket.play({"game": game, "version": version, "legal": ["deal"]}))["version"]
            if give_up:
                ended = await socket.request("resign", game=game, version=version)
                assert ended["type"] == "game_finished", ended
        return game

    def moves_of(self, person: Person) -> int:
        """Return how many moves somebody plays on each deal: the first two tie, the others play more."""
        return min(MOST_MOVES, max(0, self.people.index(person) - 1))

    async def play_all(self, people: Sequence[Person]) -> None:
        """Let all of these play."""
        await asyncio.gather(*(self.play(one, self.moves_of(one)) for one in people))

    async def standing(self, node: int) -> dict[str, Any]:
        """Return the standing as a node has it."""
        standing: dict[str, Any] = await done(
            Person(self.nodes[node].url, self.session).get(f"/evenings/{self.evening}/standing")
        )
        return standing

    async def standing_of_all(self, node: int, runs: int) -> dict[str, Any]:
        """Return the standing as a node has it, once it has so many runs."""
        async with asyncio.timeout(long()):
            while played(standing := await self.standing(node)) < runs:  # noqa: ASYNC110  # wake-ups take a moment
                await asyncio.sleep(0.1)
        return standing

    async def wait_for_touch(self) -> None:
        """Wait until a node has touched the row by which outages are known, some time after its start."""
        now = self.clock()
        async with asyncio.timeout(long()), open_database(self.url) as database:
            while (await database.fetch_value(select(pulse.c.at)) or 0) < now:  # noqa: ASYNC110
                await asyncio.sleep(0.1)


async def done(asked: Any) -> Any:
    """Return the body of an answer that is no refusal."""
    status, body = await asked
    assert status == 200, body
    return body


def played(standing: dict[str, Any]) -> int:
    """Return how many runs a standing has."""
    rows = [row for one in standing["fields"] for row in one["rows"]]
    return sum(share["how"] == "played" for row in rows for share in row["shares"])


def how_of(standing: dict[str, Any], person: Person) -> list[str]:
    """Return how the shares of somebody came about, by round."""
    rows = [row for one in standing["fields"] for row in one["rows"] if row["player"]["id"] == person.id]
    return [share["how"] for share in rows[0]["shares"]]


@pytest.fixture
async def night(postgresql_url: str, tmp_path: Path) -> AsyncIterator[Night]:
    """Two nodes that run, and an evening that everybody but those who are late has entered."""
    async with aiohttp.ClientSession() as session:
        one = Night(postgresql_url, tmp_path, session)
        async with one.nodes[0], one.nodes[1]:
            await one.announce()
            for number in range(PEOPLE):
                await one.enter(f"Player {number}", number % 2)
            for number in range(BOTS):
                await one.enter_bot(number, number % 2)
            yield one


async def play_two_rounds(night: Night) -> None:
    """Play round one at both nodes, and round two, in which the second node is killed and three come late."""
    night.clock.turn_to(night.rounds[0]["opens_at"] + 1000)
    await night.play_all(night.people)
    there = [await night.standing_of_all(node, len(night.people)) for node in range(2)]
    assert there[0]["fields"] == there[1]["fields"]

    night.clock.turn_to(night.rounds[1]["opens_at"] + 1000)
    at_second = [one for one in night.people if one.url == night.nodes[1].url]
    cut = at_second[:CUT]
    begun = [await night.play(one, night.moves_of(one), give_up=False) for one in cut]
    night.nodes[1].kill()
    night.move_to(0, at_second)
    assert [await night.play(one, 0) for one in cut] == begun
    for number in range(LATE):
        await night.enter(f"Late {number}", 0)
    await night.play_all([one for one in night.people if one not in cut])
    await night.nodes[1].start()
    night.move_to(1, at_second)


async def play_the_rest(night: Night) -> Person:
    """Play round three, in which no node runs for a while, and round four; return whom the outage has hit."""
    night.clock.turn_to(night.rounds[2]["opens_at"] + 1000)
    *others, hit = night.people
    await night.play_all(others)
    await night.play(hit, 1, give_up=False)
    await night.wait_for_touch()
    for node in night.nodes:
        node.kill()
    night.clock.turn_to(night.clock() + OUTAGE)
    for node in night.nodes:
        await node.start()
    night.clock.turn_to(night.rounds[3]["opens_at"] + 1000)
    await night.play_all(night.people)
    async with asyncio.timeout(long()):
        while how_of(await night.standing(0), hit)[2] != "adjusted":  # noqa: ASYNC110  # a node looks every few seconds
            await asyncio.sleep(0.1)
    night.clock.turn_to(night.rounds[3]["closes_at"] + 30 * MINUTE + 1000)
    return hit


@pytest.mark.heavy
async def test_thirty_play_an_evening_to_the_end_though_a_node_is_killed(night: Night, tmp_path: Path) -> None:
    await play_two_rounds(night)
    hit = await play_the_rest(night)
    final = await night.standing(0)
    assert final["state"] == "final"
    people, bots = final["fields"]
    assert (people["field"], len(people["rows"]), len(bots["rows"])) == ("people", PEOPLE + LATE, BOTS)

    winners = [row["player"]["id"] for row in people["rows"] if row.get("winner")]
    assert sorted(winners) == sorted([night.people[0].id, night.people[1].id])
    shares = {row["player"]["id"]: row["shares"] for row in people["rows"]}
    assert how_of(final, hit) == ["not_opened", "played", "adjusted", "played"]
    assert all(one["how"] == "played" for one in shares[night.people[0].id])

    struck = shares[night.people[0].id][0]["run"]
    await done(night.host.ask("PUT", f"/house/runs/{struck}/strike", WHY | {"struck": True}))
    corrected = await night.standing(1)
    assert (corrected["digest"], corrected["fields"]) == (final["digest"], final["fields"])
    [first, *_] = corrected["corrected"][0]["rows"]
    assert first["player"]["id"] == night.people[1].id

    folder = tmp_path / "exported"
    await asyncio.to_thread(night.nodes[0].command, "export", str(folder))
    record = json.decode((folder / f"evening-{night.evening}.record.json").read_bytes())
    assert len(record["runs"]) == 4 * (PEOPLE + BOTS + LATE) - LATE
    printed = run("recompute", night.evening, "--from", str(folder), "--trust", str(folder / "host.json"))
    assert printed.exit_code == 0, printed.output
    assert final["digest"] in printed.output
