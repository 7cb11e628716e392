"""How many small bugs the tests notice: bugs are put in one at a time, and the tests of their area run.

    pip install -e '.[dev,mutants]'
    python -m benchmarks.mutants --minutes 60 --workers 2 [--seed 1] [AREA...]

Cosmic Ray says where a bug can be put in and writes it: a comparison turned round, a number one higher, a condition
denied, a loop that never runs. A sample is drawn of every area, and the areas take turns until the time is over. Each
worker has a copy of the tracked files of its own. The result is the share noticed of each area, and every bug that no
test noticed, as the line before and after.

Not every survivor is a gap in the tests: some change nothing that anybody could see. Read each one.
"""

import argparse
import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory

from cosmic_ray import plugins
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code

ROOT = Path(__file__).parent.parent
GAMES = ("klondike", "quatorze", "sly", "queens", "labyrinth", "maze", "sultan", "zodiac", "fortress", "la_belle_lucie")
IN_ANNOTATIONS = ("annassign", "tfpdef")
"""Types say nothing when the program runs: mypy checks them."""
REPLACEMENTS = (
    *("Eq_NotEq", "NotEq_Eq", "Is_IsNot", "IsNot_Is"),
    *("Lt_LtE", "LtE_Lt", "Gt_GtE", "GtE_Gt"),
    *("Add_Sub", "Sub_Add", "Mul_FloorDiv", "FloorDiv_Mul", "Mod_FloorDiv"),
    *("BitAnd_BitOr", "BitOr_BitAnd", "LShift_RShift", "RShift_LShift"),
)
"""Of all operators that one could put for another, those that an engineer mixes up."""
OTHERS = (
    *(
        "AddNot",
        "NumberReplacer",
        "ReplaceTrueWithFalse",
        "ReplaceFalseWithTrue",
        "ReplaceAndWithOr",
        "ReplaceOrWithAnd",
    ),
    *("ReplaceBreakWithContinue", "ReplaceContinueWithBreak", "ZeroIterationForLoop"),
    *("ReplaceUnaryOperator_Delete_Not", "ReplaceUnaryOperator_USub_UAdd", "ReplaceUnaryOperator_Delete_USub"),
)
NOTICED, SURVIVED, SLOW, NO_PROGRAM = "noticed", "survived", "noticed by time", "no program"


@dataclass(frozen=True)
class Area:
    """Modules, and the arguments for pytest that run their tests, the quickest first.

    In the arguments, `{module}` stands for the name of the module, and `{slug}` for the slug of the game in it.
    """

    modules: tuple[str, ...]
    tests: tuple[str, ...]


AREAS = {
    "audit": Area(("server/audit",), ("tests/server/audit", "--ignore=tests/server/audit/test_simulated_day.py")),
    "visibility": Area(
        ("server/games/visibility.py", "server/play/access.py", "server/play/spectating.py"),
        ("tests/server/games", "tests/server/play", "tests/server/competitions"),
    ),
    "game state": Area(
        ("server/games/game_state.py", "server/games/position.py", "server/games/scoring.py"),
        ("tests/server/games", "tests/server/play/test_game_commands.py", "tests/server/competitions/daily"),
    ),
    "fairness": Area(
        ("server/fairness",),
        ("tests/server/fairness", "tests/server/operations/test_merkle_roots.py", "tests/server/competitions/daily"),
    ),
    "store": Area(("server/storage", "server/eventlog"), ("tests/server/eventlog", "tests/server/storage")),
    "bus": Area(("server/cluster",), ("tests/server/cluster",)),
    "leaderboards": Area(("server/leaderboards",), ("tests/server/leaderboards",)),
    "kernel": Area(
        ("engine/table.py", "engine/game.py", "engine/move_generation.py", "engine/relations.py", "engine/parts.py"),
        ("tests/engine", "tests/games"),
    ),
    "games": Area(tuple(f"engine/games/{game}.py" for game in GAMES), ("tests/games", "-k", "{module} or {slug}")),
}


