"""The examples in the terminal client's docstrings are correct."""

import doctest
from types import ModuleType

import pytest

from cadogan.terminal import formatting, harmless_text, html_to_markdown, list_screen, words
from cadogan.terminal.lobby import races


@pytest.mark.parametrize(
    "module",
    [formatting, harmless_text, html_to_markdown, list_screen, races, words],
    ids=lambda module: module.__name__,
)
def test_the_examples_of_a_module_are_correct(module: ModuleType) -> None:
    ran = doctest.testmod(module)
    assert ran.attempted > 0
    assert ran.failed == 0
