"""Moves and piles in words."""

from cadogan.sdk.moves import parse_move
from cadogan.terminal import formatting


def test_every_kind_of_move_has_words() -> None:
    texts = ("a.0/a.1/3", "a.0+a.1", "a.0~a.1")
    described = [formatting.format_move(parse_move(text, ("a.0", "a.1"))) for text in texts]
    assert described == ["3 cards, a 1 to a 2", "a 1 with a 2", "a 1 for a 2"]
    assert formatting.format_move(parse_move("choose/hearts", ())) == "Choose hearts"


def test_an_empty_pile_and_a_stock_have_words() -> None:
    assert formatting.describe_pile("waste", ()) == "waste, empty"
    assert formatting.describe_pile("stock", ("--", "--")) == "stock, 2 cards face down"


def test_piles_are_called_what_the_page_of_their_game_calls_them() -> None:
    called = []
    for game in ("la-belle-lucie", "labyrinth", "klondike"):
        formatting.name_as_in(game)
        called.append(formatting.format_pile("tableau.2"))
    assert called == ["fan 3", "place 3", "column 3"]
