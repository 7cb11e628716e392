"""The tables of every game on a phone: how large their cards are, and that the document says so."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from benchmarks.table_sizes import measure, write_table
from cadogan.engine import all_games

DOCUMENT = Path(__file__).parents[3] / "docs" / "tables.md"
MORE_THAN_EIGHT_COLUMNS = {
    *("blockade", "carpet", "labyrinth", "labyrinth-as-dealt", "mount-olympus", "terrace", "maze", "maze-wraparound"),
    *("shah", "empress-of-india", "tripeaks", "spider-one-suit", "spider-two-suits", "spider-four-suits"),
}
"""The games that cannot be laid in eight columns of a card's width, or only in more rows than a phone has room for."""

AS_HIGH_AS_A_SMALL_PHONE = {"wheel", "house-in-the-wood", "house-on-the-hill"}
"""The games in eight columns that fill the height of the smaller phone before their cards are as wide as that."""


@pytest.fixture(autouse=True)
def needs_node() -> None:
    if shutil.which("node") is None:
        leave_out = pytest.fail if os.environ.get("CADOGAN_REQUIRE_SERVICES") else pytest.skip
        leave_out("needs Node")


def test_cards_are_large_enough_on_a_phone_and_nothing_has_to_be_panned() -> None:
    for slug, rooms in measure().items():
        upright, small, side = (rooms[room]["now"] for room in ("390x844", "360x740", "844x390"))
        assert not any(size["pans"] for size in (upright, small, side)), slug
        assert min(upright["card"], small["card"], side["card"]) >= 30, slug
        assert upright["card"] >= 40 or slug in MORE_THAN_EIGHT_COLUMNS, slug
        assert small["card"] >= 39.5 or slug in MORE_THAN_EIGHT_COLUMNS | AS_HIGH_AS_A_SMALL_PHONE, slug


def test_a_tall_table_uses_the_height_unless_a_whole_row_of_piles_is_as_wide_as_it() -> None:
    for slug, rooms in measure().items():
        layout = all_games()[slug].layouts["tall"]
        longest = max(
            sum(abs(other.y - place.y) < 0.01 and other.x >= place.x for other in layout.piles)
            for place in layout.piles
        )
        assert rooms["390x844"]["now"]["share"] >= 2 / 3 or longest >= 7, slug


def test_the_document_of_the_sizes_is_up_to_date() -> None:
    assert DOCUMENT.read_text("utf-8") == write_table(), "write it: python -m benchmarks.table_sizes > docs/tables.md"
