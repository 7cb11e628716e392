"""Evenings in the terminal, on a real server: found by the code, entered, played, and the standing at the end."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest
from textual.pilot import Pilot

from cadogan.sdk import Client
from cadogan.sdk.http import HttpClient
from cadogan.terminal.dialogs import FormDialog
from cadogan.terminal.game.game_screen import GameScreen
from cadogan.terminal.lobby.evening_screen import EveningScreen
from cadogan.terminal.words import t
from cadogan.wire.evening_standings import EveningStanding
from cadogan.wire.evenings import Evening
from tests.harness.evening_actions import MINUTE
from tests.harness.hosts import with_role
from tests.harness.running_server import RunningServer
from tests.terminal.offline_games import screen_text, sees, until, write
from tests.terminal.test_app import choose, client, opened

__all__ = ["client"]


async def make(server: RunningServer, **wanted: object) -> str:
    """Make an evening of one round that begins in ten minutes; return its code."""
    host = await with_role(server, "Rosamund", "host")
    new = {"title": "Thursday", "starts_at": server.clock.at + 10 * MINUTE, "rounds": 1, "games": ["golf"], **wanted}
    status, made = await host.post("/evenings", new)
    assert status == 200, made
    return str(made["code"])


async def test_who_enters_an_evening_with_teams_chooses_one_and_may_change_it(
    sqlite_server: RunningServer, client: Client
) -> None:
    code = await make(sqlite_server, teams={"best": 2, "names": ["The Reds", "The Blues"]})
    evening = (await client.find_evening(code)).id
    async with opened(sqlite_server, client) as pilot:
        await pilot.press("7")
        await choose(pilot, "Thursday")
        await choose(pilot, "Enter: The Reds")
        await write(pilot, "Ada", "enter")
        await sees(pilot, "Team: The Blues", "Leave")
        assert "The Reds" not in screen_text(pilot.app)
        await choose(pilot, "Team: The Blues")
        await sees(pilot, "Team: The Reds")
    (ada,) = (await client.show_evening(evening)).entrants
    assert (ada.player.name, ada.team) == ("Ada", "2")


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
        await write(pilot, "Ada", "enter")
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


class LateClient(Client):
    """A client that reaches the server before the player enters, and has the answer only when it is `free`."""

    def __init__(self, http: HttpClient) -> None:
        super().__init__(http)
        self.free, self.asked, self.answered = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self.free.set()

    async def show_evening(self, id: str) -> Evening:
        """Return the evening as it was when it was asked for."""
        evening = await super().show_evening(id)
        self.asked.set()
        await self.free.wait()
        return evening

    async def show_evening_standing(self, id: str) -> EveningStanding:
        """Return the standing, which is asked for after each evening."""
        standing = await super().show_evening_standing(id)
        self.answered.set()
        return standing

    async def enter_evening(self, id: str, name: str | None = None, team: str | None = None) -> Evening:
        """Enter after the evening was asked for."""
        await self.asked.wait()
        return await super().enter_evening(id, name, team)


@pytest.fixture
async def late_client(sqlite_server: RunningServer) -> AsyncIterator[LateClient]:
    """A new guest of the running server, whose answers can be late."""
    client = LateClient(HttpClient(sqlite_server.url))
    await client.begin_as_guest()
    yield client
    await client.close()


async def test_a_late_answer_from_before_the_player_entered_changes_nothing(
    sqlite_server: RunningServer, late_client: LateClient
) -> None:
    await make(sqlite_server)
    async with opened(sqlite_server, late_client) as pilot:
        await pilot.press("7")
        await choose(pilot, "Thursday")
        await choose(pilot, "Enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, FormDialog))
        for event in (late_client.free, late_client.asked):
            event.clear()
        await write(pilot, "Ada", "enter")
        await sees(pilot, "Leave")
        late_client.answered.clear()
        late_client.free.set()
        await until(pilot, late_client.answered.is_set)
        await pilot.pause()
        assert "Leave" in screen_text(pilot.app)


async def back_and_again(pilot: Pilot[None]) -> None:
    """Leave the screen of the evening and open it again: so it need not be waited for."""
    await pilot.press("escape")
    await until(pilot, lambda: not isinstance(pilot.app.screen, EveningScreen))
    await choose(pilot, "Thursday")
    await until(pilot, lambda: isinstance(pilot.app.screen, EveningScreen))


@pytest.mark.parametrize(
    ("language", "every"), [("en", "Every {}"), ("de", "Jeden {}"), ("hu", "Hetente ({})"), ("tr", "Her {}")]
)
async def test_a_weekly_evening_says_on_which_day_it_is_in_each_language(
    sqlite_server: RunningServer, client: Client, language: str, every: str
) -> None:
    code = await make(sqlite_server, weekly="Europe/Budapest")
    async with opened(sqlite_server, client, language) as pilot:
        begins = datetime.fromtimestamp(sqlite_server.clock.at / 1000 + 600, UTC).astimezone()
        day = every.format(t(f"terminal.weekday_{begins.isoweekday()}"))
        await pilot.press("7")
        await sees(pilot, code, day)
        await choose(pilot, "Thursday")
        await until(pilot, lambda: isinstance(pilot.app.screen, EveningScreen))
        await sees(pilot, day, t("evenings.enter"))


async def test_the_last_evening_of_a_series_says_so_and_one_before_it_leads_to_the_next_one(
    sqlite_server: RunningServer, client: Client
) -> None:
    code = await make(sqlite_server, weekly="Europe/Budapest")
    async with opened(sqlite_server, client) as pilot:
        sqlite_server.clock.at += 10 * MINUTE
        first = await client.find_evening(code)
        assert first.series is not None
        assert first.series.next is not None
        await pilot.press("7")
        await choose(pilot, "Thursday                            On now")
        await choose(pilot, "The next evening")
        await sees(pilot, "Round 1 of 1 begins in 168:00:00", "Every ")
        host = await with_role(sqlite_server, "Edith", "host")
        await host.post(f"/evenings/{first.series.next}/rulings", {"kind": "end_series"})
        await pilot.press("f5")
        await sees(pilot, "This is the last evening of the series.")


async def test_an_unknown_code_is_refused_with_a_sentence(sqlite_server: RunningServer, client: Client) -> None:
    async with opened(sqlite_server, client) as pilot:
        await pilot.press("7")
        await choose(pilot, "The code on the screen")
        await write(pilot, "zzzzzz", "enter")
        await sees(pilot, "There is no evening with this code.")
