"""Houses in which days are played: one, or two that keep one log."""

from tests.live.conftest import house, small_house
from tests.live.test_nodes import town

__all__ = ["house", "small_house", "town"]
