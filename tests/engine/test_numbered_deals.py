"""The numbered deals of FreeCell are those that other programs deal."""

from itertools import islice

import pytest

from cadogan.engine import UnknownDeal, game
from cadogan.engine.numbered_deals import MOST, draw_numbers

PUBLISHED = {
    1: "JD 2D 9H JC 5D 7H 7C 5H KD KC 9S 5S AD QC KH 3H 2S KS 9D QD JS AS AH 3C 4C 5C TS QH 4H AC 4D 7S "
    "3S TD 4S TH 8H 2C JH 7D 6D 8S 8D QS 6C 3D 8C TC 6S 9C 2H 6H",
    617: "7D AD 5C 3S 5S 8C 2D AH TD 7S QD AC 6D 8H AS KH TH QC 3H 9D 6S 8D 3D TC KD 5H 9S 3C 8S 7H 4D JS "
    "4C QS 9C 9H 7C 6H 2C 2S 4S TS 2H 5D JC 6C JH QH JD KS KC 4H",
    11982: "AH AS 4H AC 2D 6S TS JS 3D 3H QS QC 8S 7H AD KS KD 6H 5S 4D 9H JH 9S 3C JC 5D 5C 8C 9D TD KH 7C "
    "6C 2C TH QH 6D TC 4S 7S JD 7D 8H 9C 2H QD 4C 5H KC 8D 2S 3S",
}
"""Numbers 1 and 617 are those of Rosetta Code's task "Deal cards for FreeCell"; number 11982 cannot be won."""
GREAT = {
    2**31 - 1: "9S 2H 7C 5H 4C 6D 3D 4S JH TC TD QS 3S KH 8D JC 7S 6C 3H 8S KD TS 9D 4D 5S AD TH 3C 2C AH 2D 9H "
    "5D QH 8C 6H 6S QD 4H JS 5C JD AS QC AC KC 2S KS 7D 9C 7H 8H",
    2**31: "QH QC 2H 6S 2S 3D KS 8C 3H JD KC 7C 8H 5C 8D 9H 7D 3C 8S 7S TH JC AS QS 4D 5D TD TC 9C AH 4H JS "
    "TS 7H JH 5H 3S 6C 2C 9D QD 6H AD 9S 2D KH 4C KD 6D 4S 5S AC",
    2**32 - 1: "JS 9C JH 2D QC 8H 7D 6S QH TH AS 6D 5S 4H JD 9S TC 8C AH KS 7C 4C 5H 3S 7S 8D KD AD KH 7H 4S 2S "
    "KC 5D TD 9H 2C 9D 6H 6C 3H 3D 8S 4D AC 2H QD 5C QS TS JC 3C",
    2**32: "TS 5S 2S TD 3C AD JC 6D 3S QD 7C 7D 8S 5D 5H 4C KC 3D 9C 8C TH JD 2C QS 4H 9S 8D 5C 7S AS 4S JS "
    "9H 2H 6S 2D TC 6C KS 8H 3H 6H AH QC 7H 9D KD AC 4D KH JH QH",
    2**33 - 1: "TC 2S JS 5S 4D 6H 3H 7C 8S TD TH QS 4C KH 2C KS 8C 6D 3S KD 7D TS KC 8H 6C 8D JD AH JC 7H 2H 3C "
    "5H 9H 4H AS 2D QD 5D AC 5C 9S QC JH AD QH 9D 7S 9C 6S 3D 4S",
}
"""As pysol_cards 0.24, which is what PySol FC deals with, prints the deals with the prefix ms."""


def rows(number: int) -> str:
    """The cards of a deal in the order in which they are dealt: row by row over the eight columns."""
    piles = game("freecell").write_piles(game("freecell").deal(b"", number))
    columns = [piles[f"tableau.{column}"] for column in range(8)]
    return " ".join(column[row] for row in range(7) for column in columns if row < len(column))


@pytest.mark.parametrize("number", [*PUBLISHED, *GREAT])
def test_a_number_deals_the_cards_that_other_programs_deal(number: int) -> None:
    assert rows(number) == (PUBLISHED | GREAT)[number]


@pytest.mark.parametrize("number", [-1, 0, MOST + 1])
def test_there_is_no_deal_with_a_number_below_1_or_above_the_greatest(number: int) -> None:
    with pytest.raises(UnknownDeal, match=str(number)):
        game("freecell").deal(b"", number)


def test_a_game_without_numbered_deals_has_no_deal_with_a_number() -> None:
    with pytest.raises(UnknownDeal, match="klondike"):
        game("klondike").deal(bytes(32), 1)


def test_the_numbers_drawn_are_those_of_the_c_library_and_go_on_above_it() -> None:
    assert list(islice(draw_numbers(1), 5)) == [41, 18467, 6334, 26500, 19169]
    assert all(drawn >= 1 << 15 for drawn in islice(draw_numbers(2**31), 100))
    assert max(islice(draw_numbers(2**32), 1000)) > 1 << 15
