"""Parse the texts of moves, and search a list of legal moves."""

from cadogan.sdk.moves import (
    Joint,
    Move,
    Transfer,
    Verb,
    best_move,
    can_pick,
    find_joint,
    find_targets,
    find_transfer,
    parse_move,
    pick_count,
)

PILES = ("waste", "stock", "a.0", "a.1", "a.2", "home.0")


def moves(*texts: str) -> list[Move]:
    return [parse_move(text, PILES) for text in texts]


def test_a_text_is_a_transfer_a_pair_an_exchange_or_a_verb() -> None:
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


def test_as_many_cards_are_picked_as_a_move_takes() -> None:
    known = moves("a.0/a.1/2", "a.0/a.2/4")
    assert [pick_count(known, "a.0", depth) for depth in (1, 2, 3, 4, 9)] == [2, 2, 4, 4, 4]
    assert pick_count(known, "a.1", 3) == 3
    assert (can_pick(known, "a.0"), can_pick(known, "a.1")) == (True, False)


def test_picked_cards_may_go_where_a_move_of_that_many_goes() -> None:
    known = moves("a.0/a.1/2", "a.0/a.2", "deal")
    assert {pile: str(move) for pile, move in find_targets(known, ("a.0",), 2).items()} == {"a.1": "a.0/a.1/2"}


def test_the_targets_of_several_picked_piles_belong_to_moves_of_all_of_them() -> None:
    known = moves("a.0+a.1", "a.0+a.1+a.2", "a.0+waste")
    assert set(find_targets(known, ("a.0",), 1)) == {"a.1", "a.2", "waste"}
    assert set(find_targets(known, ("a.0", "a.1"), 1)) == {"a.2"}
    assert set(find_targets(known, (), 1)) == set()


def test_if_both_orders_of_a_pair_are_legal_the_order_of_picking_decides() -> None:
    known = moves("a.0+a.1", "a.1+a.0")
    assert str(find_joint(known, ("a.1", "a.0"))) == "a.1+a.0"
    assert find_joint(known, ("a.1",)) is None


def test_a_transfer_of_the_picked_number_is_preferred_then_more_then_fewer() -> None:
    known = moves("a.0/a.1", "a.0/a.1/3", "a.0/a.1/5")
    assert [str(find_transfer(known, "a.0", "a.1", count)) for count in (3, 4, 6)] == [
        "a.0/a.1/3",
        "a.0/a.1/5",
        "a.0/a.1/5",
    ]


def test_the_best_target_is_a_foundation_then_a_pile_with_cards() -> None:
    roles = {"a.0": "tableau", "a.1": "tableau", "a.2": "tableau", "home.0": "foundation"}
    known = moves("a.0/a.1", "a.0/a.2", "a.0/home.0")
    assert str(best_move(known, "a.0", 1, roles, {"a.2"})) == "a.0/home.0"
    assert str(best_move(known[:2], "a.0", 1, roles, {"a.2"})) == "a.0/a.2"


def test_there_is_no_best_move_among_several_pairs() -> None:
    assert best_move(moves("a.0+a.1", "a.0+a.2"), "a.0", 1, {}, ()) is None
    assert str(best_move(moves("a.0+a.1"), "a.0", 1, {}, ())) == "a.0+a.1"
