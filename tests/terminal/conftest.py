"""Every test of the terminal client begins in English, and calls piles as no particular game does."""

from collections.abc import Iterator

import pytest

from cadogan.terminal.formatting import name_as_in
from cadogan.terminal.words import ENGLISH, use_language


@pytest.fixture(autouse=True)
def fresh_words() -> Iterator[None]:
    """Use the general names of piles, in English, again after a test that has used others."""
    yield
    use_language(ENGLISH)
    name_as_in("")
