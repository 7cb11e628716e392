"""The Great Thirteen: what its test vectors leave open."""

import pytest

from cadogan import engine
from cadogan.engine import IllegalMove
from cadogan.engine.cards import rank
from tests.games.position import Position
from tests.games.walks import seed


def test_no_king_goes_to_the_balcony() -> None:
    game = engine.game("great-thirteen")
    for number in range(40):
        piles = game.deal(seed(number)).piles
        assert all(rank(pile[0]) < 13 for pile in piles[0:8])
        assert all(len(pile) == 12 for pile in piles[16:24])


def test_the_twelfth_number_is_a_king_and_nothing_goes_on_it() -> None:
    position = Position(
        "great-thirteen", {"balcony.0": "7S", "numbers.0": "AS 8S 2S 9S 3S TS 4S JS 5S QS 6S", "ground.0": "7H KD"}
    )
    position.play("ground.0/numbers.0")
    assert position.legal == {"redeal"}


def test_a_packet_larger_than_the_circle_passes_its_own_place_twice() -> None:
    position = Position("great-thirteen", {"ground.7": "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AH 2H 3H 4H"})
    position.play("redeal")
    assert (position["ground.7"], position["ground.0"], position["ground.6"]) == ("8S 3H", "AS 9S 4H", "7S 2H")
    assert position.counter("next") == 8
    assert position.legal == set()


def test_a_place_that_is_empty_at_its_turn_gets_no_turn_again() -> None:
    position = Position("great-thirteen", {"ground.2": "AS 2S 3S 4S 5S 6S 7S"}, next=0).play("redeal")
    assert position["ground.0"] == "6S"
    assert position.play("redeal")["ground.0"] == "6S"
    assert position.counter("next") == 4


def test_a_gap_is_filled_first_only_by_the_card_that_it_wants() -> None:
    position = Position(
        "great-thirteen",
        {
            "balcony.0": "7S",
            "numbers.0": "AH",
            "balcony.1": "4C",
            "ground.0": "8S",
            "balcony.2": "2D",
            "numbers.2": "4S",
            "ground.1": "6S",
        },
    )
    assert position.legal == {"ground.0/numbers.1", "ground.1/numbers.2", "redeal"}
    with pytest.raises(IllegalMove, match="8S"):
        position.play("ground.0/numbers.0")
