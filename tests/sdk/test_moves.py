"""Moves as the server writes them, and what leads where."""

from clients.sdk.moves import (
    Joint,
    Move,
    Transfer,
    Verb,
    best_move,
    can_lift,
    joint_move,
    lift_count,
    parse_move,
    targets,
    transfer_between,
)

PILES = ("waste", "stock", "a.0", "a.1", "a.2", "home.0")


def moves(*texts: str) -> list[Move]:
    return [parse_move(text, PILES) for text in texts]


def test_a_text_is_a_transfer_a_pairing_an_exchange_or_a_verb() -> None:
    assert moves("waste/a.0", "a.0/a.1/3", "a.0+a.1", "a.0~a.1", "choose/hearts", "play/a.0") == [
        Transfer("waste/a.0", "waste", "a.0", 1),
        Transfer("a.0/a.1/3", "a.0", "a.1", 3),
        Joint("a.0+a.1", ("a.0", "a.1"), exchange=False),
        Joint("a.0~a.1", ("a.0", "a.1"), exchange=True),
        Verb("choose/hearts"),
        Verb("play/a.0"),
    ]


def test_a_move_prints_as_its_text() -> None:
    assert [str(move) for move in moves("deal", "a.0/a.1/3", "a.0+a.1")] == ["deal", "a.0/a.1/3", "a.0+a.1"]


def test_a_hand_takes_as_many_cards_as_a_move_takes() -> None:
    known = moves("a.0/a.1/2", "a.0/a.2/4")
    assert [lift_count(known, "a.0", grasped) for grasped in (1, 2, 3, 4, 9)] == [2, 2, 4, 4, 4]
    assert lift_count(known, "a.1", 3) == 3
    assert (can_lift(known, "a.0"), can_lift(known, "a.1")) == (True, False)


def test_cards_may_go_where_a_move_of_so_many_goes() -> None:
    known = moves("a.0/a.1/2", "a.0/a.2", "deal")
    assert {pile: str(move) for pile, move in targets(known, ("a.0",), 2).items()} == {"a.1": "a.0/a.1/2"}


def test_the_partners_of_a_picked_pile_are_those_of_all_that_is_picked() -> None:
    known = moves("a.0+a.1", "a.0+a.1+a.2", "a.0+waste")
    assert set(targets(known, ("a.0",), 1)) == {"a.1", "a.2", "waste"}
    assert set(targets(known, ("a.0", "a.1"), 1)) == {"a.2"}
    assert set(targets(known, (), 1)) == set()


def test_where_two_orders_are_legal_the_order_of_picking_decides() -> None:
    known = moves("a.0+a.1", "a.1+a.0")
    assert str(joint_move(known, ("a.1", "a.0"))) == "a.1+a.0"
    assert joint_move(known, ("a.1",)) is None


def test_the_number_held_is_preferred_then_more_then_fewer() -> None:
    known = moves("a.0/a.1", "a.0/a.1/3", "a.0/a.1/5")
    assert [str(transfer_between(known, "a.0", "a.1", count)) for count in (3, 4, 6)] == [
        "a.0/a.1/3",
        "a.0/a.1/5",
        "a.0/a.1/5",
    ]


def test_the_best_place_is_a_foundation_then_a_pile_with_cards() -> None:
    roles = {"a.0": "tableau", "a.1": "tableau", "a.2": "tableau", "home.0": "foundation"}
    known = moves("a.0/a.1", "a.0/a.2", "a.0/home.0")
    assert str(best_move(known, "a.0", 1, roles, {"a.2"})) == "a.0/home.0"
    assert str(best_move(known[:2], "a.0", 1, roles, {"a.2"})) == "a.0/a.2"


def test_of_several_pairs_none_is_best() -> None:
    assert best_move(moves("a.0+a.1", "a.0+a.2"), "a.0", 1, {}, ()) is None
    assert str(best_move(moves("a.0+a.1"), "a.0", 1, {}, ())) == "a.0+a.1"
