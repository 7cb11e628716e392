"""Labyrinth: what is free, the grace, and bases that turn up in the deal."""

from tests.games.position import Scene

BASES = dict(
    zip([f"foundation.{number}" for number in range(8)], ["AS", "AH", "AD", "AC", "KS", "KH", "KD", "KC"], strict=True)
)


def test_a_card_of_the_tenth_row_is_free_from_below() -> None:
    scene = Scene("labyrinth", {**BASES, "tableau.80": "9D", "tableau.90": "2S", "tableau.70": "2H"}, rows=10)
    assert "tableau.90/foundation.0" in scene.legal


def test_only_places_straight_above_and_below_matter() -> None:
    piles = {**BASES, "tableau.5": "9D", "tableau.15": "2S", "tableau.25": "9C", "stock": "-3D"}
    assert Scene("labyrinth", piles, rows=3).legal == {"deal"}


def test_the_grace_takes_a_card_that_is_shut_in_and_only_one() -> None:
    scene = Scene("labyrinth", {**BASES, "tableau.0": "9D", "tableau.10": "2S", "tableau.20": "9C"}, rows=3)
    assert scene.legal == {"tableau.0/grace", "tableau.10/grace", "tableau.20/grace"}
    scene.play("tableau.10/grace")
    assert scene.legal == {"grace/foundation.0"}
    assert scene.play("grace/foundation.0").legal == set()


def test_the_grace_is_refused_while_a_card_can_be_played() -> None:
    assert Scene("labyrinth", {**BASES, "tableau.0": "9D", "tableau.1": "QS"}).legal == {"tableau.1/foundation.4"}


def test_the_last_row_may_be_short_and_is_then_the_lowest() -> None:
    scene = Scene("labyrinth", {**BASES, "tableau.0": "9D", "stock": "-2H -5C"}).play("deal")
    assert (scene["tableau.10"], scene["tableau.11"], scene.counter("rows")) == ("5C", "2H", 2)
    assert "tableau.11/foundation.1" in scene.legal


def test_as_dealt_a_refill_that_turns_up_bases_goes_on_to_the_next_card() -> None:
    piles = {"foundation.0": "AS", "tableau.3": "2S", "stock": "-9C -9H -KD -AH"}
    scene = Scene("labyrinth-as-dealt", piles).play("tableau.3/foundation.0")
    assert (scene["foundation.1"], scene["foundation.6"], scene["tableau.3"], scene["stock"]) == (
        "AH",
        "KD",
        "9H",
        "-9C",
    )


def test_as_dealt_a_row_of_nothing_but_bases_counts_and_stays_empty() -> None:
    scene = Scene("labyrinth-as-dealt", {"tableau.0": "9D", "stock": "-KD -AH"}).play("deal")
    assert (scene.counter("rows"), scene["tableau.10"], scene["foundation.1"]) == (2, "", "AH")


def test_as_dealt_an_ace_opens_the_rising_line_though_the_falling_one_waits_for_it() -> None:
    falling = "KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S"
    scene = Scene("labyrinth-as-dealt", {"foundation.4": falling, "stock": "-AS -AS"}).play("deal")
    assert (scene["foundation.0"], scene["tableau.10"], scene["foundation.4"]) == ("AS", "AS", falling)