@dataclass(frozen=True)
class Mutant:
    """One bug: where it is put in, by which operator of Cosmic Ray, and at which of the operator's places."""

    area: str
    module: str
    line: int
    operator: str
    occurrence: int


@dataclass
class Tally:
    """What became of the bugs of one area."""

    tried: int = 0
    noticed: int = 0
    survivors: list[str] = field(default_factory=list)


def find_mutants(area: str) -> Iterator[Mutant]:
    """Yield every bug that can be put into the modules of an area."""
    for name in AREAS[area].modules:
        for path in sorted((ROOT / name).glob("*.py")) or [ROOT / name]:
            tree = get_ast(path.read_text("utf-8"))
            for operator_name in filter(is_likely, plugins.operator_names()):
                operator = plugins.get_operator(operator_name)()
                positions = ((node, place) for node in ast_nodes(tree) for place in operator.mutation_positions(node))
                for occurrence, (node, (start, _)) in enumerate(positions):
                    if not is_declared(node):
                        yield Mutant(area, path.relative_to(ROOT).as_posix(), start[0], operator_name, occurrence)


def is_likely(operator: str) -> bool:
    """Whether an engineer makes the mistake that this operator of Cosmic Ray makes."""
    _, _, name = operator.partition("/")
    return name in OTHERS or name.endswith(tuple(f"Operator_{pair}" for pair in REPLACEMENTS))


def is_declared(node: object) -> bool:
    """Whether a node of the syntax tree is part of a type or of a decorator, where a bug shows at once or never."""
    while (parent := getattr(node, "parent", None)) is not None:
        if parent.type == "decorator":
            return True
        if parent.type in IN_ANNOTATIONS and node is not parent.children[0]:
            return "=" not in [getattr(child, "value", "") for child in parent.children] or node is parent.children[1]
        if parent.type == "funcdef" and node in parent.children[2:-1]:
            return node is not parent.children[2]
        node = parent
    return False


def mutated(source: str, mutant: Mutant) -> str:
    """Return the source with the bug. Raises LookupError if there is no such place in it."""
    code: str | None = mutate_code(source, plugins.get_operator(mutant.operator)(), mutant.occurrence)
    if code is None:
        raise LookupError(mutant)
    return code


def difference(before: str, after: str) -> str:
    """Return the first line that differs, before and after."""
    for old, new in zip_longest(before.splitlines(), after.splitlines(), fillvalue=""):
        if old != new:
            return f"    - {old.strip()}\n    + {new.strip()}"
    return "    (nothing changed)"


