"""Which tests a change can reach: by the import graph, and by tables for dependencies that are not imports."""

from collections.abc import Iterable
from fnmatch import fnmatchcase
from itertools import chain
from pathlib import Path, PurePosixPath

import grimp

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("cadogan", "deploy", "benchmarks", "tests")
LINKS = [
    (".".join(link.resolve().relative_to(ROOT).parts), f"cadogan.{link.name}")
    for link in (ROOT / "cadogan").iterdir()
    if link.is_symlink()
]
"""The symbolic links in `cadogan`: the module name of each target folder, and its name in `cadogan`."""
EDGES = {
    "deploy.topology": ("cadogan.__main__",),
    "cadogan.server.cli.main": ("cadogan.server.cli",),
    "cadogan.server.core.database.migrations": ("cadogan.migrations",),
    "tests.benchmarks": ("benchmarks", "cadogan.__main__"),
    "tests.bots.test_evening": ("cadogan.server.subjects.evenings",),
    "tests.deploy.test_installed_wheel": ("cadogan", "deploy"),
    "tests.e2e.test_evening": ("cadogan.server.subjects.evenings",),
    "tests.engine": ("cadogan.engine.games",),
    "tests.failure.test_evening_with_a_killed_node": ("cadogan.server.subjects.evenings",),
    "tests.games": ("cadogan.engine.games",),
    "tests.harness.server_process": ("cadogan.__main__",),
    "tests.harness.web_verifier": ("tests.web",),
}
"""Modules that load or start others by name. A package stands for all its modules."""
PAGES = ("tests.e2e",)
"""Modules that look at the pages of the web client."""
FILES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("tests/flaky.toml", ()),
    ("tests/heavy.toml", ()),
    (
        "docs/winnability/*",
        ("tests.docs.test_winnability", "tests.engine.compiled.test_equality", "tests.engine.solver.test_hopeless"),
    ),
    ("docs/odds/*", ("tests.docs.test_winnability",)),
    ("docs/*", ()),
    *((f"*.{kind}", ()) for kind in ("css", "gif", "ico", "jpg", "md", "png", "svg", "webp")),
    *((name, ()) for name in (".dockerignore", ".gitignore", "Dockerfile", "LICENSE", "docker-compose.yml")),
    *(
        (f"clients/web/js/{part}/*", (*PAGES, "tests.harness.web_verifier"))
        for part in ("hashing", "proof", "transparency")
    ),
    ("clients/web/*", PAGES),
    ("tests/web/*.test.mjs", ()),
)
"""Path patterns, and the modules that read matching files; the first matching pattern counts."""
ALWAYS = (".ci/*", "Makefile", "pyproject.toml", "tests/conftest.py", "tests/gate/*")
"""Files on which every test depends."""


SUBJECTS = (
    "accounts admin analysis audit catalog chat collection evenings leaderboards news players puzzles races ratings"
    " reviews seasons shields transparency"
)
BY_IMPORT_ONLY = tuple(f"cadogan.server.subjects.{subject}" for subject in SUBJECTS.split())
"""Subjects that a heavy test reaches only if a test imports them: each server has them, but no move passes through."""


def build_graph() -> grimp.ImportGraph:
    """Build the import graph of the checkout, and add the dependencies that are not imports."""
    graph = grimp.build_graph(*PACKAGES, cache_dir=None)
    for importer, packages in EDGES.items():
        for imported in set(chain.from_iterable(modules_in(package, graph.modules) for package in packages)):
            graph.add_import(importer=importer, imported=imported)
    for module in chain.from_iterable(modules_in(subject, graph.modules) for subject in BY_IMPORT_ONLY):
        for importer in graph.find_modules_that_directly_import(module):
            if importer.startswith("cadogan.") and not importer.startswith(BY_IMPORT_ONLY):
                graph.remove_import(importer=importer, imported=module)
    return graph


def modules_in(package: str, modules: Iterable[str]) -> list[str]:
    """Return a module and its submodules."""
    return [module for module in modules if module == package or module.startswith(f"{package}.")]


def module_name(path: PurePosixPath) -> str:
    """Return the module name of a path; `cadogan` has symbolic links to the code folders."""
    name = ".".join(path.parts)
    return next(
        (f"{public}{name[len(folder) :]}" for folder, public in LINKS if f"{name}.".startswith(f"{folder}.")), name
    )


def modules_of(path: str, graph: grimp.ImportGraph) -> set[str] | None:
    """Return the modules that a changed file affects; None if it may affect all of them.

    A data file, or a deleted file, affects all modules of its package.
    """
    if any(fnmatchcase(path, pattern) for pattern in ALWAYS):
        return None
    named = next((named for pattern, named in FILES if fnmatchcase(path, pattern)), None)
    if named is None:
        name = module_name(PurePosixPath(path).with_suffix(""))
        if path.endswith(".py") and name in graph.modules:
            named = (name,)
            if name.startswith("tests.") and name in graph.find_upstream_modules("tests.conftest"):
                return None  # tests use its fixtures by name
        else:
            packages = map(module_name, PurePosixPath(path).parents)
            package = next((package for package in packages if package in graph.modules), None)
            if package is None:
                return None
            named = (package,)
    return set(chain.from_iterable(modules_in(module, graph.modules) for module in named))


def first_that_reaches(paths: Iterable[str], tests: Iterable[str], graph: grimp.ImportGraph) -> str:
    """Return the first changed file that can reach one of these test files; empty if none can."""
    reached: set[str] = set()
    for test in map(PurePosixPath, tests):
        folders = [".".join(parent.parts) for parent in test.parents if len(parent.parts) > 1]
        for module in (".".join(test.with_suffix("").parts), *folders, *(f"{folder}.conftest" for folder in folders)):
            if module in graph.modules:
                reached |= {module, *graph.find_upstream_modules(module)}
    for path in paths:
        changed = modules_of(path, graph)
        if changed is None or not reached.isdisjoint(changed):
            return path
    return ""
