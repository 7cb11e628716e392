"""Arenas in the terminal, on a real server: deal after deal, with points, the streak and the time that is left."""

from textual.pilot import Pilot

from cadogan.sdk import Client
from cadogan.terminal.game.game_screen import GameScreen
from cadogan.terminal.lobby.evening_screen import EveningScreen
from tests.harness.evening_actions import MINUTE
from tests.harness.hosts import with_role
from tests.harness.running_server import RunningServer
from tests.terminal.offline_games import sees, until, write
from tests.terminal.test_app import choose, client, opened

__all__ = ["client"]


async def make_arena(server: RunningServer) -> None:
    """Make an arena of ten minutes that begins in ten minutes."""
    host = await with_role(server, "Rosamund", "host")
    new = {"title": "Hour", "starts_at": server.clock.at + 10 * MINUTE, "arena_minutes": 10, "games": ["golf"]}
    status, made = await host.post("/evenings", new)
    assert status == 200, made


async def test_an_arena_is_entered_and_played_deal_after_deal(sqlite_server: RunningServer, client: Client) -> None:
    await make_arena(sqlite_server)
    async with opened(sqlite_server, client) as pilot:
        await pilot.press("7")
        await choose(pilot, "Hour")
        await sees(pilot, "The arena begins in 10:00", "A win is worth 2 points")
        await choose(pilot, "Enter")
        await write(pilot, "Ada", "enter")
        await sees(pilot, "Leave")
        sqlite_server.clock.at += 11 * MINUTE
        await pilot.press("f5")
        for number in (1, 2):
            await choose(pilot, f"Play deal {number}")
            await sees(pilot, "Golf · An evening")
            await pilot.press("n")  # begins no new game here, which would give this one up
            await give_up(pilot)
        await sees(pilot, "Arena: 9:00 left · 0 points", "Play deal 3", " 1. Ada ", "0 points       0  0")
        sqlite_server.clock.at += 9 * MINUTE
        await pilot.press("f5")
        await sees(pilot, "The arena is over. The standing is final in 30:00", "0 points       0  0")
        sqlite_server.clock.at += 30 * MINUTE
        await pilot.press("f5")
        await sees(pilot, "The standing is final.", " 1. Ada ")


async def give_up(pilot: Pilot[None]) -> None:
    """Resign the run that opens, and go back to the screen of its evening."""
    await until(pilot, lambda: isinstance(pilot.app.screen, GameScreen))
    await pilot.press("x")
    await choose(pilot, "Resign")
    await sees(pilot, "Resigned: ")
    await pilot.press("escape")
    await until(pilot, lambda: isinstance(pilot.app.screen, EveningScreen))
