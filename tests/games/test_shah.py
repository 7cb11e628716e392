"""The Shah: circles, spaces and the grace."""

from tests.games.position import Position

ACES = {"foundation.0": "AS", "foundation.1": "AH", "foundation.2": "AD", "foundation.3": "AC"}
STAR = {f"{circle}.{number}": "9H" for circle in ("inner", "middle", "outer") for number in range(8)}
OPEN = STAR | {"inner.2": "", "middle.2": "", "outer.2": ""}


def test_a_place_of_the_second_circle_is_refilled_before_the_third_is_laid() -> None:
    laid = {name: cards for name, cards in STAR.items() if not name.startswith("outer")}
    position = Position("shah", {**ACES, **laid, "middle.3": "2S", "inner.5": "2H", "stock": "-3C -4C"}, phase=2)
    assert position.legal == {"deal", "middle.3/foundation.0"}
    position.play("middle.3/foundation.0")
    assert (position["middle.3"], position["stock"]) == ("4C", "-3C")


def test_the_complete_star_is_not_refilled_by_itself_and_no_card_is_turned_before() -> None:
    position = Position("shah", {**ACES, **STAR, "outer.3": "2S", "stock": "-3C -4C"}, phase=3).play(
        "outer.3/foundation.0"
    )
    assert position["outer.3"] == ""
    assert position.legal == {"stock/outer.3"}
    assert position.play("stock/outer.3").legal == {"deal"}


def test_inner_spaces_come_first_and_clockwise_from_the_top() -> None:
    gaps = {"outer.0": "", "outer.6": "", "middle.6": "", "inner.6": "", "middle.7": "", "outer.7": ""}
    position = Position("shah", {**STAR, **gaps, "waste": "3C 4D 5S 6C 7D"}, phase=3)
    order = []
    for _ in range(5):
        (move,) = (move for move in position.legal if move.startswith("waste/"))
        order.append(move.removeprefix("waste/"))
        position.play(move)
    assert order == ["inner.6", "middle.6", "middle.7", "outer.0", "outer.6"]


def test_the_grace_takes_from_the_stock_when_the_waste_is_empty() -> None:
    position = Position("shah", {**OPEN, "waste": "3C", "stock": "-5C -4C"}, phase=3).play("outer.7/inner.2")
    assert [position[pile] for pile in ("inner.2", "middle.2", "outer.2", "outer.7")] == ["9H", "3C", "4C", ""]


def test_the_grace_leaves_places_empty_when_nothing_is_left() -> None:
    position = Position("shah", {**OPEN, "waste": "3C"}, phase=3).play("outer.7/inner.2")
    assert [position[pile] for pile in ("inner.2", "middle.2", "outer.2")] == ["9H", "3C", ""]


def test_a_ray_that_still_holds_a_card_gives_no_grace() -> None:
    position = Position("shah", {**OPEN, "inner.2": "8C"}, phase=3)
    assert position.legal == set()


def test_a_queen_ends_a_foundation_and_the_game_is_won_with_eight_queens() -> None:
    whole = {f"foundation.{n}": " ".join(f"{r}{s}" for r in "A23456789TJQ") for n, s in enumerate("SHDCSHDC")}
    position = Position("shah", whole, phase=3)
    assert (position.game.won(position.state), position.game.score(position.state)) == (True, 96)
