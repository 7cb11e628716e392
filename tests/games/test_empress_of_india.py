"""The Empress of India: which foundation, and where the next cards come from."""

from tests.games.position import Position


def test_a_pair_goes_to_the_first_of_equal_foundations() -> None:
    foundations = {"foundation.2": "AS", "foundation.3": "AS", "foundation.9": "KH", "foundation.10": "KH"}
    position = Position("empress-of-india", {**foundations, "army.5": "QH", "navy.7": "2S"}).play("army.5+navy.7")
    assert (position["foundation.2"], position["foundation.3"]) == ("AS 2S", "AS")
    assert (position["foundation.9"], position["foundation.10"]) == ("KH QH", "KH")


def test_admirals_are_built_without_queens_and_generals_without_jacks() -> None:
    foundations = {"foundation.0": "TS JS", "foundation.8": "KH QH"}
    assert "army.0+navy.0" in Position("empress-of-india", {**foundations, "army.0": "TH", "navy.0": "KS"}).legal


def test_coupled_cards_go_up_when_both_fit_and_not_before() -> None:
    foundations = {"foundation.0": "AS", "foundation.8": "KH"}
    assert Position("empress-of-india", {**foundations, "navy.0": "3S QH"}).legal == set()
    position = Position("empress-of-india", {**foundations, "navy.0": "2S QH", "waste.1": "9C"}).play("play/navy.0")
    assert (position["foundation.0"], position["foundation.8"], position["navy.0"]) == ("AS 2S", "KH QH", "9C")


def test_a_place_stays_empty_when_no_card_of_its_colour_is_turned() -> None:
    piles = {"army.0": "5H", "army.1": "6H", "navy.0": "7S", "navy.1": "8S", "stock": "-3C -4C"}
    position = Position("empress-of-india", piles).play("army.0/navy.0")
    assert (position["army.0"], position["waste.1"], position["stock"]) == ("", "4C 3C", "")
    assert position.play("navy.1/army.1")["army.0"] == ""
    assert position["navy.1"] == "3C"


def test_a_turned_card_goes_on_the_waste_of_its_colour() -> None:
    position = Position("empress-of-india", {"waste.0": "5D", "stock": "-3C -4H"}).play("deal", "deal")
    assert (position["waste.0"], position["waste.1"]) == ("5D 4H", "3C")
