"""The groups of tests that one worker of pytest-xdist runs in sequence; other tests run on any free worker.

The groups are defined by paths: the scheduling process knows only the tests' ids, and with pytest 9.2 these no longer
contain a group (`--dist loadgroup` of pytest-xdist 3.8 schedules every test separately).
"""

HEAVY = (
    "tests/benchmarks/",
    "tests/deploy/test_installed_wheel.py",
    "tests/e2e/test_day.py",
    "tests/e2e/test_evening.py",
    "tests/e2e/test_latency.py",
    "tests/e2e/test_shell.py",
    "tests/failure/",
    "tests/gate/test_gate.py",
    "tests/gate/test_lanes.py",
    "tests/server/audit/test_random_forgeries.py",
    "tests/server/audit/test_simulated_day.py",
    "tests/server/http/test_costly_requests.py",
    "tests/server/http/test_floods.py",
    "tests/server/http/test_hostile_clients.py",
    "tests/server/realtime/test_reconnect_storm.py",
    "tests/test_nothing_is_left.py",
    "tests/wire/test_schemathesis.py",
)
"""Tests that load the machine or take very long, like those marked `heavy`: `make test-heavy` runs them one by one."""
HEAVY_WORDS = ("mark.heavy", "looks_well")
"""What the text of a file with other heavy tests has: the marker, or a fixture one of whose parameters is heavy."""
STARTERS = frozenset(
    {
        "aiohttp.test_utils",
        "cadogan.server.cli.serving.workers",
        "subprocess",
        "tests.server.conftest",
        *(
            f"tests.harness.{name}"
            for name in (
                "bus_listeners",
                "clocked_server",
                "drand_server",
                "fixed_server",
                "forked_server",
                "loaded_server",
                "network_proxy",
                "oidc_provider",
                "pgbouncer",
                "push_service",
                "running_server",
                "server_process",
                "several_processes",
                "smtp_server",
                "two_nodes",
                "web_verifier",
                "webhook_receiver",
            )
        ),
    }
)
"""Modules whose use, by a test or its helpers, shows that it starts a process or serves on a socket."""
LONG = ("tests/games/", "tests/terminal/", "tests/web/")
"""Tests that start first, like those marked slow, so that no worker runs one alone at the end."""
ONE_WORKER = (
    "tests/deploy/test_installed_wheel.py",
    "tests/engine/compiled/",
    "tests/server/competitions/evenings/exports/",
)
"""Modules and folders with costly fixtures, which should be created once."""


def group_of(nodeid: str) -> str:
    """Return the name of the group that a test belongs to; its own id if it belongs to none."""
    return next((group for group in ONE_WORKER if nodeid.startswith(group)), nodeid)
