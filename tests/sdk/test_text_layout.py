"""Every game laid out and drawn in characters: no card is hidden, and a hundred columns by thirty lines are enough."""

from itertools import product

import pytest

from cadogan import engine
from cadogan.sdk.session import DOWN
from cadogan.sdk.text_canvas import TextCanvas, card_text, draw
from cadogan.sdk.text_layout import PLAIN_SCALE, SCALES, choose_places, lay_out, lay_out_to_fit
from tests.sdk.engine_positions import faces, position, rules_page

WIDTH, HEIGHT = 100, 26
"""The space for the table in a terminal of a hundred columns by thirty lines."""


def card_texts(canvas: TextCanvas) -> dict[tuple[str, int], str]:
    """Return the text of each card on a canvas, by its pile and depth."""
    found: dict[tuple[str, int], str] = {}
    for row in canvas.rows:
        for cell in row:
            if cell.pile is not None:
                found[cell.pile, cell.depth] = found.get((cell.pile, cell.depth), "") + cell.text
    return found


def test_every_game_fits_a_hundred_columns_by_thirty_lines_after_the_deal() -> None:
    layouts = {
        slug: lay_out_to_fit(rules_page(slug).layout.piles, faces(slug, position(slug)), WIDTH, HEIGHT)
        for slug in engine.slugs()
    }
    assert [slug for slug, layout in layouts.items() if layout.width > WIDTH or layout.height > HEIGHT] == []


def test_every_pile_is_drawn_and_every_face_up_card_of_a_spread_pile_can_be_read() -> None:
    for slug, moves in product(engine.slugs(), (0, 30)):
        places = rules_page(slug).layout.piles
        piles = faces(slug, position(slug, moves))
        canvases = (draw(lay_out_to_fit(places, piles, WIDTH, HEIGHT)), draw(lay_out(places, piles, PLAIN_SCALE)))
        for read in map(card_texts, canvases):
            assert {pile for pile, _ in read} == {
                place.name for place in places if piles[place.name] or not place.only_filled
            }, slug
            for place in places:
                shown = 1 if place.spread == "none" else len(piles[place.name])
                for depth, face in enumerate(reversed(piles[place.name][-shown:]), 1):
                    assert face == DOWN or card_text(face) in read[place.name, depth], (slug, place.name, depth)


def test_cards_are_large_where_there_is_space_and_small_where_there_is_not() -> None:
    places, piles = rules_page("klondike").layout.piles, faces("klondike", position("klondike"))
    scales = [lay_out_to_fit(places, piles, width, 26).scale.column_width for width in (200, 70, 60, 40, 10)]
    assert scales == sorted(scales, reverse=True)
    assert (scales[0], scales[-1]) == (SCALES[0].column_width, SCALES[-1].column_width)


@pytest.mark.parametrize(("width", "height"), [(80, 40), (60, 60)])
def test_every_game_fits_a_window_of_eighty_columns_or_a_tall_one_of_sixty(width: int, height: int) -> None:
    for slug in engine.slugs():
        rules, piles = rules_page(slug), faces(slug, position(slug))
        layout = lay_out_to_fit(choose_places(rules, piles, width, height), piles, width, height)
        assert (layout.width <= width, layout.height <= height) == (True, True), slug


def test_a_window_gets_the_layout_with_the_largest_cards_and_the_book_s_where_it_fits_as_well() -> None:
    rules, piles = rules_page("la-belle-lucie"), faces("la-belle-lucie", position("la-belle-lucie"))
    assert rules.layouts is not None
    assert choose_places(rules, piles, 60, 60) == rules.layouts.tall.piles
    assert choose_places(rules, piles, 300, 100) == rules.layout.piles


def test_cards_never_become_larger_than_the_given_scale() -> None:
    places, piles = rules_page("klondike").layout.piles, faces("klondike", position("klondike"))
    smaller = lay_out_to_fit(places, piles, 60, 12)
    assert lay_out_to_fit(places, piles, 200, 60, smaller.scale).scale == smaller.scale
