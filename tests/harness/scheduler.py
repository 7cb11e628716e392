"""What hands out the tests to the workers of pytest-xdist."""

from xdist.scheduler import LoadScopeScheduling

from tests.harness.worker_groups import group_of


class Scheduler(LoadScopeScheduling):  # type: ignore[misc]  # pytest-xdist has no types
    """Hands out single tests, and the tests of a group to one worker."""

    def _split_scope(self, nodeid: str) -> str:
        return group_of(nodeid)
