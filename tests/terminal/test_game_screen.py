"""Whole screens, held against files one can read. `CADOGAN_WRITE_SCREENS=1` writes them anew: read what changed."""

import os
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
from textual.app import ComposeResult
from textual.pilot import Pilot
from textual.screen import Screen

from clients.sdk.game import Game
from clients.sdk.moves import Move, Transfer
from clients.terminal.app import TerminalApp
from clients.terminal.game_screen import KEYS, GameScreen
from clients.terminal.list_screen import Listing, row
from clients.terminal.replay import ReplayScreen
from clients.terminal.table_view import TableView
from clients.wire import messages as wire
from clients.wire.bodies import Replay
from clients.wire.values import Meter, Player, Status
from tests.sdk.engine_positions import position, rules_page
from tests.sdk.server_messages import VIEW
from tests.terminal.offline_games import NOW, offline_game, open_screen, receive, screen_text, until, view

SCREENS = Path(__file__).parent / "screens"


async def check(name: str, pilot: Pilot[None]) -> str:
    """Hold a screen, once all of it is drawn, against its file; its text."""
    file = SCREENS / f"{name}.txt"
    if os.environ.get("CADOGAN_WRITE_SCREENS") == "1":
        file.write_text(screen_text(pilot.app))
    expected = file.read_text()
    with suppress(AssertionError):
        await until(pilot, lambda: screen_text(pilot.app) == expected)
    assert screen_text(pilot.app) == expected
    return expected


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
async def test_a_game_looks_as_it_did(slug: str, moves: int) -> None:
    async with open_screen(lambda: GameScreen(offline_game(slug, moves))) as pilot:
        await check(slug, pilot)


async def test_a_crowded_game_is_scrolled_in_eighty_columns_by_twenty_four_lines() -> None:
    async with open_screen(lambda: GameScreen(offline_game("house-in-the-wood", 40)), size=(80, 24)) as pilot:
        table = pilot.app.screen.query_one(TableView)
        await check("house-in-the-wood-80x24", pilot)
        assert table.max_scroll_x > 0
        await pilot.press(*["down", "down"], *["right"] * 9)
        await until(pilot, lambda: table.scroll_x > 0)


async def test_what_is_held_and_where_it_may_go_have_signs() -> None:
    async with open_screen(lambda: GameScreen(offline_game("quatorze"))) as pilot:
        await pilot.press("tab", "enter")
        text = await check("quatorze-held", pilot)
        assert text.count("●") == 1
        assert "◆" in text


async def test_the_others_at_a_deal_are_named_above_the_table() -> None:
    game = offline_game("quatorze")
    async with open_screen(lambda: GameScreen(game)) as pilot:
        screen = pilot.app.screen
        assert isinstance(screen, GameScreen)
        assert not screen.query_one(".band").display
        receive(game, wire.Presence(game=game.id, watchers=3))
        await until(pilot, lambda: "3 watching" in screen_text(pilot.app))


async def test_a_finished_game_says_how_it_ended() -> None:
    game = offline_game("quatorze", 5)
    async with open_screen(lambda: GameScreen(game)) as pilot:
        version = game.session.version
        receive(
            game,
            wire.GameFinished(
                game=game.id, version=version + 1, result="won", score=52, moves=26, milliseconds=61_000, active=1
            ),
        )
        await until(pilot, lambda: "Won!" in screen_text(pilot.app))
        assert "26 moves, 1:01" in screen_text(pilot.app)


async def test_a_stuck_game_says_what_is_left_to_do() -> None:
    game = offline_game("quatorze")
    async with open_screen(lambda: GameScreen(game)) as pilot:
        receive(game, view("quatorze", position("quatorze"), status="stuck", legal=[], version=9))
        await until(pilot, lambda: "No move is left: take back, or resign" in screen_text(pilot.app))


async def test_who_may_not_see_the_cards_sees_how_far_the_game_is() -> None:
    game = offline_game("quatorze", sight="meter", piles=None, counters=None, legal=None, home=12)
    async with open_screen(lambda: GameScreen(game)) as pilot:
        told = ("12 home", "You have yet to finish this deal")
        await until(pilot, lambda: all(text in screen_text(pilot.app) for text in told))


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
        await check("replay", pilot)
        await pilot.press("end")
        await until(pilot, lambda: "The end: resigned" in screen_text(pilot.app))
        await pilot.press("home")
        await until(pilot, lambda: "0 of 2" in screen_text(pilot.app))
        await pilot.press("plus", "plus", "space")
        await until(pilot, lambda: "2 of 2" in screen_text(pilot.app))


