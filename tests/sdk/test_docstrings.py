"""The examples in the SDK's docstrings are correct."""

import doctest
from types import ModuleType

import pytest

from cadogan.sdk import http, moves, protocol, ranking, retries, session, text_canvas


@pytest.mark.parametrize(
    "module", [http, moves, protocol, ranking, retries, session, text_canvas], ids=lambda module: module.__name__
)
def test_the_examples_of_a_module_are_correct(module: ModuleType) -> None:
    ran = doctest.testmod(module)
    assert ran.attempted > 0
    assert ran.failed == 0
