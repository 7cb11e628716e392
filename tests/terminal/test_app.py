"""The terminal client on a real server: the lobby, playing, watching, leaderboards, replays and races."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList

from cadogan import engine
from cadogan.sdk import Client, connect
from cadogan.sdk.game import Game
from cadogan.terminal.app import TerminalApp, terminal_app
from cadogan.terminal.formatting import format_card
from cadogan.terminal.game.game_screen import GameScreen, open_replay
from cadogan.terminal.game.replay import ReplayScreen
from cadogan.terminal.game.table_view import TableView
from cadogan.terminal.lobby.lobby import Lobby
from cadogan.terminal.lobby.races import RaceScreen
from cadogan.terminal.words import t
from cadogan.wire.races import NewRace
from tests.harness.analysts import analyst_at_work
from tests.harness.finished_games import finish
from tests.harness.logging_ends import DAY_ENTRIES, log_ends
from tests.harness.running_server import RunningServer
from tests.terminal.click_offsets import click_offset
from tests.terminal.offline_games import screen_text, sees, until, write

pytestmark = pytest.mark.slow


@pytest.fixture
async def client(sqlite_server: RunningServer) -> AsyncIterator[Client]:
    """A new guest of the running server."""
    async with connect(sqlite_server.url) as client:
        yield client


@asynccontextmanager
async def opened(
    running_server: RunningServer, client: Client, language: str = "en", receipts: Path | None = None
) -> AsyncIterator[Pilot[None]]:
    """Open the client in the lobby, and wait for the deals of today."""
    clock = running_server.clock
    app = TerminalApp(client, lambda _: None, Lobby, now=clock, language=language, receipts=receipts)
    async with app.run_test(size=(100, 30), notifications=True) as pilot:
        await sees(pilot, t("deals.level_gentle"))
        yield pilot


async def choose(pilot: Pilot[None], text: str) -> None:
    """Choose the row that begins with this text from the list in front."""

    def place() -> int | None:
        lists = [one for one in pilot.app.screen.query(OptionList) if one.has_focus]
        prompts = [str(option.prompt) for one in lists for option in one.options]
        return next((number for number, prompt in enumerate(prompts) if prompt.startswith(text)), None)

    await until(pilot, lambda: place() is not None)
    (focused,) = (one for one in pilot.app.screen.query(OptionList) if one.has_focus)
    focused.highlighted = place()
    await pilot.press("enter")


def table(pilot: Pilot[None]) -> TableView:
    """Return the table in front."""
    return pilot.app.screen.query_one(TableView)


async def play_klondike(pilot: Pilot[None], name: str = "Canfield or Klondike", moves: str = "0 moves") -> Game:
    """Begin a casual game of Klondike, which has this name, and return it as the screen knows it."""
    await pilot.press("2")
    await choose(pilot, name)
    await until(pilot, lambda: isinstance(pilot.app.screen, GameScreen))
    await sees(pilot, moves, "▒24")
    assert isinstance(pilot.app.screen, GameScreen)
    return pilot.app.screen.game


async def test_the_lobby_shows_the_deals_of_today_and_every_tab(sqlite_server: RunningServer, client: Client) -> None:
    async with opened(sqlite_server, client) as pilot:
        await sees(pilot, "Friday 20 November 2026", "Easy", "Medium", "Hard", "12 h 0 min", sqlite_server.url)
        for key, shown in zip(
            "23456",
            (f"{len(engine.slugs())} games", "No other game", "All time", "Create a race", "Create account"),
            strict=True,
        ):
            await pilot.press(key)
            await sees(pilot, shown)


async def test_a_deal_that_can_be_won_is_begun_from_the_list_and_any_is_offered_where_none_is_found(
    sqlite_server: RunningServer, client: Client
) -> None:
    async def highlight(name: str) -> None:
        (focused,) = (one for one in pilot.app.screen.query(OptionList) if one.has_focus)
        prompts = [str(option.prompt) for option in focused.options]
        focused.highlighted = next(number for number, prompt in enumerate(prompts) if prompt.startswith(name))

    async with opened(sqlite_server, client) as pilot:
        await pilot.press("2")
        await sees(pilot, f"{len(engine.slugs())} games")
        await highlight("Quatorze")
        await pilot.press("w")
        await until(pilot, lambda: isinstance(pilot.app.screen, GameScreen))
        assert isinstance(pilot.app.screen, GameScreen)
        assert pilot.app.screen.game.session.game is not None
        assert pilot.app.screen.game.session.game.winnable
        await pilot.press("escape")
        await until(pilot, lambda: not isinstance(pilot.app.screen, GameScreen))
        await highlight("The Queens")
        await pilot.press("w")
        await choose(pilot, "Any new cards")
        await until(pilot, lambda: isinstance(pilot.app.screen, GameScreen))
        assert isinstance(pilot.app.screen, GameScreen)
        assert pilot.app.screen.game.session.game is not None
        assert not pilot.app.screen.game.session.game.winnable


async def test_a_game_is_played_by_keys_and_its_receipt_is_kept_in_a_file(
    sqlite_server: RunningServer, client: Client, tmp_path: Path
) -> None:
    async with opened(sqlite_server, client, receipts=tmp_path) as pilot:
        game = await play_klondike(pilot)
        await pilot.press("d")
        await sees(pilot, "1 move ")
        await pilot.press("u")
        await sees(pilot, "▒24", "1 move ")
        table(pilot).point_at("stock")
        await pilot.press("enter")
        await sees(pilot, "▒23", "2 moves")
        await pilot.press("x")
        await choose(pilot, "Resign")
        await sees(pilot, "Resigned: ", "2 moves")
        file = tmp_path / urlsplit(client.address).netloc.replace(":", "_") / f"{game.id}.receipt"
        await until(pilot, file.exists)
        assert file.read_text("utf-8") == (await client.give_receipt(game.id)).receipt
        await pilot.press("v")
        await until(pilot, lambda: isinstance(pilot.app.screen, ReplayScreen))
        await pilot.press("end")
        await sees(pilot, "The end: resigned")
        await log_ends(sqlite_server.server)
        logged = DAY_ENTRIES + 1
        await pilot.press("c")
        await sees(pilot, "What was checked", "Checked by this server", f"entry {logged} of {logged}")
        await pilot.press("escape", "escape", "escape")
        await sees(pilot, f"{len(engine.slugs())} games")


async def test_a_finished_game_is_analysed_and_played_on(sqlite_server: RunningServer, client: Client) -> None:
    game = await client.deal("quatorze")
    await (await game.play(game.moves[0])).resign()
    async with opened(sqlite_server, client) as pilot:
        await open_replay(terminal_app(pilot.app.screen), game.id)
        await sees(pilot, "0 of 2")
        await pilot.press("a")
        await sees(pilot, "The analysis waits: 0 others come first", "·····")
        async with analyst_at_work(sqlite_server.server):
            await sees(pilot, "The win was never lost", "The game can still be won here.", "from here keep")
            assert "·····" not in screen_text(pilot.app)
        await pilot.press("w")
        await sees(pilot, "A way to win from move 0", "From here")
        await pilot.press("end")
        await sees(pilot, "52 home")
        await pilot.press("escape", "end", "p")
        await until(pilot, lambda: isinstance(pilot.app.screen, GameScreen))
        await sees(pilot, "Casual game", "1 move ")
        await pilot.press("escape")
        await sees(pilot, "The win was never lost")


async def test_whether_a_game_can_still_be_won_is_asked_and_answered_with_a_way(
    sqlite_server: RunningServer, client: Client
) -> None:
    async with opened(sqlite_server, client) as pilot:
        await pilot.press("2")
        await choose(pilot, "Quatorze")
        await sees(pilot, "0 moves")
        await pilot.press("w")
        await sees(pilot, "Looking for a way to win: 0 searches come first.")
        async with analyst_at_work(sqlite_server.server):
            await sees(pilot, "The game can still be won here. w shows a way.")
        await pilot.press("w")
        await sees(pilot, "A way to win from here", "0 of 26")
        await pilot.press("escape")
        await sees(pilot, "w shows a way.")


async def test_a_game_is_played_in_german(sqlite_server: RunningServer, client: Client) -> None:
    async with opened(sqlite_server, client, "de") as pilot:
        await sees(pilot, "Freitag, 20. November 2026", "Leicht", "Mittel", "Schwer", "12 h 0 min", "Ranglisten")
        await play_klondike(pilot, "Canfield oder Klondike", "0 Züge")
        await sees(pilot, "Canfield oder Klondike · Freie Partie", "Punkte", "u Zurücknehmen", "1 Geben")
        await pilot.press("d")
        await sees(pilot, "1 Zug ")
        await pilot.press("h")
        await sees(pilot, "Tipp – ")
        await pilot.press("u", "u")
        await sees(pilot, "Es gibt keinen Zug, den du zurücknehmen kannst.")
        await pilot.press("r")
        await sees(pilot, "Aufbau")
        await pilot.press("escape", "x")
        await choose(pilot, "Aufgeben")
        await sees(pilot, "Aufgegeben: ", "v zeigt sie noch einmal.")
        await pilot.press("v")
        await sees(pilot, "0 von 3")
        await pilot.press("end")
        await sees(pilot, "Das Ende: aufgegeben", "Gast ")
        await pilot.press("escape", "escape", "6")
        await sees(pilot, "Gast ", "Gespielte Partien: 1", "Konto anlegen")
        await pilot.press("4")
        await choose(pilot, "Diese Woche")
        await sees(pilot, "Noch steht niemand auf dieser Rangliste.")


async def test_the_mouse_and_a_list_play_and_an_illegal_drag_is_refused_with_the_reason(
    sqlite_server: RunningServer, client: Client
) -> None:
    async with opened(sqlite_server, client) as pilot:
        game = await play_klondike(pilot)
        source = next(pile for pile, cards in game.piles.items() if pile.startswith("tableau") and cards[-1][0] != "A")
        await pilot.mouse_down(table(pilot), offset=click_offset(table(pilot), source))
        await pilot.mouse_up(table(pilot), offset=click_offset(table(pilot), "foundation.0"))
        reason = format_card(game.piles[source][-1]).capitalize()
        await until(pilot, lambda: reason in screen_text(pilot.app) or game.played > 0)
        assert f"{reason} may not go to the empty foundation 1" in screen_text(pilot.app)
        assert game.played == (await client.show_game(game.id)).moves == 0
        await pilot.press("r")
        await sees(pilot, "Setup")
        await pilot.press("escape")
        await sees(pilot, "0 moves")
        await pilot.click(table(pilot), offset=click_offset(table(pilot), "stock"))
        await sees(pilot, "1 move ")
        await pilot.press("m")
        await choose(pilot, "Deal")
        await sees(pilot, "2 moves")


async def test_a_deal_of_today_is_resigned_and_on_its_leaderboard(sqlite_server: RunningServer, client: Client) -> None:
    async with opened(sqlite_server, client) as pilot:
        await choose(pilot, "Easy")
        await choose(pilot, "Play it")
        await sees(pilot, "Challenge", "0 moves")
        assert isinstance(pilot.app.screen, GameScreen)
        assert pilot.app.screen.check_action("winnable", ()) is False  # of a ranked game nobody asks
        await pilot.press("m")
        await choose(pilot, "")  # any move: a run without one is on no leaderboard
        await sees(pilot, "1 move ")
        await pilot.press("x")
        await choose(pilot, "Resign")
        await sees(pilot, "Resigned: ")
        await pilot.press("escape")
        await sees(pilot, "you: resigned", "Your results as text")
        await choose(pilot, "Easy")
        await choose(pilot, "The board")
        await sees(pilot, "1 in all.", "You are 1st of 1.")
        await pilot.press("escape")
        await choose(pilot, "Easy")
        await choose(pilot, "Play it for practice")
        await sees(pilot, "Practice", "0 moves")
        assert isinstance(pilot.app.screen, GameScreen)
        assert pilot.app.screen.check_action("winnable", ()) is False  # others may still play the deal


async def test_a_game_of_another_player_is_watched_live(sqlite_server: RunningServer, client: Client) -> None:
    async with connect(sqlite_server.url) as other, opened(sqlite_server, client) as pilot:
        game = await other.deal("klondike")
        await game.play("deal")
        name = (await other.who_am_i()).player
        assert name is not None
        await pilot.press("3")
        await choose(pilot, name.name)
        await sees(pilot, "1 move ", name.name, "1 watching")
        await game.play("deal")
        await sees(pilot, "2 moves")
        table(pilot).point_at("stock")
        await pilot.press("d", "x", "u", "enter")
        assert "Take back" not in screen_text(pilot.app)
        await game.play("deal")
        await sees(pilot, "3 moves")


async def test_who_cannot_sign_in_is_told_so_and_claims_a_name(sqlite_server: RunningServer, client: Client) -> None:
    async with opened(sqlite_server, client) as pilot:
        await pilot.press("6")
        await choose(pilot, "Sign in as another player")
        await sees(pilot, "Password")
        await write(pilot, "Nobody", "enter", *"whatever", "enter")
        await sees(pilot, "No player has this name and password.")
        await choose(pilot, "Create account")
        await sees(pilot, "Password (8 characters or more)")
        await write(pilot, "Ada", "enter", *"correct1", "enter")
        await sees(pilot, "Keep these recovery codes")
        assert len(re.findall("[a-z2-7]{4}(?:-[a-z2-7]{4}){3}", screen_text(pilot.app))) == 10
        await pilot.press("escape")
        await sees(pilot, "Ada", "Sign in as another player")
        assert "as a guest" not in screen_text(pilot.app)


async def test_the_own_collection_is_shown(sqlite_server: RunningServer, client: Client) -> None:
    player = (await client.begin_as_guest()).player
    await finish(sqlite_server.server.store, player.id, "maze", name="aaaabbbbccccdddd")
    async with opened(sqlite_server, client) as pilot:
        await pilot.press("6")
        await choose(pilot, "Collection")
        await sees(pilot, f"1 of {len(engine.slugs())} games won", "The first here to win Maze", "Not played yet")
        await pilot.press("escape")
        await sees(pilot, "Sign in as another player")


async def test_the_game_of_a_race_opens_though_the_race_is_loaded_again_meanwhile(
    sqlite_server: RunningServer, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_game, loaded_again = client.game, asyncio.Event()

    async def read_game_late(id: str) -> Game:
        await loaded_again.wait()
        return await read_game(id)

    monkeypatch.setattr(client, "game", read_game_late)
    async with connect(sqlite_server.url) as other, opened(sqlite_server, client) as pilot:
        race = await other.open_race(NewRace(rules="quatorze", nonce="words", countdown=0, open=True))
        screen = RaceScreen(await client.join_race(race.race, "more words"))
        await pilot.app.push_screen(screen)
        started = await other.start_race(race.race)
        assert started.starts_at is not None
        sqlite_server.clock.at = started.starts_at
        await sees(pilot, "To your table")
        screen.reload()
        await pilot.pause()
        loaded_again.set()
        await until(pilot, lambda: isinstance(pilot.app.screen, GameScreen))


async def test_a_race_is_joined_played_and_its_results_are_shown(sqlite_server: RunningServer, client: Client) -> None:
    async with connect(sqlite_server.url) as other, opened(sqlite_server, client) as pilot:
        race = await other.open_race(NewRace(rules="quatorze", nonce="words", countdown=0, open=True))
        await pilot.press("5")
        await choose(pilot, "Quatorze")
        await until(pilot, lambda: isinstance(pilot.app.screen, RaceScreen))
        await sees(pilot, "2 of 16 are here.")
        started = await other.start_race(race.race)
        assert started.starts_at is not None
        sqlite_server.clock.at = started.starts_at
        await until(pilot, lambda: isinstance(pilot.app.screen, GameScreen))
        await sees(pilot, "Race", "0 home")
        theirs = (await other.show_race(race.race)).racers[0].meter
        assert theirs is not None
        await (await other.game(theirs.game)).resign()
        await pilot.press("x")
        await choose(pilot, "Resign")
        await sees(pilot, "Resigned: ")
        await pilot.press("escape")
        await sees(pilot, "The race is over.", "Rematch")
