"""Terrace: the choice, the turn at the king, and the valley."""

from tests.games.position import Position

VALLEY = {f"valley.{number}": "9H" for number in range(1, 9)}


def test_nothing_is_played_before_the_choice() -> None:
    position = Position(
        "terrace", {"terrace": "7C 7D", "offer.0": "7H", "offer.1": "QC", "offer.2": "2S", "stock": "-3C"}
    )
    assert position.legal == {f"offer.{number}/foundation.0" for number in range(3)}


def test_the_cards_not_chosen_begin_the_valley_in_their_order() -> None:
    offers = {"offer.0": "7H", "offer.1": "QC", "offer.2": "2S"}
    position = Position("terrace", {**offers, "stock": "-JC -9C -8C -7C -6C -5C -4C -3C"}).play("offer.1/foundation.0")
    assert " ".join(position[f"valley.{number}"] for number in range(9)) == "7H 2S 3C 4C 5C 6C 7C 8C 9C"
    assert position["stock"] == "-JC"


def test_only_the_first_foundations_rank_begins_another() -> None:
    position = Position("terrace", {**VALLEY, "foundation.0": "7H 8S", "valley.0": "8D", "terrace": "7C"})
    assert {move for move in position.legal if "foundation.4" in move} == {"terrace/foundation.4"}


def test_an_ace_follows_the_king_and_thirteen_cards_are_a_whole_foundation() -> None:
    line = "TC JD QC KD AC 2D 3C 4D 5C 6D 7C 8D"
    position = Position("terrace", {**VALLEY, "foundation.0": "TC JD QC KD", "terrace": "AC", "valley.0": "4C"})
    assert "terrace/foundation.0" in position.legal
    position = Position("terrace", {**VALLEY, "foundation.0": f"{line} 9C", "foundation.1": "TC", "terrace": "TD"})
    assert "terrace/foundation.0" not in position.legal


def test_the_waste_fills_the_valley_when_the_stock_is_out() -> None:
    position = Position("terrace", {**VALLEY, "foundation.0": "7H", "valley.0": "8S", "waste": "2C 4D"})
    assert position.play("valley.0/foundation.0")["valley.0"] == "4D"


def test_with_stock_and_waste_empty_a_valley_card_fills_a_place_but_no_terrace_card() -> None:
    position = Position("terrace", {**VALLEY, "foundation.0": "7H", "terrace": "2C"})
    assert position.legal == {f"valley.{number}/valley.0" for number in range(1, 9)}
