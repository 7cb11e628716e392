"""The Fish-Bone: the court beside the spine, and the redeal."""

from tests.games.position import Position


def test_a_king_goes_beside_either_jack_of_his_suit_but_not_where_one_lies() -> None:
    spine = {"foundation.0": "JS", "foundation.1": "JH", "foundation.2": "JS TS", "kings.2": "KS"}
    cells = {f"gridiron.{number}": "3D" for number in range(6)}
    assert Position("fish-bone", {**spine, **cells, "waste": "KS"}, redeals=0).legal == {"waste/kings.0"}


def test_kings_and_queens_may_be_built_on_in_the_gridiron_but_nothing_goes_on_a_king() -> None:
    cells = {f"gridiron.{number}": "3D" for number in range(4)} | {"gridiron.4": "JC", "gridiron.5": "KC"}
    position = Position("fish-bone", {**cells, "waste": "AC KC QC"}, redeals=0)
    assert position.legal == {"waste/gridiron.4", "gridiron.4/foundation.0"}
    position.play("waste/gridiron.4", "waste/gridiron.4")
    assert position.legal == set()


def test_the_waste_is_turned_over_and_dealt_again_once() -> None:
    position = Position("fish-bone", {"waste": "3D 4D"}).play("redeal")
    assert (position["stock"], position.counter("redeals")) == ("-4D -3D", 0)
    assert "redeal" not in position.play("deal", "deal").legal


def test_the_game_is_won_when_spine_and_ribs_are_full() -> None:
    court = {
        f"{group}.{number}": letter + suit
        for number, suit in enumerate("SHDCSHDC")
        for group, letter in (("kings", "K"), ("queens", "Q"), ("foundation", "A"))
    }
    position = Position("fish-bone", {**court, "queens.3": "", "waste": "QC"})
    assert not position.game.won(position.state)
    assert position.game.won(position.play("waste/queens.3").state)
