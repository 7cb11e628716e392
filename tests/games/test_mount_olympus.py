"""Mount Olympus: the pyramid, the second pass, and vacancies that wait."""

from cadogan import engine
from tests.games.position import Position


def test_aces_and_twos_alternate_on_a_pyramid_of_four_rows() -> None:
    places = sorted((pile.y, pile.x, index) for index, pile in enumerate(engine.game("mount-olympus").layout[:16]))
    assert [("ace", "two")[index >= 8] for _, _, index in places] == ["ace", "two"] * 8
    assert [sum(y == row for y, _, _ in places) for row in sorted({y for y, _, _ in places})] == [1, 3, 5, 7]
    assert {x for y, x, _ in places if y == places[-1][0]} == {1, 2, 3, 4, 5, 6, 7}


def test_the_waste_is_turned_over_once() -> None:
    position = Position("mount-olympus", {"waste": "9S 4H", "battery.0": "5D"}).play("redeal")
    assert (position["stock"], position["waste"], position.counter("redeals")) == ("-4H -9S", "", 0)
    assert "redeal" not in position.play("deal", "deal").legal


def test_a_vacancy_waits_while_cards_are_turned_and_takes_no_battery_card() -> None:
    full = {f"battery.{number}": "KH" for number in range(1, 9)}
    position = Position("mount-olympus", {**full, "stock": "-3C -4C"}).play("deal")
    assert position.legal == {"deal", "waste/battery.0", "stock/battery.0"}


def test_nothing_goes_on_a_king_or_queen_of_a_foundation() -> None:
    position = Position("mount-olympus", {"foundation.0": "AS 3S 5S 7S 9S JS", "battery.0": "KS", "battery.1": "QS"})
    assert "battery.0/foundation.0" in position.legal
    assert not {"battery.1/foundation.0", "battery.1/battery.0", "battery.0/battery.1"} & position.legal
