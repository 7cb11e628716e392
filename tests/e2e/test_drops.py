"""Where a dropped card goes, frame by frame, in a real browser: from under mouse or finger to its place."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from itertools import pairwise
from math import dist

import pytest
import pytest_asyncio
from aiohttp.test_utils import TestServer
from playwright.async_api import CDPSession

from tests.e2e.seated import Seat, Seated, seated
from tests.e2e.slowlink import SlowLink
from tests.harness.chromium import DESKTOP, PHONE

__all__ = ["seated"]

OPENED = {
    "stock": ["-2D", "-3D", "-4D"],
    "tableau.0": ["7H"],
    "tableau.1": ["8S"],
    "tableau.3": ["KD"],
    "tableau.5": ["-2C", "6S"],
}
"""A Klondike in which the seven of hearts goes on the eight, the six on the seven, and the king on neither."""
ARMY = {
    "foundation.0": ["AS"],
    "foundation.8": ["KH"],
    "army.5": ["2S"],
    "navy.5": ["QH"],
    "navy.6": ["9H"],
    "stock": ["-5D", "-6D"],
}
"""An Empress of India in which two cards go home together; to which foundations only the server knows."""
RECORD = """(face) => {
  const drawn = [...document.querySelectorAll(".card use")];
  const card = drawn.find((one) => one.getAttribute("href").includes(`face-${face}-`)).closest(".card");
  const record = window.recorded = {frames: [], isOpen: true};
  const middle = () => {
    const {x, y, width, height} = card.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  };
  const note = () => { record.frames.push(middle()); if (record.isOpen) requestAnimationFrame(note); };
  const once = {once: true, capture: true};
  addEventListener("pointerdown", () => { record.start = middle(); }, once);
  addEventListener("pointerup", () => { record.frames = [middle()]; requestAnimationFrame(note); }, once);
}"""
"""Notes the middle of a card when it is touched, when it is dropped, and in every frame after that."""
REST = "() => document.getAnimations().every((run) => run.playState !== 'running')"
READ = "() => { const {start, frames} = window.recorded; window.recorded.isOpen = false; return [start, frames]; }"
SHORT = 46
"""Pixels by which a card is dropped beside its goal, so that it has a way to go."""
Point = tuple[float, float]
Drop = Callable[[Seat, Point, Point], Awaitable[None]]
"""Takes hold of a card at a point of the page and drops it at another."""


@pytest_asyncio.fixture(loop_scope="session")
async def links() -> AsyncIterator[list[SlowLink]]:
    """The links that a test has laid; they are taken down after it."""
    laid: list[SlowLink] = []
    yield laid
    for link in laid:
        await link.stop()


def through(links: list[SlowLink]) -> Callable[[TestServer], Awaitable[str]]:
    """A way to the server over a link that can be made slow."""

    async def lay(server: TestServer) -> str:
        assert server.port is not None
        links.append(SlowLink(server.port, 20261122))
        return await links[-1].start()

    return lay


async def by_mouse(seat: Seat, start: Point, end: Point) -> None:
    mouse = seat.page.mouse
    await mouse.move(*start)
    await mouse.down()
    await mouse.move(*end, steps=5)
    await mouse.up()


async def by_finger(seat: Seat, start: Point, end: Point) -> None:
    session: CDPSession = await seat.page.context.new_cdp_session(seat.page)

    async def touch(kind: str, *points: Point) -> None:
        sent = [{"x": x, "y": y} for x, y in points]
        await session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": sent})

    await touch("touchStart", start)
    for step in range(1, 6):
        await touch("touchMove", (start[0] + (end[0] - start[0]) * step / 5, start[1] + (end[1] - start[1]) * step / 5))
    await touch("touchEnd")
    await session.detach()


async def path_of(
    seat: Seat, drop: Drop, face: str, source: str, target: str, answer: str | None = None
) -> tuple[Point, list[Point]]:
    """Drags a card near a pile; returns where its middle was at first, and in every frame from the drop to its rest.

    `answer` is what is answered if the page asks which move is meant.
    """
    moves = seat.person.moves
    await seat.page.wait_for_function(REST)  # the cards are dealt
    start, (x, y) = await seat.top(source), await seat.top(target)
    await seat.page.evaluate(RECORD, face)
    await drop(seat, start, (x - SHORT / 2, y - SHORT / 2))
    if answer is not None:
        await seat.page.get_by_role("dialog").get_by_role("button", name=answer).click()
    legal = any(move.startswith(source) for move in seat.person.legal)
    if legal:
        await seat.person.hears_of_moves(moves + 1)
        await seat.person.shows_moves(moves + 1)
    await seat.person.sees_all()
    await seat.page.wait_for_function(REST)
    begun, frames = await seat.page.evaluate(READ)
    return tuple(begun), [tuple(frame) for frame in frames]


def assert_approaches(frames: list[Point], goal: Point) -> None:
    """Checks that a card comes nearer to its goal from frame to frame, and is there at last."""
    left = [dist(frame, goal) for frame in frames]
    assert left[0] > 10, "the card was dropped at its goal, so nothing is seen"
    assert [(one, other) for one, other in pairwise(left) if other > one + 1.5] == []
    assert left[-1] < 1


@pytest.mark.browser
@pytest.mark.parametrize("drop", [by_mouse, by_finger])
async def test_a_dropped_card_goes_on_from_under_the_hand_and_only_a_refused_one_goes_back(
    seated: Seated, links: list[SlowLink], drop: Drop
) -> None:
    viewport = DESKTOP if drop is by_mouse else PHONE
    seat = await seated("klondike", OPENED, viewport, through(links), has_motion=True)
    for face, source, target in (("7H", "tableau.0", "tableau.1"), ("6S", "tableau.5", "tableau.1")):
        begun, frames = await path_of(seat, drop, face, source, target)
        assert_approaches(frames, frames[-1])
        assert dist(begun, frames[-1]) > SHORT
        begun, frames = await path_of(seat, drop, "KD", "tableau.3", "tableau.1")
        assert_approaches(frames, begun)
        links[0].slow = True


@pytest.mark.browser
async def test_a_card_whose_way_only_the_player_and_the_server_know_waits_where_it_was_dropped(
    seated: Seated, links: list[SlowLink]
) -> None:
    seat = await seated("empress-of-india", ARMY, DESKTOP, through(links), has_motion=True)
    links[0].slow = True
    begun, frames = await path_of(seat, by_mouse, "2S", "army.5", "navy.5", "Play two of spades with queen of hearts")
    assert_approaches(frames, frames[-1])
    assert min(dist(frame, begun) for frame in frames) > SHORT
    await seat.shows("foundation.0", "top card two of spades, 1 more face up")
