"""What the tests of the monitor share."""

from tests.server.monitor.lived import lived, watched_day

__all__ = ["lived", "watched_day"]
