"""The areas of the code that bugs are put into, and the tests that run for each module."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent.parent
VERIFIER = "verifier"
"""The area whose modules are JavaScript."""
_GAMES = (
    "klondike",
    "quatorze",
    "sly",
    "queens",
    "labyrinth",
    "maze",
    "sultan",
    "zodiac",
    "fortress",
    "la_belle_lucie",
)
_OWN_VIEWERS = "test_a_player_follows_the_own_game_over_a_limited_number_of_sockets_and_streams"
_QUICK = ("-m", "not slow and not services")
_OF_THESE_GAMES = "not test_every_game or " + " or ".join(game.replace("_", "-") for game in _GAMES)


class Part(NamedTuple):
    """Modules, or folders of modules, and the arguments that name their tests, the quickest first.

    In the arguments `{module}` stands for the name of the module, and `{slug}` for the slug of the game in it.
    """

    modules: tuple[str, ...]
    tests: tuple[str, ...]


AREAS: dict[str, tuple[Part, ...]] = {
    "audit": (
        Part(
            ("server/audit/game_audit.py", "server/audit/strict_json.py"),
            ("tests/server/audit/test_game_audit.py", "tests/server/audit/test_two_verifiers.py", *_QUICK),
        ),
        Part(
            ("server/audit",),
            ("tests/server/audit/test_recompute_leaderboards.py", "tests/server/audit/test_kept_records.py", *_QUICK),
        ),
    ),
    "visibility": (
        Part(
            ("server/games/visibility.py",),
            ("tests/server/games/test_visibility.py", "tests/server/games/test_game_messages.py"),
        ),
        Part(
            ("server/play/access.py", "server/play/spectating.py"),
            (
                *("tests/server/play/test_spectating.py", "tests/server/play/test_resync.py"),
                *("tests/server/play/test_new_accounts.py", "tests/server/competitions/daily/test_embargo.py"),
                f"tests/server/http/test_floods.py::{_OWN_VIEWERS}",
                *_QUICK,
            ),
        ),
    ),
    "game state": (
        Part(
            ("server/games/game_state.py", "server/games/position.py", "server/games/scoring.py"),
            (
                *("tests/server/games", "tests/server/play/test_game_commands.py"),
                *("tests/server/audit/test_game_audit.py", "tests/server/test_examples.py"),
                *_QUICK,
            ),
        ),
    ),
    "fairness": (
        Part(
            ("server/fairness",),
            (
                *("tests/server/fairness", "tests/server/operations/test_merkle_roots.py"),
                *("tests/server/audit/test_kept_records.py", "tests/server/test_examples.py"),
                *("tests/server/competitions/daily/test_challenges.py", *_QUICK),
            ),
        ),
    ),
    "store": (
        Part(("server/eventlog",), ("tests/server/eventlog", "tests/server/test_examples.py", "tests/server/storage")),
        Part(("server/storage",), ("tests/server/storage", "tests/server/eventlog")),
    ),
    "bus": (Part(("server/cluster",), ("tests/server/test_examples.py", "tests/server/cluster")),),
    "leaderboards": (
        Part(("server/leaderboards",), ("tests/server/leaderboards", "tests/server/test_examples.py", "tests/orders")),
    ),
    "kernel": (
        Part(
            (
                *("engine/table.py", "engine/game.py", "engine/move_generation.py"),
                *("engine/relations.py", "engine/parts.py"),
            ),
            ("tests/engine", "tests/games", "-k", _OF_THESE_GAMES, *_QUICK),
        ),
    ),
    "games": (
        Part(tuple(f"engine/games/{game}.py" for game in _GAMES), ("tests/games", "-k", "{module} or {slug}", *_QUICK)),
    ),
    VERIFIER: (
        Part(("clients/web/js/proof/verify.mjs",), ("tests/web/proof/verify_command.test.mjs",)),
        Part(
            ("clients/web/js/proof", "clients/web/js/hashing"),
            tuple(f"tests/web/proof/{name}.test.mjs" for name in ("position", "findings", "proof", "odd_records")),
        ),
    ),
}


def modules_of(area: str) -> Iterator[str]:
    """Yield the paths of an area's modules, relative to the root of the repository."""
    for part in AREAS[area]:
        for path in part.modules:
            inside = sorted(file for file in (ROOT / path).glob("*") if file.suffix in (".py", ".js", ".mjs"))
            yield from (file.relative_to(ROOT).as_posix() for file in inside or [ROOT / path])


def tests_of(module: str) -> tuple[str, ...]:
    """Return the arguments that run the tests of a module. Raises LookupError for a module of no area."""
    for parts in AREAS.values():
        for part in parts:
            if module in part.modules or Path(module).parent.as_posix() in part.modules:
                name = Path(module).stem
                return tuple(each.format(module=name, slug=name.replace("_", "-")) for each in part.tests)
    raise LookupError(module)
