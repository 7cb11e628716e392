"""Load tests: many real sockets, from other processes, against one server or several.

    python -m benchmarks.load --database sqlite --scenario many_games --scenario reconnect --runs 3
    python -m benchmarks.load --database postgresql --nodes 2
    python -m benchmarks.load --database postgresql --server-processes 2 --scenario many_games

scenario      what happens                                          baseline
many_games    many games, each with two spectators                  raw inserts, in groups of as many rows as games
few_games     few games, each with a crowd of spectators            `os.write` of the same frame to as many sockets
arrivals      250 guests a second come and begin the day's deal     250 of them a second on a core, which is the aim
day_opening   a day opens; everybody comes, and plays               raw inserts
day_finish    all runs of a day end at the same moment              raw inserts
reconnect     a crowd is disconnected at once and comes back        the same crowd at a server that does nothing else
restart       a server is killed and started; its crowd comes back  the same
memory        what an open socket and a live game hold              20 KiB for each socket
evening       2,000 people begin and end a round within a second    the same crowd at a server that does nothing else
evenings      the same for 200 evenings of 20 people                the same

Every run measures its own baseline. The ratio is the rate divided by the baseline's rate: higher is better. `cpu` is
seconds of processor time, of the servers and of the load generators, per second of the scenario: a process near 1.0 was
the bottleneck. Prints each run, then the medians, compared with the baseline, which is the limit, and with the latest
stored result in `benchmarks/results.md`; `--keep` adds them there.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import aiohttp
import uvloop

from benchmarks import raw_inserts, stored_results
from benchmarks.evening_clients import Leaders
from benchmarks.load_clients import Measurements
from benchmarks.load_processes import LoadGenerators, Nodes, raise_file_limit
from benchmarks.stored_results import Latency
from benchmarks.temporary_database import temporary_database

BASELINE_SERVER = (sys.executable, "-m", "benchmarks.load_baseline_server")
BASELINE_ROWS = 32_768
BEGIN_MILLISECONDS = 10_000
"""Milliseconds until the evenings of a load test begin, once all have entered."""
FRAME = b'{"type":"move_played","game":"%s","version":100,"move":"%s","effects":["%s"]}' % (
    b"x" * 26,
    b"y" * 24,
    b"z" * 60,
)


@dataclass
class Load:
    """The options of a run. `scale` multiplies all numbers of clients; `processes` are load generators.

    Each of the `nodes` has `server_processes`.
    """

    database: str
    nodes: int
    scale: float
    processes: int
    seconds: float
    folder: Path
    server_processes: int = 1

    def start_nodes(self, url: str) -> Nodes:
        """Return the servers on this database; nothing is started yet."""
        return Nodes(url, self.folder, self.nodes, processes=self.server_processes)

    def scaled(self, count: int) -> int:
        """Return a number of clients multiplied by the scale, but at least one for each process."""
        return max(self.processes, round(count * self.scale))


@dataclass
class Outcome:
    """One run: its rate and its baseline's rate, both per second, and further figures as text."""

    rate: float
    baseline: float
    details: str
    cpu_milliseconds: float = 0.0
    """The servers' processor time per operation. Other load on this machine affects it least of all figures."""
    latency: Latency = ()
    """The latency seen by users: p50, p95 and p99, in milliseconds."""

    @property
    def ratio(self) -> float:
        """The rate divided by that of the baseline."""
        return self.rate / self.baseline


async def many_games(load: Load) -> Outcome:
    """Play many games continuously, each with two spectators."""
    games = load.scaled(100) // load.processes
    baseline = await _insert_rate(load, games * load.processes)
    options = {"games": games, "spectators": 2, "seconds": load.seconds, "think_seconds": 0.0}
    measured, cpu = await _run(load, "spectated_games", [options] * load.processes)
    moves = len(measured.seconds["move"])
    details = f"moves a second: {_percentiles(measured, 'move', 'received')}; {_cpu(measured, cpu)}"
    latency = _latency(measured, "move")
    return Outcome(moves / max(measured.seconds["scenario"]), baseline, details, 1000 * cpu / moves, latency)


