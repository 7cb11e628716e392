"""The Fourteenth: when cards may be exchanged."""

from tests.games.position import Position


def test_no_cards_are_exchanged_while_a_fourteen_can_be_taken() -> None:
    assert Position("fourteenth", {"grid.0": "KS", "grid.4": "AD", "grid.7": "9C"}).legal == {"grid.0+grid.4"}


def test_the_second_exchange_leaves_the_places_of_the_first_alone_even_if_a_fourteen_lies_there() -> None:
    position = Position("fourteenth", {"grid.0": "KS", "grid.7": "9C", "grid.3": "4C", "grid.12": "AD"})
    position.play("grid.7~grid.12")
    assert (position.counter("swaps"), position.counter("swap_a"), position.counter("swap_b")) == (1, 7, 12)
    assert position.legal == {"grid.0~grid.3"}
    position.play("grid.0~grid.3")
    assert (position.counter("swaps"), position.counter("swap_a"), position.counter("swap_b")) == (0, -1, -1)
    assert position.game.status(position.state) == "stuck"


def test_the_second_exchange_may_be_left_out() -> None:
    position = Position("fourteenth", {"grid.0": "KS", "grid.7": "AD", "grid.3": "4C", "grid.12": "2D"})
    position.play("grid.3~grid.7", "grid.0+grid.3")
    assert (position.counter("swaps"), position.counter("swap_a")) == (2, -1)


def test_only_the_places_of_the_pair_are_filled() -> None:
    position = Position("fourteenth", {"grid.6": "7S", "grid.9": "7D", "stock": "-2C -3C -4C"}).play("grid.6+grid.9")
    assert (position["grid.0"], position["grid.6"], position["grid.9"], position["stock"]) == ("", "4C", "3C", "-2C")
    assert position["discard"] == "7S 7D"
