"""The small pictures of tables."""

import pytest

import engine
from engine.pictures import Drawn, draw_picture


@pytest.mark.parametrize("slug", engine.slugs())
def test_a_picture_holds_every_card_within_its_size(slug: str) -> None:
    picture = draw_picture(engine.game(slug))
    assert min(one.x for one in picture.drawn) == min(one.y for one in picture.drawn) == 0
    assert max(one.x for one in picture.drawn) + 1 == pytest.approx(picture.width)
    assert max(one.y for one in picture.drawn) + 1 == pytest.approx(picture.height)


def test_a_spread_pile_shows_all_its_cards_and_a_squared_one_its_top() -> None:
    drawn = draw_picture(engine.game("klondike")).drawn
    assert sum(one.x == 6.6 for one in drawn if one.y >= 1.3) == 7
    assert [one for one in drawn if one.y == 0][-1] == Drawn(0, 0, 0, "down")
