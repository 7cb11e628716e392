"""The screen of a game, without a server. Whole screens are compared with files."""

from pathlib import Path

import pytest
from msgspec.structs import replace
from rich.cells import cell_len
from textual.pilot import Pilot
from textual.widgets import Static

from cadogan.sdk.game import Game
from cadogan.sdk.moves import Move, Transfer
from cadogan.terminal.app import TerminalApp
from cadogan.terminal.game.game_screen import GameScreen
from cadogan.terminal.game.replay import ReplayScreen
from cadogan.terminal.game.table_view import TableView
from cadogan.terminal.words import list_languages, t
from cadogan.wire import messages as wire
from tests.sdk.engine_positions import position
from tests.sdk.server_messages import VIEW
from tests.terminal.click_offsets import click_offset
from tests.terminal.expected_screens import check_screen
from tests.terminal.offline_games import offline_game, open_screen, receive, screen_text, sees, until, view


@pytest.mark.parametrize(
    ("slug", "moves"),
    [
        ("klondike", 25),
        ("besieged-city", 0),
        ("blockade", 20),
        ("clock", 10),
        ("empress-of-india", 30),
        ("fortress", 12),
        ("hemispheres", 15),
        ("herring-bone", 10),
        ("house-in-the-wood", 0),
        ("kings", 20),
        ("la-belle-lucie", 15),
        ("napoleons-square", 20),
        ("quatorze", 5),
        ("wheel", 20),
    ],
)
async def test_a_game_looks_like_its_file(slug: str, moves: int) -> None:
    async with open_screen(lambda: GameScreen(offline_game(slug, moves))) as pilot:
        await check_screen(slug, pilot)


async def test_a_large_game_fits_eighty_columns_by_twenty_four_lines() -> None:
    async with open_screen(lambda: GameScreen(offline_game("house-in-the-wood", 40)), size=(80, 24)) as pilot:
        table = pilot.app.screen.query_one(TableView)
        await check_screen("house-in-the-wood-80x24", pilot)
        assert (table.max_scroll_x, table.max_scroll_y) == (0, 0)


async def test_a_large_game_scrolls_in_a_small_window() -> None:
    async with open_screen(lambda: GameScreen(offline_game("house-in-the-wood", 40)), size=(50, 20)) as pilot:
        table = pilot.app.screen.query_one(TableView)
        await until(pilot, lambda: table.max_scroll_x > 0)
        await pilot.press(*["down", "down"], *["right"] * 9)
        await until(pilot, lambda: table.scroll_x > 0)


async def test_selected_cards_and_their_targets_have_signs() -> None:
    async with open_screen(lambda: GameScreen(offline_game("quatorze"))) as pilot:
        await pilot.press("tab", "enter")
        text = await check_screen("quatorze-held", pilot)
        assert text.count("●") == 1
        assert "◆" in text


async def test_a_casual_game_has_no_line_of_opponents() -> None:
    game = offline_game("quatorze")
    async with open_screen(lambda: GameScreen(game)) as pilot:
        screen = pilot.app.screen
        assert isinstance(screen, GameScreen)
        assert not screen.query_one(".opponents").display
        receive(game, wire.Presence(game=game.id, watchers=3))
        await sees(pilot, "3 watching")


async def test_a_finished_game_shows_its_result() -> None:
    game = offline_game("quatorze", 5)
    async with open_screen(lambda: GameScreen(game)) as pilot:
        version = game.session.version
        receive(
            game,
            wire.GameFinished(
                game=game.id, version=version + 1, result="won", score=52, moves=26, milliseconds=61_000, active=1
            ),
        )
        await sees(pilot, "Won: 52 of 52")
        assert "26 moves, 1:01" in screen_text(pilot.app)


async def test_a_stuck_game_tells_the_player_what_to_do() -> None:
    game = offline_game("quatorze")
    async with open_screen(lambda: GameScreen(game)) as pilot:
        receive(game, view("quatorze", position("quatorze"), status="stuck", legal=[], version=9))
        await sees(pilot, "No more moves. 0 of 52. Take back with u")
        await pilot.press("x")
        await sees(pilot, "Finish this game?")


async def test_a_hidden_game_shows_only_its_progress() -> None:
    game = offline_game("quatorze", sight="meter", piles=None, counters=None, legal=None, home=12)
    async with open_screen(lambda: GameScreen(game)) as pilot:
        texts = ("12 home", "You see the cards when")
        await sees(pilot, *texts)


async def test_a_simple_move_is_shown_before_the_server_answers_and_undone_if_it_is_refused() -> None:
    game = offline_game("napoleon-at-st-helena")
    move = next(move for move in game.moves if isinstance(move, Transfer))
    async with open_screen(lambda: GameScreen(game)) as pilot:
        table = pilot.app.screen.query_one(TableView)
        before = game.piles
        for pile in (move.source, move.target):
            table.point_at(pile)
            await pilot.press("enter")
        await until(pilot, lambda: table.piles[move.target] == before[move.target] + before[move.source][-1:])
        assert game.piles == before
        (sent,) = (one for one in game.socket.protocol.unanswered if isinstance(one, wire.Play))
        receive(game, wire.Refused(code="illegal_move", message="No.", id=sent.id))
        await sees(pilot, "No.")
        assert table.piles == before


