"""The "Louis" Patience: choices in the deal, cards laid aside, the order of the redeal."""

from tests.games.position import Scene

SPADES = {"foundation.0": "AS 2S 3S 4S 5S 6S", "foundation.4": "KS QS JS TS 9S 8S"}
LETTERS = {f"alphabet.{number}": f"{rank}D" for number, rank in enumerate("2468TQ")} | {
    f"alphabet.{number}": f"{rank}H" for number, rank in zip(range(6, 12), "2468TQ", strict=True)
}


def test_a_choice_stops_the_deal_until_it_is_made() -> None:
    scene = Scene("louis", {**SPADES, "alphabet.0": "4H", "stock": "-9C -3D -7S"}, redeals=2).play("deal")
    assert scene["waste"] == "7S"
    assert scene.legal == {"waste/foundation.0", "waste/foundation.4", "waste/aside.0"}
    scene.play("waste/aside.0")
    assert (scene["alphabet.0"], scene["alphabet.1"], scene["aside.0"]) == ("4H 3D", "9C", "7S")


def test_the_lower_circles_stay_under_until_the_last_choice_is_made() -> None:
    scene = Scene("louis", {**SPADES, "alphabet.0": "4H", "stock": "-7S"}).play("deal")
    assert (scene["under.0"], scene["alphabet.0"]) == ("4H", "")
    scene.play("waste/foundation.0")
    assert (scene["under.0"], scene["alphabet.0"]) == ("", "4H")


def test_a_card_laid_aside_stays_through_a_redeal() -> None:
    scene = Scene("louis", {**SPADES, "aside.0": "7S", "alphabet.3": "4H"}, redeals=2).play("redeal")
    assert (scene["aside.0"], scene["alphabet.0"]) == ("7S", "4H")
    assert {"aside.0/foundation.0", "aside.0/foundation.4"} <= scene.legal


def test_the_redeal_begins_with_the_bottom_of_f_and_ends_with_g() -> None:
    scene = Scene("louis", {**LETTERS, "alphabet.5": "JC QD"}).play("redeal")
    circle = [scene[f"alphabet.{number}"] for number in range(12)]
    assert circle == ["JC", "QD", "TD", "8D", "6D", "4D", "2D", "QH", "TH", "8H", "6H", "4H"]
    assert (scene["stock"], scene.counter("redeals")) == ("-2H", 2)


def test_letters_do_not_marry_while_the_pack_lasts_and_empty_ones_are_not_filled() -> None:
    piles = {"alphabet.0": "4H", "alphabet.1": "5H"}
    assert Scene("louis", {**piles, "stock": "-9C"}).legal == {"deal"}
    assert Scene("louis", piles, redeals=0).legal == {"alphabet.0/alphabet.1", "alphabet.1/alphabet.0"}


def test_from_the_second_deal_on_foundations_exchange_all_but_their_first_card() -> None:
    piles = {"foundation.0": "AS 2S 3S", "foundation.4": "KS QS JS TS 9S 8S 7S 6S 5S 4S", "stock": "-9C"}
    assert Scene("louis", piles, redeals=3).legal == {"deal"}
    scene = Scene("louis", piles, redeals=2)
    assert scene.legal == {"deal", "foundation.0/foundation.4", "foundation.4/foundation.0"}
    scene.play("foundation.0/foundation.4", "foundation.0/foundation.4")
    assert scene.legal == {"deal", "foundation.4/foundation.0"}


def test_there_are_three_redeals_and_no_fourth() -> None:
    scene = Scene("louis", {"alphabet.0": "4H 9C"}).play("redeal", "redeal", "redeal")
    assert "redeal" not in scene.legal
