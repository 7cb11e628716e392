"""The library does what Python does: the gate of every build, on every game."""

import gzip
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cadogan import engine
from cadogan.engine.compiled.library import Library
from cadogan.engine.solver import SOLVER_VERSIONS, solve
from cadogan.engine.solver.estimate import turns_home
from cadogan.engine.solver.solution import Verdict
from cadogan.engine.solver.steps import run_steps
from cadogan.engine.solver.winnability import DealResult, deal_seed, read_result
from tests.engine.compiled.comparison import assert_equal_positions

POSITIONS = 1_000
CHECKED_NODES = 1_000
LATE_DEALS: tuple[tuple[str, int, int, dict[int, Verdict]], ...] = (
    ("pyramid", 0, 60_000, {6: "unknown"}),
    ("four-corners", 102, 110_000, {6: "won"}),
    ("general-sedgewick", 0, 90_000, {6: "unknown", 7: "won"}),
    ("pyramid", 0, 400_000, {7: "unknown"}),
    ("blockade", 6, 60_000, {8: "unknown", 9: "won"}),
)
"""Deals in which the later searches have turns, the nodes that are searched, and what some versions say then.

In the last of Pyramid nested rollouts begin with an empty policy again.
"""
SAME_ANSWERS = ((47_250, {5, 6, 7, 8, 9}), (79_250, {6, 7, 8, 9}))
"""With so many nodes these versions are equal, up to the first one that searches the game in another way."""
LATE_NODES = 82_000
"""In the first turn of nested rollouts, which begins after 79,250 nodes."""
MOST_NODES = 20_000
PUBLISHED = Path(__file__).parents[3] / "docs" / "winnability"

pytestmark = pytest.mark.heavy


def published(slug: str) -> list[DealResult]:
    """The published results of a game, as they are with at most `MOST_NODES` nodes."""
    lines = gzip.decompress((PUBLISHED / f"{slug}.jsonl.gz").read_bytes()).decode().splitlines()
    results = [read_result(line) for line in lines]
    short = [one._replace(budget=min(one.budget, MOST_NODES)) for one in results]
    return [
        one if one.nodes <= one.budget else one._replace(verdict="unknown", nodes=one.budget, moves=()) for one in short
    ]


@pytest.mark.parametrize("slug", engine.slugs())
def test_moves_positions_scores_and_estimates_are_equal(library: Library, slug: str) -> None:
    assert_equal_positions(library, engine.game(slug), POSITIONS)


@pytest.mark.parametrize("slug", engine.slugs())
def test_published_deals_have_the_same_verdict_nodes_and_line(library: Library, slug: str) -> None:
    game, results = engine.game(slug), published(slug)
    assert results
    for one in results:
        seed = bytes.fromhex(one.seed)
        found = run_steps(library.solve_in_steps(game, game.deal(seed), seed, one.budget, sys.maxsize, one.solver))
        assert (found.verdict, found.nodes, tuple(map(str, found.line))) == (one.verdict, one.nodes, one.moves), one


@pytest.mark.parametrize("slug", engine.slugs())
def test_depth_and_cards_at_home_are_equal_too(library: Library, slug: str) -> None:
    game, seed = engine.game(slug), bytes.fromhex(published(slug)[0].seed)
    state = game.deal(seed)
    found = run_steps(library.solve_in_steps(game, state, seed, CHECKED_NODES, sys.maxsize))
    assert found == solve(game, state, seed, CHECKED_NODES)


@pytest.mark.parametrize("version", SOLVER_VERSIONS)
@pytest.mark.parametrize(("slug", "deal", "nodes", "verdicts"), LATE_DEALS)
def test_wide_beams_and_nested_rollouts_are_equal_too(
    library: Library, slug: str, deal: int, nodes: int, verdicts: dict[int, Verdict], version: int
) -> None:
    game, seed = engine.game(slug), deal_seed(slug, deal)
    state = game.deal(seed)
    found = run_steps(library.solve_in_steps(game, state, seed, nodes, sys.maxsize, version))
    assert found == solve(game, state, seed, nodes, sys.maxsize, version)
    assert found.verdict == verdicts.get(version, found.verdict)


@pytest.mark.parametrize("slug", engine.slugs()[::3])
def test_versions_give_the_same_answers_before_their_later_searches_begin(library: Library, slug: str) -> None:
    game, seed = engine.game(slug), deal_seed(slug, 0)
    state = game.deal(seed)
    declared = game.declaration
    changed = [
        (8, declared.forgotten),
        (declared.hopeless_since, declared.hopeless),
        (9, declared.covering or turns_home(game, state, 9) != turns_home(game, state, 8)),
    ]
    first_changed = min([version for version, is_other in changed if is_other], default=10)
    for nodes, versions in SAME_ANSWERS:
        same = [version for version in versions if version < first_changed]
        searches = [library.solve_in_steps(game, state, seed, nodes, sys.maxsize, version) for version in same]
        first, *others = map(run_steps, searches)
        assert all(one == first for one in others)


@pytest.mark.parametrize("slug", ["clock", "fifteen", "golf", "klondike", "nestor", "queens", "wheel", "zodiac"])
def test_nested_rollouts_of_games_with_all_kinds_of_moves_are_equal_too(library: Library, slug: str) -> None:
    game, seed = engine.game(slug), deal_seed(slug, 0)
    state = game.deal(seed)
    found = run_steps(library.solve_in_steps(game, state, seed, LATE_NODES, sys.maxsize))
    assert found == solve(game, state, seed, LATE_NODES)


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    slug=st.sampled_from(engine.slugs()),
    seed=st.binary(min_size=32, max_size=32),
    played=st.lists(st.integers(min_value=0, max_value=10_000), max_size=40),
    nodes=st.integers(min_value=1, max_value=600),
    positions=st.sampled_from((300, sys.maxsize)),
    version=st.sampled_from(SOLVER_VERSIONS),
)
def test_any_position_of_any_deal_gets_the_same_answer(
    library: Library, slug: str, seed: bytes, played: list[int], nodes: int, positions: int, version: int
) -> None:
    game = engine.game(slug)
    state = game.deal(seed)
    for number in played:
        if not (legal := game.legal_moves(state)) or game.won(state):
            break
        state = game.play_legal(state, legal[number % len(legal)], seed).state
    found = run_steps(library.solve_in_steps(game, state, seed, nodes, positions, version))
    assert found == solve(game, state, seed, nodes, positions, version)


def test_nothing_is_read_outside_its_memory_and_no_arithmetic_is_undefined(checked_library_file: Path) -> None:
    preloaded = " ".join(
        subprocess.run(["g++", f"-print-file-name={name}"], capture_output=True, text=True, check=True).stdout.strip()
        for name in ("libasan.so", "libstdc++.so.6")
    )
    done = subprocess.run(
        [sys.executable, "-m", "tests.engine.compiled.checked", str(checked_library_file)],
        env={"LD_PRELOAD": preloaded, "ASAN_OPTIONS": "detect_leaks=0", "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
        cwd=PUBLISHED.parents[1],
    )
    assert (done.returncode, done.stderr) == (0, "")
