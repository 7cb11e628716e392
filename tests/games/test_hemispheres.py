"""The Hemispheres: the end of the game, and what a deal does when the pack runs out."""

from tests.games.position import Position

FULL = dict(
    zip(
        [f"race.{number}" for number in range(12)],
        ["5H", "7H", "9H", "5D", "7D", "9D", "5S", "7S", "9S", "5C", "7C", "9C"],
        strict=True,
    )
)


def test_barriers_are_played_only_when_pack_and_waste_are_gone() -> None:
    foundations = {"foundation.4": "KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S", "barrier.1": "AS"}
    assert "barrier.1/foundation.4" not in Position("hemispheres", {**foundations, "waste": "3H"}).legal
    assert "barrier.1/foundation.4" not in Position("hemispheres", {**foundations, "stock": "3H"}).legal
    assert Position("hemispheres", foundations).legal == {"barrier.1/foundation.4"}


def test_at_the_end_only_strays_move_and_only_to_their_own_side() -> None:
    position = Position("hemispheres", {"race.0": "9C", "race.3": "7H", "race.6": "4D", "race.9": "6C"})
    home_south = {f"race.0/race.{number}" for number in (7, 8, 10, 11)}
    home_north = {f"race.6/race.{number}" for number in (1, 2, 4, 5)}
    assert position.legal == home_south | home_north | {"race.0~race.6"}


def test_before_the_end_no_stray_moves_into_an_empty_place() -> None:
    assert Position("hemispheres", {"race.0": "9C", "race.6": "3C", "waste": "7D"}).legal == {"deal"}


def test_the_waste_fills_vacancies_once_the_pack_is_out() -> None:
    piles = {**FULL, "race.1": "", "race.4": "", "race.8": "", "stock": "-3H", "waste": "QH JH"}
    position = Position("hemispheres", piles).play("deal")
    assert [position[f"race.{number}"] for number in (1, 4, 8)] == ["3H", "JH", "QH"]
    assert position["waste"] == ""


def test_without_a_vacancy_no_card_is_dealt_from_the_waste() -> None:
    assert Position("hemispheres", {**FULL, "waste": "KC"}).legal == set()


def test_the_waste_is_built_on_any_race_of_its_hemisphere_and_never_on_a_stray() -> None:
    position = Position("hemispheres", {"race.1": "9H", "race.5": "9H", "race.7": "9H", "waste": "8H"})
    assert position.legal - {"deal"} == {"waste/race.1", "waste/race.5"}
