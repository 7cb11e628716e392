"""Spenser's Faerie Queen: the deal and the lone kings."""

from tests.games.position import Position


def test_the_second_ace_of_a_suit_goes_to_its_other_foundation() -> None:
    position = Position("faerie-queen", {"columns.0": "KS", "foundation.1": "AH 2H", "stock": "-AD -AH"}).play(
        "deal", "deal"
    )
    assert (position["foundation.5"], position["foundation.2"], position["foundation.6"]) == ("AH", "AD", "")


def test_a_queen_moves_from_a_king_to_a_single_king_only() -> None:
    position = Position("faerie-queen", {"columns.0": "KS QD", "columns.1": "KH", "columns.2": "KC 9S"})
    assert position.legal == {"columns.0/columns.1", "columns.2/columns.1"}


def test_kings_stay_and_foundations_stop_at_the_queen() -> None:
    assert Position("faerie-queen", {"columns.0": "KS", "columns.1": "KH", "foundation.0": "JS QS"}).legal == set()


def test_no_card_begins_a_foundation_by_a_move() -> None:
    assert Position("faerie-queen", {"columns.0": "KS 2D AH"}).legal == set()
