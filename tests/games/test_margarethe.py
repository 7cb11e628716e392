"""Margarethe: how the A is filled, and where aces go."""

from tests.games.position import Position

A = {f"auxiliaries.{number}": f"{rank}H" for number, rank in enumerate("23456789T")}


def test_when_the_stock_ends_in_aces_the_waste_fills_the_vacancy() -> None:
    position = Position("margarethe", {**A, "foundation.1": "KH", "waste": "2S 3S", "stock": "-AC -AS"})
    position.play("auxiliaries.8/foundation.1")
    assert (position["aces"], position["auxiliaries.8"], position["waste"]) == ("AS AC", "3S", "2S")


def test_with_the_stock_out_the_waste_fills_the_vacancy() -> None:
    position = Position("margarethe", {**A, "foundation.1": "KH", "waste": "2S 3S"})
    assert position.play("auxiliaries.8/foundation.1")["auxiliaries.8"] == "3S"


def test_each_court_card_takes_three_cards_and_no_more() -> None:
    piles = {"foundation.0": "KS TS 9S 8S", "foundation.4": "JS 7S 6S 5S", "foundation.8": "QS 4S 3S 2S"}
    assert Position("margarethe", {**piles, "auxiliaries.0": "7S", "auxiliaries.1": "4S", "waste": "AS"}).legal == {
        "redeal"
    }


def test_the_waste_is_turned_over_once() -> None:
    position = Position("margarethe", {**A, "waste": "2S 3S 4S"}).play("redeal")
    assert (position["stock"], position.counter("redeals")) == ("-4S -3S -2S", 0)
    assert "redeal" not in position.play("deal", "deal", "deal").legal
