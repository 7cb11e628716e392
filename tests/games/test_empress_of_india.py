"""The Empress of India: which foundation, and where the next cards come from."""

from tests.games.position import Scene


def test_a_pair_goes_to_the_lowest_of_like_foundations() -> None:
    foundations = {"foundation.2": "AS", "foundation.3": "AS", "foundation.9": "KH", "foundation.10": "KH"}
    scene = Scene("empress-of-india", {**foundations, "army.5": "QH", "navy.7": "2S"}).play("army.5+navy.7")
    assert (scene["foundation.2"], scene["foundation.3"]) == ("AS 2S", "AS")
    assert (scene["foundation.9"], scene["foundation.10"]) == ("KH QH", "KH")


def test_admirals_leave_out_the_queen_and_generals_the_knave() -> None:
    foundations = {"foundation.0": "TS JS", "foundation.8": "KH QH"}
    assert "army.0+navy.0" in Scene("empress-of-india", {**foundations, "army.0": "TH", "navy.0": "KS"}).legal


def test_coupled_cards_go_up_when_both_fit_and_not_before() -> None:
    foundations = {"foundation.0": "AS", "foundation.8": "KH"}
    assert Scene("empress-of-india", {**foundations, "navy.0": "3S QH"}).legal == set()
    scene = Scene("empress-of-india", {**foundations, "navy.0": "2S QH", "waste.1": "9C"}).play("play/navy.0")
    assert (scene["foundation.0"], scene["foundation.8"], scene["navy.0"]) == ("AS 2S", "KH QH", "9C")


def test_a_place_for_which_no_card_came_stays_empty() -> None:
    piles = {"army.0": "5H", "army.1": "6H", "navy.0": "7S", "navy.1": "8S", "stock": "-3C -4C"}
    scene = Scene("empress-of-india", piles).play("army.0/navy.0")
    assert (scene["army.0"], scene["waste.1"], scene["stock"]) == ("", "4C 3C", "")
    assert scene.play("navy.1/army.1")["army.0"] == ""
    assert scene["navy.1"] == "3C"


def test_a_turned_card_goes_on_the_waste_of_its_colour() -> None:
    scene = Scene("empress-of-india", {"waste.0": "5D", "stock": "-3C -4H"}).play("deal", "deal")
    assert (scene["waste.0"], scene["waste.1"]) == ("5D 4H", "3C")
