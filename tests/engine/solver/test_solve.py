"""What the solver says is so: its wins are played again, and its losses are searched again without any cleverness."""

from hashlib import sha256

import pytest

from cadogan import engine
from cadogan.engine import Game, State
from cadogan.engine.declaration import BOOK
from cadogan.engine.registry import slugs_on
from cadogan.engine.solver import SOLVER_VERSIONS, Solution, Steps, solve, solve_in_steps
from cadogan.engine.solver.solve import STEP_NODES
from cadogan.engine.solver.winnability import deal_seed
from tests.games.walks import draw, scattered, seed

GAMES = engine.slugs()
DEAL_NODES = 60
SMALL = 12
"""How many small positions of each game are searched twice."""
FEW_POSITIONS = 150
ALL_SEARCHES = 2600
"""So many nodes are enough for each of the first searches to have a turn."""
ANSWERS = {
    5: "0e8e078ee5fa559da13123f186c15092356f879a005e62fa853ffa8e3eef093e",
    6: "0e8e078ee5fa559da13123f186c15092356f879a005e62fa853ffa8e3eef093e",
    7: "0e8e078ee5fa559da13123f186c15092356f879a005e62fa853ffa8e3eef093e",
    8: "f8950735af002502db919f2906ccafc5f440c6ae10451299e12aad5927a30715",
    9: "7c89a0ce8710d212c5a8bc621d802b9fc0dae11427b3d6da4699d868aaf0649b",
}
"""The SHA-256 of the answers to some deals, by version of the solver.

Version 8 uses proofs in Klondike, version 9 sees what is covered in The Shah.
"""
NODES_UNTIL_FULL = {5: 54_870, 6: 52_560, 7: 52_560, 8: 50_550, 9: 50_550}
"""After how many nodes the searches of a deal remember too many positions, by version: from 47,250 on they differ."""


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> Game:
    return engine.game(request.param)


def wins(game: Game, state: State, found: Solution, salt: bytes) -> bool:
    """Whether the moves that were found win."""
    for move in found.line:
        state = game.play(state, move, salt).state
    return game.won(state)


def reachable(game: Game, start: State, salt: bytes) -> set[State] | None:
    """Every position that can be reached, by a plain breadth-first search; None if there are many."""
    known, waiting = {start}, [start]
    for state in waiting:
        for move in game.legal_moves(state):
            after = game.play_legal(state, move, salt).state
            if after not in known:
                known.add(after)
                waiting.append(after)
        if len(known) > FEW_POSITIONS:
            return None
    return known


def test_a_line_that_wins_is_legal_and_wins_and_a_search_in_steps_finds_the_same(game: Game) -> None:
    start, salt = game.deal(seed(0)), seed(0)
    found = solve(game, start, salt, DEAL_NODES)
    assert found.nodes <= DEAL_NODES
    assert (found.verdict == "won") == bool(found.line)
    if found.verdict == "won":
        assert wins(game, start, found, salt)
        assert found.deepest >= len(found.line)
    again = []

    def search() -> Steps[None]:
        again.append((yield from solve_in_steps(game, start, salt, DEAL_NODES)))

    pauses = len(list(search()))
    assert again == [found]
    assert pauses >= found.nodes // STEP_NODES


@pytest.mark.heavy
def test_small_positions_are_decided_as_a_plain_search_decides_them(game: Game) -> None:
    for number in range(SMALL):
        salt = seed(number)
        start = scattered(game, draw(10_000, game.slug, number))
        positions = reachable(game, start, salt)
        if positions is None:
            continue
        found = solve(game, start, salt, 4 * FEW_POSITIONS)
        assert found.verdict == ("won" if any(map(game.won, positions)) else "lost"), game.write_piles(start)
        if found.verdict == "won":
            assert wins(game, start, found, salt)
        else:
            most_home = max(map(game.home, positions))
            assert found.home <= most_home if game.declaration.hopeless else found.home == most_home


@pytest.mark.parametrize("version", SOLVER_VERSIONS)
def test_a_version_of_the_solver_always_gives_the_same_answers(version: int) -> None:
    answers = []
    for slug in (*slugs_on(BOOK)[::5], "shah"):
        game, salt = engine.game(slug), seed(0)
        answers.append(repr(solve(game, game.deal(salt), salt, ALL_SEARCHES, version=version)))
    found = sha256("".join(answers).encode()).hexdigest()
    assert found == ANSWERS[version], "raise SOLVER_VERSION if answers change, and write the new ones here"


@pytest.mark.slow
@pytest.mark.parametrize("version", SOLVER_VERSIONS)
def test_from_version_6_on_wide_beams_take_turns_after_the_first_searches(version: int) -> None:
    game, salt = engine.game("pyramid"), deal_seed("pyramid", 0)
    found = solve(game, game.deal(salt), salt, 60_000, positions=40_000, version=version)
    assert (found.verdict, found.nodes) == ("unknown", NODES_UNTIL_FULL[version])


@pytest.mark.heavy
def test_from_version_7_on_nested_rollouts_take_turns_after_wide_beams() -> None:
    game, salt = engine.game("general-sedgewick"), deal_seed("general-sedgewick", 0)
    start = game.deal(salt)
    found = {version: solve(game, start, salt, 90_000, version=version) for version in (6, 7)}
    assert [one.verdict for one in found.values()] == ["unknown", "won"]
    assert wins(game, start, found[7], salt)


def test_a_version_that_this_program_does_not_have_is_refused() -> None:
    game, salt = engine.game("pyramid"), seed(0)
    with pytest.raises(ValueError, match="not 4"):
        solve(game, game.deal(salt), salt, 10, version=4)
