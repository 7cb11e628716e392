"""Labyrinth: what is free, the grace, and bases that turn up in the deal."""

import pytest

from tests.games.position import Position

BASES = dict(
    zip([f"foundation.{number}" for number in range(8)], ["AS", "AH", "AD", "AC", "KS", "KH", "KD", "KC"], strict=True)
)


def test_a_card_of_the_tenth_row_is_free_from_below() -> None:
    position = Position("labyrinth", {**BASES, "tableau.80": "9D", "tableau.90": "2S", "tableau.70": "2H"}, rows=10)
    assert "tableau.90/foundation.0" in position.legal


def test_only_the_places_directly_above_and_below_count() -> None:
    piles = {**BASES, "tableau.5": "9D", "tableau.15": "2S", "tableau.25": "9C", "stock": "-3D"}
    assert Position("labyrinth", piles, rows=3).legal == {"deal"}


def test_the_grace_takes_a_card_that_is_shut_in_and_only_one() -> None:
    position = Position("labyrinth", {**BASES, "tableau.0": "9D", "tableau.10": "2S", "tableau.20": "9C"}, rows=3)
    assert position.legal == {"tableau.0/grace", "tableau.10/grace", "tableau.20/grace"}
    position.play("tableau.10/grace")
    assert position.legal == {"grace/foundation.0"}
    assert position.play("grace/foundation.0").legal == set()


def test_the_grace_is_refused_while_a_card_can_be_played() -> None:
    assert Position("labyrinth", {**BASES, "tableau.0": "9D", "tableau.1": "QS"}).legal == {"tableau.1/foundation.4"}


def test_the_last_row_may_be_short_and_is_then_the_lowest() -> None:
    position = Position("labyrinth", {**BASES, "tableau.0": "9D", "stock": "-2H -5C"}).play("deal")
    assert (position["tableau.10"], position["tableau.11"], position.counter("rows")) == ("5C", "2H", 2)
    assert "tableau.11/foundation.1" in position.legal


def test_as_dealt_a_refill_that_turns_up_base_cards_turns_the_next_card() -> None:
    piles = {"foundation.0": "AS", "tableau.3": "2S", "stock": "-9C -9H -KD -AH"}
    position = Position("labyrinth-as-dealt", piles).play("tableau.3/foundation.0")
    assert (position["foundation.1"], position["foundation.6"], position["tableau.3"], position["stock"]) == (
        "AH",
        "KD",
        "9H",
        "-9C",
    )


def test_as_dealt_a_row_of_base_cards_only_counts_and_stays_empty() -> None:
    position = Position("labyrinth-as-dealt", {"tableau.0": "9D", "stock": "-KD -AH"}).play("deal")
    assert (position.counter("rows"), position["tableau.10"], position["foundation.1"]) == (2, "", "AH")


def test_as_dealt_an_ace_opens_the_rising_foundation_although_the_falling_one_needs_it() -> None:
    falling = "KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S"
    position = Position("labyrinth-as-dealt", {"foundation.4": falling, "stock": "-AS -AS"}).play("deal")
    assert (position["foundation.0"], position["tableau.10"], position["foundation.4"]) == ("AS", "AS", falling)


@pytest.mark.parametrize("place", range(10))
def test_every_card_of_the_first_and_the_tenth_row_is_free_although_its_neighbour_lies_there(place: int) -> None:
    tenth = {**BASES, "grace": "5C", f"tableau.{80 + place}": "9D", f"tableau.{90 + place}": "2S"}
    assert f"tableau.{90 + place}/foundation.0" in Position("labyrinth", tenth, rows=10).legal
    first = {**BASES, f"tableau.{place}": "2S", f"tableau.{10 + place}": "9D"}
    assert f"tableau.{place}/foundation.0" in Position("labyrinth", first, rows=2).legal
