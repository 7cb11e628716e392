"""The small pictures of tables."""

from cmath import rect
from math import radians

import pytest

import engine
from engine.arrangement import RATIO
from engine.pictures import Drawn, draw_picture


@pytest.mark.parametrize("slug", engine.slugs())
def test_a_picture_is_as_large_as_its_cards_turned_ones_included(slug: str) -> None:
    picture = draw_picture(engine.game(slug))
    corners = [corner for one in picture.drawn for corner in corners_of(one)]
    across, down = [x for x, _ in corners], [y / RATIO for _, y in corners]
    assert min(across) == pytest.approx(0, abs=0.02)
    assert min(down) == pytest.approx(0, abs=0.02)
    assert max(across) == pytest.approx(picture.width, abs=0.02)
    assert max(down) == pytest.approx(picture.height, abs=0.02)


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
