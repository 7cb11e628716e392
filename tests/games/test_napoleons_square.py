"""Napoleon's Square: the one grace."""

from tests.games.position import Position

LOCKED = {"square.0": "5D 9S KD 2C", "square.1": "7D KD 3H 4S"}


def slips(position: Position) -> set[str]:
    """The slips that are legal."""
    return {move for move in position.legal if move.startswith("slip")}


def test_any_first_move_ends_the_grace_even_a_deal() -> None:
    position = Position("napoleons-square", {**LOCKED, "stock": "-6H"})
    assert slips(position) == {"slip/square.0", "slip/square.1"}
    assert position.play("deal").counter("graces") == 0
    assert not slips(position)


def test_one_blocking_king_does_not_lock_a_suit() -> None:
    assert not slips(Position("napoleons-square", {**LOCKED, "square.1": "7S KD 3H 4S"}))


def test_two_kings_of_a_suit_on_each_other_do_not_block() -> None:
    assert not slips(Position("napoleons-square", {"square.0": "KD KD 2C 9S", "square.1": "7D 4C"}))


def test_the_uppermost_blocking_king_of_a_packet_slips_below_the_others() -> None:
    position = Position("napoleons-square", {"square.3": "4D KD KD 5C"}).play("slip/square.3")
    assert position["square.3"] == "KD 4D KD 5C"


def test_a_king_below_a_king_of_another_suit_slips_too() -> None:
    position = Position("napoleons-square", {"square.3": "4D 3C KD KC", "square.4": "5D KD"})
    assert slips(position) == {"slip/square.3", "slip/square.4"}
    assert position.play("slip/square.3")["square.3"] == "KD 4D 3C KC"
