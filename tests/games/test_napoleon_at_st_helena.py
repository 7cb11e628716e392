"""Napoleon at St. Helena: what may open and fill a lane."""

from tests.games.position import Scene


def test_a_card_alone_in_its_column_does_not_change_lanes() -> None:
    columns = {f"tableau.{number}": "9C 4H" for number in range(2, 10)}
    legal = Scene("napoleon-at-st-helena", {"tableau.0": "KS", **columns}).legal
    assert legal == {f"tableau.{number}/tableau.1" for number in range(2, 10)}


def test_a_lane_takes_the_talons_card_but_none_straight_from_the_stock() -> None:
    scene = Scene("napoleon-at-st-helena", {"stock": "-4C", "waste": "7H", "tableau.0": "KS"})
    assert "waste/tableau.1" in scene.legal
    assert not any(move.startswith("stock/") for move in scene.legal)


def test_each_suit_has_two_foundations_of_its_own() -> None:
    scene = Scene("napoleon-at-st-helena", {"waste": "AD"})
    assert {move for move in scene.legal if "foundation" in move} == {"waste/foundation.2", "waste/foundation.6"}
