"""Where the piles of every game lie: no pile covers another, except as the book shows, and none lies off the table."""

from itertools import combinations

import pytest

from cadogan import engine
from cadogan.engine import Game
from cadogan.engine.layout import PileLayout
from tests.games.walks import seed

RATIO = 1.4
"""A card's height in card widths."""
OVERLAPS = {
    "book": {
        "blockade": 0.4,
        "labyrinth": 0.4,
        "labyrinth-as-dealt": 0.4,
        "louis": 0.87,
        "pyramid": 0.23,
        "tripeaks": 0.23,
    },
    "tall": {
        "blockade": 0.04,
        "labyrinth": 0.04,
        "labyrinth-as-dealt": 0.04,
        "louis": 0.87,
        "pyramid": 0.23,
        "tripeaks": 0.23,
    },
    "wide": {
        "blockade": 0.55,
        "labyrinth": 0.62,
        "labyrinth-as-dealt": 0.62,
        "louis": 0.87,
        "mill": 0.5,
        "pyramid": 0.23,
        "tripeaks": 0.23,
    },
}
"""The games whose piles lie partly under one another, and how much of a card is covered at most."""
MOST_CARD_WIDTHS = {"book": 17, "tall": 12.4, "wide": 24}
MOST_CARD_HEIGHTS = {"book": 12, "tall": 13, "wide": 7.5}
"""How wide and how high a table may be before its piles spread."""


@pytest.fixture(params=["book", "tall", "wide"])
def shape(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
def layouts(shape: str) -> dict[Game, tuple[PileLayout, ...]]:
    """Where the piles of each game lie on a table of this shape."""
    games = engine.all_games().values()
    return {game: game.layout if shape == "book" else game.layouts[shape].piles for game in games}


@pytest.fixture
def places(layouts: dict[Game, tuple[PileLayout, ...]]) -> dict[str, PileLayout]:
    """Every pile of every game."""
    return {f"{game.slug} {place.name}": place for game, layout in layouts.items() for place in layout}


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


def test_no_pile_covers_another_by_more_than_it_may(layouts: dict[Game, tuple[PileLayout, ...]], shape: str) -> None:
    most = {game.slug: max(covered(*pair) for pair in combinations(layout, 2)) for game, layout in layouts.items()}
    allowed = dict.fromkeys(most, 0.0) | OVERLAPS[shape]
    assert {slug: part for slug, part in most.items() if part != pytest.approx(allowed[slug], abs=0.006)} == {}, (
        "piles overlap: move them apart in the `place`s of the game, in `tall` or in `wide`, or, if they must, add the "
        "game to OVERLAPS here"
    )


def test_no_pile_lies_off_the_table(places: dict[str, PileLayout], shape: str) -> None:
    right_end, bottom_end = MOST_CARD_WIDTHS[shape], MOST_CARD_HEIGHTS[shape] * RATIO
    off = {
        name: (left, right, top, bottom)
        for name, place in places.items()
        for left, right, top, bottom in [edges(place)]
        if left < -1e-6 or top < -1e-6 or right > right_end or bottom > bottom_end
    }
    assert off == {}


def test_a_pile_that_spreads_left_or_up_has_room_there(places: dict[str, PileLayout]) -> None:
    room = {name: {"left": place.x, "up": place.y}.get(place.spread.direction, 1) for name, place in places.items()}
    assert [name for name, left in room.items() if left < 0.9] == [], "spread over the edge of the table"


def test_every_pile_has_one_place(layouts: dict[Game, tuple[PileLayout, ...]]) -> None:
    named = {game: [place.name for place in layout] for game, layout in layouts.items()}
    assert [game.slug for game, names in named.items() if names != list(game.piles)] == []


def test_a_pile_whose_cards_have_their_own_places_has_one_for_each_card_dealt(
    layouts: dict[Game, tuple[PileLayout, ...]],
) -> None:
    wrong = [
        (game.slug, place.name)
        for game, layout in layouts.items()
        for place, pile in zip(layout, game.deal(seed(0)).piles, strict=True)
        if len(place.spread.cards) not in (0, len(pile))
    ]
    assert wrong == []


def test_cards_lie_upright_or_across(places: dict[str, PileLayout]) -> None:
    assert [name for name, place in places.items() if place.turn not in (0, 90)] == []


def test_the_room_of_another_layout_holds_every_pile() -> None:
    outside = [
        (game.slug, shape, place.name)
        for game in engine.all_games().values()
        for shape, arrangement in game.layouts.items()
        for place in arrangement.piles
        for _, right, _, bottom in [edges(place)]
        if right > arrangement.width + 1e-6 or bottom > arrangement.height * RATIO + 1e-6
    ]
    assert outside == []
