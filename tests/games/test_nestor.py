"""Nestor: a deal in which no column holds a rank twice."""

from cadogan import engine
from cadogan.engine.cards import FACE, pack, parse_card, rank
from cadogan.engine.effects import Redealt
from cadogan.engine.games import nestor
from cadogan.engine.state import State
from cadogan.engine.table import Table
from tests.games.position import Position
from tests.games.walks import seed


def dealing(in_hand: tuple[int, ...]) -> Table:
    """The table before the columns are dealt from this pack, its last card first."""
    game = engine.game("nestor")
    return Table(State(((),) * len(game.piles) + (in_hand,), ()), (False,) * 12 + (True, False, True), bytes(32))


def test_no_column_holds_a_rank_twice() -> None:
    game = engine.game("nestor")
    for number in range(100):
        columns = game.deal(seed(number)).piles[:8]
        assert all(len({rank(number) for number in column}) == 6 for column in columns)


def test_a_card_that_repeats_a_rank_goes_to_the_bottom_of_the_pack() -> None:
    rows = pack()
    table = dealing(())
    table.piles[0] = (rows[0],)
    table.piles[-1] = (rows[40], rows[44], rows[2], rows[1])
    assert nestor.place(table, 0)
    assert table.piles[-1] == (rows[2], rows[1], rows[40])
    assert [number & FACE for number in table.piles[0]] == [rows[0], rows[44]]


def test_a_deal_that_cannot_be_completed_is_shuffled_and_begun_again() -> None:
    last_column, left_over = ([parse_card(f"{letter}{suit}") for letter in "A2345"] for suit in "SC")
    others = [number for number in pack() if number not in last_column + left_over]
    order = [number for row in range(6) for number in others[7 * row : 7 * row + 7] + last_column[row : row + 1]]
    table = dealing(tuple(order + left_over)[::-1])
    nestor.columns(table)
    assert sum(isinstance(effect, Redealt) for effect in table.effects) == 1
    assert [len(pile) for pile in table.piles] == [6] * 8 + [0] * 6 + [4]


def test_the_card_of_the_reserve_lies_in_the_first_free_place() -> None:
    position = Position("nestor", {"column.0": "KS", "aside.0": "2C", "aside.2": "3C", "stock": "-4D -5H"}).play("deal")
    assert (position["aside.1"], position["stock"]) == ("5H", "-4D")
