"""Every example in a docstring of the server runs and gives what it says."""

import doctest
from importlib import import_module
from pkgutil import walk_packages

from cadogan import server

EXAMPLES = {
    example.name: example
    for module in walk_packages(server.__path__, "cadogan.server.")
    for example in doctest.DocTestFinder().find(import_module(module.name))
    if example.examples
}


def test_the_examples_in_docstrings_run() -> None:
    report: list[str] = []
    for example in EXAMPLES.values():
        doctest.DocTestRunner(verbose=False).run(example, out=report.append)
    assert "".join(report) == ""


def test_the_modules_that_are_hard_to_guess_have_an_example() -> None:
    hard = {
        "cadogan.server.core.eventlog.events",
        "cadogan.server.core.eventlog.projections",
        "cadogan.server.core.fairness.log_root",
    }
    assert hard <= EXAMPLES.keys()
