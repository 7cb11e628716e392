"""The "Louis" Patience: choices in the deal, cards laid aside, the order of the redeal."""

from tests.games.position import Position

SPADES = {"foundation.0": "AS 2S 3S 4S 5S 6S", "foundation.4": "KS QS JS TS 9S 8S"}
LETTERS = {f"alphabet.{number}": f"{rank}D" for number, rank in enumerate("2468TQ")} | {
    f"alphabet.{number}": f"{rank}H" for number, rank in zip(range(6, 12), "2468TQ", strict=True)
}


def test_a_choice_stops_the_deal_until_it_is_made() -> None:
    position = Position("louis", {**SPADES, "alphabet.0": "4H", "stock": "-9C -3D -7S"}, redeals=2).play("deal")
    assert position["waste"] == "7S"
    assert position.legal == {"waste/foundation.0", "waste/foundation.4", "waste/aside.0"}
    position.play("waste/aside.0")
    assert (position["alphabet.0"], position["alphabet.1"], position["aside.0"]) == ("4H 3D", "9C", "7S")


def test_the_lower_circles_stay_under_until_the_last_choice_is_made() -> None:
    position = Position("louis", {**SPADES, "alphabet.0": "4H", "stock": "-7S"}).play("deal")
    assert (position["under.0"], position["alphabet.0"]) == ("4H", "")
    position.play("waste/foundation.0")
    assert (position["under.0"], position["alphabet.0"]) == ("", "4H")


def test_a_card_laid_aside_stays_through_a_redeal() -> None:
    position = Position("louis", {**SPADES, "aside.0": "7S", "alphabet.3": "4H"}, redeals=2).play("redeal")
    assert (position["aside.0"], position["alphabet.0"]) == ("7S", "4H")
    assert {"aside.0/foundation.0", "aside.0/foundation.4"} <= position.legal


def test_the_redeal_begins_with_the_bottom_of_f_and_ends_with_g() -> None:
    position = Position("louis", {**LETTERS, "alphabet.5": "JC QD"}).play("redeal")
    circle = [position[f"alphabet.{number}"] for number in range(12)]
    assert circle == ["JC", "QD", "TD", "8D", "6D", "4D", "2D", "QH", "TH", "8H", "6H", "4H"]
    assert (position["stock"], position.counter("redeals")) == ("-2H", 2)


def test_letters_are_not_built_on_while_the_stock_lasts_and_empty_ones_are_not_filled() -> None:
    piles = {"alphabet.0": "4H", "alphabet.1": "5H"}
    assert Position("louis", {**piles, "stock": "-9C"}).legal == {"deal"}
    assert Position("louis", piles, redeals=0).legal == {"alphabet.0/alphabet.1", "alphabet.1/alphabet.0"}


def test_from_the_second_deal_on_foundations_exchange_all_but_their_first_card() -> None:
    piles = {"foundation.0": "AS 2S 3S", "foundation.4": "KS QS JS TS 9S 8S 7S 6S 5S 4S", "stock": "-9C"}
    assert Position("louis", piles, redeals=3).legal == {"deal"}
    position = Position("louis", piles, redeals=2)
    assert position.legal == {"deal", "foundation.0/foundation.4", "foundation.4/foundation.0"}
    position.play("foundation.0/foundation.4", "foundation.0/foundation.4")
    assert position.legal == {"deal", "foundation.4/foundation.0"}


def test_there_are_three_redeals_and_no_fourth() -> None:
    position = Position("louis", {"alphabet.0": "4H 9C"}).play("redeal", "redeal", "redeal")
    assert "redeal" not in position.legal
