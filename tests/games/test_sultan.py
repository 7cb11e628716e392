"""The Sultan: three rounds, and a Divan that is never left empty."""

from tests.games.position import Scene

DIVAN = {f"divan.{number}": "9H" for number in range(1, 8)}


def test_the_stock_fills_the_divan_when_there_is_no_talon() -> None:
    scene = Scene("sultan", {**DIVAN, "foundation.0": "KS", "divan.0": "AS", "stock": "-4C -5C"})
    assert scene.play("divan.0/foundation.0")["divan.0"] == "5C"


def test_a_place_stays_empty_when_both_are_gone_and_no_card_moves_there() -> None:
    scene = Scene("sultan", {**DIVAN, "foundation.0": "KS", "divan.0": "AS"}).play("divan.0/foundation.0")
    assert (scene["divan.0"], scene.legal) == ("", set())


def test_two_redeals_are_all_and_each_is_shuffled_anew() -> None:
    talon = " ".join(f"{letter}{suit}" for suit in "SD" for letter in "3456789TJ")
    scene = Scene("sultan", {**DIVAN, "divan.0": "9H", "waste": talon})
    scene.play("redeal")
    first = scene["stock"]
    scene.play(*["deal"] * 18)
    assert scene.play("redeal").counter("redeals") == 0
    assert first != scene["stock"] != " ".join(f"-{word}" for word in reversed(talon.split()))
    assert scene.play(*["deal"] * 18).legal == set()


def test_a_heap_with_its_queen_is_finished() -> None:
    whole = " ".join(f"{letter}S" for letter in "KA23456789TJQ")
    assert Scene("sultan", {**DIVAN, "foundation.0": whole, "divan.0": "KS", "waste": "KS"}).legal == {"redeal"}


def test_the_game_is_won_with_eight_queens_round_the_sultan() -> None:
    heaps = {f"foundation.{n}": " ".join(f"{r}{s}" for r in "KA23456789TJQ") for n, s in enumerate("SSHDDCC")}
    scene = Scene("sultan", {**heaps, "foundation.7": " ".join(f"{r}H" for r in "A23456789TJQ"), "sultan": "KH"})
    assert (scene.game.won(scene.state), scene.game.score(scene.state)) == (True, 103)
