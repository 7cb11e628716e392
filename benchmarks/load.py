"""Real sockets from processes of their own against one server or several: what they carry, and how long it takes.

    python -m benchmarks.load --database sqlite --scene many --scene storm --runs 3
    python -m benchmarks.load --database postgresql --nodes 2

many      many games, each before two who watch         limit: raw inserts in groups of as many rows as there are games
few       few games, each before a crowd                limit: bare writes of the same frame to as many sockets
opening   the opening of a day: everybody comes at once limit: raw inserts
finish    everybody's run ends at one moment            limit: raw inserts
storm     a crowd is cut off at once and comes back     limit: the same crowd at a server that does nothing else
restart   the same, its server killed and started again limit: the same
memory    what an open socket and a live game hold

Each run is printed with its limit, measured in the same run, then the medians. `work` is processor time, of the servers
and of those who load them, for each second of the scene: near 1.0 for each process means that it was the bottleneck.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

import aiohttp
import uvloop

from benchmarks import raw_inserts
from benchmarks.load_clients import Notes
from benchmarks.load_processes import Cast, Nodes, open_many_files
from benchmarks.temporary_database import temporary_database

BARE = (sys.executable, "-m", "benchmarks.load_baseline_server")
RAW_ROWS = 32_768
FRAME = b'{"type":"move_played","game":"%s","version":100,"move":"%s","effects":["%s"]}' % (
    b"x" * 26,
    b"y" * 24,
    b"z" * 60,
)


@dataclass
class Load:
    """How much of everything, and on what."""

    database: str
    nodes: int
    scale: float
    processes: int
    seconds: float
    folder: Path

    def people(self, count: int) -> int:
        """So many, as far as the scale goes."""
        return max(self.processes, round(count * self.scale))


@dataclass
class Outcome:
    """One run: what was done each second, its part of the limit, and what is told of it beside."""

    rate: float
    limit: float
    words: str
    each: float = 0.0
    """Milliseconds of the servers' processor time for each thing done; the least moved by whatever else runs here."""

    @property
    def ratio(self) -> float:
        """How much of what the limit allows was reached."""
        return self.rate / self.limit


async def many(load: Load) -> Outcome:
    """Many games, played without a pause, two watching each."""
    games = load.people(100) // load.processes
    limit = await _inserts(load, games * load.processes)
    asked = {"games": games, "watchers": 2, "seconds": load.seconds, "think": 0.0}
    notes, worked = await _played(load, "crowd", [asked] * load.processes)
    moves = len(notes.took["move"])
    words = f"moves {_spread(notes, 'move', 'seen')}; {_work(notes, worked)}"
    return Outcome(moves / max(notes.took["scene"]), limit, words, 1000 * worked / moves)


