"""Where the piles of every game lie: no pile covers another, except as the book shows, and none lies off the table."""

from itertools import combinations

import pytest

import engine
from engine import Game
from engine.layout import PileLayout
from tests.games.walks import seed

RATIO = 1.4
"""A card's height in card widths."""
OVERLAPS = {
    "book": {"blockade": 0.4, "labyrinth": 0.4, "labyrinth-as-dealt": 0.4, "louis": 0.87},
    "tall": {"blockade": 0.04, "labyrinth": 0.04, "labyrinth-as-dealt": 0.04, "louis": 0.87},
    "wide": {"blockade": 0.55, "labyrinth": 0.62, "labyrinth-as-dealt": 0.62, "louis": 0.87, "mill": 0.5},
}
"""The games whose piles lie partly under one another, and how much of a card is covered at most."""
MOST_CARD_WIDTHS = {"book": 17, "tall": 12.4, "wide": 24}
MOST_CARD_HEIGHTS = {"book": 12, "tall": 13, "wide": 7.5}
"""How wide and how high a table may be before its piles spread."""


@pytest.fixture(params=engine.slugs())
def game(request: pytest.FixtureRequest) -> Game:
    return engine.game(request.param)


@pytest.fixture(params=["book", "tall", "wide"])
def shape(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
def layout(game: Game, shape: str) -> tuple[PileLayout, ...]:
    return game.layout if shape == "book" else game.layouts[shape].piles


def edges(place: PileLayout) -> tuple[float, float, float, float]:
    """The left, right, upper and lower edges of the first card of a pile, in card widths."""
    width, height = (RATIO, 1.0) if place.turn % 180 else (1.0, RATIO)
    left, top = place.x + (1 - width) / 2, place.y * RATIO + (RATIO - height) / 2
    return left, left + width, top, top + height


def covered(one: PileLayout, other: PileLayout) -> float:
    """The part of a card that one of two piles covers of the other."""
    (left, right, top, bottom), (west, east, north, south) = edges(one), edges(other)
    across, down = min(right, east) - max(left, west), min(bottom, south) - max(top, north)
    return across * down / RATIO if across > 1e-6 and down > 1e-6 else 0.0


def test_no_pile_covers_another_by_more_than_it_may(game: Game, shape: str, layout: tuple[PileLayout, ...]) -> None:
    most = max(covered(*pair) for pair in combinations(layout, 2))
    assert most == pytest.approx(OVERLAPS[shape].get(game.slug, 0), abs=0.006), (
        f"piles of {game.slug} overlap: move them apart in its `place`s, in `tall` or in `wide`, or, if they must, add "
        "the game to OVERLAPS here"
    )


def test_no_pile_lies_off_the_table(layout: tuple[PileLayout, ...], shape: str) -> None:
    for place in layout:
        left, right, top, bottom = edges(place)
        assert left >= -1e-6, f"{place.name} lies too far left"
        assert top >= -1e-6, f"{place.name} lies too high"
        assert right <= MOST_CARD_WIDTHS[shape], f"{place.name} lies too far right"
        assert bottom <= MOST_CARD_HEIGHTS[shape] * RATIO, f"{place.name} lies too low"


def test_a_pile_that_spreads_left_or_up_has_room_there(layout: tuple[PileLayout, ...]) -> None:
    for place in layout:
        room = {"left": place.x, "up": place.y}.get(place.spread.direction, 1)
        assert room >= 0.9, f"{place.name} spreads {place.spread.direction} over the edge of the table"


def test_every_pile_has_one_place(game: Game, layout: tuple[PileLayout, ...]) -> None:
    assert [place.name for place in layout] == list(game.piles)


def test_a_pile_whose_cards_have_their_own_places_has_one_for_each_card_dealt(
    game: Game, layout: tuple[PileLayout, ...]
) -> None:
    dealt = game.deal(seed(0)).piles
    for place, pile in zip(layout, dealt, strict=True):
        assert len(place.spread.cards) in (0, len(pile)), place.name


def test_cards_lie_upright_or_across(layout: tuple[PileLayout, ...]) -> None:
    assert {place.turn for place in layout} <= {0, 90}


def test_the_room_of_another_layout_holds_every_pile(game: Game) -> None:
    for arrangement in game.layouts.values():
        for place in arrangement.piles:
            _, right, _, bottom = edges(place)
            assert right <= arrangement.width + 1e-6
            assert bottom <= arrangement.height * RATIO + 1e-6
