"""The small pictures of tables."""

from cmath import rect
from collections.abc import Iterable
from math import radians

import pytest

from cadogan import engine
from cadogan.engine.arrangement import RATIO
from cadogan.engine.pictures import Drawn, draw_picture


def test_a_picture_is_as_large_as_its_cards_turned_ones_included() -> None:
    pictures = {slug: draw_picture(game) for slug, game in engine.all_games().items()}
    sizes = {slug: (0, 0, picture.width, picture.height) for slug, picture in pictures.items()}
    drawn = {slug: extent(picture.drawn) for slug, picture in pictures.items()}
    assert {slug: found for slug, found in drawn.items() if found != pytest.approx(sizes[slug], abs=0.02)} == {}


def extent(drawn: Iterable[Drawn]) -> tuple[float, float, float, float]:
    """Where the first and the last corner of these cards lie, in card widths across and in card heights down."""
    across, down = zip(*[corner for card in drawn for corner in corners_of(card)], strict=True)
    return min(across), min(down) / RATIO, max(across), max(down) / RATIO


def corners_of(card: Drawn) -> list[tuple[float, float]]:
    """The four corners of a card, both ways in card widths."""
    middle = complex(card.x + 0.5, (card.y + 0.5) * RATIO)
    half = [complex(x, y * RATIO) / 2 for x in (-1, 1) for y in (-1, 1)]
    turned = [middle + corner * rect(1, radians(card.turn)) for corner in half]
    return [(corner.real, corner.imag) for corner in turned]


def test_a_spread_pile_shows_all_its_cards_and_a_squared_one_its_top() -> None:
    drawn = draw_picture(engine.game("klondike")).drawn
    assert sum(one.x == 6.6 for one in drawn if one.y >= 1.3) == 7
    assert [one for one in drawn if one.y == 0][-1] == Drawn(0, 0, 0, "down")