async def few(load: Load) -> Outcome:
    """Few games, each before a crowd that is told of every move."""
    watchers = load.people(1000)
    limit = await _writes(load, watchers)
    asked = {"games": 2, "watchers": watchers // 2, "seconds": load.seconds, "think": 0.0}
    notes, worked = await _played(load, "crowd", [asked])
    messages = len(notes.took["seen"])
    words = f"messages {_spread(notes, 'move', 'seen')}; {_work(notes, worked)}"
    return Outcome(messages / max(notes.took["scene"]), limit, words, 1000 * worked / messages)


async def opening(load: Load) -> Outcome:
    """The opening of a day: everybody comes within the first half, and plays a move every three seconds."""
    people = load.people(600) // load.processes
    limit = await _inserts(load, 64)
    asked = {"people": people, "seconds": 4 * load.seconds, "think": 3.0}
    notes, worked = await _played(load, "opening", [asked] * load.processes)
    written = len(notes.took["move"]) + len(notes.took["first cards"])
    heard = notes.counts["bytes heard"] / (people * load.processes) / (4 * load.seconds) / 1024
    words = f"events {_spread(notes, 'first cards', 'move')}, {heard:.1f} KiB/s to each; {_work(notes, worked)}"
    return Outcome(written / max(notes.took["scene"]), limit, words, 1000 * worked / written)


async def finish(load: Load) -> Outcome:
    """Everybody's run of the day ends at one moment, and a crowd watches the board."""
    people, watchers = load.people(600) // load.processes, load.people(400) // load.processes
    limit = await _inserts(load, 600)
    notes, worked = await _played(load, "finish", [{"people": people, "watchers": watchers}] * load.processes)
    finishes, whole = len(notes.took["finish"]), max(notes.took["scene"])
    board = f"the board complete everywhere after {whole:.2f} s"
    words = f"finishes {_spread(notes, 'finish')}, {board}; {_work(notes, worked)}"
    return Outcome(finishes / max(notes.took["finishes"]), limit, words, 1000 * worked / finishes)


async def storm(load: Load) -> Outcome:
    """A crowd that watches games is cut off, all at once, and comes back."""
    return await _stormed(load, cut=True)


async def restart(load: Load) -> Outcome:
    """The same, because a server is killed and started again; the crowd finds it, or another."""
    return await _stormed(load, cut=False)


async def memory(load: Load) -> Outcome:
    """What an open socket holds, and a live game."""
    sockets, games = load.people(5000), load.people(1000)
    async with temporary_database(load.database, load.folder) as url, Nodes(url, load.folder, load.nodes) as nodes:
        warm = Cast("stay", nodes.ports, [{"people": 100, "games": 10}])
        await warm.start()
        warm.go_on()
        await warm.opened()
        before = nodes.kibibytes()
        cast = Cast("stay", nodes.ports, [{"people": sockets, "games": games}])
        await cast.start()
        opened = nodes.kibibytes()
        cast.go_on()
        await cast.opened()
        played = nodes.kibibytes()
        for one in (warm, cast):
            one.go_on()
            await one.end()
    each = (opened - before) / sockets
    return Outcome(20.0, each, f"KiB aimed at; a socket holds {each:.1f}, a game {(played - opened) / games:.1f} KiB")


async def _stormed(load: Load, cut: bool) -> Outcome:
    limit, _, _ = await _storm(load, Nodes("sqlite://", load.folder, 1, BARE), cut)
    async with temporary_database(load.database, load.folder) as url:
        rate, each, notes = await _storm(load, Nodes(url, load.folder, load.nodes), cut)
    views, failed = notes.counts["views on coming back"], notes.counts["tries that failed"]
    words = f"sockets back {_spread(notes, 'resume', 'away')}, {views} views, {failed} tries that failed"
    return Outcome(rate, limit, words, each)


async def _storm(load: Load, nodes: Nodes, cut: bool) -> tuple[float, float, Notes]:
    people = load.people(5000)
    share = {"people": people // load.processes, "games": 20, "cut": cut}
    async with nodes:
        cast = Cast("storm", nodes.ports, [share] * load.processes)
        await cast.start()
        if cut:
            cast.go_on()
        else:
            await nodes.kill_and_start()
        before, began = nodes.worked(), time.perf_counter()
        await cast.opened()
        worked, seconds = nodes.worked() - before, time.perf_counter() - began
        notes = await cast.end()
    return people / seconds, 1000 * worked / people, notes


async def _played(load: Load, scene: str, asked: list[dict[str, float]]) -> tuple[Notes, float]:
    """What the people noted, and the seconds of processor time that the servers used for it."""
    async with temporary_database(load.database, load.folder) as url, Nodes(url, load.folder, load.nodes) as nodes:
        cast = Cast(scene, nodes.ports, asked)
        await cast.start()
        before = nodes.worked()
        await cast.opened()
        worked = nodes.worked() - before
        return await cast.end(), worked


def _work(notes: Notes, worked: float) -> str:
    seconds = max(notes.took["scene"])
    return f"work {worked / seconds:.2f} of the servers, {sum(notes.took['own work']) / seconds:.2f} of the people"


async def _inserts(load: Load, group: int) -> float:
    rows = raw_inserts.moves(group, max(1, load.people(RAW_ROWS) // group))
    async with temporary_database(load.database, load.folder) as url:
        return await raw_inserts.insert(url, rows, group)


async def _writes(load: Load, sockets: int) -> float:
    times = 50
    async with Nodes("sqlite://", load.folder, 1, BARE) as nodes, aiohttp.ClientSession() as http:
        cast = Cast("stay", nodes.ports, [{"people": sockets, "games": 0}])
        await cast.start()
        async with http.post(f"{nodes.servers[0].url}/write/{times}", data=FRAME) as answer:
            seconds = (await answer.json())["seconds"]
        cast.go_on()
        await cast.opened()
        cast.go_on()
        await cast.end()
    return sockets * times / float(seconds)


def _spread(notes: Notes, *kinds: str) -> str:
    """How long things took: p50, p95 and p99, in milliseconds."""
    told = []
    for kind in kinds:
        took = notes.took.get(kind, [])
        took = took * 2 if len(took) == 1 else took
        cuts = [cut * 1000 for cut in statistics.quantiles(took, n=100)] if took else []
        told.append(f"{kind} p50 {cuts[49]:.1f} p95 {cuts[94]:.1f} p99 {cuts[98]:.1f} ms" if cuts else f"no {kind}")
    return "a second: " + ", ".join(told)


SCENES: dict[str, Callable[[Load], Awaitable[Outcome]]] = {
    "many": many,
    "few": few,
    "opening": opening,
    "finish": finish,
    "storm": storm,
    "restart": restart,
    "memory": memory,
}


async def main() -> None:
    """Play what the command line asks for, and print what comes out."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scene", action="append", choices=SCENES, help="which to play; all by default")
    parser.add_argument("--database", default="sqlite", help="sqlite, postgresql, or a database's URL")
    parser.add_argument("--nodes", type=int, default=1, help="servers on the one database")
    parser.add_argument("--scale", type=float, default=1.0, help="how many people, as a part of the usual number")
    parser.add_argument("--processes", type=int, default=2, help="processes that the people are in")
    parser.add_argument("--seconds", type=float, default=5.0, help="how long a scene is played, where that is open")
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    open_many_files()
    for scene in options.scene or SCENES:
        outcomes = []
        for run in range(options.runs):
            with tempfile.TemporaryDirectory(dir=".") as folder:
                load = Load(
                    options.database,
                    options.nodes,
                    options.scale,
                    options.processes,
                    options.seconds,
                    Path(folder),
                )
                outcomes.append(await SCENES[scene](load))
            one = outcomes[-1]
            told = f"{scene} {run + 1}: {one.rate:.0f} {one.words}; limit {one.limit:.0f}, ratio {one.ratio:.2f}"
            print(f"{told}, {one.each:.3f} ms of work for each", flush=True)
        rate, ratio, each = (
            statistics.median(getattr(one, figure) for one in outcomes) for figure in ("rate", "ratio", "each")
        )
        on = f"{scene}, {options.database}, {options.nodes} nodes"
        print(f"{on}: median {rate:.0f}, ratio {ratio:.2f}, {each:.3f} ms of work for each", flush=True)


if __name__ == "__main__":
    uvloop.run(main())
