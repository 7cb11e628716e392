"""Every example in a docstring of the engine runs and gives what it says."""

import doctest
from importlib import import_module
from pkgutil import walk_packages

import pytest

from cadogan import engine

EXAMPLES = {
    example.name: example
    for name in ["cadogan.engine", *(module.name for module in walk_packages(engine.__path__, "cadogan.engine."))]
    for example in doctest.DocTestFinder().find(import_module(name))
    if example.examples
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_in_a_docstring_runs(name: str) -> None:
    report: list[str] = []
    doctest.DocTestRunner(verbose=False).run(EXAMPLES[name], out=report.append)
    assert "".join(report) == ""


def test_the_modules_that_are_hard_to_guess_have_an_example() -> None:
    assert {
        "cadogan.engine",
        "cadogan.engine.cards",
        "cadogan.engine.relations",
        "cadogan.engine.shuffle",
        "cadogan.engine.view.view_pile",
    } <= EXAMPLES.keys()
