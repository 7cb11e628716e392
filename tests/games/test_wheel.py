"""The Wheel: packets, gaps and the last deal."""

from tests.games.position import Position


def test_a_short_deal_goes_to_the_first_packets() -> None:
    position = Position("wheel", {"cushion.0": "2S", "stock": "-5C -4C -3C"}).play("deal")
    assert [position[f"cushion.{number}"] for number in range(4)] == ["2S 3C", "4C", "5C", ""]
    assert position.counter("deals") == 2


def test_gaps_of_earlier_moves_are_not_filled_in_the_first_deal() -> None:
    cards = {"cushion.1": "2S", "cushion.2": "7H", "cushion.3": "9D", "cushion.4": "KC", "stock": "-6C -5C -4C -3C -2C"}
    position = Position("wheel", cards).play("cushion.1+cushion.2+cushion.3+cushion.4")
    assert [position[f"cushion.{number}"] for number in range(5)] == ["", "2C", "3C", "4C", "5C"]


def test_the_court_card_lies_on_top_of_its_packet_from_whatever_place_it_came() -> None:
    position = Position(
        "wheel", {"cushion.0": "KC", "cushion.2": "9D", "cushion.5": "7H", "cushion.9": "2S", "circle.0": "JS"}
    )
    assert position.play("cushion.0+cushion.2+cushion.5+cushion.9")["circle.1"] == "9D 7H 2S KC"


def test_a_covered_court_card_completes_no_packet_until_it_is_free() -> None:
    cards = {"cushion.0": "KC 5D", "cushion.1": "2S", "cushion.2": "7H", "cushion.3": "9D"}
    assert Position("wheel", cards, deals=2).legal == set()


def test_equal_values_never_go_together() -> None:
    sixes = {"cushion.0": "6H", "cushion.1": "6D", "cushion.2": "6C", "cushion.3": "KC"}
    fours = {"cushion.4": "4S", "cushion.5": "4C", "cushion.6": "TD"}
    assert Position("wheel", {**sixes, **fours}).legal == set()
