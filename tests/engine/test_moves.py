"""A move reads back from its text, and the refusal of an illegal move says why."""

import pytest

from cadogan import engine
from cadogan.engine import IllegalMove, UnknownGame, UnreadableMove
from cadogan.engine.vectors import check_vector

KLONDIKE, QUATORZE, CITY = (engine.game(slug) for slug in ("klondike", "quatorze", "besieged-city"))


@pytest.mark.parametrize("text", ["waste/tableau.3", "tableau.2/tableau.5/3", "deal"])
def test_a_move_reads_back_from_its_text(text: str) -> None:
    move = KLONDIKE.move(text)
    assert str(move) == text
    assert KLONDIKE.move(str(move)) == move


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "write it like"),
        ("waste", "write it like"),
        ("waste/cellar", "no pile 'cellar'"),
        ("tableau.9/waste", "no pile 'tableau.9'"),
        ("waste/tableau.0/1", "write it as 'waste/tableau.0'"),
        ("waste/tableau.0/01", "write it as"),
        ("redeal", "write it like"),
        ("deal/waste/stock", "at most one part"),
        ("waste/tableau.0/x", "write it like"),
        ("waste/tableau.0/99999999999999999999", "write it like"),
    ],
)
def test_a_text_that_is_no_move_is_refused_and_the_message_says_what_to_write(text: str, why: str) -> None:
    with pytest.raises(UnreadableMove, match=why.replace("'", ".")):
        KLONDIKE.move(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("tableau.1/tableau.3", "all 2 face-up cards go together"),
        ("waste/tableau.1", "7D does not go on 7H"),
        ("waste/tableau.5", "7D may not go to the empty tableau.5: Only a king goes on an empty place."),
        ("foundation.0/tableau.0", "no card goes from foundation.0"),
        ("tableau.4/tableau.1", "tableau.4 is empty"),
        ("deal", "no card is left in stock"),
    ],
)
def test_the_refusal_of_an_illegal_move_says_the_reason(text: str, why: str) -> None:
    piles = {
        "tableau.0": ["9C"],
        "tableau.1": ["-KD", "8S", "7H"],
        "tableau.3": ["9H"],
        "waste": ["KS", "7D"],
        "foundation.0": ["AS"],
    }
    state = KLONDIKE.read_state(piles)
    with pytest.raises(IllegalMove, match=why):
        KLONDIKE.play(state, KLONDIKE.move(text))


def test_a_refusal_while_a_move_is_forced_names_the_forced_move() -> None:
    state = CITY.read_state({"reserve.0": ["9C"], "ramparts.3": ["TD"], "stock": ["-8C"]})
    with pytest.raises(IllegalMove, match=r"first play one of reserve\.0"):
        CITY.play(state, CITY.move("deal"))


def test_the_piles_of_a_pair_must_be_written_in_order() -> None:
    with pytest.raises(IllegalMove):
        QUATORZE.play(QUATORZE.read_state({"grid.0": ["4S"], "grid.4": ["TD"]}), QUATORZE.move("grid.4+grid.0"))


def test_an_unknown_game_is_refused() -> None:
    with pytest.raises(UnknownGame, match="cadogan games"):
        engine.game("whist")


def test_every_difference_from_a_test_vector_is_reported() -> None:
    vector = {
        "name": "wrong in every part",
        "piles": {"foundation.0": ["AS"], "waste": ["2S"]},
        "legal": ["deal"],
        "illegal": ["waste/foundation.0"],
        "exactly": ["redeal"],
        "play": ["waste/foundation.0"],
        "then": {"piles": {"foundation.0": ["AS"]}, "score": 0, "won": True},
    }
    assert check_vector(vector, KLONDIKE) == [
        "deal should be legal",
        "waste/foundation.0 should be illegal",
        "redeal should be legal",
        "waste/foundation.0 should not be legal",
        "then, foundation.0: AS expected, AS 2S found",
        "then, score: 0 expected, -42 found",
        "then, won: True expected, False found",
    ]
    assert check_vector({"name": "a pile that the game does not have", "piles": {"cellar": []}}, KLONDIKE) == [
        "klondike has no pile 'cellar'"
    ]
    assert check_vector({"name": "a key that no test vector has", "plays": []}, KLONDIKE) == [
        "a test vector has no plays"
    ]
