"""The Clock: short packets, and the end."""

from tests.games.position import Position

ENDS = ["AC", "2H", "3S", "4D", "5C", "6H", "7S", "8D", "9C", "TH", "JS", "QD"]


def test_a_card_of_a_short_packet_may_be_played_and_built_on_another() -> None:
    circle = {"circle.0": "9H", "circle.1": "3D TD TH", "circle.2": "8H"}
    assert Position("clock", {**circle, "foundation.1": "7H"}).legal == {"circle.0/circle.1", "circle.2/foundation.1"}


def test_when_the_stock_is_out_short_packets_stay() -> None:
    assert Position("clock", {"circle.0": "9H", "waste": "3C"}).legal == set()


def test_the_game_is_won_when_every_foundation_shows_its_hour() -> None:
    dial = {f"foundation.{number}": card for number, card in enumerate(ENDS)}
    position = Position("clock", {**dial, "foundation.11": "JD", "waste": "QD"})
    assert not position.game.won(position.state)
    assert position.game.won(position.play("waste/foundation.11").state)
