"""The scheduler that assigns tests to the workers of pytest-xdist."""

from typing import Any

from xdist.scheduler import LoadScopeScheduling

from tests.harness.worker_groups import group_of


class Scheduler(LoadScopeScheduling):  # type: ignore[misc]  # pytest-xdist has no types
    """Assigns single tests to any worker, and all tests of a group to one worker."""

    def _split_scope(self, nodeid: str) -> str:
        return group_of(nodeid)

    def schedule(self) -> None:
        """Assign tests to every worker: two at least, since a worker runs a test once it knows the next one."""
        super().schedule()
        for node in self.nodes:
            self._reschedule(node)

    def _reschedule(self, node: Any) -> None:
        """Assign work to a worker. A replacement that is still collecting gets its first work when it has collected."""
        if node in self.registered_collections:
            super()._reschedule(node)

    def remove_node(self, node: Any) -> str | None:
        """Take a worker away, and assign again what it has not run; return the test in which it crashed.

        pytest-xdist 3.8 also assigns again the test that crashed, and groups that are complete, after which the worker
        that gets them waits for ever.
        """
        left = [
            (scope, nodeid)
            for scope, unit in self.assigned_work.pop(node).items()
            for nodeid in unit
            if not unit[nodeid]
        ]
        for scope, nodeid in left[1:]:
            self.workqueue.setdefault(scope, {})[nodeid] = False
        for other in self.assigned_work if left else ():
            self._reschedule(other)
        return left[0][1] if left else None
