"""A change runs every heavy lane that it can reach, and the report names the reason for each skipped lane."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.gate import lanes
from tests.gate.reach import build_graph, first_that_reaches

pytestmark = pytest.mark.slow

REACHED = {
    "docs/api.md": "",
    "clients/web/style/board.css": "",
    "engine/games/klondike.md": "",
    "tests/flaky.toml": "",
    "tests/e2e/test_axe.py": "",
    "clients/bots/runner.py": "",
    "clients/web/js/main.js": "",
    "clients/web/js/proof/verify.js": "audit",
    "tests/web/verdicts.mjs": "audit",
    "benchmarks/solver.py": "benchmarks",
    "tests/harness/raw_client.py": "failure http",
    "engine/games/klondike.py": "",
    "engine/solver/solve.py": "audit benchmarks failure http realtime wire",
    "server/subjects/chat/reactions.py": "",
    "server/subjects/races/race_state.py": "audit failure wire",
    "server/subjects/evenings/evenings.py": "failure",
    "server/subjects/audit/game_audit.py": "audit benchmarks",
    "server/subjects/games/game_commands.py": "audit benchmarks failure http realtime wire",
    "server/core/storage/sql_store.py": "audit benchmarks failure http realtime wire",
    "server/core/storage/a_file_that_is_gone.py": "audit benchmarks failure http realtime wire",
    "server/cli/serving/supervisor.py": "audit benchmarks failure http",
    "migrations/versions/0001_the_first_tables.py": "audit benchmarks failure http realtime wire",
    "clients/wire/data.json": "audit benchmarks failure http realtime wire",
    "tests/harness/databases.py": "audit benchmarks failure http realtime wire",
    "pyproject.toml": "audit benchmarks failure http realtime wire",
    "a/new/folder": "audit benchmarks failure http realtime wire",
}
"""For each changed file, which of these folders it reaches."""
FOLDERS = ("server/audit", "benchmarks", "failure", "server/http", "server/realtime", "wire")


def test_a_changed_file_reaches_the_heavy_tests_that_import_start_or_read_it() -> None:
    graph = build_graph()
    files = {lane.name: lane.tests for lane in lanes.heavy_lanes()}
    found = {
        path: " ".join(
            name.rpartition("/")[2] for name in FOLDERS if first_that_reaches([path], files[f"tests/{name}"], graph)
        )
        for path in REACHED
    }
    assert found == REACHED


def test_a_file_whose_fixture_has_heavy_parameters_is_in_its_lane() -> None:
    (lane,) = (lane for lane in lanes.heavy_lanes() if lane.name == "tests/e2e")
    assert "tests/e2e/test_admin.py" in lane.tests


def test_changed_results_of_searches_reach_the_heavy_tests_that_check_them() -> None:
    graph = build_graph()
    files = {lane.name: lane.tests for lane in lanes.heavy_lanes()}
    results = "docs/winnability/fortress.jsonl.gz"
    for name in ("tests/docs", "tests/engine/compiled"):
        assert first_that_reaches([results], files[name], graph) == results, name


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository with a heavy test, and with commands that print their names instead of running for minutes."""
    targets = ("check", "test", "documents")
    write(tmp_path, "Makefile", "".join(f"{name}:\n\t@echo RUNS {name}\n" for name in targets))
    for name, code in (("serve", 0), ("citus", 0), ("image", 0), ("alerts", 3)):
        write(tmp_path, f".ci/{name}", f"#!/bin/sh\necho RUNS {name}\nexit {code}\n").chmod(0o755)
    write(tmp_path, "pytest.ini", "[pytest]\nmarkers = heavy\naddopts = -p randomly\n")
    write(tmp_path, "tests/failure/test_kills.py", HEAVY_TEST)
    git(tmp_path, "init", "--quiet")
    commit(tmp_path)
    return tmp_path


HEAVY_TEST = """
import os, pytest
@pytest.mark.heavy
def test_it(): print("RUNS", "heavy"); assert "BROKEN" not in os.environ
"""


def write(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def commit(folder: Path) -> str:
    git(folder, "add", "--all")
    git(folder, "-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "--quiet", "--message=One")
    return git(folder, "rev-parse", "HEAD")


def git(folder: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


def run(folder: Path, *arguments: str, **environment: str) -> tuple[int, str, dict[str, str]]:
    """Run the lanes in the folder; return the exit code, what ran, and each lane's text in the final table."""
    ran = subprocess.run(
        [sys.executable, "-m", "tests.gate.lanes", *arguments],
        cwd=folder,
        env={
            **{
                name: value for name, value in os.environ.items() if name not in ("CI", "CADOGAN_CI", "CADOGAN_CI_BASE")
            },
            "PYTHONPATH": str(Path(__file__).parents[2]),
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "PYTHONDONTWRITEBYTECODE": "1",  # the tree would not be clean
            "PYTEST_ADDOPTS": "-s",
            "CADOGAN_REQUIRE_SERVICES": "1",
            **environment,
        },
        capture_output=True,
        text=True,
        check=False,
    )
    rows: list[list[str]] = [line.split(maxsplit=1) for line in ran.stdout.partition("== Lanes\n")[2].splitlines()]
    runs = " ".join(line.rpartition("RUNS ")[2] for line in ran.stdout.splitlines() if "RUNS " in line)
    return ran.returncode, runs, dict(rows)


def test_what_passed_is_written_down_and_not_run_again_until_a_change_reaches_it(checkout: Path) -> None:
    first = git(checkout, "rev-parse", "HEAD")
    code, runs, table = run(checkout, "ci", CI="true")
    assert (code, runs) == (0, "check test heavy citus documents alerts image serve")
    assert table["alerts"] == "left out  it cannot run here, see above"
    assert not (checkout / lanes.RECORD).exists(), "CI writes nothing"

    assert run(checkout, "heavy", "tests/failure", "image")[:2] == (0, "heavy image")
    assert run(checkout, "heavy", "documents")[:2] == (0, "documents")
    commit(checkout)
    write(checkout, "tests/wire/check-documents", "")
    commit(checkout)
    code, runs, table = run(checkout, "ci", CI="true")
    assert (code, runs) == (0, "check test citus documents alerts serve")
    assert table["tests/failure"] == table["image"] == f"left out  nothing that changed since {first[:10]} reaches it"
    assert table["test"].startswith("passed    ")

    write(checkout, "server/core/storage/sql_store.py", "")
    assert "heavy citus" in run(checkout, "ci", CADOGAN_CI_BASE=first)[1]
    assert "heavy citus documents alerts image" in run(checkout, "ci", CADOGAN_CI="all")[1]
    assert "heavy citus documents alerts image" in run(checkout, "ci", CADOGAN_CI_BASE="0" * 40)[1]


def test_a_lane_that_fails_is_the_last_and_is_not_written_down(checkout: Path) -> None:
    code, runs, table = run(checkout, "heavy", BROKEN="1")
    assert (code, runs) == (1, "heavy heavy"), "it ran once more, alone"
    assert table["tests/failure"].startswith("FAILED")
    assert table["citus"] == "left out  tests/failure failed"
    assert not (checkout / lanes.RECORD).exists()

    write(checkout, "new", "")
    assert run(checkout, "heavy", "image")[:2] == (0, "image")
    assert not (checkout / lanes.RECORD).exists(), "nobody else has what passed here"
    assert run(checkout, "heavy", "tests/falure")[:2] == (2, "")
