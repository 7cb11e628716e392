"""Margarethe: how the A is filled, and what aces do on the way."""

from tests.games.position import Scene

A = {f"auxiliaries.{number}": f"{rank}H" for number, rank in enumerate("23456789T")}


def test_when_the_stock_ends_in_aces_the_talon_fills_the_vacancy() -> None:
    scene = Scene("margarethe", {**A, "foundation.1": "KH", "waste": "2S 3S", "stock": "-AC -AS"})
    scene.play("auxiliaries.8/foundation.1")
    assert (scene["aces"], scene["auxiliaries.8"], scene["waste"]) == ("AS AC", "3S", "2S")


def test_with_the_stock_out_the_talon_fills_the_vacancy() -> None:
    scene = Scene("margarethe", {**A, "foundation.1": "KH", "waste": "2S 3S"})
    assert scene.play("auxiliaries.8/foundation.1")["auxiliaries.8"] == "3S"


def test_each_court_card_takes_three_cards_and_no_more() -> None:
    piles = {"foundation.0": "KS TS 9S 8S", "foundation.4": "JS 7S 6S 5S", "foundation.8": "QS 4S 3S 2S"}
    assert Scene("margarethe", {**piles, "auxiliaries.0": "7S", "auxiliaries.1": "4S", "waste": "AS"}).legal == {
        "redeal"
    }


def test_the_talon_is_turned_over_once() -> None:
    scene = Scene("margarethe", {**A, "waste": "2S 3S 4S"}).play("redeal")
    assert (scene["stock"], scene.counter("redeals")) == ("-4S -3S -2S", 0)
    assert "redeal" not in scene.play("deal", "deal", "deal").legal
