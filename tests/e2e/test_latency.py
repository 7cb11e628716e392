"""Play over a link of 300 ms that stalls some chunks and is cut now and then: immediate, nothing lost or doubled."""

from __future__ import annotations

from collections.abc import AsyncIterator
from random import Random

import pytest
import pytest_asyncio
from aiohttp.test_utils import TestServer

from cadogan.server.core.eventlog.events import MovePlayed, decode_event
from cadogan.server.core.eventlog.streams import game_stream
from cadogan.server.core.storage.sql_store import SqlStore
from cadogan.server.core.web.requests import SERVER
from tests.e2e.seated import Seat, Seated, seated
from tests.e2e.slowlink import SlowLink

__all__ = ["seated"]

SEED = 20261120
AHEAD = 4
"""So many moves are played before the answer to the first is waited for."""
DRAWN = """() => {
  window.drops = [];
  const labels = () => [...document.querySelectorAll("[data-pile]")].map((pile) => pile.ariaLabel).join();
  document.addEventListener("pointerup", () => {
    const before = labels();
    setTimeout(() => window.drops.push(labels() !== before));
  }, true);
}"""
"""Notes of every drop whether the table changed as soon as the page had dealt with it, before anything can answer."""


@pytest_asyncio.fixture(loop_scope="session")
async def links() -> AsyncIterator[list[SlowLink]]:
    """The links that a test has laid; they are taken down after it."""
    laid: list[SlowLink] = []
    yield laid
    for link in laid:
        await link.stop()


def position() -> dict[str, list[str]]:
    """A Klondike in which the cards from the four up go home from open columns, and the stock has ten to deal."""
    homes = {f"foundation.{number}": [f"{rank}{suit}" for rank in "A23"] for number, suit in enumerate("SHDC")}
    columns = {f"tableau.{number}": [f"{rank}{suit}" for rank in "87654"] for number, suit in enumerate("SHDC")}
    return {**homes, **columns, "stock": [f"-{rank}{suit}" for rank in "9T" for suit in "SHDCS"[:4]]}


def plan(random: Random) -> list[str]:
    """Twenty cards home from any column in any order, and some deals between them."""
    moves = [f"tableau.{number}/foundation.{number}" for number in range(4) for _ in range(5)] + ["deal"] * 5
    random.shuffle(moves)
    return moves


@pytest.mark.browser
async def test_a_move_is_seen_at_once_and_none_is_lost_or_doubled(seated: Seated, links: list[SlowLink]) -> None:
    async def slowly(server: TestServer) -> str:
        assert server.port is not None
        links.append(SlowLink(server.port, SEED))
        return await links[0].start()

    seat = await seated("klondike", position(), via=slowly, has_motion=True)
    link = links[0]
    await seat.page.evaluate(DRAWN)
    link.slow = True
    random = Random(SEED)
    moves = plan(random)
    cuts = set(random.sample(range(4, len(moves)), 4))
    for number, move in enumerate(moves):
        await hand(seat, move)
        if number in cuts:
            link.cut()
        await seat.person.hears_of_moves(number + 1 - AHEAD)
    await seat.person.hears_of_moves(len(moves))
    await seat.person.shows_moves(len(moves))

    assert await recorded(seat) == moves
    assert link.cuts == 4
    assert link.stalls > 0
    assert await seat.page.evaluate("window.drops") == [True] * 20


async def hand(seat: Seat, move: str) -> None:
    """Plays a move by mouse or key, without waiting for anything."""
    if move == "deal":
        await seat.page.keyboard.press("d")
    else:
        source, target = move.split("/")
        await seat.drag(source, target)


async def recorded(seat: Seat) -> list[str]:
    """The moves in the game's log."""
    stored = await SqlStore(seat.app[SERVER].database).read(game_stream(seat.game))
    events = [decode_event(one.type, one.schema, one.data) for one in stored]
    return [event.move for event in events if isinstance(event, MovePlayed)]
