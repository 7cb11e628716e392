"""Evenings in the terminal, on a real server: found by the code, entered, played, and the standing at the end."""

from textual.pilot import Pilot

from cadogan.sdk import Client
from cadogan.terminal.game.game_screen import GameScreen
from cadogan.terminal.lobby.evening_screen import EveningScreen
from tests.harness.evening_actions import MINUTE
from tests.harness.hosts import with_role
from tests.harness.running_server import RunningServer
from tests.terminal.offline_games import sees, until
from tests.terminal.test_app import choose, client, opened

__all__ = ["client"]


async def make(server: RunningServer) -> str:
    """Make an evening of one round that begins in ten minutes; return its code."""
    host = await with_role(server, "Rosamund", "host")
    new = {"title": "Thursday", "starts_at": server.clock.at + 10 * MINUTE, "rounds": 1, "games": ["golf"]}
    status, made = await host.post("/evenings", new)
    assert status == 200, made
    return str(made["code"])


async def back(pilot: Pilot[None]) -> None:
    """Go back to the screen of the evening."""
    await pilot.press("escape")
    await until(pilot, lambda: isinstance(pilot.app.screen, EveningScreen))


async def test_an_evening_is_found_by_its_code_entered_played_and_its_standing_shown(
    sqlite_server: RunningServer, client: Client
) -> None:
    code = await make(sqlite_server)
    async with opened(sqlite_server, client) as pilot:
        await pilot.press("7")
        await sees(pilot, "Thursday", "Coming", code)
        await choose(pilot, "The code on the screen")
        await pilot.press(*code.lower(), "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, EveningScreen))
        await sees(pilot, "Round 1 of 1 begins in")
        await choose(pilot, "Enter")
        await pilot.press(*"Ada", "enter")
        await sees(pilot, "Leave")
        sqlite_server.clock.at += 10 * MINUTE
        await back_and_again(pilot)
        await choose(pilot, "Play round 1")
        await until(pilot, lambda: isinstance(pilot.app.screen, GameScreen))
        await pilot.press("x")
        await choose(pilot, "Resign")
        await sees(pilot, "Resigned: ")
        await back(pilot)
        sqlite_server.clock.at += 10 * MINUTE
        await back_and_again(pilot)
        await sees(pilot, "All rounds are over.", "People", "1.", "Ada", "50.00")
        sqlite_server.clock.at += 30 * MINUTE
        await back_and_again(pilot)
        await sees(pilot, "The standing is final.", "50.00")


async def back_and_again(pilot: Pilot[None]) -> None:
    """Leave the screen of the evening and open it again: so it need not be waited for."""
    await pilot.press("escape")
    await until(pilot, lambda: not isinstance(pilot.app.screen, EveningScreen))
    await choose(pilot, "Thursday")
    await until(pilot, lambda: isinstance(pilot.app.screen, EveningScreen))


async def test_an_unknown_code_is_refused_with_a_sentence(sqlite_server: RunningServer, client: Client) -> None:
    async with opened(sqlite_server, client) as pilot:
        await pilot.press("7")
        await choose(pilot, "The code on the screen")
        await pilot.press(*"zzzzzz", "enter")
        await sees(pilot, "There is no such evening.")
