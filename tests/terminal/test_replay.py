"""The replay screen, without a server."""

from clients.terminal.replay import ReplayScreen
from clients.wire import messages as wire
from clients.wire.bodies import Replay
from tests.sdk.engine_positions import position, rules_page
from tests.sdk.server_messages import VIEW
from tests.terminal.expected_screens import check_screen
from tests.terminal.offline_games import NOW, open_screen, screen_text, until, view


async def test_a_replay_steps_through_every_position_and_back() -> None:
    rules = rules_page("klondike")
    dealt = view("klondike", position("klondike"), version=1)
    first = wire.MovePlayed(
        game=VIEW.game.id,
        version=2,
        move="deal",
        effects=[],
        piles={"stock": [23], "waste": ["7H"]},
        counters={},
        score=-52,
        home=0,
        moves=1,
        status="playing",
        at=NOW + 5000,
    )
    end = wire.GameFinished(
        game=VIEW.game.id, version=3, result="resigned", score=-52, moves=1, milliseconds=9000, active=9000
    )
    async with open_screen(lambda: ReplayScreen(Replay(dealt=dealt, messages=[first, end]), rules)) as pilot:
        await until(pilot, lambda: "The deal" in screen_text(pilot.app))
        await pilot.press("right")
        await check_screen("replay", pilot)
        await pilot.press("end")
        await until(pilot, lambda: "The end: resigned" in screen_text(pilot.app))
        await pilot.press("home")
        await until(pilot, lambda: "0 of 2" in screen_text(pilot.app))
        await pilot.press("plus", "plus", "space")
        await until(pilot, lambda: "2 of 2" in screen_text(pilot.app))
