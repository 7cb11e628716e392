"""A house over SQLite."""

from tests.live.conftest import small_house

__all__ = ["small_house"]
