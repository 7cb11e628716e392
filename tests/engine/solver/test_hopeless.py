"""What a game declares hopeless or forgotten is so: no way to a win passes it, and play does not depend on it."""

import gzip
from itertools import chain, combinations, islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cadogan import engine
from cadogan.engine import Game, State
from cadogan.engine.cards import RANKS, parse_card
from cadogan.engine.games.wheel import EIGHTEENS, cannot_be_combined
from cadogan.engine.solver import solve
from cadogan.engine.solver.problem import Problem
from cadogan.engine.solver.winnability import deal_seed, read_result
from tests.games.walks import draw, random_walk, seed

PROVED = [slug for slug in engine.slugs() if engine.game(slug).declaration.hopeless]
FORGETFUL = [slug for slug in engine.slugs() if engine.game(slug).declaration.forgotten]
WINS = 100
RESULTS = Path(__file__).parents[3] / "docs" / "winnability"
HOPELESS_DEALS = {
    "golf": 198,
    "klondike": 2,
    "klondike-draw-one": 38,
    "klondike-draw-three": 4,
    "pyramid": 9,
    "yukon": 18,
}
"""By game, one of the deals of the published runs that is proved lost before a card is moved."""


@pytest.mark.slow
@pytest.mark.parametrize("slug", PROVED)
def test_no_position_on_the_way_to_a_win_is_hopeless(slug: str) -> None:
    game, hopeless = engine.game(slug), engine.game(slug).declaration.hopeless
    lines = gzip.decompress((RESULTS / f"{slug}.jsonl.gz").read_bytes()).decode().splitlines()
    wins = [read_result(line) for line in lines if '"verdict":"won"' in line][:WINS]
    for one in wins:
        salt = bytes.fromhex(one.seed)
        state = game.deal(salt)
        for move in one.moves:
            assert hopeless
            assert not hopeless(state), game.write_piles(state)
            state = game.play(state, game.move(move), salt).state
    assert wins


@pytest.mark.parametrize("slug", HOPELESS_DEALS)
def test_a_hopeless_deal_is_lost_without_a_search_from_version_8_on(slug: str) -> None:
    game, salt = engine.game(slug), deal_seed(slug, HOPELESS_DEALS[slug])
    start = game.deal(salt)
    assert solve(game, start, salt, 10)[:3] == ("lost", (), 0)
    assert solve(game, start, salt, 10, version=7).nodes == 10


@pytest.mark.parametrize("slug", FORGETFUL)
def test_only_the_declared_number_of_forgotten_piles_tells_positions_apart(slug: str) -> None:
    game, salt = engine.game(slug), seed(0)
    new, old = (Problem(game, game.deal(salt), salt, version) for version in (8, 7))
    others = 0
    for state, _, _ in chain.from_iterable(islice(random_walk(game, number, 160), 60) for number in range(3)):
        piles = list(state.piles)
        for one in game.declaration.forgotten:
            for index in one.piles:
                *below, top = piles[index] or (0,)
                below.sort(key=lambda card: draw(1_000, slug, card))
                piles[index] = (*below, top) if top else ()
        other = State(tuple(piles), state.counters)
        others += other != state
        assert new.key(other) == new.key(state)
        assert (old.key(other) == old.key(state)) == (other == state)
        assert game.legal_moves(other) == game.legal_moves(state)
        assert game.score(other) == game.score(state)
        assert game.status(other) == game.status(state)
    assert others


@pytest.mark.parametrize("slug", FORGETFUL)
def test_no_move_leaves_a_forgotten_pile(slug: str) -> None:
    game: Game = engine.game(slug)
    forgotten = {index for one in game.declaration.forgotten for index in one.piles}
    for state, _, played in random_walk(game, 1, 160):
        for index in forgotten:
            assert played.state.piles[index][: len(state.piles[index])] == state.piles[index]


def wheel_with(left: list[int]) -> State:
    """A position of The Wheel with so much of the circle empty as plain cards of these values are left."""
    game = engine.game("wheel")
    start = game.deal(seed(0))
    piles: list[tuple[int, ...]] = [() if name.startswith(("cushion", "stock")) else (4,) for name in game.piles]
    for number in range(len(left) // 3):
        piles[game.piles.index(f"circle.{number}")] = ()
    piles[game.piles.index("cushion.0")] = tuple(parse_card(f"{RANKS[value - 1]}S") for value in left)
    return State(tuple(piles), start.counters)


def can_be_combined(left: list[int]) -> bool:
    """Whether these values can be parted into threes of different values that make eighteen, by trying everything."""
    if not left:
        return True
    first, *others = left
    for one, other in combinations(sorted(set(others)), 2):
        if first + one + other == 18 and len({first, one, other}) == 3:
            rest = list(others)
            rest.remove(one)
            rest.remove(other)
            if can_be_combined(rest):
                return True
    return False


@given(threes=st.lists(st.sampled_from(EIGHTEENS), max_size=8), changed=st.lists(st.integers(2, 10), max_size=3))
def test_the_wheel_is_hopeless_just_when_no_combinations_use_all_plain_cards(
    threes: list[tuple[int, ...]], changed: list[int]
) -> None:
    left = sorted([*changed, *chain.from_iterable(threes)][: 3 * len(threes)])
    assert cannot_be_combined(wheel_with(left)) != can_be_combined(left)
    assert not cannot_be_combined(wheel_with([*left, 2]))  # more cards than are needed prove nothing


def test_a_proof_is_used_from_the_version_on_that_the_game_names() -> None:
    game, salt = engine.game("wheel"), deal_seed("wheel", 3002)
    found = {version: solve(game, game.deal(salt), salt, 8_000, version=version).verdict for version in (8, 9)}
    assert found == {8: "unknown", 9: "won"}
