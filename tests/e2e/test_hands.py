"""Hands at a table in a real browser: drags, taps, pairs, refusals, keys, and what plays itself."""

from __future__ import annotations

import asyncio

import pytest
from playwright.async_api import expect

from cadogan.server.core.games.game_state import Command
from cadogan.server.core.web.requests import SERVER
from cadogan.server.subjects.games.game_commands import Answer
from tests.e2e.seated import Seated, seated
from tests.harness.chromium import PHONE
from tests.harness.patience import soon

__all__ = ["seated"]

OPENED = {
    "stock": ["-2D", "-3D", "-4D"],
    "tableau.0": ["7H"],
    "tableau.1": ["8S"],
    "tableau.2": ["-9H", "8C"],
    "tableau.3": ["KD"],
    "tableau.4": ["AS"],
}
"""A Klondike in the middle: the seven of hearts goes on either eight, the ace home, the king nowhere new."""


@pytest.mark.browser
async def test_a_card_is_dragged_to_its_place_and_an_illegal_drop_says_why(seated: Seated) -> None:
    seat = await seated("klondike", OPENED, has_motion=True)
    await seat.drag("tableau.0", "tableau.1")
    await seat.shows("tableau.1", "top card seven of hearts, 1 more face up")
    await seat.drag("tableau.3", "tableau.1")
    await expect(seat.page.locator(".said")).to_contain_text("King of diamonds")
    await seat.shows("tableau.3", "top card king of diamonds")
    await seat.person.shows_moves(1)
    assert (await seat.sitting()).moves == 1


@pytest.mark.browser
async def test_one_tap_plays_what_fits_in_one_place_and_two_taps_the_rest(seated: Seated) -> None:
    seat = await seated("klondike", OPENED, has_motion=True)
    await seat.page.mouse.click(*await seat.top("tableau.4"))
    await seat.shows("tableau.4", "empty")
    await seat.page.mouse.click(*await seat.top("tableau.0"))
    lit = seat.page.locator(".place.lit")
    await expect(lit).to_have_count(2)
    assert await lit.evaluate_all("(all) => all.map((one) => one.dataset.pile)") == ["tableau.1", "tableau.2"]
    await seat.page.mouse.click(*await seat.top("tableau.2"))
    await seat.shows("tableau.2", "top card seven of hearts, 1 more face up, 1 face down")


@pytest.mark.browser
async def test_keys_play_deal_take_back_tell_and_list_themselves(seated: Seated) -> None:
    seat = await seated("klondike", OPENED, has_motion=True)
    said = seat.page.locator(".said")
    await seat.pile("tableau.0").press("i")
    await expect(said).to_contain_text("Its cards can go to: column 2, column 3.")
    await seat.pile("tableau.0").press("Enter")
    await seat.pile("tableau.1").press("Enter")
    await expect(said).to_have_text("Seven of hearts to column 2.")
    await seat.page.keyboard.press("d")
    await seat.shows("waste", "top card four of diamonds")
    await seat.page.keyboard.press("u")
    await seat.shows("waste", "empty")
    await seat.page.keyboard.press("?")
    keys = seat.page.get_by_role("dialog", name="Canfield or Klondike")
    await expect(keys.locator("kbd")).to_have_count(12)
    await seat.page.keyboard.press("Escape")
    await expect(keys).to_have_count(0)


@pytest.mark.browser
async def test_a_dead_end_says_so_until_it_is_left_and_counts_as_played_to_the_end(seated: Seated) -> None:
    seat = await seated("klondike", {"tableau.0": ["7H"], "tableau.1": ["8S"]}, PHONE, has_motion=True)
    band = seat.page.locator(".dead-end:not(.winnable)")
    take_back = seat.page.get_by_role("toolbar").get_by_role("button", name="Take back")
    await expect(take_back).to_have_attribute("aria-disabled", "true")
    await take_back.click(force=True)
    await expect(seat.page.locator(".said")).to_have_text("There is no move to take back.")
    await expect(band).to_be_hidden()
    await expect(seat.page.locator(".ground.stock path")).to_be_hidden()
    await seat.person.play("tableau.0/tableau.1")
    await expect(band).to_contain_text("No more moves. −52 of 208.")
    await expect(seat.page.get_by_role("button", name="Resign")).to_be_hidden()
    await band.get_by_role("button", name="Take back").click()
    await seat.shows("tableau.0", "top card seven of hearts")
    await expect(band).to_be_hidden()
    await expect(take_back).to_have_attribute("aria-disabled", "true")
    await seat.person.play("tableau.0/tableau.1")
    await band.get_by_role("button", name="Finish").click()
    await seat.person.sees_the_end("Lost")
    assert (await seat.sitting()).status == "lost"


@pytest.mark.browser
async def test_a_redeal_that_counts_is_asked_for_and_says_how_many_are_left(seated: Seated) -> None:
    seat = await seated("fish-bone", {"waste": ["2D", "3D"]}, ranked=True, has_motion=True)
    redeal = seat.page.locator(".verbs").get_by_role("button", name="Redeal (1 left)")
    sign = seat.page.locator(".ground.stock path")
    await expect(sign).to_be_visible()
    await redeal.click()
    question = seat.page.get_by_role("dialog")
    await expect(question).to_contain_text("It is the last one")
    await question.get_by_role("button", name="No, keep playing").click()
    await seat.page.mouse.click(*await seat.top("stock"))
    await question.get_by_role("button", name="Redeal").click()
    await seat.shows("waste", "empty")
    assert (await seat.sitting()).moves == 1
    for _ in range(2):
        await seat.page.keyboard.press("d")
    await seat.shows("stock", "empty")
    await expect(sign).to_be_hidden()
    await seat.page.mouse.click(*await seat.top("stock"))
    await expect(seat.page.locator(".said")).to_have_text("The stock is empty, and there is no redeal.")


