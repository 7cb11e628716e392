"""The build step of the wheel changes imports and docstrings, and refuses what it cannot change."""

from pathlib import Path

import pytest

from cadogan.checkout import PACKAGES
from deploy.wheel import CannotRename, PublicNames, gather


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    """A build folder with an empty module or two in every package."""
    for name in ("cadogan/checkout", "engine/cards", "server/app", "clients/wire/codec", "migrations/env"):
        file = tmp_path / f"{name}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    for package in ("bots", "sdk", "terminal", "web"):
        (tmp_path / "clients" / package).mkdir()
    (tmp_path / "clients" / "__init__.py").touch()
    (tmp_path / "cadogan" / "checkout.py").write_text(f"PACKAGES = {PACKAGES!r}", "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("from cadogan.engine.cards import card, text\n", "from cadogan.engine.cards import card, text\n"),
        ("from cadogan.engine import cards as faces\n", "from cadogan.engine import cards as faces\n"),
        ("import engine\n", "from cadogan import engine\n"),
        ("import migrations\n", "from cadogan import migrations\n"),
        ("from cadogan import wire\n", "from cadogan import wire\n"),
        ("from cadogan.wire import codec\n", "from cadogan.wire import codec\n"),
        (
            "def load():\n    import engine; import server\n",
            "def load():\n    from cadogan import engine; from cadogan import server\n",
        ),
        ("from cadogan.cli import main\n", "from cadogan.cli import main\n"),
        ("import sqlalchemy.engine\n", "import sqlalchemy.engine\n"),
        ("from enginery import engine\n", "from enginery import engine\n"),
    ],
)
def test_an_import_takes_the_public_name(packages: Path, source: str, expected: str) -> None:
    assert PublicNames(PACKAGES, packages).rewrite(source, "module.py") == expected


def test_several_imports_on_several_lines_are_all_changed(packages: Path) -> None:
    source = "from cadogan.engine.cards import (\n    card,\n    text,\n)\nfrom server import app\nimport engine\n"
    assert PublicNames(PACKAGES, packages).rewrite(source, "module.py") == (
        "from cadogan.engine.cards import (\n    card,\n    text,\n)\n"
        "from cadogan.server import app\nfrom cadogan import engine\n"
    )


def test_a_docstring_names_modules_by_their_public_names(packages: Path) -> None:
    source = '''"""See `cadogan.engine.cards.card`, and engine/cards.py.

The engine.Then the file server.log.

>>> from cadogan.engine import cards
"""
TEXT = """See cadogan.engine.cards."""
'''
    assert (
        PublicNames(PACKAGES, packages).rewrite(source, "module.py")
        == '''"""See `cadogan.engine.cards.card`, and engine/cards.py.

The engine.Then the file server.log.

>>> from cadogan.engine import cards
"""
TEXT = """See cadogan.engine.cards."""
'''
    )


@pytest.mark.parametrize(
    "source",
    [
        "import cadogan.engine.cards",
        "import cadogan.engine.cards as faces",
        "import engine as rules",
        "import engine, os",
        "import clients",
        "from cadogan import friends",
        "from cadogan import sdk, friends",
        "from cadogan import *",
        "from . import cards",
        "from .cards import card",
        "from  engine import cards",
        "é = 1; from cadogan.engine import cards",
        "import_module('cadogan.engine.cards')",
        "import_module(f'cadogan.engine.cards.{name}')",
        "run('-m', 'cadogan.server.app')",
        "load('cadogan.server.app:make_app')",
    ],
)
def test_what_cannot_be_changed_with_certainty_stops_the_build(packages: Path, source: str) -> None:
    (packages / "server" / "app.py").write_text(f"name = ''\n{source}\n", "utf-8")
    with pytest.raises(CannotRename, match=r"server/app\.py:2: "):
        gather(packages)


def test_a_file_name_is_not_taken_for_a_module(packages: Path) -> None:
    source = "LOG = 'server.log'\n"
    assert PublicNames(PACKAGES, packages).rewrite(source, "module.py") == source


def test_after_the_build_step_only_cadogan_is_left(packages: Path) -> None:
    gather(packages)
    assert [path.name for path in packages.iterdir()] == ["cadogan"]
    public_names = {path.name for path in (packages / "cadogan").iterdir()}
    assert {f"cadogan.{name}" for name in public_names} == set(PACKAGES.values())


@pytest.mark.parametrize("folder", ["clients/watch", "crowd"])
def test_a_package_without_a_public_name_stops_the_build(packages: Path, folder: str) -> None:
    (packages / folder).mkdir()
    (packages / folder / "main.py").touch()
    with pytest.raises(CannotRename, match=rf"{folder}/main\.py: this package has no public name"):
        gather(packages)
