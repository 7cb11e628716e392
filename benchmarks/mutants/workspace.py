"""Copies of the tracked files, in which one bug at a time is tried."""

import shutil
import subprocess
from pathlib import Path
from typing import Protocol, Self

from benchmarks.mutants.areas import ROOT, VERIFIER, modules_of
from benchmarks.mutants.bugs import NOTICED, SURVIVED, TIMED_OUT, UNCLEAR, Bug, Change, Outcome
from benchmarks.mutants.forked_pytest import Answer
from benchmarks.mutants.javascript_bugs import JavaScriptTests
from benchmarks.mutants.python_bugs import PythonTests

PATIENCE = 1.0
"""How long a test may take without a bug (`limit_seconds`), so that its failure with a bug counts."""
PATIENCE_WITH_BUG = 2 * PATIENCE
MAX_TRIES = 3


class Runner(Protocol):
    """Runs the tests of modules of one language, with and without a bug."""

    def bugs(self, area: str) -> list[Bug]:
        """Return every bug that can be put into the modules of an area."""

    def change(self, bug: Bug) -> Change | None:
        """Return what the bug changes; None if there is no program with it."""

    def run(self, module: str, bug: Bug | None, patience: float, only: str = "") -> Answer:
        """Run the tests of a module, or only one of them, until one fails or takes too long."""

    def close(self) -> None:
        """End what runs in the background."""


class Workspace:
    """A copy of the tracked files, in a folder of its own. Close it after use."""

    def __init__(self, folder: Path) -> None:
        files = folder / "files"
        tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True)
        for name in filter(None, tracked.stdout.split("\0")):
            (files / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, files / name)
        self._folder = folder
        self._runners: dict[bool, Runner] = {}
        self._trusted: set[str] = set()
        """The tests that have failed with a bug, and passed at once without it."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for runner in self._runners.values():
            runner.close()

    def runner(self, area: str) -> Runner:
        """Return what runs the tests of an area. Raises OSError where there is no npm, for an area that needs it."""
        is_script = area == VERIFIER
        if is_script not in self._runners:
            files = self._folder / "files"
            scripts = list(modules_of(VERIFIER))
            self._runners[is_script] = JavaScriptTests(area, files, scripts) if is_script else PythonTests(files)
        return self._runners[is_script]

    def bugs(self, area: str) -> list[Bug]:
        """Return every bug that can be put into the modules of an area."""
        return self.runner(area).bugs(area)

    def try_bug(self, bug: Bug) -> Outcome | None:
        """Run the tests of the bug's module with the bug, and say what became of it; None if it is no program.

        A test that takes too long, or fails for the first time, counts only if it passes at that moment without the
        bug, in half of the time.
        """
        change = Change("", "") if bug.is_control else self.runner(bug.area).change(bug)
        return None if change is None else Outcome(bug, change, *self._judge(bug))

    def _judge(self, bug: Bug) -> tuple[str, str]:
        runner = self.runner(bug.area)
        put_in = None if bug.is_control else bug
        answer = Answer(0, "")
        for _ in range(MAX_TRIES):
            answer = runner.run(bug.module, put_in, PATIENCE_WITH_BUG)
            if answer.code == 0:
                return SURVIVED, ""
            fate = TIMED_OUT if answer.code is None else NOTICED
            is_trusted = not answer.test or (fate == NOTICED and answer.test in self._trusted)
            if is_trusted or runner.run(bug.module, None, PATIENCE, answer.test).code == 0:
                self._trusted.add(answer.test)
                return fate, answer.test
        return UNCLEAR, answer.test
