"""The scenes of `benchmarks/load.py`, each played in a process of its own, which prints what it notes.

    python -m benchmarks.load_scenarios '{"scene": "crowd", "ports": [8000], "options": {"games": 10, "watchers": 20}}'

A line `open` says that everybody is there; then the server may be measured, or killed. The last line is the notes.
"""

from __future__ import annotations

import asyncio
import random
import resource
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Any

import aiohttp
import msgspec
import uvloop

from benchmarks.guest_client import DEFAULT_GAMES, Guest, create_guest
from benchmarks.load_clients import Notes, Person, Player, Returner
from benchmarks.player_process import Table

AT_ONCE = 50
"""How many come at the same moment, where it is not their coming that is measured."""
ENDLESS = "maze"
"""A game that random play hardly ever brings to an end."""


class Stage:
    """Where a scene plays: the servers' ports, what is noted, and the chance that is the same in every run."""

    def __init__(self, ports: list[int], http: aiohttp.ClientSession, seed: int) -> None:
        self.ports = ports
        self.http = http
        self.notes = Notes()
        self.dice = random.Random(seed)
        self._came = 0

    def port(self) -> int:
        """The servers in turn."""
        self._came += 1
        return self.ports[self._came % len(self.ports)]

    async def guests(self, count: int) -> list[Guest]:
        """So many guests, at the servers in turn."""
        seats: list[Guest] = []
        while len(seats) < count:
            batch = range(min(AT_ONCE, count - len(seats)))
            seats += await asyncio.gather(*(create_guest(self.http, f"http://127.0.0.1:{self.port()}") for _ in batch))
        return seats

    def everybody_is_there(self) -> None:
        """Let the server be measured or killed."""
        print("open", flush=True)

    def over(self, began: float, used: float) -> None:
        """The scene that began at that time, with so much work done before, is over; let the server be measured."""
        self.notes.took["scene"] = [time.perf_counter() - began]
        self.notes.took["own work"] = [time.process_time() - used]
        print("open", flush=True)


async def crowd(stage: Stage, games: int, watchers: int, seconds: float, think: float) -> None:
    """Games that are played, each before so many who watch; what the last of them needs to have each move."""
    tables: list[tuple[Player, Table]] = []
    own = await stage.guests(games)
    looking = await stage.guests(min(10, watchers))
    everybody: list[Person] = []
    for seat in own:
        rules = ENDLESS if watchers else stage.dice.choice(DEFAULT_GAMES)
        player = Player(seat, stage.notes)
        await player.come(stage.port())
        table = await player.sit(await seat.start_game(rules, str(stage.dice.random())))
        crowd = [Person(looking[number % len(looking)], stage.notes) for number in range(watchers)]
        for first in range(0, watchers, AT_ONCE):
            await asyncio.gather(*(_watch(one, player, stage.port()) for one in crowd[first : first + AT_ONCE]))
        tables.append((player, table))
        everybody += [player, *crowd]
    stage.everybody_is_there()
    began, used = time.perf_counter(), time.process_time()
    played = [(table, random.Random(stage.dice.random())) for table in tables]
    await asyncio.gather(
        *(_play_on(player, table, began + seconds, think, chance) for (player, table), chance in played)
    )
    stage.over(began, used)
    await asyncio.gather(*(one.ask("ping") for one in everybody))  # after whatever they have yet to be told
    await asyncio.gather(*(one.leave() for one in everybody))


async def _watch(watcher: Person, player: Player, port: int) -> None:
    await watcher.come(port)

    def heard(table: Table, message: bytes) -> None:
        if table.type == "move_played" and table.version in player.sent:
            watcher.notes.note("seen", player.sent[table.version])

    await watcher.ask("subscribe", game=player.game)
    watcher.heard = heard


async def _play_on(player: Player, table: Table, until: float, think: float, dice: random.Random) -> None:
    if think:
        await asyncio.sleep(dice.random() * think)
    table = await player.play(table, until, think, dice)
    while time.perf_counter() < until:
        table = await player.sit(await player.seat.start_game(dice.choice(DEFAULT_GAMES), str(dice.random())))
        table = await player.play(table, until, think, dice)


async def opening(stage: Stage, people: int, seconds: float, think: float) -> None:
    """A day opens: within some seconds everybody comes, looks at the day, begins the deal, and plays it."""
    dice = [random.Random(stage.dice.random()) for _ in range(people)]
    stage.everybody_is_there()
    began, used = time.perf_counter(), time.process_time()
    comers = [asyncio.create_task(_open(stage, chance, began, seconds, think)) for chance in dice]
    players = await asyncio.gather(*comers)
    stage.over(began, used)
    await asyncio.gather(*(player.leave() for player in players))


async def _open(stage: Stage, dice: random.Random, began: float, seconds: float, think: float) -> Player:
    await asyncio.sleep(dice.random() * seconds / 2)
    came, port = time.perf_counter(), stage.port()
    seat = await create_guest(stage.http, f"http://127.0.0.1:{port}")
    player = Player(seat, stage.notes)
    await player.come(port)
    async with stage.http.get(f"{seat.url}/api/v1/dailies/today", raise_for_status=True) as answer:
        day = (await answer.json())["day"]
    await player.ask("watch_day", day=day)
    table = await player.sit(await seat.enter_daily())
    stage.notes.note("first cards", came)
    await player.play(table, began + seconds, think, dice)
    return player


