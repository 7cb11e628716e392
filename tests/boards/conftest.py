"""Houses for boards: those in which people play over real sockets."""

from tests.live.conftest import house, small_house
from tests.live.test_nodes import town

__all__ = ["house", "small_house", "town"]