class Workspace:
    """A copy of the tracked files, in which one bug at a time is tried."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True)
        for name in filter(None, tracked.stdout.split("\0")):
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, target)

    def run_tests(self, area: str, module: str, limit_seconds: float) -> str:
        """Run the tests of a module until one fails, and return what became of the bug."""
        name = Path(module).stem
        arguments = [part.format(module=name, slug=name.replace("_", "-")) for part in AREAS[area].tests]
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *arguments]
        try:
            done = subprocess.run(
                command, cwd=self.folder, env=os.environ, capture_output=True, timeout=limit_seconds, check=False
            )
        except subprocess.TimeoutExpired:
            return SLOW
        return NOTICED if done.returncode else SURVIVED

    def try_mutant(self, mutant: Mutant, limit_seconds: float) -> tuple[str, str]:
        """Put the bug in, run the tests, take it out again. Return what became of it, and the changed line."""
        path = self.folder / mutant.module
        before = path.read_text("utf-8")
        after = mutated(before, mutant)
        try:
            compile(after, mutant.module, "exec")
        except SyntaxError:
            return NO_PROGRAM, ""
        path.write_text(after, "utf-8")
        try:
            return self.run_tests(mutant.area, mutant.module, limit_seconds), difference(before, after)
        finally:
            path.write_text(before, "utf-8")


def measure_limits(workspace: Workspace, areas: Sequence[str]) -> dict[str, float]:
    """Return how many seconds the tests of each area may take. Raises SystemExit if they fail without any bug."""
    limits = {}
    for area in areas:
        started = time.monotonic()
        if workspace.run_tests(area, AREAS[area].modules[0], 900) != SURVIVED:
            raise SystemExit(f"The tests of the area {area!r} fail, or hang, without any bug put in: mend them first.")
        seconds = time.monotonic() - started
        limits[area] = 30 + 4 * seconds
        print(f"{area}: its tests take {seconds:.0f} s", flush=True)
    return limits


def take_turns(areas: Sequence[str], rng: random.Random) -> Iterator[Mutant]:
    """Yield the bugs of all areas in random order, one of each area after another."""
    shuffled = []
    for area in areas:
        mutants = list(find_mutants(area))
        rng.shuffle(mutants)
        shuffled.append(mutants)
    for turn in zip_longest(*shuffled):
        yield from filter(None, turn)


def try_until(
    mutants: Iterator[Mutant], workspaces: SimpleQueue[Workspace], limits: dict[str, float], deadline: float
) -> Iterator[tuple[Mutant, str, str]]:
    """Yield what became of each bug, until the time (of `time.monotonic`) is over."""
    workers = workspaces.qsize()

    def run(mutant: Mutant) -> tuple[Mutant, str, str]:
        workspace = workspaces.get()
        try:
            return mutant, *workspace.try_mutant(mutant, limits[mutant.area])
        finally:
            workspaces.put(workspace)

    with ThreadPoolExecutor(workers) as pool:
        while time.monotonic() < deadline:
            batch = [mutant for _, mutant in zip(range(workers * 4), mutants, strict=False)]
            if not batch:
                return
            yield from pool.map(run, batch)


def print_table(tallies: dict[str, Tally]) -> None:
    """Print the share noticed of each area and of all, and every survivor."""
    for area, tally in tallies.items():
        if tally.tried:
            print(f"{area:14} {tally.noticed:4} of {tally.tried:4} noticed ({tally.noticed / tally.tried:.0%})")
    tried, noticed = (sum(getattr(tally, name) for tally in tallies.values()) for name in ("tried", "noticed"))
    print(f"{'all':14} {noticed:4} of {tried:4} noticed ({noticed / max(tried, 1):.0%})")
    for tally in tallies.values():
        for survivor in tally.survivors:
            print(survivor)


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("areas", nargs="*", metavar="AREA", help=f"one of: {', '.join(AREAS)} (default: all)")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1, help="another seed draws another sample")
    arguments = parser.parse_args()
    areas = arguments.areas or list(AREAS)
    if unknown := [area for area in areas if area not in AREAS]:
        parser.error(f"unknown area {unknown[0]!r}: choose from {', '.join(AREAS)}")
    tallies = {area: Tally() for area in areas}
    with TemporaryDirectory() as folder:
        spaces = [Workspace(Path(folder) / str(number)) for number in range(arguments.workers)]
        limits = measure_limits(spaces[0], areas)
        workspaces: SimpleQueue[Workspace] = SimpleQueue()
        for space in spaces:
            workspaces.put(space)
        mutants = take_turns(areas, random.Random(arguments.seed))
        deadline = time.monotonic() + 60 * arguments.minutes
        for mutant, fate, change in try_until(mutants, workspaces, limits, deadline):
            tally = tallies[mutant.area]
            tally.tried += fate != NO_PROGRAM
            tally.noticed += fate in (NOTICED, SLOW)
            if fate == SURVIVED:
                tally.survivors.append(f"{mutant.module}:{mutant.line} {mutant.operator}\n{change}")
                print(f"survived: {tally.survivors[-1]}", flush=True)
    print_table(tallies)


if __name__ == "__main__":
    main()
