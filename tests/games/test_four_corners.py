"""The Four Corners: the dealing order, replacements and the redeal."""

from tests.games.position import Position


def test_a_card_that_replaces_another_does_not_change_whose_turn_it_is() -> None:
    position = Position("four-corners", {"foundation.1": "AH", "corners.2": "9C 2H", "stock": "-5D -6D"}, next=3)
    position.play("corners.2/foundation.1")
    assert (position["corners.2"], position.counter("next")) == ("9C 6D", 3)
    assert position.play("deal")["sides.2"] == "5D"


def test_a_base_card_left_on_a_pile_may_go_to_its_foundation() -> None:
    assert "corners.0/foundation.7" in Position("four-corners", {"corners.0": "KC", "stock": "-5D"}).legal


def test_nothing_is_built_on_piles_during_the_deal_and_there_is_no_redeal() -> None:
    assert Position("four-corners", {"corners.0": "8C", "sides.1": "9C", "stock": "-5D"}).legal == {"deal"}


def test_a_pile_gets_no_card_when_only_base_cards_are_left_and_its_turn_is_over() -> None:
    position = Position("four-corners", {"stock": "-KC -AS"}, next=11).play("deal")
    assert (position["corners.3"], position["foundation.0"], position["foundation.7"]) == ("", "AS", "KC")
    assert position.counter("next") == 0


def test_the_redeal_takes_up_the_piles_in_the_dealing_order_and_deals_a_round() -> None:
    piles = {"corners.0": "2D 3D", "sides.0": "4D", "corners.1": "5D", "corners.2": "6D", "corners.3": "7D 8D"}
    position = Position("four-corners", piles, next=5, redeals=1).play("redeal")
    order = ["corners.0", "sides.0", "sides.1", "sides.2", "sides.3", "corners.1", "corners.2", "sides.4"]
    assert [position[name] for name in order] == ["2D", "3D", "4D", "5D", "6D", "7D", "8D", ""]
    assert (position.counter("next"), position.counter("redeals")) == (7, 0)


def test_an_emptied_pile_is_not_filled_after_the_deal() -> None:
    assert Position("four-corners", {"corners.0": "8C", "sides.1": "9D"}, redeals=0).legal == set()
