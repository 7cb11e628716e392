"""A real failure makes the run red. A flaky test is reported as such, and written to the ledger."""

import os
import subprocess
import sys
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from tests.gate import ledger

CONFIGURATION = """
[pytest]
markers =
    browser
    services
addopts = -p xdist -p randomly
"""
HELPERS = """
import os, pytest
from pathlib import Path

def ran(name):
    with open(name, "a") as file:
        return file.write(f"{os.getpid()} {os.environ.get('PYTEST_XDIST_WORKER')}\\n")

def is_first(name):
    return ran(name) and len(Path(name).read_text().splitlines()) == 1
"""
UNLUCKY = """
@pytest.mark.browser
def test_unlucky(): assert not is_first("unlucky")
"""
BROKEN = """
@pytest.mark.services
def test_broken(): assert not ran("broken")
"""
PURE = """
def test_pure(): assert not is_first("pure")
"""
LEFT_OUT_LATER = """
@pytest.mark.services
def test_gone():
    if not is_first("gone"): pytest.skip("no service")
    assert False
"""
CRASH = """
@pytest.mark.browser
def test_crash():
    if is_first("crash"): os._exit(9)
"""
MANY = """
@pytest.mark.browser
@pytest.mark.parametrize("number", range(11))
def test_many(number): assert not is_first(f"many{number}")
"""
SKIPPED = """
def test_skipped(): pytest.skip("no service")
"""


pytestmark = pytest.mark.slow


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pytest.ini").write_text(CONFIGURATION)
    (tmp_path / "tests").mkdir()
    return tmp_path


def run(folder: Path, module: str, *arguments: str, **environment: str) -> tuple[int, str]:
    """Run a module of the gate in the folder; return its exit code and output."""
    ran = subprocess.run(
        [sys.executable, "-m", module, *arguments],
        cwd=folder,
        env={
            **{name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")},
            "PYTHONPATH": str(Path(__file__).parents[2]),
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            **environment,
        },
        capture_output=True,
        text=True,
        check=False,
    )
    return ran.returncode, ran.stdout + ran.stderr


def gate(folder: Path, *tests: str, beside: str = "2", require: str = "0") -> tuple[int, str]:
    """Run generated tests through the gate, in parallel."""
    (folder / "test_planted.py").write_text(HELPERS + "".join(tests))
    arguments = ("--numprocesses", beside, "--randomly-seed=7", "test_planted.py")
    return run(folder, "tests.gate", *arguments, CADOGAN_REQUIRE_SERVICES=require)


def runs_of(folder: Path, name: str) -> list[str]:
    return (folder / name).read_text().splitlines()


def test_bad_luck_of_a_test_that_drives_a_browser_is_told_and_the_run_passes(folder: Path) -> None:
    code, output = gate(folder, UNLUCKY)
    assert code == 0, output
    assert "FAILURE then SUCCESS: 1\n    test_planted.py::test_unlucky\n" in output
    (first, first_worker), (second, second_worker) = (line.split() for line in runs_of(folder, "unlucky"))
    assert first != second
    assert (first_worker[:2], second_worker) == ("gw", "None"), "it ran again alone, in a fresh process"

    assert run(folder, "tests.gate.ledger") == (0, "")
    (entry,) = ledger.read()
    assert (entry.id, entry.seed) == ("test_planted.py::test_unlucky", 7)
    (folder / "unlucky").unlink()
    gate(folder, UNLUCKY)
    run(folder, "tests.gate.ledger")
    assert ledger.read() == (entry,), "a test is listed once, as it was first seen"


def test_a_bug_makes_the_run_fail(folder: Path) -> None:
    code, output = gate(folder, UNLUCKY, BROKEN, PURE, LEFT_OUT_LATER)
    assert code == 1
    assert "FAILURE then SUCCESS: 1\n    test_planted.py::test_unlucky\n" in output
    failed = output[output.index("\nFAILURE: 3") :]
    assert "::test_pure" in failed
    assert "::test_broken" in failed
    assert "::test_gone" in failed, "what is skipped has not passed"
    assert len(runs_of(folder, "pure")) == 1, "a pure test never runs again"
    assert len(runs_of(folder, "broken")) == 2, "a test that fails twice is a failure"


def test_what_is_no_bad_luck_is_not_forgiven(folder: Path) -> None:
    for tests, beside, told in (
        (CRASH, "1", "worker 'gw0' crashed"),
        (MANY, "0", "11 failed"),
        ("import nothing_such\n" + UNLUCKY, "0", "No module named"),
    ):
        code, output = gate(folder, tests, beside=beside)
        assert code not in (0, None)
        assert told in output
        assert "then SUCCESS" not in output


def test_a_test_that_is_left_out_is_told_where_nothing_may_be(folder: Path) -> None:
    code, output = gate(folder, SKIPPED, beside="0", require="1")
    assert code == 1
    assert "LEFT OUT, where nothing may be: 1\n    test_planted.py::test_skipped: Skipped: no service" in output
    assert gate(folder, SKIPPED, beside="0")[0] == 0


def test_the_same_seed_repeats_the_order(folder: Path) -> None:
    planted = "".join(f"def test_{number}(): print('ran', {number}, file=open('order', 'a'))\n" for number in range(9))
    orders = []
    for seed in (7, 7, 8):
        (folder / "test_planted.py").write_text(planted)
        code, output = run(folder, "tests.gate", f"--randomly-seed={seed}")
        assert (code, f"SEED={seed} repeats it" in output) == (0, True)
        orders.append((folder / "order").read_text())
        (folder / "order").unlink()
    assert orders[0] == orders[1] != orders[2]


def test_a_ledger_that_is_full_or_old_fails_and_says_what_to_do(folder: Path) -> None:
    today = datetime.now(UTC).date()
    ages = (*range(5, 14), 15)  # none of 14 days, which would be of 15 if it became midnight before the command runs
    entries = [ledger.Entry(f'test_[ä "{days}"]', today - timedelta(days=days), "abc", 1, 2.5) for days in ages]
    for listed, complaint in (
        (entries[:9], ""),
        (entries[-1:], 'lists for more than 14 days test_[ä "15"]. Mend'),
        (entries, "lists 10 tests. Mend these tests at their cause, and take their entries out in the same commit."),
    ):
        ledger.LEDGER.unlink(missing_ok=True)
        ledger.write(listed)
        assert set(ledger.read()) == set(listed)
        code, output = run(folder, "tests.gate.ledger", "--check")
        assert code == (1 if complaint else 0)
        assert complaint in output


def test_a_test_may_be_in_the_ledger_for_fourteen_days() -> None:
    today = date(2026, 11, 29)
    fourteen, fifteen = (ledger.Entry("a", today - timedelta(days=age), "abc", 1, 2.5) for age in (14, 15))
    assert ledger.complain([fourteen], today) == ""
    assert ledger.complain([fifteen], today)
