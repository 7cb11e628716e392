"""Who searches, the library or Python, and that the answer is the same."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from cadogan import engine
from cadogan.engine import Game, solver
from cadogan.engine.compiled import building, choice
from cadogan.engine.compiled.building import build
from cadogan.engine.compiled.library import Library, LibraryRefused
from cadogan.engine.solver import SOLVER_VERSIONS, Solution
from cadogan.engine.solver.solve import MOST_POSITIONS
from cadogan.engine.solver.steps import run_steps
from cadogan.engine.solver.winnability import deal_seed

SLUG = "golf"
NODES = 1_500


@pytest.fixture(autouse=True)
def _usual_limits() -> Iterator[None]:
    yield
    choice.configure(uses_library=True)


class CountingLibrary(Library):
    """A library that counts the searches that it is asked for."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.asked = 0

    def has(self, game: Game) -> bool:
        self.asked += super().has(game)
        return super().has(game)


@pytest.fixture
def golf_library(small_library_file: Path, monkeypatch: pytest.MonkeyPatch) -> CountingLibrary:
    library = CountingLibrary(small_library_file)
    monkeypatch.setattr(choice, "find_library", lambda: (library, ""))
    return library


def search(slug: str, nodes: int = NODES, positions: int = MOST_POSITIONS) -> tuple[Solution, Solution]:
    """Search a deal by choice and in Python."""
    game, seed = engine.game(slug), deal_seed(slug, 0)
    state = game.deal(seed)
    return choice.solve(game, state, seed, nodes, positions), solver.solve(game, state, seed, nodes, positions)


@pytest.mark.slow
def test_the_library_searches_a_game_that_it_has(golf_library: CountingLibrary) -> None:
    chosen, python = search(SLUG)
    assert chosen == python
    assert golf_library.asked


@pytest.mark.slow
def test_python_searches_a_game_that_the_library_does_not_have(golf_library: CountingLibrary) -> None:
    chosen, python = search("klondike", 300)
    assert chosen == python
    assert not golf_library.asked
    assert choice.games_in_python() == [slug for slug in engine.slugs() if slug != SLUG]


@pytest.mark.slow
@pytest.mark.parametrize("slug", [SLUG, "klondike"])
def test_library_and_python_search_only_by_a_version_that_this_program_has(
    golf_library: CountingLibrary, slug: str
) -> None:
    game, seed = engine.game(slug), deal_seed(slug, 0)
    for version in SOLVER_VERSIONS:
        assert choice.solve(game, game.deal(seed), seed, 100, version=version).nodes == 100
    with pytest.raises(ValueError, match="not 4"):
        choice.solve(game, game.deal(seed), seed, 100, version=4)


@pytest.mark.slow
def test_python_searches_another_game_under_the_name_of_a_game(golf_library: CountingLibrary) -> None:
    rules = engine.game(SLUG)
    other = Game(SLUG, replace(rules.declaration, won=lambda position: True, maximum=0, score=lambda position: 0))
    assert choice.solve(other, rules.deal(bytes(32)), bytes(32), 100).verdict == "won"


@pytest.mark.slow
@pytest.mark.parametrize("positions", [100, 1_000, 4_000])
def test_both_say_unknown_when_the_positions_do_not_fit(golf_library: CountingLibrary, positions: int) -> None:
    chosen, python = search(SLUG, 20_000, positions)
    assert chosen == python
    assert chosen.verdict == "unknown"
    assert chosen.nodes < 20_000


@pytest.mark.slow
def test_a_search_pauses_and_can_be_given_up(golf_library: CountingLibrary) -> None:
    game, seed = engine.game(SLUG), deal_seed(SLUG, 0)
    steps = choice.solve_in_steps(game, game.deal(seed), seed, 20_000)
    next(steps)
    next(steps)
    steps.close()
    assert run_steps(choice.solve_in_steps(game, game.deal(seed), seed, NODES)).nodes == NODES


@pytest.mark.slow
def test_a_library_of_other_sources_is_refused(small_library_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cadogan.engine.compiled.library.digest_sources", lambda: "other")
    with pytest.raises(LibraryRefused, match="other rules or another solver"):
        Library(small_library_file)


def test_a_file_that_is_no_library_is_refused(tmp_path: Path) -> None:
    (tmp_path / "rules.so").write_bytes(b"no library")
    with pytest.raises(LibraryRefused):
        Library(tmp_path / "rules.so")


def test_without_a_library_python_searches_and_every_game_is_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(LibraryRefused) as refused:
        Library(tmp_path / "rules.so")
    monkeypatch.setattr(choice, "find_library", lambda: (None, str(refused.value)))
    chosen, python = search(SLUG, 200)
    assert chosen == python
    assert choice.games_in_python() == list(engine.slugs())
    assert "there is no library" in choice.find_library()[1]


def test_python_searches_where_the_settings_say_so() -> None:
    choice.configure(uses_library=False)
    assert choice.find_library() == (None, "the settings say so")


def test_the_settings_bound_the_memory_of_a_search() -> None:
    choice.configure(uses_library=False, positions=100)
    game, seed = engine.game(SLUG), deal_seed(SLUG, 0)
    found = choice.solve(game, game.deal(seed), seed, 20_000)
    assert found == solver.solve(game, game.deal(seed), seed, 20_000, positions=100)
    assert found.nodes < 1_000


def test_without_a_compiler_nothing_is_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "find_compiler", lambda: None)
    with pytest.raises(building.NoCompiler, match="install"):
        build(tmp_path / "rules.so", {})