async def few_games(load: Load) -> Outcome:
    """Play two games, each with a crowd of spectators who receive every move."""
    spectators = load.scaled(1000)
    baseline = await _write_rate(load, spectators)
    options = {"games": 2, "spectators": spectators // 2, "seconds": load.seconds, "think_seconds": 0.0}
    measured, cpu = await _run(load, "spectated_games", [options])
    messages = len(measured.seconds["received"])
    details = f"messages a second: {_percentiles(measured, 'move', 'received')}; {_cpu(measured, cpu)}"
    latency = _latency(measured, "received")
    return Outcome(messages / max(measured.seconds["scenario"]), baseline, details, 1000 * cpu / messages, latency)


async def arrivals(load: Load) -> Outcome:
    """Simulate 250 arrivals a second, each with a guest account, the day, a socket and the first cards."""
    players = load.scaled(1000) // load.processes
    options = {"players": players, "seconds": players * load.processes / 250}
    measured, cpu = await _run(load, "arrivals", [options] * load.processes)
    came = len(measured.seconds["first cards"])
    took = max(measured.seconds["scenario"])
    came_a_second = f"people a second of a core, {came / took:.0f} came"
    details = f"{came_a_second}: {_percentiles(measured, 'first cards')}; {_cpu(measured, cpu)}"
    return Outcome(came / cpu, 250.0, details, 1000 * cpu / came, _latency(measured, "first cards"))


async def day_opening(load: Load) -> Outcome:
    """Open a day: all players arrive in the first half of the time, and play a move every three seconds."""
    players = load.scaled(600) // load.processes
    baseline = await _insert_rate(load, 64)
    options = {"players": players, "seconds": 4 * load.seconds, "think_seconds": 3.0}
    measured, cpu = await _run(load, "day_opening", [options] * load.processes)
    events = len(measured.seconds["move"]) + len(measured.seconds["first cards"])
    traffic = measured.counts["bytes received"] / (players * load.processes) / (4 * load.seconds) / 1024
    details = (
        f"events a second: {_percentiles(measured, 'first cards', 'move')}, "
        f"{traffic:.1f} KiB/s to each player; {_cpu(measured, cpu)}"
    )
    latency = _latency(measured, "first cards")
    return Outcome(events / max(measured.seconds["scenario"]), baseline, details, 1000 * cpu / events, latency)


async def day_finish(load: Load) -> Outcome:
    """End all runs of a day at the same moment, while a crowd watches the leaderboard."""
    players, spectators = load.scaled(600) // load.processes, load.scaled(400) // load.processes
    baseline = await _insert_rate(load, 600)
    options = {"players": players, "spectators": spectators}
    measured, cpu = await _run(load, "day_finish", [options] * load.processes)
    finishes, until_complete = len(measured.seconds["finish"]), max(measured.seconds["scenario"])
    board = f"all spectators have the complete leaderboard after {until_complete:.2f} s"
    details = f"finishes a second: {_percentiles(measured, 'finish')}, {board}; {_cpu(measured, cpu)}"
    latency = _latency(measured, "finish")
    return Outcome(finishes / max(measured.seconds["all finishes"]), baseline, details, 1000 * cpu / finishes, latency)


async def reconnect(load: Load) -> Outcome:
    """Disconnect a crowd of spectators at once, and let them reconnect."""
    return await _compare_reconnects(load, disconnect=True)


async def restart(load: Load) -> Outcome:
    """Kill a server and restart it, and let its spectators reconnect, to this server or to another."""
    return await _compare_reconnects(load, disconnect=False)


async def memory(load: Load) -> Outcome:
    """Measure the memory of an open socket, and of a live game."""
    sockets, games = load.scaled(5000), load.scaled(1000)
    async with temporary_database(load.database, load.folder) as url, load.start_nodes(url) as nodes:
        warm_up = LoadGenerators("idle", nodes.ports, [{"sockets": 100, "games": 10}])
        await warm_up.start()
        warm_up.go_on()
        await warm_up.wait_until_ready()
        before = nodes.kibibytes()
        generators = LoadGenerators("idle", nodes.ports, [{"sockets": sockets, "games": games}])
        await generators.start()
        with_sockets = nodes.kibibytes()
        generators.go_on()
        await generators.wait_until_ready()
        with_games = nodes.kibibytes()
        for each in (warm_up, generators):
            each.go_on()
            await each.finish()
    per_socket, per_game = (with_sockets - before) / sockets, (with_games - with_sockets) / games
    return Outcome(20.0, per_socket, f"KiB is the aim; a socket holds {per_socket:.1f}, a game {per_game:.1f} KiB")


async def evening(load: Load) -> Outcome:
    """Begin and end the round of one evening of 2,000 people, each within a second."""
    return await _compare_evenings(load, evenings=1, people=load.scaled(2000))


async def evenings(load: Load) -> Outcome:
    """Begin and end a round of 200 evenings of 20 people, all at the same time."""
    count = load.scaled(200)
    return await _compare_evenings(load, evenings=count, people=20 * count)


async def _compare_evenings(load: Load, evenings: int, people: int) -> Outcome:
    people -= people % load.processes
    bare, _ = await _play_evenings(load, Nodes("sqlite://", load.folder, 1, BASELINE_SERVER), evenings, people, True)
    async with temporary_database(load.database, load.folder) as url:
        cpu, measured = await _play_evenings(load, load.start_nodes(url), evenings, people)
    right = max(measured.seconds["standing right"])
    asked, unchanged = measured.counts["standings"], measured.counts["standings unchanged"]
    details = (
        f"people a second of a core: {_percentiles(measured, 'first cards', 'finish', 'page')}, the standing is right "
        f"everywhere after {right:.1f} s, asked for {asked} times, {unchanged} times unchanged, "
        f"{measured.counts.get('busy', 0)} requests refused; {_cpu(measured, cpu)}"
    )
    return Outcome(people / cpu, people / bare, details, 1000 * cpu / people, _latency(measured, "first cards"))


async def _play_evenings(
    load: Load, nodes: Nodes, evenings: int, people: int, is_bare: bool = False
) -> tuple[float, Measurements]:
    """Return the servers' seconds of processor time and the measurements."""
    async with nodes, aiohttp.ClientSession() as http:
        leaders, crowd = Leaders(http, nodes.servers[0].url), people // evenings
        ids = [f"none-{crowd}"] * evenings if is_bare else await leaders.announce(evenings)
        options = {"evenings": ids, "players": people // load.processes, "crowd": crowd}
        generators = LoadGenerators("evenings", nodes.ports, [{**options, "number": n} for n in range(load.processes)])
        await generators.start()
        await leaders.begin_after(BEGIN_MILLISECONDS)
        generators.go_on()
        await generators.wait_until_ready()
        cpu_before = nodes.cpu_seconds()
        await generators.wait_until_ready()
        cpu = nodes.cpu_seconds() - cpu_before
        return cpu, await generators.finish()


async def _compare_reconnects(load: Load, disconnect: bool) -> Outcome:
    baseline, _, _ = await _reconnect(load, Nodes("sqlite://", load.folder, 1, BASELINE_SERVER), disconnect)
    async with temporary_database(load.database, load.folder) as url:
        rate, cpu_milliseconds, measured = await _reconnect(load, load.start_nodes(url), disconnect)
    views, failures = measured.counts["views after reconnecting"], measured.counts["failed attempts"]
    details = (
        f"sockets back a second: {_percentiles(measured, 'resume', 'away')}, {views} views, {failures} failed attempts"
    )
    return Outcome(rate, baseline, details, cpu_milliseconds, _latency(measured, "away"))


async def _reconnect(load: Load, nodes: Nodes, disconnect: bool) -> tuple[float, float, Measurements]:
    """Return reconnections a second, the servers' milliseconds of processor time for each, and all measurements."""
    spectators = load.scaled(5000)
    options = {"spectators": spectators // load.processes, "games": 20, "disconnect": disconnect}
    async with nodes:
        generators = LoadGenerators("reconnect", nodes.ports, [options] * load.processes)
        await generators.start()
        if disconnect:
            generators.go_on()
        else:
            await nodes.kill_and_start()
        cpu_before, started = nodes.cpu_seconds(), time.perf_counter()
        await generators.wait_until_ready()
        cpu, seconds = nodes.cpu_seconds() - cpu_before, time.perf_counter() - started
        measured = await generators.finish()
    return spectators / seconds, 1000 * cpu / spectators, measured


async def _run(load: Load, scenario: str, options: Sequence[Mapping[str, float]]) -> tuple[Measurements, float]:
    """Run a scenario; return the clients' measurements, and the servers' seconds of processor time."""
    async with temporary_database(load.database, load.folder) as url, load.start_nodes(url) as nodes:
        generators = LoadGenerators(scenario, nodes.ports, options)
        await generators.start()
        cpu_before = nodes.cpu_seconds()
        await generators.wait_until_ready()
        cpu = nodes.cpu_seconds() - cpu_before
        return await generators.finish(), cpu


def _cpu(measured: Measurements, servers: float) -> str:
    seconds = max(measured.seconds["scenario"])
    generators = sum(measured.seconds["generator cpu"])
    return f"cpu {servers / seconds:.2f} of the servers, {generators / seconds:.2f} of the load generators"


async def _insert_rate(load: Load, group: int) -> float:
    rows = raw_inserts.generate_events(group, max(1, load.scaled(BASELINE_ROWS) // group))
    async with temporary_database(load.database, load.folder) as url:
        return await raw_inserts.insert(url, rows, group)


async def _write_rate(load: Load, sockets: int) -> float:
    times = 50
    async with Nodes("sqlite://", load.folder, 1, BASELINE_SERVER) as nodes, aiohttp.ClientSession() as http:
        generators = LoadGenerators("idle", nodes.ports, [{"sockets": sockets, "games": 0}])
        await generators.start()
        async with http.post(f"{nodes.servers[0].url}/write/{times}", data=FRAME) as answer:
            seconds = (await answer.json())["seconds"]
        generators.go_on()
        await generators.wait_until_ready()
        generators.go_on()
        await generators.finish()
    return sockets * times / float(seconds)


def _percentiles(measured: Measurements, *kinds: str) -> str:
    """Format the latencies: p50, p95 and p99, in milliseconds."""
    texts = []
    for kind in kinds:
        cuts = _latency(measured, kind)
        texts.append("{} p50 {:.1f} p95 {:.1f} p99 {:.1f} ms".format(kind, *cuts) if cuts else f"no {kind}")
    return ", ".join(texts)


def _latency(measured: Measurements, kind: str) -> Latency:
    """Return the latencies of this kind: p50, p95 and p99, in milliseconds; empty without measurements."""
    seconds = measured.seconds.get(kind, [])
    if not seconds:
        return ()
    cuts = statistics.quantiles(seconds * 2 if len(seconds) == 1 else seconds, n=100)  # quantiles need two values
    return tuple(1000 * cuts[part - 1] for part in (50, 95, 99))


SCENARIOS: dict[str, Callable[[Load], Awaitable[Outcome]]] = {
    "many_games": many_games,
    "few_games": few_games,
    "arrivals": arrivals,
    "day_opening": day_opening,
    "day_finish": day_finish,
    "reconnect": reconnect,
    "restart": restart,
    "memory": memory,
    "evening": evening,
    "evenings": evenings,
}


async def main() -> None:
    """Run the scenarios on the command line, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenario", action="append", choices=SCENARIOS, help="may be repeated; all by default")
    parser.add_argument("--database", default="sqlite", help="sqlite, postgresql, or a database's URL")
    parser.add_argument("--nodes", type=int, default=1, help="servers on the one database")
    parser.add_argument("--server-processes", type=int, default=1, help="processes of each server, on its one port")
    parser.add_argument("--scale", type=float, default=1.0, help="multiplies the number of clients")
    parser.add_argument("--processes", type=int, default=2, help="processes of load generators")
    parser.add_argument("--seconds", type=float, default=5.0, help="length of the scenarios that have no end")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--keep", action="store_true", help="add the medians to benchmarks/results.md")
    options = parser.parse_args()
    raise_file_limit()
    for scenario in options.scenario or SCENARIOS:
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
                    options.server_processes,
                )
                outcomes.append(await SCENARIOS[scenario](load))
            one = outcomes[-1]
            print(
                f"{scenario} {run + 1}: {one.rate:.0f} {one.details}; baseline {one.baseline:.0f}, "
                f"ratio {one.ratio:.2f}, {one.cpu_milliseconds:.3f} ms of cpu for each",
                flush=True,
            )
        rate, ratio, cpu = (
            statistics.median(getattr(one, figure) for one in outcomes)
            for figure in ("rate", "ratio", "cpu_milliseconds")
        )
        latency = tuple(map(statistics.median, zip(*(one.latency for one in outcomes), strict=True)))
        kind = options.database.partition(":")[0]
        servers = f"{kind}, {options.nodes} nodes of {options.server_processes}, scale {options.scale:g}"
        result = stored_results.result_now(scenario, servers, options.runs, rate, ratio, latency, cpu)
        compared = stored_results.comparison(result, stored_results.last_result(scenario, servers))
        print(
            f"{scenario}, {servers}: median {rate:.0f}, ratio {ratio:.3f}, {stored_results.distance(ratio)}, "
            f"{cpu:.3f} ms of cpu for each; {compared}",
            flush=True,
        )
        if options.keep:
            stored_results.keep(result)


if __name__ == "__main__":
    uvloop.run(main())
