"""Anna: what the queens and the jacks may not do, and the end."""

from tests.games.position import Position


def test_no_packet_card_goes_into_a_vacancy() -> None:
    assert Position("anna", {"aids.0": "5H", "aids.1": "9C"}).legal == set()


def test_a_queen_may_fill_a_vacancy_but_takes_no_jack_and_goes_on_no_king() -> None:
    position = Position("anna", {"aids.0": "KS", "aids.1": "TS", "waste": "QS"}, redeals=0)
    assert position.legal == {f"waste/aids.{number}" for number in range(2, 8)}


def test_when_only_jacks_are_left_the_place_stays_empty() -> None:
    position = Position("anna", {"foundation.0": "JS", "stock": "-JH -JD"}).play("stock/aids.3")
    assert position["aids.3"] == ""
    assert (position["foundation.1"], position["foundation.2"]) == ("JD", "JH")


def test_the_redeal_turns_the_waste_over() -> None:
    position = Position("anna", {"waste": "2C 3C QD"}, redeals=1).play("redeal")
    assert (position["stock"], position["waste"], position.counter("redeals")) == ("-QD -3C -2C", "", 0)


def test_the_game_is_won_with_queens_still_in_the_waste() -> None:
    letters = {f"foundation.{number}": f"J{suit} A{suit} K{suit}" for number, suit in enumerate("SHDCSHD")}
    position = Position("anna", {**letters, "foundation.7": "JC AC", "aids.0": "KC", "waste": "QC QC"})
    assert not position.game.won(position.state)
    assert position.game.won(position.play("aids.0/foundation.7").state)
