"""General Sedgewick: corners and vacancies."""

from tests.games.position import Position


def test_a_corner_is_full_with_thirteen_cards() -> None:
    round_of_spades = "9S TS JS QS KS AS 2S 3S 4S 5S 6S 7S"
    arms = {f"cross.{number}": "2D" for number in range(5)}
    position = Position("general-sedgewick", {**arms, "foundation.0": round_of_spades, "waste": "9S 8S"})
    assert "waste/foundation.0" in position.legal
    assert "waste/foundation.0" not in position.play("waste/foundation.0").legal


def test_later_base_cards_go_to_any_empty_corner() -> None:
    arms = {f"cross.{number}": "2D" for number in range(4)}
    position = Position("general-sedgewick", {**arms, "foundation.0": "9S", "cross.4": "9H"})
    assert position.legal == {f"cross.4/foundation.{number}" for number in (1, 2, 3)}


def test_a_cross_card_fills_a_vacancy_when_stock_and_waste_are_gone() -> None:
    arms = {f"cross.{number}": "2D" for number in range(4)}
    assert Position("general-sedgewick", arms).legal == {f"cross.{number}/cross.4" for number in range(4)}
    assert Position("general-sedgewick", {**arms, "waste": "5C"}).legal == {"waste/cross.4"}
    assert Position("general-sedgewick", {**arms, "stock": "-5C"}).legal == {"deal"}
