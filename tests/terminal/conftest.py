"""Every test of the terminal client begins in English."""

from collections.abc import Iterator

import pytest

from cadogan.terminal.words import ENGLISH, use_language


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    """Use English again after a test in another language."""
    yield
    use_language(ENGLISH)
