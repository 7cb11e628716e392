"""The bot that plays random legal moves."""

import random

from cadogan.bots.random_bot import MAX_MOVES, RandomBot
from cadogan.sdk.session import Session
from tests.bots.small_table import PLACES, table


def test_the_random_bot_plays_every_legal_move_and_stops_after_two_hundred() -> None:
    session = table("deal", "tableau.1/tableau.2")
    assert MAX_MOVES == 200
    bot = RandomBot(PLACES, random.Random(3))
    assert {bot.choose(session) for _ in range(40)} == set(session.moves)
    assert bot.choose(Session(played=MAX_MOVES, moves=session.moves)) is None
    assert bot.choose(Session()) is None