@pytest.mark.browser
async def test_without_motion_what_happens_and_what_is_taken_back_is_still_said(seated: Seated) -> None:
    seat = await seated("klondike", OPENED, has_motion=True)
    await seat.page.emulate_media(reduced_motion="reduce")
    said = seat.page.locator(".said")
    await seat.page.keyboard.press("d")
    await expect(said).to_have_text("Four of diamonds to waste. Stock: 2 cards left.")
    await seat.page.keyboard.press("u")
    await expect(said).to_have_text("Taken back")


@pytest.mark.browser
async def test_who_signs_out_in_another_tab_watches_where_they_played(seated: Seated) -> None:
    seat = await seated("klondike", OPENED, has_motion=True)
    other = await seat.page.context.new_page()
    await other.goto(seat.person.url)
    assert await other.evaluate("() => fetch('/api/v1/session', {method: 'DELETE'}).then(({ok}) => ok)")
    await seat.page.wait_for_url(f"**/watch/{seat.game}")
    await expect(seat.page.locator("#account-link")).to_have_text("Sign in")


@pytest.mark.browser
async def test_a_double_click_begins_one_game(seated: Seated) -> None:
    seat = await seated("klondike", OPENED, has_motion=True)
    began: list[str] = []
    seat.page.on("request", lambda asked: began.append(asked.url) if asked.method == "POST" else None)
    await seat.person.go("games/wheel")
    await seat.page.get_by_role("button", name="Start a game").dblclick()
    await seat.page.wait_for_url("**/play/*")
    assert [url.rpartition("/")[2] for url in began] == ["deals", "games"]


@pytest.mark.browser
async def test_the_moves_beside_the_rules_point_at_their_piles_and_are_played(seated: Seated) -> None:
    seat = await seated("klondike", OPENED, has_motion=True)
    await seat.page.get_by_role("button", name="Rules").click()
    moves = seat.page.locator(".move-list")
    await moves.locator("summary").click()
    move = moves.get_by_role("button", name="seven of hearts: column 1 to column 3")
    await move.hover()
    await expect(seat.page.locator(".place.pointed")).to_have_count(2)
    await move.click()
    await seat.page.mouse.move(5, 400)
    await seat.shows("tableau.0", "empty")
    await expect(seat.page.locator(".place.pointed")).to_have_count(0)


@pytest.mark.browser
async def test_when_nothing_is_left_to_decide_the_rest_is_played_by_itself_move_by_move(
    seated: Seated, monkeypatch: pytest.MonkeyPatch
) -> None:
    homes = {f"foundation.{number}": [f"{rank}{suit}" for rank in "A23456789T"] for number, suit in enumerate("SHDC")}
    left = {"0": "KS QH JS", "1": "KH QS JH", "2": "KD QC JD", "3": "KC QD JC"}
    seat = await seated(
        "klondike", {**homes, **{f"tableau.{pile}": cards.split() for pile, cards in left.items()}}, has_motion=True
    )
    commands = seat.app[SERVER].commands
    carry_out = commands.carry_out
    asked, answering = asyncio.Event(), asyncio.Event()

    async def after_a_while(player: str, asked_for: Command) -> Answer:
        if (await seat.sitting()).moves == 3:
            asked.set()
            await answering.wait()
        return await carry_out(player, asked_for)

    monkeypatch.setattr(commands, "carry_out", after_a_while)
    finish = seat.page.get_by_role("button", name="Finish")
    await finish.click()
    await expect(finish).to_be_disabled()
    await asyncio.wait_for(asked.wait(), soon())
    await seat.page.mouse.move(5, 400)
    await seat.page.mouse.down()
    await seat.page.mouse.up()
    await seat.page.get_by_role("button", name="Take back").focus()
    await expect(finish).to_be_enabled()
    assert (await seat.sitting()).moves == 3
    await finish.press("Enter")
    answering.set()
    await seat.person.sees_the_end("Won")
    figures = seat.page.get_by_role("dialog").locator(".stats div")
    for name in ("Time", "Time at play"):
        figure = figures.filter(has=seat.page.get_by_text(name, exact=True))
        await expect(figure.locator("dd")).not_to_have_text("0:00")
    assert (await seat.sitting()).moves == 12


@pytest.mark.browser
async def test_one_of_a_pair_is_dragged_on_the_other(seated: Seated) -> None:
    seat = await seated(
        "nestor",
        {"column.0": ["2S", "9H"], "column.1": ["3S", "9D"], "column.2": ["4S", "TD"], "stock": ["-AC"]},
        has_motion=True,
    )
    await seat.drag("column.0", "column.1")
    await seat.shows("discard", "top card nine of diamonds, 1 more face up")
    await seat.person.shows_moves(1)
    assert (await seat.sitting()).moves == 1


@pytest.mark.browser
async def test_a_thumb_that_rests_on_the_tools_keeps_no_card_from_being_tapped(seated: Seated) -> None:
    seat = await seated("klondike", OPENED, PHONE, has_motion=True)
    tools = await seat.page.get_by_role("toolbar").bounding_box()
    assert tools is not None
    thumb = {"id": 0, "x": tools["x"] + 3, "y": tools["y"] + 3}
    x, y = await seat.top("tableau.4")
    finger = {"id": 1, "x": x, "y": y}
    session = await seat.page.context.new_cdp_session(seat.page)
    for kind, points in (
        ("touchStart", [thumb]),
        ("touchStart", [thumb, finger]),
        ("touchEnd", [finger]),
    ):
        await session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    await seat.shows("tableau.4", "empty")
    await session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    await session.detach()
