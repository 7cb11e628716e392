"""In a checkout the public names lead to the modules of the checkout themselves."""

import subprocess
import sys
from importlib import import_module

import pytest

from cadogan.checkout import PACKAGES
from tests.harness.patience import long


@pytest.mark.parametrize(
    "name", [*PACKAGES, "cadogan.sdk.errors", "cadogan.engine.games.klondike", "cadogan.server.core.errors"]
)
def test_a_module_is_the_same_under_both_names(name: str) -> None:
    package = max((package for package in PACKAGES if f"{name}.".startswith(f"{package}.")), key=len)
    module = import_module(name)
    assert import_module(PACKAGES[package] + name.removeprefix(package)) is module
    assert module.__name__ == name
    assert module.__spec__ is not None
    assert module.__spec__.name == name


def run(program: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=long()
    ).stdout.strip()


def test_a_class_is_the_same_when_its_public_name_comes_first() -> None:
    program = "from cadogan.sdk.errors import ClientError as a; from cadogan.sdk.errors import ClientError as b"
    assert run(f"{program}; print(a is b)") == "True"


def test_a_public_import_of_a_module_leaves_the_function_of_the_same_name() -> None:
    assert (
        run("import cadogan.engine.game; from cadogan.engine import game; print(game('klondike').slug)") == "klondike"
    )


def test_a_module_that_does_not_exist_is_not_found() -> None:
    with pytest.raises(ModuleNotFoundError, match=r"cadogan\.sdk\.nothing"):
        import_module("cadogan.sdk.nothing")


def test_a_public_name_can_be_run_as_a_program() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "cadogan.bots", "--help"], capture_output=True, text=True, check=True, timeout=long()
    )
    assert ran.stdout.startswith("Usage: python -m cadogan.bots ")
