"""The Fish-Bone: the court beside the spine, and the redeal."""

from tests.games.position import Scene


def test_a_king_goes_beside_either_knave_of_his_suit_but_not_where_one_lies() -> None:
    spine = {"foundation.0": "JS", "foundation.1": "JH", "foundation.2": "JS TS", "kings.2": "KS"}
    cells = {f"gridiron.{number}": "3D" for number in range(6)}
    assert Scene("fish-bone", {**spine, **cells, "waste": "KS"}, redeals=0).legal == {"waste/kings.0"}


def test_kings_and_queens_may_be_married_in_the_gridiron_and_nothing_on_a_king() -> None:
    cells = {f"gridiron.{number}": "3D" for number in range(4)} | {"gridiron.4": "JC", "gridiron.5": "KC"}
    scene = Scene("fish-bone", {**cells, "waste": "AC KC QC"}, redeals=0)
    assert scene.legal == {"waste/gridiron.4", "gridiron.4/foundation.0"}
    scene.play("waste/gridiron.4", "waste/gridiron.4")
    assert scene.legal == set()


def test_a_turned_over_waste_is_dealt_again_once() -> None:
    scene = Scene("fish-bone", {"waste": "3D 4D"}).play("redeal")
    assert (scene["stock"], scene.counter("redeals")) == ("-4D -3D", 0)
    assert "redeal" not in scene.play("deal", "deal").legal


def test_the_game_is_won_when_spine_and_ribs_are_full() -> None:
    court = {
        f"{group}.{number}": letter + suit
        for number, suit in enumerate("SHDCSHDC")
        for group, letter in (("kings", "K"), ("queens", "Q"), ("foundation", "A"))
    }
    scene = Scene("fish-bone", {**court, "queens.3": "", "waste": "QC"})
    assert not scene.game.won(scene.state)
    assert scene.game.won(scene.play("waste/queens.3").state)
