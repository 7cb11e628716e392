"""Both bots on every game, without a server: they finish, and looking ahead is better than chance."""

import pytest

from cadogan.bots.runner import BOTS
from cadogan.engine import slugs
from tests.bots.simulated_games import MAX_MOVES, simulate

BUILDING_GAMES = ("anna", "house-on-the-hill", "olga", "sultan", "two-rings")
"""Games in which cards are built on each other, so that looking ahead helps."""


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.heavy] * (name == "thought")) for name in BOTS])
def test_each_bot_finishes_every_game_with_legal_moves(name: str) -> None:
    played = {slug: len(simulate(slug, name, 1)[1]) for slug in slugs()}
    assert {slug: moves for slug, moves in played.items() if not 0 < moves < MAX_MOVES} == {}


@pytest.mark.parametrize("slug", BUILDING_GAMES)
def test_the_lookahead_bot_brings_more_cards_home_than_the_random_bot(slug: str) -> None:
    thought, chance = (sum(simulate(slug, name, number)[0] for number in range(2)) for name in ("thought", "chance"))
    assert thought > 1.3 * chance
