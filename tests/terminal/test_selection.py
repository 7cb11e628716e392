"""Tapping piles one after another."""

from clients.sdk.moves import parse_move
from clients.terminal.selection import EMPTY, Hand, Table, Tapped

PILES = {
    "stock": ("--", "--"),
    "waste": ("7H",),
    "grid.0": ("4S",),
    "grid.1": ("TD",),
    "grid.2": ("2C",),
    "grid.3": ("--",),
    "grid.4": (),
    "column": ("--", "9S", "8H", "7C"),
}


def table(*moves: str) -> Table:
    roles = {pile: "stock" if pile == "stock" else "reserve" for pile in PILES}
    return Table([parse_move(text, PILES) for text in moves], PILES, roles)


def holding(*picked: str) -> Hand:
    return Hand(picked, 1)


def test_tapping_the_stock_deals() -> None:
    assert table("deal", "waste/grid.0").tap(EMPTY, "stock", 1) == Tapped(play="deal")


def test_tapping_the_stock_redeals_when_there_is_nothing_to_deal() -> None:
    assert table("redeal").tap(EMPTY, "stock", 1) == Tapped(play="redeal")


def test_a_stock_whose_card_may_be_moved_is_picked_first_and_deals_when_tapped_again() -> None:
    both = table("deal", "stock/grid.4")
    assert both.tap(EMPTY, "stock", 1).hand == holding("stock")
    assert both.tap(holding("stock"), "stock", 1) == Tapped(play="deal")


def test_a_tap_picks_a_card_and_a_second_one_plays_it() -> None:
    here = table("waste/grid.0")
    assert here.tap(EMPTY, "waste", 1) == Tapped(holding("waste"))
    assert here.tap(holding("waste"), "grid.0", 1) == Tapped(play="waste/grid.0")


def test_a_tap_deep_in_a_pile_picks_as_many_cards_as_move() -> None:
    here = table("column/grid.0/2", "column/grid.1/3")
    assert here.tap(EMPTY, "column", 1).hand == Hand(("column",), 2)
    assert here.tap(EMPTY, "column", 3).hand == Hand(("column",), 3)
    assert here.more(Hand(("column",), 2), 1) == Hand(("column",), 3)
    assert here.more(Hand(("column",), 3), 1) == Hand(("column",), 3)
    assert here.more(Hand(("column",), 3), -1) == Hand(("column",), 2)


def test_tapping_the_same_pile_lets_go() -> None:
    assert table("waste/grid.0").tap(holding("waste"), "waste", 1) == Tapped()


def test_two_taps_make_a_pair_in_either_order() -> None:
    assert table("grid.0+grid.1").tap(holding("grid.1"), "grid.0", 1) == Tapped(play="grid.0+grid.1")


def test_two_taps_make_an_exchange() -> None:
    assert table("grid.0~grid.1").tap(holding("grid.0"), "grid.1", 1) == Tapped(play="grid.0~grid.1")


def test_piles_are_added_while_some_legal_move_contains_them_all() -> None:
    here = table("grid.0+grid.1+grid.2")
    added = here.tap(holding("grid.0"), "grid.1", 1)
    assert added == Tapped(Hand(("grid.0", "grid.1"), 1))
    assert here.tap(added.hand, "grid.2", 1) == Tapped(play="grid.0+grid.1+grid.2")
    assert here.tap(added.hand, "grid.0", 1) == Tapped(holding("grid.1"))


def test_a_pile_that_fits_nothing_but_can_move_is_picked_instead() -> None:
    assert table("grid.1/grid.4", "waste/grid.0").tap(holding("waste"), "grid.1", 1).hand == holding("grid.1")


def test_a_move_that_is_not_legal_is_named_so_that_the_server_can_say_why() -> None:
    assert table("waste/grid.0").tap(holding("waste"), "grid.4", 1) == Tapped(attempt="waste/grid.4")


def test_a_face_down_card_that_cannot_move_is_not_picked() -> None:
    assert table().tap(EMPTY, "grid.3", 1) == Tapped()
    assert table("waste/grid.0").tap(EMPTY, "grid.4", 1) == Tapped()
