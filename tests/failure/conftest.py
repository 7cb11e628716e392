"""What the tests of failures share with those of the bus: a NATS server, and the kinds of bus that need a server."""

from tests.bus.conftest import nats_server, nats_url, remote_kind

__all__ = ["nats_server", "nats_url", "remote_kind"]
