"""Two Rings: the second pass, and what ends a foundation."""

from tests.games.position import Position

BRACELET = {f"bracelet.{number}": "9H" for number in range(1, 8)}


def test_the_waste_is_turned_over_once() -> None:
    position = Position("two-rings", {**BRACELET, "bracelet.0": "9H", "waste": "9S 4H"}).play("redeal")
    assert (position["stock"], position.counter("redeals")) == ("-4H -9S", 0)
    assert position.play("deal", "deal").legal == set()


def test_a_place_holds_one_card() -> None:
    position = Position("two-rings", {**BRACELET, "stock": "-3C -4C", "waste": "8H"})
    assert position.play("stock/bracelet.0").legal == {"deal"}


def test_nothing_goes_on_a_king_or_ace_that_ends_a_foundation() -> None:
    lines = {"foundation.0": "7S 8S 9S TS JS QS KS", "foundation.8": "6S 5S 4S 3S 2S AS"}
    assert Position("two-rings", {**BRACELET, **lines, "bracelet.0": "AS", "bracelet.1": "KS"}).legal == set()
