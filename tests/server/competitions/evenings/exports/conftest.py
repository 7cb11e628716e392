"""The evenings that the tests of this folder share, a copy of each for every test, and the other verifier."""

from pathlib import Path

import pytest

from tests.harness.exported_evenings import Exported
from tests.harness.web_verifier import beacon_library, web_verifier
from tests.server.competitions.evenings.exports.played import (
    whole_arena,
    whole_certified,
    whole_evening,
    whole_match,
    whole_teams,
)

__all__ = [
    "beacon_library",
    "web_verifier",
    "whole_arena",
    "whole_certified",
    "whole_evening",
    "whole_match",
    "whole_teams",
]


@pytest.fixture
def evening(whole_evening: Exported, tmp_path: Path) -> Exported:
    """An evening of three rounds."""
    return whole_evening.copy_to(tmp_path / "evening")


@pytest.fixture
def arena(whole_arena: Exported, tmp_path: Path) -> Exported:
    """An arena of four people."""
    return whole_arena.copy_to(tmp_path / "arena")


@pytest.fixture
def match(whole_match: Exported, tmp_path: Path) -> Exported:
    """A match of one deal between Ada and Bob."""
    return whole_match.copy_to(tmp_path / "match")


@pytest.fixture
def teams(whole_teams: Exported, tmp_path: Path) -> Exported:
    """An evening with two teams, an extended round and a void one."""
    return whole_teams.copy_to(tmp_path / "teams")


@pytest.fixture
def certified(whole_certified: Exported, tmp_path: Path) -> Exported:
    """An evening of two certified deals whose cards follow from a beacon."""
    return whole_certified.copy_to(tmp_path / "certified")
