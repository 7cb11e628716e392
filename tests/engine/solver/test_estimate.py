"""The heuristic sees what keeps a card from its foundation: cards above it, piles that cover it, and its turn."""

import pytest

from cadogan import engine
from cadogan.engine import State
from cadogan.engine.cards import parse_card
from cadogan.engine.solver.estimate import Estimate, turns_home
from cadogan.engine.solver.winnability import deal_seed
from tests.games.walks import random_walk, seed

COVERED = [slug for slug in engine.slugs() if engine.game(slug).declaration.covering]


def turns(slug: str, version: int, number: int = 0) -> dict[str, int]:
    """By the rank of each spade, how many cards must go home before it."""
    game = engine.game(slug)
    found = turns_home(game, game.deal(deal_seed(slug, number)), version)
    return {rank: found[parse_card(f"{rank}S")] for rank in "A23456789TJQK"}


@pytest.mark.parametrize("slug", COVERED)
def test_no_card_goes_home_while_another_pile_covers_its_own(slug: str) -> None:
    game = engine.game(slug)
    beyond = {pile: line[at + 1 :] for line in game.declaration.covering for at, pile in enumerate(line)}
    foundations = {index for group in game.declaration.groups if group.role == "foundation" for index in group}
    went_home = 0
    for state, move, _ in (step for number in range(6) for step in random_walk(game, number, 160)):
        source, *targets = move.piles or (-1,)
        if source in beyond and foundations.intersection(targets):
            went_home += 1
            assert not any(state.piles[pile] for pile in beyond[source]), game.write_piles(state)
    assert went_home


def test_a_card_is_blocked_by_the_piles_that_cover_it_from_version_9_on() -> None:
    game = engine.game("blockade")
    start = game.deal(seed(0))
    piles: list[tuple[int, ...]] = [()] * len(start.piles)
    two, nine, king = map(parse_card, ("2S", "9H", "KD"))
    first, below, beside = (game.piles.index(name) for name in ("grid.0", "grid.24", "grid.1"))
    piles[first], piles[below], piles[beside] = (two,), (nine, two), (king,)
    state = State(tuple(piles), start.counters)
    old, new = (Estimate(game, start, version) for version in (8, 9))
    assert old.blocked(state) == 0
    assert new.blocked(state) == 1
    piles[below], piles[beside] = (), (nine, two)
    assert new.blocked(State(tuple(piles), start.counters)) == 0


def test_foundations_are_asked_for_the_order_that_their_routes_do_not_declare_from_version_9_on() -> None:
    for slug in ("fish-bone", "general-sedgewick"):
        assert set(turns(slug, 8).values()) == {0}
    assert list(turns("fish-bone", 9).values()) == [10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0]
    sedgewick = list(turns("general-sedgewick", 9).values())
    first = sedgewick.index(0)
    assert sedgewick[first:] + sedgewick[:first] == list(range(13))


def test_the_order_counts_as_unknown_where_a_card_can_go_home_at_two_turns() -> None:
    assert set(turns("besieged-city", 9).values()) == {0}
    assert set(turns("labyrinth-as-dealt", 9).values()) == {0}
