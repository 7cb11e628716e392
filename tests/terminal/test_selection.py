"""Select cards by tapping piles one after another."""

from cadogan.sdk.moves import parse_move
from cadogan.terminal.game.selection import NO_SELECTION, Position, Selection, TapResult

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


def position(*moves: str) -> Position:
    roles = {pile: "stock" if pile == "stock" else "reserve" for pile in PILES}
    return Position([parse_move(text, PILES) for text in moves], PILES, roles)


def selecting(*picked: str) -> Selection:
    return Selection(picked, 1)


def test_tapping_the_stock_deals() -> None:
    assert position("deal", "waste/grid.0").tap(NO_SELECTION, "stock", 1) == TapResult(legal_move="deal")


def test_tapping_the_stock_redeals_when_there_is_nothing_to_deal() -> None:
    assert position("redeal").tap(NO_SELECTION, "stock", 1) == TapResult(legal_move="redeal")


def test_a_stock_whose_card_can_move_is_selected_first_and_deals_at_the_second_tap() -> None:
    both = position("deal", "stock/grid.4")
    assert both.tap(NO_SELECTION, "stock", 1).selection == selecting("stock")
    assert both.tap(selecting("stock"), "stock", 1) == TapResult(legal_move="deal")


def test_one_tap_selects_a_card_and_a_second_tap_moves_it() -> None:
    here = position("waste/grid.0")
    assert here.tap(NO_SELECTION, "waste", 1) == TapResult(selecting("waste"))
    assert here.tap(selecting("waste"), "grid.0", 1) == TapResult(legal_move="waste/grid.0")


def test_a_tap_deep_in_a_pile_selects_as_many_cards_as_a_move_takes() -> None:
    here = position("column/grid.0/2", "column/grid.1/3")
    assert here.tap(NO_SELECTION, "column", 1).selection == Selection(("column",), 2)
    assert here.tap(NO_SELECTION, "column", 3).selection == Selection(("column",), 3)
    assert here.change_count(Selection(("column",), 2), 1) == Selection(("column",), 3)
    assert here.change_count(Selection(("column",), 3), 1) == Selection(("column",), 3)
    assert here.change_count(Selection(("column",), 3), -1) == Selection(("column",), 2)


def test_tapping_the_selected_pile_clears_the_selection() -> None:
    assert position("waste/grid.0").tap(selecting("waste"), "waste", 1) == TapResult()


def test_two_taps_make_a_pair_in_either_order() -> None:
    assert position("grid.0+grid.1").tap(selecting("grid.1"), "grid.0", 1) == TapResult(legal_move="grid.0+grid.1")


def test_two_taps_make_an_exchange() -> None:
    assert position("grid.0~grid.1").tap(selecting("grid.0"), "grid.1", 1) == TapResult(legal_move="grid.0~grid.1")


def test_piles_are_added_while_a_legal_move_has_all_of_them() -> None:
    here = position("grid.0+grid.1+grid.2")
    added = here.tap(selecting("grid.0"), "grid.1", 1)
    assert added == TapResult(Selection(("grid.0", "grid.1"), 1))
    assert here.tap(added.selection, "grid.2", 1) == TapResult(legal_move="grid.0+grid.1+grid.2")
    assert here.tap(added.selection, "grid.0", 1) == TapResult(selecting("grid.1"))


def test_a_pile_that_is_no_target_but_can_move_is_selected_instead() -> None:
    assert position("grid.1/grid.4", "waste/grid.0").tap(selecting("waste"), "grid.1", 1).selection == selecting(
        "grid.1"
    )


def test_an_illegal_move_is_returned_so_that_the_server_can_explain_it() -> None:
    assert position("waste/grid.0").tap(selecting("waste"), "grid.4", 1) == TapResult(illegal_move="waste/grid.4")


def test_a_face_down_card_that_cannot_move_is_not_selected() -> None:
    assert position().tap(NO_SELECTION, "grid.3", 1) == TapResult()
    assert position("waste/grid.0").tap(NO_SELECTION, "grid.4", 1) == TapResult()