async def finish(stage: Stage, people: int, watchers: int) -> None:
    """Everybody's run of the day ends at one moment, while others watch its board."""
    seats = await stage.guests(people)
    players = [Player(seat, stage.notes) for seat in seats]
    tables: list[Table] = []
    for first in range(0, people, AT_ONCE):
        tables += await asyncio.gather(*(_enter(player, stage.port()) for player in players[first : first + AT_ONCE]))
    async with stage.http.get(f"{seats[0].url}/api/v1/dailies/today", raise_for_status=True) as answer:
        board = "deal:" + (await answer.json())["deals"][0]["deal"]
    looking = [Person(seats[number % people], stage.notes) for number in range(watchers)]
    told = _Told(people, watchers)
    for first in range(0, watchers, AT_ONCE):
        await asyncio.gather(*(_look(one, board, stage.port(), told) for one in looking[first : first + AT_ONCE]))
    stage.everybody_is_there()
    began, used = time.perf_counter(), time.process_time()
    await asyncio.gather(*(_resign(player, table) for player, table in zip(players, tables, strict=True)))
    stage.notes.note("finishes", began)
    async with asyncio.timeout(60):
        await told.everybody.wait()
    stage.over(began, used)
    stage.notes.count("boards told", sum(one.kinds["board_changed"] for one in looking))
    await asyncio.gather(*(one.leave() for one in [*players, *looking]))


class _Told:
    """Whether everybody who looks at the board has been told that all runs are on it."""

    def __init__(self, total: int, watchers: int) -> None:
        self.total, self._left = total, watchers
        self.everybody = asyncio.Event()
        if not watchers:
            self.everybody.set()

    def one_more(self) -> None:
        """Another has been told."""
        self._left -= 1
        if self._left == 0:
            self.everybody.set()


async def _enter(player: Player, port: int) -> Table:
    await player.come(port)
    return await player.sit(await player.seat.enter_daily())


async def _look(one: Person, board: str, port: int, told: _Told) -> None:
    await one.come(port)

    def heard(table: Table, message: bytes) -> None:
        if table.type == "board_changed" and msgspec.json.decode(message)["total"] >= told.total:
            told.one_more()
            one.heard = lambda *_: None

    one.heard = heard
    await one.ask("watch_board", board=board)


async def _resign(player: Player, table: Table) -> None:
    began = time.perf_counter()
    await player.ask("resign", game=player.game, version=table.version)
    player.notes.note("finish", began)


async def storm(stage: Stage, people: int, games: int, cut: bool) -> None:
    """Everybody who watches one of some games is cut off at once, here or by the server, and comes back."""
    owners = await stage.guests(games)
    begun = [await seat.start_game(ENDLESS, str(stage.dice.random())) for seat in owners]
    looking = await stage.guests(min(people, 500))
    returners = [
        Returner(looking[number % len(looking)], stage.notes, stage.ports, begun[number % games], stage.dice)
        for number in range(people)
    ]
    for first in range(0, people, AT_ONCE):
        await asyncio.gather(*(one.watch() for one in returners[first : first + AT_ONCE]))
    stage.everybody_is_there()
    if cut:
        await asyncio.to_thread(sys.stdin.readline)
        for one in returners:
            one.client.close()
    await returners[0].client.closed
    began, used = time.perf_counter(), time.process_time()
    await asyncio.gather(*(one.come_back(began) for one in returners))
    stage.over(began, used)
    await asyncio.gather(*(one.leave() for one in returners))


async def stay(stage: Stage, people: int, games: int) -> None:
    """Sockets that only stand open, and games that only lie there, each followed by its player."""
    (seat,) = await stage.guests(1)
    idle = [Person(seat, stage.notes) for _ in range(people)]
    for first in range(0, people, AT_ONCE):
        await asyncio.gather(*(one.come(stage.port()) for one in idle[first : first + AT_ONCE]))
    stage.everybody_is_there()
    await asyncio.to_thread(sys.stdin.readline)
    for number in range(games):
        player = idle[number % len(idle)]
        await player.ask("subscribe", game=await seat.start_game(ENDLESS, str(number)))
    stage.everybody_is_there()
    await asyncio.to_thread(sys.stdin.readline)
    await asyncio.gather(*(one.leave() for one in idle))


SCENES: dict[str, Callable[..., Awaitable[None]]] = {
    "crowd": crowd,
    "opening": opening,
    "finish": finish,
    "storm": storm,
    "stay": stay,
}


async def main() -> None:
    """Play the scene that the command line asks for."""
    asked: dict[str, Any] = msgspec.json.decode(sys.argv[1])
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=AT_ONCE)) as http:
        stage = Stage(asked["ports"], http, asked["seed"])
        await SCENES[asked["scene"]](stage, **asked["options"])
    print(msgspec.json.encode(stage.notes).decode(), flush=True)


if __name__ == "__main__":
    uvloop.run(main())
