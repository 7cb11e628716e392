"""Every game drawn in characters: nothing is hidden, and a hundred columns by thirty lines are enough."""

import pytest

import engine
from clients.sdk.session import DOWN
from clients.sdk.text_canvas import Picture, card_text, draw
from clients.sdk.text_layout import PLAIN, SCALES, arrange, fit
from tests.terminal.offline_games import faces, position, rules_page

WIDTH, HEIGHT = 100, 26
"""What a terminal of a hundred by thirty leaves for the table."""


def texts(picture: Picture) -> dict[tuple[str, int], str]:
    """What can be read of each card, by its pile and depth."""
    found: dict[tuple[str, int], str] = {}
    for row in picture.rows:
        for cell in row:
            if cell.pile is not None:
                found[cell.pile, cell.depth] = found.get((cell.pile, cell.depth), "") + cell.text
    return found


@pytest.mark.parametrize("slug", engine.slugs())
def test_every_game_fits_a_hundred_columns_by_thirty_lines_when_it_is_dealt(slug: str) -> None:
    arranged = fit(rules_page(slug).layout.piles, faces(slug, position(slug)), WIDTH, HEIGHT)
    assert (arranged.width <= WIDTH, arranged.height <= HEIGHT) == (True, True)


@pytest.mark.parametrize("slug", engine.slugs())
def test_every_pile_is_seen_and_every_face_up_card_of_a_spread_can_be_read(slug: str) -> None:
    places = rules_page(slug).layout.piles
    for moves in (0, 30):
        piles = faces(slug, position(slug, moves))
        pictures = (draw(fit(places, piles, WIDTH, HEIGHT)), draw(arrange(places, piles, PLAIN)))
        for read in map(texts, pictures):
            assert {pile for pile, _ in read} == {
                place.name for place in places if piles[place.name] or not place.only_filled
            }
            for place in places:
                shown = 1 if place.spread == "none" else len(piles[place.name])
                for depth, face in enumerate(reversed(piles[place.name][-shown:]), 1):
                    assert face == DOWN or card_text(face) in read[place.name, depth], (place.name, depth)


def test_a_table_with_room_is_drawn_large_and_one_without_small() -> None:
    places, piles = rules_page("klondike").layout.piles, faces("klondike", position("klondike"))
    scales = [fit(places, piles, width, 26).scale.across for width in (200, 70, 60, 40, 10)]
    assert scales == sorted(scales, reverse=True)
    assert (scales[0], scales[-1]) == (SCALES[0].across, SCALES[-1].across)


def test_a_table_does_not_grow_again_beyond_the_scale_it_had() -> None:
    places, piles = rules_page("klondike").layout.piles, faces("klondike", position("klondike"))
    smaller = fit(places, piles, 60, 12)
    assert fit(places, piles, 200, 60, smaller.scale).scale == smaller.scale
