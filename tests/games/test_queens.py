"""The Queens: refunds, vacancies and what counts as a queen laid."""

from cadogan import engine
from cadogan.engine.cards import rank
from tests.games.position import Position
from tests.games.walks import seed

SHUTTER = {f"shutter.{number}": "9H" for number in range(1, 7)}


def test_a_queen_on_the_key_sends_fourteen_cards_under_the_stock_and_is_the_last_of_them() -> None:
    game = engine.game("queens")
    piles = dict(zip(game.piles, game.deal(seed(13)).piles, strict=True))
    kings = sum(len(piles[f"foundation.{number}"]) for number in range(8))
    assert (len(piles["key"]), len(piles["stock"])) == (18, 65 + 14 - kings)
    assert rank(piles["stock"][0]) == 12


def test_no_key_ends_on_a_queen_and_no_king_lies_in_the_shutter() -> None:
    game = engine.game("queens")
    for number in range(80):
        piles = dict(zip(game.piles, game.deal(seed(number)).piles, strict=True))
        assert len(piles["key"]) in (32, 18, 4, 0)
        assert not piles["key"] or rank(piles["key"][-1]) != 12
        assert all(len(piles[f"shutter.{place}"]) == 1 for place in range(7))
        assert all(rank(piles[f"shutter.{place}"][0]) != 13 for place in range(7))


def test_the_refund_takes_three_cards_from_the_bottom_and_the_queens_on_the_way() -> None:
    position = Position("queens", {"waste": "5D QH 8C 2C JS QD 9S", "shutter.0": "3H", **SHUTTER}, queens=1).play(
        "redeal"
    )
    assert (position["stock"], position["waste"], position.counter("queens")) == ("-2C -8C -QH -5D", "JS QD 9S", 0)
    assert position.play("deal", "deal").counter("queens") == 1


def test_the_whole_waste_is_taken_if_it_has_too_few_cards() -> None:
    position = Position("queens", {"waste": "5D QH 8C", "shutter.0": "3H", **SHUTTER}, queens=2).play("redeal")
    assert (position["stock"], position["waste"]) == ("-8C -QH -5D", "")


def test_a_queen_that_fills_a_place_automatically_is_no_longer_counted() -> None:
    position = Position("queens", {"foundation.0": "KS", "shutter.0": "AS", "waste": "4C QD", **SHUTTER}, queens=2)
    assert position.play("shutter.0/foundation.0")["shutter.0"] == "QD"
    assert position.counter("queens") == 1


def test_the_count_of_queens_never_falls_below_zero() -> None:
    position = Position("queens", {"waste": "QD", "shutter.0": "KD", **SHUTTER}).play("waste/shutter.0")
    assert position.counter("queens") == 0


def test_with_stock_and_waste_empty_a_shutter_card_may_fill_a_place_but_no_key_card() -> None:
    legal = Position("queens", {"key": "4H", **SHUTTER}).legal
    assert legal == {f"shutter.{number}/shutter.0" for number in range(1, 7)}


def test_a_queen_that_goes_from_the_stock_to_a_place_is_not_counted() -> None:
    position = Position("queens", {"stock": "-3D -QD", "waste": "4C", **SHUTTER}).play("stock/shutter.0")
    assert (position["shutter.0"], position.counter("queens")) == ("QD", 0)


def test_what_the_refund_leaves_of_the_waste_keeps_its_order() -> None:
    for left in ("", "JS", "JS QD", "JS QD 9S 4H"):
        position = Position("queens", {"waste": f"5D 8C 2C {left}".strip(), "shutter.0": "3H", **SHUTTER}, queens=1)
        assert position.play("redeal")["waste"] == left
        assert position["stock"] == "-2C -8C -5D"


def test_after_a_refund_the_talon_is_dealt_from_the_card_that_lay_lowest_and_laid_on_what_is_left() -> None:
    position = Position("queens", {"waste": "5D 8C 2C JS QD", "shutter.0": "3H", **SHUTTER}, queens=1)
    position.play("redeal", "deal", "deal", "deal")
    assert (position["waste"], position["stock"], position.counter("queens")) == ("JS QD 5D 8C 2C", "", 0)
    assert "redeal" not in position.legal
