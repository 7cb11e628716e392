"""Building the library: the rules of every game that can be translated, and the search, as one shared library.

``python -m cadogan.engine.compiled.building`` (``make native``) builds it where a C++ compiler is found, and prints
which games stay in Python, with the reason.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from hashlib import sha256
from pathlib import Path

from cadogan import engine
from cadogan.engine.compiled.rules import namespace_of, translate_game
from cadogan.engine.compiled.values import Untranslatable
from cadogan.engine.game import Game
from cadogan.engine.solver.nested_rollouts import POWERS

FOLDER = Path(__file__).resolve().parent
LIBRARY = FOLDER / "build" / "rules.so"
"""Where `build` puts the library, and where it is looked for."""
FLAGS = ("-std=c++17", "-ffp-contract=off", "-fPIC", "-fvisibility=hidden")
"""Without contraction, a product and a sum are rounded one after the other, as in Python."""
FAST = ("-O2",)
CHECKED = ("-O1", "-g", "-DCADOGAN_CHECKED", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
"""Flags of a library that ends its process at the first access outside its memory, or undefined arithmetic."""
UNITS = 4
"""The games are compiled as so many files, which can be compiled at the same time."""


class NoCompiler(Exception):
    """No C++ compiler is found, or it fails; the message has the reason."""


def find_compiler() -> str | None:
    """Return the C++ compiler: that of the variable CXX, or the first that is found."""
    return next(filter(None, map(shutil.which, [os.environ.get("CXX", ""), "c++", "g++", "clang++"])), None)


@cache
def digest_sources() -> str:
    """Return the hash of everything the library is made from: rules, solver, translator, and its C++."""
    root, hashed = FOLDER.parent, sha256()
    for path in sorted([*root.rglob("*.py"), *root.rglob("*.hpp"), *root.rglob("*.cpp")]):
        name = path.relative_to(root).as_posix()
        if not name.startswith("compiled/build/"):
            hashed.update(f"{name}\0".encode() + sha256(path.read_bytes()).digest())
    return hashed.hexdigest()


def translate_games(games: Iterable[Game]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the C++ of these games, and of those that cannot be translated the reason."""
    texts: dict[str, str] = {}
    refused: dict[str, str] = {}
    for game in games:
        try:
            texts[game.slug] = translate_game(game)
        except Untranslatable as error:
            refused[game.slug] = str(error)
    return texts, refused


def build(target: Path, texts: Mapping[str, str], flags: Sequence[str] = FAST, jobs: int = 1) -> None:
    """Compile the games into one library. Raises NoCompiler."""
    compiler = find_compiler()
    if compiler is None:
        raise NoCompiler("no C++ compiler is found: install g++ or clang++, or name one with CXX")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        slugs = sorted(texts)
        for number in range(UNITS):
            parts = [texts[slug] for slug in slugs[number::UNITS]]
            (folder / f"games_{number}.cpp").write_text("\n".join(['#include "rules.hpp"', *parts]), "utf-8")
        (folder / "index.cpp").write_text(_index(slugs), "utf-8")
        sources = [*sorted(folder.glob("*.cpp")), *sorted((FOLDER / "runtime").glob("*.cpp"))]
        command = [compiler, *FLAGS, *flags, f"-I{FOLDER / 'runtime'}"]
        with ThreadPoolExecutor(jobs) as pool:
            list(
                pool.map(lambda path: _run([*command, "-c", str(path), "-o", str(folder / f"{path.stem}.o")]), sources)
            )
        made = folder / target.name
        _run([*command, "-shared", *map(str, sorted(folder.glob("*.o"))), "-o", str(made)])
        target.parent.mkdir(parents=True, exist_ok=True)
        waiting = target.with_suffix(f".{os.getpid()}")
        shutil.copyfile(made, waiting)
        waiting.replace(target)  # a process that has opened the old library keeps it


def _index(slugs: Sequence[str]) -> str:
    declared = " ".join(f"namespace {namespace_of(slug)} {{ extern const Rules rules; }}" for slug in slugs)
    listed = ", ".join([*(f"&{namespace_of(slug)}::rules" for slug in slugs), "nullptr"])
    return (
        f'#include "door.hpp"\nnamespace cadogan {{\n{declared}\nconst Rules* const ALL_RULES[] = {{{listed}}};\n'
        f'const int ALL_COUNT = {len(slugs)};\nconst char* const DIGEST = "{digest_sources()}";\n'
        f"const Int POWERS[] = {{{', '.join(map(str, POWERS))}}};\n}}\n"
    )


def _run(command: Sequence[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NoCompiler(f"{Path(command[0]).name} failed: {done.stderr.strip()[:2000]}")


def build_all(target: Path) -> int:
    """Compile every game that can be translated, print which cannot, and return how many can. Raises NoCompiler."""
    texts, refused = translate_games(map(engine.game, engine.slugs()))
    for slug, reason in refused.items():
        print(f"{slug} is searched in Python: {reason}")
    build(target, texts, jobs=os.cpu_count() or 1)
    return len(texts)


def main() -> None:
    """Build the library, and print which games it has."""
    try:
        count = build_all(LIBRARY)
    except NoCompiler as error:
        sys.exit(f"The solver stays in Python, which is slower: {error}")
    print(f"{count} games are compiled: {LIBRARY}")


if __name__ == "__main__":
    main()
