"""The Square: aces on the way, and vacancies."""

import engine
from engine.cards import rank
from tests.games.position import Scene
from tests.games.walks import seed

RIM = {f"square.{number}": "9H" for number in range(1, 16)}


def test_first_aces_go_up_during_the_deal_and_their_places_get_another_card() -> None:
    game = engine.game("square")
    for number in range(40):
        piles = game.deal(seed(number)).piles
        assert all(len(pile) == 1 for pile in piles[6:22])
        assert len(piles[0]) == 88 - sum(map(len, piles[2:6]))
        for pile in piles[6:22]:
            assert rank(pile[0]) > 1 or piles[2 + (pile[0] & 3)]


def test_a_choice_that_uses_up_the_stock_without_a_card_brings_the_talons() -> None:
    scene = Scene("square", {**RIM, "waste": "5H 3S", "stock": "-AH"})
    assert scene.legal == {"stock/square.0", "waste/square.0"}
    scene.play("stock/square.0")
    assert [scene[pile] for pile in ("foundation.1", "square.0", "waste", "stock")] == ["AH", "3S", "5H", ""]


def test_only_the_talon_fills_when_the_stock_is_out_and_without_asking() -> None:
    scene = Scene("square", {**RIM, "foundation.0": "AS", "square.0": "2S", "waste": "5H 3S"})
    assert scene.play("square.0/foundation.0")["square.0"] == "3S"


def test_with_stock_and_talon_gone_a_card_of_the_square_may_fill_a_place() -> None:
    assert Scene("square", RIM).legal == {f"square.{number}/square.0" for number in range(1, 16)}


def test_a_second_ace_is_an_ordinary_card() -> None:
    scene = Scene("square", {**RIM, "square.0": "3S", "foundation.0": "AS", "stock": "-AS"}).play("deal")
    assert (scene["waste"], scene["foundation.0"]) == ("AS", "AS")


def test_a_first_ace_that_is_dealt_goes_up_and_no_other_card_is_turned() -> None:
    scene = Scene("square", {**RIM, "square.0": "3S", "stock": "-7C -AS"}).play("deal")
    assert (scene["waste"], scene["foundation.0"], scene["stock"]) == ("", "AS", "-7C")


def test_a_finished_foundation_takes_nothing() -> None:
    whole = " ".join(f"{letter}S" for letter in "A23456789TJQKKQJT98765432A")
    scene = Scene("square", {**RIM, "square.0": "AS", "foundation.0": whole})
    assert "square.0/foundation.0" not in scene.legal
