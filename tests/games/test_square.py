"""The Square: aces on the way, and vacancies."""

from cadogan import engine
from cadogan.engine.cards import rank
from tests.games.position import Position
from tests.games.walks import seed

RIM = {f"square.{number}": "9H" for number in range(1, 16)}


def test_first_aces_go_to_foundations_during_the_deal_and_their_places_get_another_card() -> None:
    game = engine.game("square")
    for number in range(40):
        piles = game.deal(seed(number)).piles
        assert all(len(pile) == 1 for pile in piles[6:22])
        assert len(piles[0]) == 88 - sum(map(len, piles[2:6]))
        for pile in piles[6:22]:
            assert rank(pile[0]) > 1 or piles[2 + (pile[0] & 3)]


def test_if_the_stock_that_was_chosen_has_only_a_first_ace_the_waste_fills_the_place() -> None:
    position = Position("square", {**RIM, "waste": "5H 3S", "stock": "-AH"})
    assert position.legal == {"stock/square.0", "waste/square.0"}
    position.play("stock/square.0")
    assert [position[pile] for pile in ("foundation.1", "square.0", "waste", "stock")] == ["AH", "3S", "5H", ""]


def test_the_waste_fills_a_place_automatically_when_the_stock_is_empty() -> None:
    position = Position("square", {**RIM, "foundation.0": "AS", "square.0": "2S", "waste": "5H 3S"})
    assert position.play("square.0/foundation.0")["square.0"] == "3S"


def test_with_stock_and_waste_empty_a_card_of_the_square_may_fill_a_place() -> None:
    assert Position("square", RIM).legal == {f"square.{number}/square.0" for number in range(1, 16)}


def test_a_second_ace_is_an_ordinary_card() -> None:
    position = Position("square", {**RIM, "square.0": "3S", "foundation.0": "AS", "stock": "-AS"}).play("deal")
    assert (position["waste"], position["foundation.0"]) == ("AS", "AS")


def test_a_first_ace_that_is_dealt_goes_to_its_foundation_and_no_other_card_is_turned() -> None:
    position = Position("square", {**RIM, "square.0": "3S", "stock": "-7C -AS"}).play("deal")
    assert (position["waste"], position["foundation.0"], position["stock"]) == ("", "AS", "-7C")


def test_a_finished_foundation_takes_nothing() -> None:
    whole = " ".join(f"{letter}S" for letter in "A23456789TJQKKQJT98765432A")
    position = Position("square", {**RIM, "square.0": "AS", "foundation.0": whole})
    assert "square.0/foundation.0" not in position.legal