def test_standings_name_the_furthest_first_and_nobody_while_one_is_alone() -> None:
    from clients.terminal.opponents_bar import standings

    def meter(name: str, home: int, status: Status = "playing") -> Meter:
        return Meter(
            game=name,
            deal="d",
            player=Player(id=name, name=name, guest=False),
            home=home,
            score=0,
            moves=1,
            milliseconds=1,
            status=status,
            ranked=True,
        )

    assert standings([meter("Ada", 3)], "Ada").plain == ""
    told = standings([meter("Ada", 3), meter("Bea", 7, "won"), meter("Cy", 0)], "Ada")
    assert told.plain == "Bea 7 home won · Ada 3 home · Cy 0 home"
    crowd = [meter(f"P{number}", number) for number in range(9)]
    assert standings(crowd, "").plain.endswith("and 3 more")


async def test_a_plain_move_shows_before_the_server_has_answered() -> None:
    game = offline_game("napoleon-at-st-helena")
    move = next(move for move in game.moves if isinstance(move, Transfer))
    async with open_screen(lambda: GameScreen(game)) as pilot:
        table = pilot.app.screen.query_one(TableView)
        before = game.piles
        for pile in (move.source, move.target):
            table.point_at(pile)
            await pilot.press("enter")
        await until(pilot, lambda: table._piles[move.target] == before[move.target] + before[move.source][-1:])
        assert game.piles == before
        (sent,) = (one for one in game.socket.protocol.unanswered if isinstance(one, wire.Play))
        receive(game, wire.Refused(code="illegal_move", message="No.", id=sent.id))
        await until(pilot, lambda: "No." in screen_text(pilot.app))
        assert table._piles == before


async def test_the_keys_are_told() -> None:
    async with open_screen(lambda: GameScreen(offline_game("quatorze"))) as pilot:
        await pilot.press("question_mark")
        await until(pilot, lambda: all(what in screen_text(pilot.app) for _, what in KEYS[:5]))
        await pilot.press("escape")
        await until(pilot, lambda: "Quatorze" in screen_text(pilot.app))


async def test_a_chosen_line_stays_chosen_when_others_come_before_it() -> None:
    names = ["Ada", "Bea"]
    chosen: list[str] = []

    async def load(listing: Listing) -> None:
        async def choose(name: str) -> None:
            chosen.append(name)

        listing.fill("Games", [row(name, act=partial(choose, name), key=name) for name in names])

    class Games(Screen[None]):
        def compose(self) -> ComposeResult:
            yield Listing(load)

    async with open_screen(Games) as pilot:
        await until(pilot, lambda: "Bea" in screen_text(pilot.app))
        await pilot.press("down")
        names[:0] = ["Cyril", "Dora"]
        pilot.app.screen.query_one(Listing).load()
        await until(pilot, lambda: "Dora" in screen_text(pilot.app))
        await pilot.press("enter")
        await until(pilot, lambda: chosen == ["Bea"])


@pytest.mark.parametrize(
    ("pile", "wished"), [("tableau.0", ["tableau.0/tableau.8"]), ("stock", ["deal", "deal"]), ("foundation.0", [])]
)
async def test_two_clicks_send_a_card_to_its_best_place_and_deal_twice_at_the_stock(
    pile: str, wished: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[str] = []

    async def play(_: Game, move: Move | str) -> None:
        played.append(str(move))

    monkeypatch.setattr(Game, "play", play)
    monkeypatch.setattr(TerminalApp, "CLICK_CHAIN_TIME_THRESHOLD", 60.0)  # however slowly this machine clicks
    async with open_screen(lambda: GameScreen(offline_game("napoleon-at-st-helena"))) as pilot:
        view = pilot.app.screen.query_one(TableView)
        await until(pilot, lambda: view._picture is not None)
        assert view._picture is not None
        left, top, _, _ = view._picture.top_card_boxes()[pile]
        await pilot.click(view, offset=(left + view._margin[0] + 1, top + view._margin[1]), times=2)
        await until(pilot, lambda: len(played) >= len(wished))
        await pilot.pause()
        assert played == wished
