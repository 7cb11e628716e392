"""The other verifier, which the server's is compared with."""

from collections.abc import Iterator

import pytest

from tests.harness.web_verifier import WebVerifier, require_library


@pytest.fixture(scope="session")
def web_verifier() -> Iterator[WebVerifier]:
    """The web client's verifier, started once: Node takes longer to start than most questions to answer."""
    verifier = WebVerifier()
    with verifier.process:
        yield verifier


@pytest.fixture
def beacon_library() -> None:
    """Leaves the test out where the web client cannot verify the rounds of a beacon."""
    require_library()
