"""The Constitution: which vacancies wait."""

from tests.games.position import Position


def test_the_player_chooses_which_of_several_vacancies_to_fill_first() -> None:
    position = Position("constitution", {"lords.1": "5H", "people.6": "9C", "waste": "3D", "stock": "-4C"})
    council = {f"lords.1/council.{number}" for number in range(8)}
    commons = {f"people.6/commons.{number}" for number in range(8)}
    assert position.legal == council | commons


def test_a_vacancy_with_no_card_below_prevents_nothing() -> None:
    piles = {f"council.{number}": "9S" for number in range(1, 8)}
    position = Position("constitution", {**piles, "foundation.0": "AS", "council.1": "2S", "stock": "-4C"})
    assert position.legal == {"deal", "council.1/foundation.0"}


def test_the_government_ends_with_jacks() -> None:
    position = Position(
        "constitution", {"foundation.0": "TS JS", "foundation.1": "TS", "council.0": "JS", "council.1": "QS"}
    )
    assert position.legal == {"council.0/foundation.1"}


def test_a_people_place_that_was_empty_before_is_not_filled_later() -> None:
    piles = {f"{group}.{number}": "9S" for group in ("council", "lords", "commons") for number in range(8)}
    position = Position("constitution", {**piles, "people.0": "8H", "people.1": "3C", "waste": "5D 6D"})
    position.play("people.0/commons.3")
    assert (position["people.0"], position["people.2"], position["waste"]) == ("6D", "", "5D")
