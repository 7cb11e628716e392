"""Anna: what the queens and the knaves may not do, and the end."""

from tests.games.position import Scene


def test_no_packet_card_goes_into_a_vacancy() -> None:
    assert Scene("anna", {"aids.0": "5H", "aids.1": "9C"}).legal == set()


def test_a_queen_may_be_laid_in_a_vacancy_but_takes_no_knave_and_goes_on_no_king() -> None:
    scene = Scene("anna", {"aids.0": "KS", "aids.1": "TS", "waste": "QS"}, redeals=0)
    assert scene.legal == {f"waste/aids.{number}" for number in range(2, 8)}


def test_when_only_knaves_are_left_the_place_stays_empty() -> None:
    scene = Scene("anna", {"foundation.0": "JS", "stock": "-JH -JD"}).play("stock/aids.3")
    assert scene["aids.3"] == ""
    assert (scene["foundation.1"], scene["foundation.2"]) == ("JD", "JH")


def test_the_redeal_turns_the_waste_over() -> None:
    scene = Scene("anna", {"waste": "2C 3C QD"}, redeals=1).play("redeal")
    assert (scene["stock"], scene["waste"], scene.counter("redeals")) == ("-QD -3C -2C", "", 0)


def test_the_game_is_won_with_queens_still_in_the_waste() -> None:
    letters = {f"foundation.{number}": f"J{suit} A{suit} K{suit}" for number, suit in enumerate("SHDCSHD")}
    scene = Scene("anna", {**letters, "foundation.7": "JC AC", "aids.0": "KC", "waste": "QC QC"})
    assert not scene.game.won(scene.state)
    assert scene.game.won(scene.play("aids.0/foundation.7").state)
