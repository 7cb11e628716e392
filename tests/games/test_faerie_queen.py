"""Spenser's Faerie Queen: the deal and the lone kings."""

from tests.games.position import Scene


def test_the_second_ace_of_a_suit_goes_to_its_other_foundation() -> None:
    scene = Scene("faerie-queen", {"columns.0": "KS", "foundation.1": "AH 2H", "stock": "-AD -AH"}).play("deal", "deal")
    assert (scene["foundation.5"], scene["foundation.2"], scene["foundation.6"]) == ("AH", "AD", "")


def test_a_queen_moves_from_a_king_to_a_single_king_only() -> None:
    scene = Scene("faerie-queen", {"columns.0": "KS QD", "columns.1": "KH", "columns.2": "KC 9S"})
    assert scene.legal == {"columns.0/columns.1", "columns.2/columns.1"}


def test_kings_stay_and_foundations_stop_at_the_queen() -> None:
    assert Scene("faerie-queen", {"columns.0": "KS", "columns.1": "KH", "foundation.0": "JS QS"}).legal == set()


def test_no_card_begins_a_foundation_by_a_move() -> None:
    assert Scene("faerie-queen", {"columns.0": "KS 2D AH"}).legal == set()
