"""The scheduler that assigns tests to the workers of pytest-xdist."""

from xdist.scheduler import LoadScopeScheduling

from tests.harness.worker_groups import group_of


class Scheduler(LoadScopeScheduling):  # type: ignore[misc]  # pytest-xdist has no types
    """Assigns single tests to any worker, and all tests of a group to one worker."""

    def _split_scope(self, nodeid: str) -> str:
        return group_of(nodeid)
