"""The Sultan: three rounds, and a Divan that is never left empty."""

from tests.games.position import Position

DIVAN = {f"divan.{number}": "9H" for number in range(1, 8)}


def test_the_stock_fills_the_divan_when_the_waste_is_empty() -> None:
    position = Position("sultan", {**DIVAN, "foundation.0": "KS", "divan.0": "AS", "stock": "-4C -5C"})
    assert position.play("divan.0/foundation.0")["divan.0"] == "5C"


def test_a_place_stays_empty_when_stock_and_waste_are_empty_and_no_card_moves_there() -> None:
    position = Position("sultan", {**DIVAN, "foundation.0": "KS", "divan.0": "AS"}).play("divan.0/foundation.0")
    assert (position["divan.0"], position.legal) == ("", set())


def test_there_are_two_redeals_and_each_is_shuffled_differently() -> None:
    waste = " ".join(f"{letter}{suit}" for suit in "SD" for letter in "3456789TJ")
    position = Position("sultan", {**DIVAN, "divan.0": "9H", "waste": waste})
    position.play("redeal")
    first = position["stock"]
    position.play(*["deal"] * 18)
    assert position.play("redeal").counter("redeals") == 0
    assert first != position["stock"] != " ".join(f"-{word}" for word in reversed(waste.split()))
    assert position.play(*["deal"] * 18).legal == set()


def test_a_heap_with_its_queen_is_finished() -> None:
    whole = " ".join(f"{letter}S" for letter in "KA23456789TJQ")
    assert Position("sultan", {**DIVAN, "foundation.0": whole, "divan.0": "KS", "waste": "KS"}).legal == {"redeal"}


def test_the_game_is_won_with_eight_queens_around_the_sultan() -> None:
    heaps = {f"foundation.{n}": " ".join(f"{r}{s}" for r in "KA23456789TJQ") for n, s in enumerate("SSHDDCC")}
    position = Position("sultan", {**heaps, "foundation.7": " ".join(f"{r}H" for r in "A23456789TJQ"), "sultan": "KH"})
    assert (position.game.won(position.state), position.game.score(position.state)) == (True, 103)
