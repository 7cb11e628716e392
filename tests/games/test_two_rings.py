"""Two Rings: the second pass, and what ends a line."""

from tests.games.position import Scene

BRACELET = {f"bracelet.{number}": "9H" for number in range(1, 8)}


def test_the_talon_is_turned_over_once() -> None:
    scene = Scene("two-rings", {**BRACELET, "bracelet.0": "9H", "waste": "9S 4H"}).play("redeal")
    assert (scene["stock"], scene.counter("redeals")) == ("-4H -9S", 0)
    assert scene.play("deal", "deal").legal == set()


def test_a_place_holds_one_card() -> None:
    scene = Scene("two-rings", {**BRACELET, "stock": "-3C -4C", "waste": "8H"})
    assert scene.play("stock/bracelet.0").legal == {"deal"}


def test_kings_and_aces_end_their_lines() -> None:
    lines = {"foundation.0": "7S 8S 9S TS JS QS KS", "foundation.8": "6S 5S 4S 3S 2S AS"}
    assert Scene("two-rings", {**BRACELET, **lines, "bracelet.0": "AS", "bracelet.1": "KS"}).legal == set()
