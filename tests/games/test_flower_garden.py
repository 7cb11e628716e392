"""The Flower-Garden: aces and kings."""

from tests.games.position import Position


def test_nothing_goes_on_an_ace_and_a_king_goes_to_an_empty_bed_only() -> None:
    beds = {"garden.0": "AH", "garden.1": "KS", "garden.2": "2C", "garden.3": "3D", "garden.4": "2S", "garden.5": "9C"}
    position = Position("flower-garden", {**beds, "foundation.1": "AH"})
    assert position.legal == {
        "garden.0/garden.2",
        "garden.0/garden.4",
        "garden.2/garden.3",
        "garden.4/garden.3",
    }


def test_a_card_alone_in_its_bed_may_move_to_another_empty_one() -> None:
    beds = {f"garden.{number}": "KS" for number in range(1, 5)}
    assert "garden.1/garden.0" in Position("flower-garden", beds).legal
