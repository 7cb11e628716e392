"""The bot that looks ahead: which moves it prefers, and when it gives up."""

import random

from cadogan.bots.lookahead_bot import LookaheadBot
from cadogan.sdk.moves import Verb
from tests.bots.small_table import PLACES, table


def test_the_lookahead_bot_prefers_bringing_a_card_home() -> None:
    session = table("deal", "tableau.1/tableau.2", "tableau.0/foundation")
    assert str(LookaheadBot(PLACES, random.Random(3)).choose(session)) == "tableau.0/foundation"


def test_the_lookahead_bot_plays_a_move_for_the_move_that_it_makes_possible() -> None:
    piles = {"tableau_0": ("3S", "8D"), "foundation": ("AS", "2S"), "tableau_3": ("3H",)}
    session = table("tableau.1/tableau.2", "tableau.0/tableau.2", **piles)
    bot = LookaheadBot(PLACES, random.Random(3))
    bot.choose(table("tableau.3/foundation", tableau_3=("2S",), foundation=("AS",)))
    assert [str(bot.choose(session)) for _ in range(5)] == ["tableau.0/tableau.2"] * 5


def test_the_lookahead_bot_never_goes_back_to_an_earlier_position() -> None:
    bot = LookaheadBot(PLACES, random.Random(3))
    assert str(bot.choose(table("tableau.1/tableau.2"))) == "tableau.1/tableau.2"
    moved = table("tableau.2/tableau.1", tableau_1=("9S",), tableau_2=("9C", "8H"))
    assert bot.choose(moved) is None


def test_the_lookahead_bot_gives_up_without_progress() -> None:
    bot, session = LookaheadBot(PLACES, random.Random(3)), table("deal")
    asked = [bot.choose(session) for _ in range(200)]
    assert asked[0] == Verb("deal")
    assert asked[-1] is None
