"""The screen for the wall over a day and a night: does the page grow, and does it come back after every disturbance?

    python -m benchmarks.screen --hours 8 --speed 16

Needs Chromium. Evenings of twenty people follow each other at a real server, with rounds of a minute. The timers of the
page run `speed` times as fast, so that it asks, draws and turns its pages as often as in so many hours. In the first
part of the time the network is lost and the server killed and started again, in turn, once in each evening; then comes
a night without evenings, and one more evening. After every disturbance the screen must show what the server has.

The browser stores every answer for the tool that watches a page, and so the process of that page grows. The same screen
is therefore open in a second browser too, which nobody watches, at the speed of the clock.

Prints the sizes of the page at intervals, after garbage was collected, and their growth by the hour of the page: the
slope of a line through all samples but those of the first tenth. The exit code is 1 if the heap, or at a speed of 1 the
process that nobody watches, grows by more than `MAX_GROWTH_MEGABYTES` in eight such hours, if the screen did not come
back, or if it did not move its picture.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import random
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
from playwright.async_api import Browser, CDPSession, Page, ViewportSize, async_playwright

from benchmarks.evening_clients import EveningPlayer
from benchmarks.guest_client import create_guest
from benchmarks.load_clients import Measurements
from tests.harness.chromium import ARGUMENTS, chromium
from tests.harness.server_process import NO_RATE_LIMIT, ServerProcess

MAX_GROWTH_MEGABYTES = 20.0
PEOPLE = 20
ROUND_SECONDS, PAUSE_SECONDS, ROUNDS = 60, 15, 2
ENTRY_SECONDS = 20
"""Seconds from the announcement of an evening to its first round."""
EVENING_SECONDS = ENTRY_SECONDS + ROUNDS * (ROUND_SECONDS + PAUSE_SECONDS) + 75
"""Seconds from the announcement of an evening to that of the next one: a minute after its end it is final."""
LOST_SECONDS = 10.0
BACK_SECONDS = 30.0
"""Seconds within which the screen must show what the server has."""
WALL = ViewportSize(width=1920, height=1080)
MEGABYTE = 1 << 20
FASTER_SCRIPT = """for (const name of ["setTimeout", "setInterval"]) {
  const start = window[name];
  window[name] = (work, wait = 0, ...rest) => start(work, wait / SPEED, ...rest);
}"""
ASK_SCRIPT = """async ([method, path, body]) => {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(`/api/v1${path}`, { method, headers, body: body && JSON.stringify(body) });
  return answer.json();
}"""
SHOWN_SCRIPT = """() => ({
  title: document.querySelector(".page.screen h1")?.textContent,
  lost: document.querySelector(".page.screen").classList.contains("lost"),
  shift: document.querySelector(".page.screen").dataset.shift ?? "0",
  rows: document.querySelectorAll(".wall-rows li, .wall-names li").length,
})"""


@dataclass
class Sample:
    """The sizes of the page, at this hour of the page."""

    hour: float
    heap_megabytes: float
    process_megabytes: float
    unwatched_megabytes: float
    nodes: int
    listeners: int


@dataclass
class Wall:
    """The screen in its browser, and what was seen on it."""

    page: Page
    session: CDPSession
    browser_session: CDPSession
    speed: float
    unwatched: subprocess.Popen[bytes] | None = None
    started: float = field(default_factory=time.monotonic)
    samples: list[Sample] = field(default_factory=list)
    shifts: set[str] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)
    requests: int = 0

    @property
    def hour(self) -> float:
        """The hours that have passed for the page."""
        return (time.monotonic() - self.started) * self.speed / 3600

    async def ask(self, method: str, path: str, body: object = None) -> Any:
        """Send a request as who is signed in at the screen."""
        return await self.page.evaluate(ASK_SCRIPT, [method, path, body])

    async def measure(self) -> None:
        """Collect the garbage, and take a sample."""
        for _ in range(2):
            await self.session.send("HeapProfiler.collectGarbage")
        found = {one["name"]: one["value"] for one in (await self.session.send("Performance.getMetrics"))["metrics"]}
        processes = (await self.browser_session.send("SystemInfo.getProcessInfo"))["processInfo"]
        renderers = [int(one["id"]) for one in processes if one["type"] == "renderer"]
        unwatched = _renderers_below(self.unwatched.pid) if self.unwatched else []
        heap, nodes, listeners = (found[name] for name in ("JSHeapUsedSize", "Nodes", "JSEventListeners"))
        sizes = _megabytes(renderers), _megabytes(unwatched)
        sample = Sample(self.hour, heap / MEGABYTE, *sizes, int(nodes), int(listeners))
        self.samples.append(sample)
        print(
            f"hour {sample.hour:5.2f}: heap {sample.heap_megabytes:.2f} MB, process {sample.process_megabytes:.0f} MB, "
            f"unwatched {sample.unwatched_megabytes:.1f} MB, "
            f"{sample.nodes} nodes, {sample.listeners} listeners, {self.requests} requests",
            flush=True,
        )

    async def require_shown(self, title: str, why: str) -> None:
        """Note a fault unless the screen soon shows the evening with this title, with somebody in it."""
        ends_at = time.monotonic() + BACK_SECONDS
        while time.monotonic() < ends_at:
            shown = await self.page.evaluate(SHOWN_SCRIPT)
            self.shifts.add(shown["shift"])
            if shown["title"] == title and not shown["lost"] and shown["rows"]:
                print(f"hour {self.hour:5.2f}: {title} is shown {why}", flush=True)
                return
            await asyncio.sleep(0.2)
        self.faults.append(f"{title} is not shown {why}: {shown}")
        print(self.faults[-1], flush=True)


async def open_wall(browser: Browser, url: str, speed: float) -> Wall:
    """Open the first page of a server in a window whose timers run faster."""
    context = await browser.new_context(viewport=WALL)
    page = await context.new_page()
    await page.add_init_script(FASTER_SCRIPT.replace("SPEED", str(speed)))
    session, browser_session = await context.new_cdp_session(page), await browser.new_browser_cdp_session()
    await session.send("Performance.enable")
    wall = Wall(page, session, browser_session, speed)

    def count(_: object) -> None:
        wall.requests += 1

    page.on("request", count)
    await page.goto(url)
    return wall


def open_unwatched(url: str, folder: Path) -> subprocess.Popen[bytes]:
    """Start another browser at this address, to which no tool is connected."""
    own = [
        "--headless",
        "--remote-debugging-port=0",
        f"--user-data-dir={folder}",
        f"--window-size={WALL['width']},{WALL['height']}",
    ]
    return subprocess.Popen([chromium(), *ARGUMENTS, *own, url], stderr=subprocess.DEVNULL)


async def announce(wall: Wall, group: str, number: int) -> dict[str, Any]:
    """Make the next evening of the group; return it."""
    new = {
        "title": f"Evening {number}",
        "starts_at": time.time_ns() // 1_000_000 + 1000 * ENTRY_SECONDS,
        "entry": "link",
        "group": group,
        "rounds": ROUNDS,
        "seconds": ROUND_SECONDS,
        "pause": PAUSE_SECONDS,
        "games": ["klondike"] * ROUNDS,
        "objections_minutes": 1,
    }
    evening: dict[str, Any] = await wall.ask("POST", "/evenings", new)
    return evening


async def play(http: aiohttp.ClientSession, server: ServerProcess, evening: dict[str, Any]) -> None:
    """Let people enter the evening and play it; whom a disturbance hits is out of the round."""
    guests = [await create_guest(http, server.url) for _ in range(PEOPLE)]
    players = [
        EveningPlayer(guest, Measurements(), evening["id"], PEOPLE, f"Player {number}")
        for number, guest in enumerate(guests)
    ]
    for player in players:
        await player.enter(server.port)
    for one in evening["rounds"]:
        await asyncio.sleep(max(0.0, one["opens_at"] / 1000 - time.time()))
        await asyncio.gather(*(play_round(player, server.port) for player in players), return_exceptions=True)


async def play_round(player: EveningPlayer, port: int) -> None:
    """Open the deal at some moment of the round, and resign at another. Raises OSError and others if hindered."""
    async with asyncio.timeout(ROUND_SECONDS - 5):
        await player.connect(port)
        await asyncio.sleep(random.random() * ROUND_SECONDS / 3)
        state = await player.open_deal()
        await asyncio.sleep(random.random() * ROUND_SECONDS / 3)
        await player.resign_deal(state)
        await player.disconnect()


async def disturb(wall: Wall, server: ServerProcess, number: int, title: str) -> None:
    """Take the network from the screen for a while, or kill the server; the screen must come back."""
    if number % 2:
        await wall.page.context.set_offline(True)
        await asyncio.sleep(LOST_SECONDS)
        await wall.page.context.set_offline(False)
        await wall.require_shown(title, "after a lost network")
    else:
        server.kill()
        await asyncio.sleep(LOST_SECONDS)
        await server.start()
        await wall.require_shown(title, "after a server that was killed")


async def hold_evening(
    wall: Wall,
    http: aiohttp.ClientSession,
    server: ServerProcess,
    folder: Path,
    group: str,
    number: int,
    ends_at: float,
) -> None:
    """Hold one evening with a disturbance, and measure once it is over."""
    evening = await announce(wall, group, number)
    if number == 1:
        address = f"{server.url}/screen/{evening['id']}"
        await wall.page.goto(address)
        wall.unwatched = open_unwatched(address, folder)
    playing = asyncio.create_task(play(http, server, evening))
    ends_at = min(ends_at, time.monotonic() + EVENING_SECONDS)
    await asyncio.sleep(ENTRY_SECONDS)
    await wall.require_shown(evening["title"], "when it begins")
    await asyncio.sleep(ROUND_SECONDS / 2)
    await disturb(wall, server, number, evening["title"])
    await playing
    await asyncio.sleep(max(0.0, ends_at - time.monotonic()))
    await wall.measure()


async def run(hours: float, speed: float, folder: Path) -> Wall:
    """Hold evenings, then the night, then one more evening."""
    seconds = hours * 3600 / speed
    server = ServerProcess(f"sqlite:///{folder}/club.db", folder / "server.log", NO_RATE_LIMIT)
    server.command("migrate")
    async with server, async_playwright() as playwright, aiohttp.ClientSession() as http:
        browser = await playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        wall = await open_wall(browser, server.url, speed)
        await wall.ask("POST", "/session/guest", {})
        group = (await wall.ask("POST", "/groups", {"name": "Thursdays"}))["id"]
        started, number = time.monotonic(), 0
        night_at = started + max(EVENING_SECONDS, seconds * 0.7)
        while time.monotonic() < night_at - EVENING_SECONDS / 2:
            number += 1
            await hold_evening(wall, http, server, folder, group, number, night_at)
        while time.monotonic() < started + seconds - EVENING_SECONDS:
            await asyncio.sleep(60)
            await wall.measure()
        await wall.require_shown(f"Evening {number}", "after the night")
        await hold_evening(wall, http, server, folder, group, number + 1, time.monotonic() + EVENING_SECONDS)
        await browser.close()
        if wall.unwatched:
            wall.unwatched.terminate()
            wall.unwatched.wait()
    return wall


def growth_by_hour(samples: list[Sample], size: str) -> float:
    """Return the slope of a size over the hours of the page, without the first tenth of the time."""
    settled = [one for one in samples if one.hour >= samples[-1].hour / 10]
    return statistics.linear_regression([one.hour for one in settled], [getattr(one, size) for one in settled]).slope


def _renderers_below(pid: int) -> list[int]:
    """Return the processes that draw pages of the browser with this process id."""
    parents, found = {pid}, []
    for one in sorted(
        (path for path in Path("/proc").iterdir() if path.name.isdigit()), key=lambda path: int(path.name)
    ):
        with contextlib.suppress(OSError):  # it may have ended meanwhile
            if int((one / "stat").read_text().rpartition(")")[2].split()[1]) in parents:
                parents.add(int(one.name))
                found += [int(one.name)] * (b"--type=renderer" in (one / "cmdline").read_bytes())
    return found


def _megabytes(renderers: list[int]) -> float:
    """Return the memory of the largest of these processes, with its part of what it shares; 0.0 of none."""
    found = [0]
    for pid in renderers:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        found += [int(line.split()[1]) for line in lines if line.startswith("Pss:")]
    return max(found) / 1024


async def main() -> int:
    """Run as the command line specifies; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hours", type=float, default=8.0, help="hours of the page")
    parser.add_argument("--speed", type=float, default=16.0, help="how much faster the timers of the page run")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        wall = await run(options.hours, options.speed, Path(folder))
    heap = growth_by_hour(wall.samples, "heap_megabytes")
    if 8 * heap > MAX_GROWTH_MEGABYTES:
        wall.faults.append(f"the heap grows by {8 * heap:.1f} MB in eight hours")
    process = growth_by_hour(wall.samples, "unwatched_megabytes")
    if options.speed == 1 and 8 * process > MAX_GROWTH_MEGABYTES:
        wall.faults.append(f"the process that nobody watches grows by {8 * process:.1f} MB in eight hours")
    if len(wall.shifts) < 3:
        wall.faults.append("the picture does not move")
    for size in ("heap_megabytes", "process_megabytes", "unwatched_megabytes", "nodes", "listeners"):
        print(f"{size} by the hour: {growth_by_hour(wall.samples, size):+.3f}")
    print(f"{wall.hour:.1f} hours of the page, {wall.requests} requests; faults: {wall.faults or 'none'}")
    return 1 if wall.faults else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
