"""Racecourses: a house of its own, or two that keep one log, and people who race in it."""

from tests.live.conftest import house, small_house, told_by_hand
from tests.live.test_nodes import town

__all__ = ["house", "small_house", "told_by_hand", "town"]