@pytest.mark.parametrize("language", list_languages())
async def test_all_keys_below_a_table_fit_a_hundred_columns_in_each_language(language: str) -> None:
    async with open_screen(lambda: GameScreen(offline_game("quatorze")), language=language) as pilot:
        await until(pilot, lambda: screen_text(pilot.app).rstrip().endswith(f"esc {t('terminal.back')}"))


async def test_a_message_that_is_too_long_for_one_line_takes_two() -> None:
    game = offline_game("quatorze")
    async with open_screen(lambda: GameScreen(game), size=(60, 24)) as pilot:
        receive(game, view("quatorze", position("quatorze"), status="stuck", legal=[], version=9))
        await until(pilot, lambda: "finish with x." in " ".join(screen_text(pilot.app).split()))


async def test_a_name_in_wide_characters_leaves_the_figures_in_their_place() -> None:
    player = replace(VIEW.game.player, name="漢字の名前", guest=False)
    card = replace(VIEW.game, rules="quatorze", player=player, mode="casual", ranked=False)
    game = offline_game("quatorze", game=card, sight="board", legal=None)
    async with open_screen(lambda: GameScreen(game)) as pilot:
        await sees(pilot, "漢")
        heading = pilot.app.screen.query_one(".heading", Static).render()
        assert str(heading).endswith("0 moves · 0:00")
        assert cell_len(str(heading)) == pilot.app.size.width - 2


async def test_the_list_of_keys_is_shown() -> None:
    async with open_screen(lambda: GameScreen(offline_game("quatorze"))) as pilot:
        await pilot.press("question_mark")
        await sees(pilot, *(t(what) for _, what in GameScreen.KEYS[:5]))
        await pilot.press("escape")
        await sees(pilot, "Quatorze")


@pytest.fixture
def played_moves(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Collect the moves that the client plays, without a server; two clicks count as a double click however late."""
    moves: list[str] = []

    async def play(_: Game, move: Move | str) -> None:
        moves.append(str(move))

    monkeypatch.setattr(Game, "play", play)
    monkeypatch.setattr(TerminalApp, "CLICK_CHAIN_TIME_THRESHOLD", 60.0)
    return moves


async def double_click(pilot: Pilot[None], pile: str) -> None:
    """Click a pile twice."""
    table = pilot.app.screen.query_one(TableView)
    await until(pilot, lambda: table.canvas is not None)
    await pilot.click(table, offset=click_offset(table, pile), times=2)


@pytest.mark.parametrize(("pile", "moves"), [("tableau.0", ["tableau.0/tableau.8"]), ("stock", ["deal", "deal"])])
async def test_a_double_click_moves_a_card_to_its_best_target_and_deals_twice_at_the_stock(
    pile: str, moves: list[str], played_moves: list[str]
) -> None:
    async with open_screen(lambda: GameScreen(offline_game("napoleon-at-st-helena"))) as pilot:
        await double_click(pilot, pile)
        await until(pilot, lambda: len(played_moves) >= len(moves))
        await pilot.pause()
        assert played_moves == moves


async def test_a_double_click_on_an_empty_pile_plays_nothing(played_moves: list[str]) -> None:
    async with open_screen(lambda: GameScreen(offline_game("napoleon-at-st-helena"))) as pilot:
        await double_click(pilot, "foundation.0")
        await sees(pilot, "There is no single best place: foundation 1, empty.")
        assert played_moves == []


@pytest.mark.parametrize("keys", [GameScreen.KEYS, ReplayScreen.KEYS], ids=["game", "replay"])
def test_the_page_about_the_client_lists_the_same_keys_as_the_client(keys: tuple[tuple[str, str], ...]) -> None:
    page = (Path(__file__).parents[2] / "docs" / "terminal.md").read_text()
    rows = [f"| {t(key) if '.' in key else key} | {t(what)} |" for key, what in keys]
    assert [row for row in rows if row not in page] == []


async def test_the_offer_to_finish_is_shown_with_its_key() -> None:
    game = offline_game("quatorze")
    async with open_screen(lambda: GameScreen(game)) as pilot:
        await pilot.press("a")
        await sees(pilot, "Something is left to decide")
        first = game.moves[0].text
        receive(game, view("quatorze", position("quatorze"), finish=first, version=9))
        await sees(pilot, "Nothing is left to decide: a plays the rest.")
        await pilot.press("a")
        sent = game.socket.protocol.unanswered
        await until(pilot, lambda: [one.move for one in sent if isinstance(one, wire.Play)] == [first])


async def test_a_casual_game_that_is_begun_again_asks_for_which_cards() -> None:
    async with open_screen(lambda: GameScreen(offline_game("quatorze"))) as pilot:
        await pilot.press("n")
        await sees(pilot, "Which cards?")
