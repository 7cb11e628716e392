"""Salic Law: kings with and without cards."""

from cadogan import engine
from cadogan.engine.cards import rank
from cadogan.engine.games import salic_law
from cadogan.engine.state import State
from cadogan.engine.table import Table
from tests.games.position import Position
from tests.games.walks import seed


def test_the_first_king_is_taken_out_and_the_others_keep_their_order() -> None:
    for number in range(20):
        piles = engine.game("salic-law").deal(seed(number)).piles
        assert [len(pile) for pile in piles] == [1] + [0] * 23 + [103]
        assert rank(piles[0][0]) == 13


def test_the_king_nearest_the_top_begins_the_first_packet() -> None:
    kings, others = (13 << 2, 13 << 2 | 1), (4 << 2, 5 << 2, 6 << 2)
    in_hand = (others[0], kings[0], others[1], kings[1], others[2])
    table = Table(State(((),) * 25 + (in_hand,), ()), (False,) * 24 + (True, True))
    salic_law.first_king(table)
    assert table.piles[0] == (kings[1],)
    assert table.piles[-1] == (others[0], kings[0], others[1], others[2])


def test_a_card_goes_on_the_last_king_even_if_an_earlier_king_has_no_card() -> None:
    position = Position("salic-law", {"kings.0": "KS", "kings.1": "KD 5C", "foundation.0": "AS", "stock": "-2H"})
    assert position.play("deal")["kings.1"] == "KD 5C 2H"


def test_a_king_with_one_card_takes_no_other_and_gives_it_to_no_king_without_cards() -> None:
    position = Position("salic-law", {"kings.0": "KS", "kings.1": "KD 5C", "kings.2": "KH 9S 8S"})
    assert position.legal == {"kings.2/kings.0"}
    assert position.play("kings.2/kings.0").legal == set()


def test_a_foundation_ends_with_its_jack() -> None:
    position = Position("salic-law", {"foundation.0": "AS 2H 3H 4C 5C 6C 7C 8C 9C TC JC", "kings.0": "KS QC"})
    assert position.legal == set()
