"""The libraries that these tests compare with Python; without a C++ compiler the tests are left out."""

import os
from pathlib import Path

import pytest

from cadogan import engine
from cadogan.engine.compiled.building import CHECKED, LIBRARY, build, find_compiler, translate_games
from cadogan.engine.compiled.library import Library, LibraryRefused
from tests.engine.compiled.checked import GAMES
from tests.engine.compiled.small_games import INSIDE


@pytest.fixture(scope="session")
def compiler() -> str:
    if (compiler := find_compiler()) is None:
        pytest.skip("needs a C++ compiler")
    return compiler


@pytest.fixture(scope="session")
def library(compiler: str, tmp_path_factory: pytest.TempPathFactory) -> Library:
    """The library of all games: that of `make native` if it is of these sources, or one built here."""
    try:
        return Library(LIBRARY)
    except LibraryRefused:
        made = tmp_path_factory.mktemp("compiled") / "rules.so"
        build(made, translate_games(map(engine.game, engine.slugs()))[0], jobs=os.cpu_count() or 1)
        return Library(made)


@pytest.fixture(scope="session")
def checked_library_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a library that ends its process where it reads outside its memory or computes what is undefined."""
    if (compiler := find_compiler()) is None or "g++" not in Path(compiler).resolve().name:
        pytest.skip("needs g++, whose sanitizers it uses")
    made = tmp_path_factory.mktemp("checked") / "rules.so"
    build(made, translate_games(map(engine.game, GAMES))[0], CHECKED, jobs=os.cpu_count() or 1)
    return made


@pytest.fixture(scope="session")
def small_library_file(compiler: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a library that has one game of the registry, Golf, and the small games."""
    texts, refused = translate_games([engine.game("golf"), *INSIDE.values()])
    assert not refused
    made = tmp_path_factory.mktemp("small") / "rules.so"
    build(made, texts)
    return made
