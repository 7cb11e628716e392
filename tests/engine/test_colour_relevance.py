"""Which games distinguish red from black, found in their rules."""

import pytest

from cadogan import engine
from cadogan.engine.cards import BLACK, EVERY, RED
from cadogan.engine.colour_relevance import distinguishes_colours
from cadogan.engine.declaration import Declaration, Group, Route, lay_out
from cadogan.engine.layout import row
from cadogan.engine.relations import Relation, alternating, anything, down, in_suit, neighbour, up

left, right = lay_out(Group("left", 1, "tableau", row(0, 0)), Group("right", 2, "tableau", row(1, 0)))


def game(route: Route) -> Declaration:
    return Declaration(
        name="A game",
        summary="For a test.",
        groups=(left, right),
        pack=(),
        deal=(),
        score=lambda position: 0,
        maximum=1,
        won=lambda position: False,
        routes=(route,),
    )


def same_colour(card: int, top: int) -> bool:
    return bool(RED >> card & 1) == bool(RED >> top & 1)


@pytest.mark.parametrize(
    "relation", [alternating, down & alternating, down | (up & alternating), up & Relation(same_colour)]
)
def test_building_by_colour_distinguishes_red_from_black(relation: Relation) -> None:
    assert distinguishes_colours(game(Route(left, right, onto=relation)))


@pytest.mark.parametrize("relation", [anything, down, neighbour, in_suit & up, in_suit | neighbour])
def test_building_by_rank_and_suit_does_not_distinguish_red_from_black(relation: Relation) -> None:
    assert not distinguishes_colours(game(Route(left, right, onto=relation)))


def test_a_place_for_red_cards_only_distinguishes_red_from_black() -> None:
    assert distinguishes_colours(game(Route(left, right, empty=RED)))
    assert distinguishes_colours(game(Route(left, right, empty=lambda number: BLACK if number else EVERY)))


def test_a_place_for_one_suit_only_does_not_distinguish_red_from_black() -> None:
    hearts = sum(1 << card for card in range(4, 56) if card & 3 == 1)
    assert not distinguishes_colours(game(Route(left, right, empty=hearts)))


def test_the_games_built_in_alternating_colours_distinguish_red_from_black() -> None:
    by_colour = {slug for slug, rules in engine.all_games().items() if distinguishes_colours(rules.declaration)}
    assert {"klondike", "red-and-black", "empress-of-india", "hemispheres"} <= by_colour
    assert by_colour.isdisjoint({"la-belle-lucie", "napoleon-at-st-helena", "maze", "quatorze"})
