"""The other verifier, which the server's is compared with."""

from tests.harness.web_verifier import beacon_library, web_verifier

__all__ = ["beacon_library", "web_verifier"]
