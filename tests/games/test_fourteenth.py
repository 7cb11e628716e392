"""The Fourteenth: when two cards may change places with two others."""

from tests.games.position import Scene


def test_while_a_fourteen_can_be_taken_nothing_changes() -> None:
    assert Scene("fourteenth", {"grid.0": "KS", "grid.4": "AD", "grid.7": "9C"}).legal == {"grid.0+grid.4"}


def test_the_second_change_spares_the_places_of_the_first_even_if_a_fourteen_lies_there() -> None:
    scene = Scene("fourteenth", {"grid.0": "KS", "grid.7": "9C", "grid.3": "4C", "grid.12": "AD"})
    scene.play("grid.7~grid.12")
    assert (scene.counter("swaps"), scene.counter("swap_a"), scene.counter("swap_b")) == (1, 7, 12)
    assert scene.legal == {"grid.0~grid.3"}
    scene.play("grid.0~grid.3")
    assert (scene.counter("swaps"), scene.counter("swap_a"), scene.counter("swap_b")) == (0, -1, -1)
    assert scene.game.status(scene.state) == "stuck"


def test_the_second_change_may_be_left_out() -> None:
    scene = Scene("fourteenth", {"grid.0": "KS", "grid.7": "AD", "grid.3": "4C", "grid.12": "2D"})
    scene.play("grid.3~grid.7", "grid.0+grid.3")
    assert (scene.counter("swaps"), scene.counter("swap_a")) == (2, -1)


def test_only_the_places_of_the_pair_are_filled() -> None:
    scene = Scene("fourteenth", {"grid.6": "7S", "grid.9": "7D", "stock": "-2C -3C -4C"}).play("grid.6+grid.9")
    assert (scene["grid.0"], scene["grid.6"], scene["grid.9"], scene["stock"]) == ("", "4C", "3C", "-2C")
    assert scene["discard"] == "7S 7D"
