"""What is heard is compared byte by byte, so it must not depend on how busy this machine is."""

import pytest

from tests.live.conftest import told_by_hand

__all__ = ["told_by_hand"]


@pytest.fixture(autouse=True)
def no_telling_by_itself(told_by_hand: None) -> None:
    """Whatever is told each second is told when a test asks for it."""
