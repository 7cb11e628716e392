"""An evening of several players on two nodes over one database."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from typing import Any

import aiohttp
from aiohttp.test_utils import TestServer

from cadogan.server.app import Server
from cadogan.server.config import Settings
from cadogan.server.core.cluster.bus import LocalBus
from cadogan.server.web_app import make_web_app
from tests.harness.hosts import with_role
from tests.harness.people import Person
from tests.harness.running_server import TEST_SETTINGS, Clock, RunningServer

MINUTE = 60_000
ROUND, PAUSE = 10 * MINUTE, MINUTE
ROUNDS = 4


class Room:
    """Two nodes, a host who leads the evenings, and people who come and go."""

    def __init__(self, nodes: list[RunningServer], stacks: list[AsyncExitStack]) -> None:
        self.nodes = nodes
        self.stacks = stacks
        self.clock = nodes[0].clock
        self.evening = ""
        self.people: dict[str, Person] = {}

    @property
    def first(self) -> RunningServer:
        """The first node that runs."""
        return self.nodes[0]

    async def announce(self, **wanted: Any) -> dict[str, Any]:
        """Let a host make an evening of four rounds that begins in ten minutes; return it."""
        if "host" not in self.people:
            self.people["host"] = await with_role(self.first, "Rosamund", "host")
        new = {
            "title": "Thursday at the club",
            "starts_at": self.clock.at + 10 * MINUTE,
            "rounds": ROUNDS,
            "games": ["klondike"] * ROUNDS,
            **wanted,
        }
        status, made = await self.people["host"].post("/evenings", new)
        assert status == 200, made
        self.evening = made["id"]
        evening: dict[str, Any] = made
        return evening

    async def guest(self, name: str, node: int = 0) -> Person:
        """Let a guest come in, at one of the nodes, and enter under this name."""
        running = self.nodes[min(node, len(self.nodes) - 1)]
        person = self.people[name] = await running.guest()
        status, entered = await person.ask("PUT", f"/evenings/{self.evening}/entrants/me", {"name": name})
        assert status == 200, entered
        return person

    def at(self, name: str, node: int) -> Person:
        """Return somebody as a client of another node."""
        running, known = self.nodes[node], self.people[name]
        other = self.people[name] = Person(running.url, running.session)
        other.id, other.token = known.id, known.token
        return other

    async def kill(self, node: int) -> None:
        """Kill a node; its players continue with the other one."""
        gone = self.nodes.pop(node)
        gone.server.wake_ups.close()
        await self.stacks.pop(node).aclose()
        for name, person in self.people.items():
            if person.url == gone.url:
                self.at(name, 0)

    async def pass_time(self, milliseconds: int) -> None:
        """Move the clock forward, and let each node catch up; due steps are done with the next request."""
        self.clock.at += milliseconds
        for node in self.nodes:
            await node.server.wait_until_idle()

    async def draw(self) -> None:
        """Let the first node ask the beacon for the round of the evening, and write down its answer."""
        assert self.first.server.beacon is not None
        await self.show()
        await self.first.server.beacon.wait_until_idle()
        await self.show()

    async def show(self, name: str = "host") -> dict[str, Any]:
        """Return the evening as this client sees it."""
        status, shown = await self.people[name].get(f"/evenings/{self.evening}")
        assert status == 200, shown
        evening: dict[str, Any] = shown
        return evening

    async def standing(self, name: str = "host") -> dict[str, Any]:
        """Return the standing as somebody sees it."""
        status, shown = await self.people[name].get(f"/evenings/{self.evening}/standing")
        assert status == 200, shown
        standing: dict[str, Any] = shown
        return standing

    async def open_deal(self, name: str) -> str:
        """Let somebody open the deal of the open round; return the id of the game."""
        status, opened = await self.people[name].post(f"/evenings/{self.evening}/games")
        assert status == 200, opened
        return str(opened["game"])

    async def play(self, name: str, moves: int = 0, *, give_up: bool = True) -> str:
        """Open the deal, play this many moves, and resign; return the id of the game.

        Two runs without a win and with equal scores differ by their moves: fewer are better.
        """
        game = await self.open_deal(name)
        async with self.people[name].connect() as socket:
            seen = await socket.request("subscribe", game=game)
            version = seen["version"]
            for _ in range(moves):
                played = await socket.play({"game": game, "version": version, "legal": ["deal"]})
                version = played["version"]
            if give_up:
                ended = await socket.request("resign", game=game, version=version)
                assert ended["type"] == "game_finished", ended
        return game

    async def rule(self, name: str = "host", **ruling: Any) -> tuple[int, Any]:
        """Let somebody decide; return status and answer."""
        return await self.people[name].post(f"/evenings/{self.evening}/rulings", ruling)

    async def events(self) -> list[tuple[str, int]]:
        """Return the events of the evening, with their times in milliseconds since round 1 opened."""
        start = (await self.show())["rounds"][0]["opens_at"]
        stored = await self.first.server.store.read(f"evening/{self.evening}")
        return [(event.type.removeprefix("evening_"), event.recorded_at - start) for event in stored]


@asynccontextmanager
async def open_room(url: str, count: int = 2, settings: Settings = TEST_SETTINGS) -> AsyncIterator[Room]:
    """Run several nodes on one database."""
    clock, bus = Clock(), LocalBus()
    async with AsyncExitStack() as all_stacks, aiohttp.ClientSession() as session:
        nodes, stacks = list[RunningServer](), list[AsyncExitStack]()
        for _ in range(count):
            stack = await all_stacks.enter_async_context(AsyncExitStack())
            server = Server(replace(settings, database_url=url), clock, bus)
            if server.beacon is not None:
                server.beacon.chain()
                await server.beacon.wait_until_idle()
            app = make_web_app(server)
            listening = await stack.enter_async_context(TestServer(app))
            nodes.append(RunningServer(server, app, str(listening.make_url("")).rstrip("/"), session, clock))
            stacks.append(stack)
        yield Room(nodes, stacks)
