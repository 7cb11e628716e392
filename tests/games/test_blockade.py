"""The Blockade: what is free, and the last row."""

from tests.games.position import Position


def test_a_card_above_a_gap_is_blocked_by_any_card_further_down() -> None:
    blocked = Position("blockade", {"foundation.0": "AS", "grid.0": "2S", "grid.24": "9D", "stock": "-KC"}, rows=3)
    assert blocked.legal == {"refill"}
    free = Position("blockade", {"foundation.0": "AS", "grid.0": "2S", "grid.25": "9D", "stock": "-KC"}, rows=3)
    assert free.legal == {"refill", "grid.0/foundation.0"}


def test_a_place_of_an_upper_row_may_be_built_on_once_it_is_free() -> None:
    assert Position("blockade", {"grid.0": "9C", "grid.13": "8C", "grid.2": "8D"}, rows=2).legal == {"grid.13/grid.0"}


def test_when_the_stock_is_out_vacancies_stay() -> None:
    assert Position("blockade", {"grid.0": "9C"}, rows=1).legal == set()


def test_the_stock_may_run_out_while_a_row_is_dealt() -> None:
    first = {f"grid.{number}": "9C" for number in range(12)}
    position = Position("blockade", {**first, "stock": "-3D -AH -4D"}, rows=1).play("deal")
    assert (position["grid.12"], position["grid.13"], position["foundation.1"]) == ("4D", "3D", "AH")
    assert position.counter("rows") == 2


def test_aces_left_after_the_eighth_row_go_to_foundations_and_there_is_no_ninth_row() -> None:
    seven = {f"grid.{number}": "9C" for number in range(84)}
    position = Position("blockade", {**seven, "stock": "-AH -AS" + " -9D" * 12}, rows=7).play("deal")
    assert (position["foundation.0"], position["foundation.1"], position["stock"]) == ("AS", "AH", "")
    full = {f"grid.{number}": "9C" for number in range(96)}
    assert Position("blockade", {**full, "stock": "-9D"}, rows=8).legal == set()
