"""The one place that chooses between the library and Python, whose answers are the same.

Where there is no library, where it is of other rules, and where a game is not in it, Python searches.
"""

from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from cadogan.engine import registry, solver
from cadogan.engine.compiled.building import LIBRARY
from cadogan.engine.compiled.library import Library, LibraryRefused, SearchFailed
from cadogan.engine.errors import UnknownGame
from cadogan.engine.game import Game
from cadogan.engine.solver.solution import SOLVER_VERSION, Solution
from cadogan.engine.solver.solve import MOST_POSITIONS
from cadogan.engine.solver.steps import Steps, run_steps
from cadogan.engine.state import State


@dataclass
class _Limits:
    uses_library: bool = True
    positions: int = MOST_POSITIONS


_limits = _Limits()


def configure(uses_library: bool, positions: int = MOST_POSITIONS) -> None:
    """Say for this process whether a library is used, and how many positions a search remembers at most."""
    _limits.uses_library, _limits.positions = uses_library, positions


def solve(
    game: Game,
    state: State,
    seed: bytes,
    nodes: int,
    positions: int | None = None,
    version: int = SOLVER_VERSION,
) -> Solution:
    """Do the same as `cadogan.engine.solver.solve`; `positions` is by default that of `configure`."""
    return run_steps(solve_in_steps(game, state, seed, nodes, positions, version))


def solve_in_steps(
    game: Game,
    state: State,
    seed: bytes,
    nodes: int,
    positions: int | None = None,
    version: int = SOLVER_VERSION,
) -> Steps[Solution]:
    """Do the same as `cadogan.engine.solver.solve_in_steps`, with other pauses."""
    positions = _limits.positions if positions is None else positions
    library = find_library()[0]
    if library is not None and library.has(game) and _is_registered(game):
        try:
            return (yield from library.solve_in_steps(game, state, seed, nodes, positions, version))
        except SearchFailed:
            pass  # Python answers, or raises the error
    return (yield from solver.solve_in_steps(game, state, seed, nodes, positions, version))


def find_library() -> tuple[Library | None, str]:
    """Return the library, or None and the reason why Python searches.

    It is opened once in each process, and looked for again when the file has changed.
    """
    return _open_library(_changed_at(LIBRARY)) if _limits.uses_library else (None, "the settings say so")


def _changed_at(path: Path) -> int:
    """Return when a file was changed last, in nanoseconds; 0 if there is none."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


@lru_cache(maxsize=1)
def _open_library(changed_at: int) -> tuple[Library | None, str]:
    try:
        return Library(LIBRARY), ""
    except LibraryRefused as refused:
        return None, str(refused)


def games_in_python() -> list[str]:
    """Return the games, by name, that Python searches."""
    library = find_library()[0]
    return [slug for slug in registry.slugs() if library is None or not library.has(registry.game(slug))]


def _is_registered(game: Game) -> bool:
    """Whether this is the game of that name, and not another one under its name."""
    try:
        return _registered(game.slug).declaration is game.declaration
    except UnknownGame:
        return False


@cache
def _registered(slug: str) -> Game:
    return registry.game(slug)
