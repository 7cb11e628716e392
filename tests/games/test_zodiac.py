"""The Zodiac: two phases, and when the first is lost."""

from tests.games.position import Position

FULL = {f"equator.{number}": "9H" for number in range(8)}


def status(position: Position) -> str:
    """Whether the game is won, stuck or playing."""
    return position.game.status(position.state)


def test_a_first_phase_in_which_nothing_fits_is_lost_from_the_second_round_on() -> None:
    lost = {**FULL, "zodiac.0": "3S", "waste": "5C", "stock": "-6C"}
    assert status(Position("zodiac", lost)) == "playing"
    assert status(Position("zodiac", lost, round=2)) == "stuck"


def test_a_first_phase_is_not_lost_while_a_card_to_come_fits_or_the_equator_has_room() -> None:
    assert status(Position("zodiac", {**FULL, "zodiac.0": "3S", "stock": "-4S"}, round=2)) == "playing"
    assert status(Position("zodiac", {**FULL, "zodiac.0": "8H", "stock": "-4S"}, round=2)) == "playing"
    room = {**FULL, "equator.5": "", "zodiac.0": "3S", "stock": "-4D"}
    assert status(Position("zodiac", room, round=2)) == "playing"


def test_equator_cards_go_to_the_zodiac_in_the_second_phase_but_packets_do_not_go_on_each_other() -> None:
    position = Position("zodiac", {"equator.0": "8H", "zodiac.0": "9H", "zodiac.1": "TH"})
    assert position.legal == {"equator.0/zodiac.0"}


def test_the_waste_is_turned_over_without_limit() -> None:
    position = Position("zodiac", {**FULL, "zodiac.0": "8H", "waste": "3C 5D"}).play("redeal")
    assert (position["stock"], position.counter("round")) == ("-5D -3C", 2)
    assert position.play("deal", "deal", "redeal").counter("round") == 3


def test_a_foundation_begins_with_its_base_card_and_ends_at_the_other_end_of_its_suit() -> None:
    position = Position("zodiac", {"foundation.4": "KS", "zodiac.0": "AS", "zodiac.1": "QS", "zodiac.2": "KH"})
    assert position.legal == {"zodiac.0/foundation.0", "zodiac.1/foundation.4", "zodiac.2/foundation.5"}
