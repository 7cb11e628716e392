"""Which tests one worker of pytest-xdist runs, one after another; all others go to whichever worker is free.

The groups are given by paths: the process that hands out the tests knows only their ids, and with pytest 9.2 these no
longer name a group (`--dist loadgroup` of pytest-xdist 3.8 hands out every test by itself).
"""

HEAVY = (
    "tests/benchmarks/",
    "tests/failure/",
    "tests/server/http/test_hostile_clients.py",
    "tests/server/realtime/test_reconnect_storm.py",
    "tests/test_nothing_is_left.py",
)
"""Tests that load the machine or measure seconds: no two of them run at the same time."""
LONG = (
    "tests/server/audit/test_day_on_two_nodes.py",
    "tests/server/audit/test_simulated_day.py",
    "tests/terminal/",
    "tests/web/",
    "tests/wire/test_schemathesis.py",
)
"""Tests that take long and would come last: they begin first, so that no worker is left alone with one at the end."""
ONE_WORKER = ("tests/deploy/test_installed_wheel.py",)
"""Modules whose fixtures cost much and are made once."""


def group_of(nodeid: str) -> str:
    """Return the name of the group that a test belongs to: its own id where it belongs to none."""
    if nodeid.startswith(HEAVY):
        return "heavy"
    return nodeid.partition("::")[0] if nodeid.startswith(ONE_WORKER) else nodeid
