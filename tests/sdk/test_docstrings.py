"""The examples in the SDK's docstrings are so."""

import doctest
from types import ModuleType

import pytest

from clients.sdk import conversation, http, moves, picture, session


@pytest.mark.parametrize("module", [conversation, http, moves, picture, session], ids=lambda module: module.__name__)
def test_the_examples_of_a_module_are_so(module: ModuleType) -> None:
    ran = doctest.testmod(module)
    assert ran.attempted > 0
    assert ran.failed == 0
