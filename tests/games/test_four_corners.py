"""The Four Corners: the dealing order, replacements and the redeal."""

from tests.games.position import Scene


def test_a_card_laid_in_the_stead_of_another_does_not_change_whose_turn_it_is() -> None:
    scene = Scene("four-corners", {"foundation.1": "AH", "corners.2": "9C 2H", "stock": "-5D -6D"}, next=3)
    scene.play("corners.2/foundation.1")
    assert (scene["corners.2"], scene.counter("next")) == ("9C 6D", 3)
    assert scene.play("deal")["sides.2"] == "5D"


def test_a_base_left_on_a_pile_may_go_up_too() -> None:
    assert "corners.0/foundation.7" in Scene("four-corners", {"corners.0": "KC", "stock": "-5D"}).legal


def test_no_marriages_during_the_deal_and_no_redeal() -> None:
    assert Scene("four-corners", {"corners.0": "8C", "sides.1": "9C", "stock": "-5D"}).legal == {"deal"}


def test_if_only_bases_are_left_the_pile_gets_nothing_and_its_turn_is_over() -> None:
    scene = Scene("four-corners", {"stock": "-KC -AS"}, next=11).play("deal")
    assert (scene["corners.3"], scene["foundation.0"], scene["foundation.7"]) == ("", "AS", "KC")
    assert scene.counter("next") == 0


def test_the_redeal_takes_up_the_piles_in_the_dealing_order_and_deals_a_round() -> None:
    piles = {"corners.0": "2D 3D", "sides.0": "4D", "corners.1": "5D", "corners.2": "6D", "corners.3": "7D 8D"}
    scene = Scene("four-corners", piles, next=5, redeals=1).play("redeal")
    order = ["corners.0", "sides.0", "sides.1", "sides.2", "sides.3", "corners.1", "corners.2", "sides.4"]
    assert [scene[name] for name in order] == ["2D", "3D", "4D", "5D", "6D", "7D", "8D", ""]
    assert (scene.counter("next"), scene.counter("redeals")) == (7, 0)


def test_an_emptied_pile_is_not_filled_in_free_play() -> None:
    assert Scene("four-corners", {"corners.0": "8C", "sides.1": "9D"}, redeals=0).legal == set()
