"""The other verifier, which the server's is compared with."""

import pytest

from tests.harness.web_verifier import require_library, web_verifier

__all__ = ["web_verifier"]


@pytest.fixture
def beacon_library() -> None:
    """Leaves the test out where the web client cannot verify the rounds of a beacon."""
    require_library()
