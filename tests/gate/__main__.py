"""Runs pytest, and separates real failures from flaky ones.

    python -m tests.gate [ARGUMENTS OF PYTEST]

A failed test that needs a browser or a service, or loads the machine, is rerun once, alone, in a new process, after all
others. If it then passes, the run is green, and the list at its end has `FAILURE then SUCCESS`. Every other failure is
final. pytest-rerunfailures and similar plugins rerun a test at once, in the same process, in parallel with the same
tests.
"""

import os
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from random import SystemRandom
from tempfile import TemporaryDirectory

import msgspec
import pytest

from tests.gate import ledger
from tests.gate.outcomes import FILE, Outcomes

MOST_RUN_AGAIN = 10
"""With more failures than this, nothing is rerun."""
SEED = "--randomly-seed="


def main(arguments: list[str]) -> int:
    """Run the tests, and rerun those that may be flaky; return the exit code."""
    seed = next((argument.removeprefix(SEED) for argument in arguments if argument.startswith(SEED)), "")
    seed = seed or str(SystemRandom().randrange(2**32))
    code, outcomes = run_pytest([*arguments, f"{SEED}{seed}"])
    failures = outcomes.failures
    if code == pytest.ExitCode.TESTS_FAILED and 0 < len(failures) <= MOST_RUN_AGAIN:
        again = [failure for failure in failures if failure.may_run_again]
        lucky = [failure for failure in again if passes_alone(failure.id, seed)]
        if len(lucky) == len(failures):
            code = pytest.ExitCode.OK
        report([failure.id for failure in failures if failure not in lucky], "FAILURE")
        report([failure.id for failure in lucky], "FAILURE then SUCCESS")
        day, commit = datetime.now(UTC).date(), current_commit()
        ledger.remember([ledger.Entry(failure.id, day, commit, int(seed), failure.load) for failure in lucky])
    print(f"The seed of the order was {seed}: SEED={seed} repeats it.")
    if outcomes.left_out and os.environ.get("CADOGAN_REQUIRE_SERVICES") == "1":
        report(outcomes.left_out, "LEFT OUT, where nothing may be")
        return code or 1
    return code


def run_pytest(arguments: list[str]) -> tuple[int, Outcomes]:
    """Run pytest in a new process; return the exit code and the recorded outcomes."""
    with TemporaryDirectory(prefix="cadogan-gate-") as folder:
        file = Path(folder) / "outcomes.json"
        command = [sys.executable, "-m", "pytest", "-p", "tests.gate.outcomes", *arguments]
        code = subprocess.run(command, env={**os.environ, FILE: str(file)}, check=False).returncode
        return code, msgspec.json.decode(file.read_bytes(), type=Outcomes) if file.exists() else Outcomes()


def passes_alone(test: str, seed: str) -> bool:
    """Rerun one test alone; return whether it passed and was not skipped."""
    print(f"\nRun again, alone: {test}", flush=True)
    code, outcomes = run_pytest(["--quiet", "-p", "no:cacheprovider", f"{SEED}{seed}", test])
    return code == pytest.ExitCode.OK and not outcomes.left_out


def report(tests: Sequence[str], verdict: str) -> None:
    """Print the tests with this verdict."""
    if tests:
        print(f"\n{verdict}: {len(tests)}", *tests, sep="\n    ", flush=True)


def current_commit() -> str:
    """Return the commit that is checked out; empty outside a repository."""
    command = ["git", "rev-parse", "--short=10", "HEAD"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
