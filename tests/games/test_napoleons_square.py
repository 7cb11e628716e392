"""Napoleon's Square: the one grace."""

from tests.games.position import Scene

LOCKED = {"square.0": "5D 9S KD 2C", "square.1": "7D KD 3H 4S"}


def slips(scene: Scene) -> set[str]:
    """The slips that are legal."""
    return {move for move in scene.legal if move.startswith("slip")}


def test_the_grace_is_gone_after_any_first_move_even_a_deal() -> None:
    scene = Scene("napoleons-square", {**LOCKED, "stock": "-6H"})
    assert slips(scene) == {"slip/square.0", "slip/square.1"}
    assert scene.play("deal").counter("graces") == 0
    assert not slips(scene)


def test_one_king_that_blocks_does_not_lock_a_suit() -> None:
    assert not slips(Scene("napoleons-square", {**LOCKED, "square.1": "7S KD 3H 4S"}))


def test_two_kings_of_a_suit_on_each_other_do_not_block() -> None:
    assert not slips(Scene("napoleons-square", {"square.0": "KD KD 2C 9S", "square.1": "7D 4C"}))


def test_the_uppermost_blocking_king_of_a_packet_slips_below_the_others() -> None:
    scene = Scene("napoleons-square", {"square.3": "4D KD KD 5C"}).play("slip/square.3")
    assert scene["square.3"] == "KD 4D KD 5C"


def test_a_king_above_whom_another_suits_king_lies_slips_all_the_same() -> None:
    scene = Scene("napoleons-square", {"square.3": "4D 3C KD KC", "square.4": "5D KD"})
    assert slips(scene) == {"slip/square.3", "slip/square.4"}
    assert scene.play("slip/square.3")["square.3"] == "KD 4D 3C KC"
