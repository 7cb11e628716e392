"""Every example in a docstring runs and gives what it says."""

import doctest
from importlib import import_module
from pkgutil import walk_packages

import pytest

from cadogan.terminal.formatting import name_as_in

NEEDED = {
    "engine": ("", ".cards", ".relations", ".shuffle", ".view"),
    "sdk": (".http", ".moves", ".protocol", ".ranking", ".retries", ".session", ".text_canvas"),
    "server": (".core.eventlog.events", ".core.eventlog.projections", ".core.fairness.log_root"),
    "terminal": (".formatting", ".harmless_text", ".html_to_markdown", ".list_screen", ".lobby.races", ".words"),
}
"""Modules that are hard to guess and need an example, by package."""


@pytest.mark.slow
def test_the_examples_in_docstrings_are_right_and_what_is_hard_to_guess_has_one() -> None:
    name_as_in("")  # another test of this process may have shown a game
    report: list[str] = []
    shown = set()
    for package in NEEDED:
        name = f"cadogan.{package}"
        inside = walk_packages(import_module(name).__path__, f"{name}.")
        for module in map(import_module, [name, *(found.name for found in inside)]):
            for examples in doctest.DocTestFinder().find(module):
                doctest.DocTestRunner(verbose=False).run(examples, out=report.append)
                shown |= {module.__name__} if examples.examples else set()
    assert "".join(report) == ""
    assert {f"cadogan.{package}{module}" for package, modules in NEEDED.items() for module in modules} <= shown
