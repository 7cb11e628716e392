"""The replay screen, without a server."""

import pytest
from msgspec import structs
from textual.pilot import Pilot

from cadogan.terminal.formatting import format_deal_level
from cadogan.terminal.game.replay import ReplayScreen
from cadogan.terminal.game.steps_screen import StepsScreen, winning_line_steps
from cadogan.terminal.words import list_languages, t
from cadogan.wire import messages as wire
from cadogan.wire.analysis import Analysis, Choices, WayStep
from cadogan.wire.bodies import DailyDeal, Replay
from tests.sdk.engine_positions import position, rules_page
from tests.sdk.server_messages import VIEW
from tests.terminal.expected_screens import check_screen
from tests.terminal.offline_games import NOW, offline_game, open_screen, screen_text, sees, until, view

GAME = VIEW.game.id
ANALYSIS = Analysis(
    game=GAME,
    state="done",
    solver=4,
    nodes=20_000,
    verdicts=["won", "won", "lost", "unknown", "won", "lost", "lost"],
    losses=[3, 6],
    choices=[Choices(version=2, keeping=1, losing=3, unknown=2)],
)
"""The analysis of the replay of six moves."""


async def open_nothing(_: str) -> None:
    """Stand for opening a game, where a test opens none."""
    raise AssertionError("a game was opened")


def played(version: int) -> wire.MovePlayed:
    """Return the message of a deal from the stock with which the game gets this version."""
    return wire.MovePlayed(
        game=GAME,
        version=version,
        move="deal",
        effects=[],
        piles={"stock": [25 - version], "waste": ["7H"]},
        counters={},
        score=-52,
        home=0,
        moves=version - 1,
        status="playing",
        at=NOW + 5000 * (version - 1),
    )


def resigned(moves: int) -> wire.GameFinished:
    """Return the message that the game was resigned after this many moves."""
    took = 5000 * moves + 4000
    return wire.GameFinished(
        game=GAME, version=moves + 2, result="resigned", score=-52, moves=moves, milliseconds=took, active=took
    )


def replay_screen(moves: int) -> ReplayScreen:
    """Return the replay of a game that was resigned after dealing this many times."""
    dealt = view("klondike", position("klondike"), version=1)
    replay = Replay(dealt=dealt, messages=[*map(played, range(2, moves + 2)), resigned(moves)])
    return ReplayScreen(replay, rules_page("klondike"), open_nothing)


def front(pilot: Pilot[None]) -> ReplayScreen:
    """Return the replay in front."""
    assert isinstance(pilot.app.screen, ReplayScreen)
    return pilot.app.screen


async def test_a_replay_steps_through_every_position_and_back() -> None:
    async with open_screen(lambda: replay_screen(1)) as pilot:
        await sees(pilot, "The deal")
        await pilot.press("right")
        await check_screen("replay", pilot)
        await pilot.press("end")
        await sees(pilot, "The end: resigned")
        await pilot.press("home")
        await sees(pilot, "0 of 2")
        await pilot.press("plus", "plus", "space")
        await sees(pilot, "2 of 2")


async def test_an_analysed_replay_shows_its_verdicts_and_what_is_known_of_the_position() -> None:
    async with open_screen(lambda: replay_screen(6)) as pilot:
        front(pilot).show_analysis(ANALYSIS)
        await pilot.press("right")
        await check_screen("replay-analysed", pilot)


async def test_the_level_of_the_deal_stands_beside_the_verdicts() -> None:
    deal = DailyDeal(slot=1, level="gentle", rules="klondike", deal="2026-11-20.1", runs=3, deal_level="stern")
    async with open_screen(lambda: replay_screen(6)) as pilot:
        front(pilot).show_analysis(ANALYSIS)
        assert "This deal" not in screen_text(pilot.app)
        front(pilot).show_deal_level(format_deal_level(structs.replace(deal, deal_level=None)))
        assert "This deal" not in screen_text(pilot.app)
        front(pilot).show_deal_level(format_deal_level(deal))
        await sees(pilot, "This deal: Hard")


async def test_the_keys_go_from_loss_to_loss_and_stay_where_there_is_no_further_one() -> None:
    async with open_screen(lambda: replay_screen(6)) as pilot:
        await pilot.press("n")
        assert front(pilot).index == 0
        front(pilot).show_analysis(ANALYSIS)
        visited = []
        for key in ("n", "n", "n", "N", "N"):
            await pilot.press(key)
            visited.append(front(pilot).index)
        assert visited == [2, 5, 5, 2, 2]
        assert t("terminal.lost_here") in screen_text(pilot.app)


@pytest.mark.parametrize("language", list_languages())
async def test_all_keys_below_an_analysed_replay_fit_a_hundred_columns_in_each_language(language: str) -> None:
    async with open_screen(lambda: replay_screen(6), language=language) as pilot:
        front(pilot).show_analysis(ANALYSIS)
        await until(pilot, lambda: screen_text(pilot.app).rstrip().endswith(f"p {t('terminal.play_on')}"))


async def test_the_list_of_keys_of_a_replay_names_every_key_of_the_analysis() -> None:
    async with open_screen(lambda: replay_screen(1)) as pilot:
        await pilot.press("question_mark")
        await until(pilot, lambda: all(t(what)[:40] in screen_text(pilot.app) for _, what in ReplayScreen.KEYS))


async def test_a_way_to_win_is_stepped_through_from_its_position() -> None:
    game = offline_game("klondike")
    winning_line = [
        WayStep(move="deal", effects=[], piles={"stock": [23], "waste": ["7H"]}, counters={}, score=-52, home=0),
        WayStep(
            move="waste/foundation.0",
            effects=["moved waste foundation.0 1"],
            piles={"waste": [], "foundation.0": ["7H"]},
            counters={},
            score=-47,
            home=1,
        ),
    ]
    async with open_screen(
        lambda: StepsScreen(game.rules, t("terminal.way_here"), winning_line_steps(game.session, winning_line))
    ) as pilot:
        await sees(pilot, "A way to win from here · 0 of 2")
        await pilot.press("end")
        await sees(pilot, "waste to foundation 1")
        assert "2 of 2 · Score -47 of 208 · 1 home" in screen_text(pilot.app)
        assert all(text in screen_text(pilot.app) for text in ("▒23▒", "7♥"))
