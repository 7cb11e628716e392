"""Every example in a docstring of the server runs and gives what it says."""

import doctest
from importlib import import_module
from pkgutil import walk_packages

import pytest

import server

EXAMPLES = {
    example.name: example
    for module in walk_packages(server.__path__, "server.")
    for example in doctest.DocTestFinder().find(import_module(module.name))
    if example.examples
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_in_a_docstring_runs(name: str) -> None:
    report: list[str] = []
    doctest.DocTestRunner(verbose=False).run(EXAMPLES[name], out=report.append)
    assert "".join(report) == ""


def test_the_modules_that_are_hard_to_guess_have_an_example() -> None:
    hard = {"server.eventlog.events", "server.eventlog.projections", "server.fairness.merkle_tree"}
    assert hard <= EXAMPLES.keys()
