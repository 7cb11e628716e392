"""Babette: short rows and the third deal."""

from tests.games.position import Position


def test_a_short_row_lies_on_the_left() -> None:
    position = Position("babette", {"garden.1": "5D", "stock": "-7C -8C -9C"}).play("deal")
    assert [position[f"garden.{number}"] for number in range(4)] == ["9C", "5D 8C", "7C", ""]


def test_a_redeal_needs_an_empty_stock_and_cards_in_the_garden() -> None:
    assert "redeal" not in Position("babette", {"garden.1": "5D", "stock": "-7C"}).legal
    assert Position("babette", {"foundation.0": "AS"}).legal == set()


def test_after_two_redeals_there_is_no_third() -> None:
    assert "redeal" in Position("babette", {"garden.1": "5D"}, redeals=1).legal
    assert Position("babette", {"garden.1": "5D"}, redeals=0).legal == set()


def test_the_last_redeal_of_a_few_cards_deals_them_all() -> None:
    position = Position("babette", {"garden.2": "5D 6D", "garden.6": "7C 8C"}, redeals=1).play("redeal")
    assert [position[f"garden.{number}"] for number in range(5)] == ["7C", "8C", "5D", "6D", ""]
    assert position["stock"] == ""
    assert position.counter("redeals") == 0
