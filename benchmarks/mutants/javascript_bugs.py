"""Bugs in JavaScript modules: Stryker writes all of them at once, each behind a switch."""

import json
import os
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.mutants.areas import tests_of
from benchmarks.mutants.bugs import Bug, Change, changed_line
from benchmarks.mutants.forked_pytest import Answer, limit_seconds

_SWITCH = "__STRYKER_ACTIVE_MUTANT__"
"""The variable of the environment that switches on the bug with this number."""
_PACKAGES = ("@stryker-mutator/instrumenter@9", "typed-inject@5")
_INSTRUMENT = "benchmarks/mutants/instrument.mjs"


class _Place(NamedTuple):
    line: int
    column: int


class JavaScriptTests:
    """Runs the tests of JavaScript modules in a folder with a copy of the tracked files."""

    def __init__(self, area: str, folder: Path, modules: Sequence[str]) -> None:
        """Write all bugs into the modules. Raises OSError where there is no npm, CalledProcessError where it fails."""
        self._folder = folder
        sources = {module: (folder / module).read_text("utf-8") for module in modules}
        npm = ["npm", "install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error", *_PACKAGES]
        subprocess.run(npm, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        done = subprocess.run(["node", _INSTRUMENT, *modules], cwd=folder, check=True, stdout=subprocess.PIPE)
        self._changes: dict[Bug, Change] = {}
        self._seconds: dict[str, float] = {}
        """How long each file of tests took without a bug."""
        for found in json.loads(done.stdout):
            module = Path(found["fileName"]).as_posix()
            start, end = (_Place(**found["location"][side]) for side in ("start", "end"))
            source = sources[module]
            after = source[: _offset(source, start)] + found["replacement"] + source[_offset(source, end) :]
            bug = Bug(area, module, start.line + 1, found["mutatorName"], int(found["id"]))
            self._changes[bug] = changed_line(source, after)

    def bugs(self, area: str) -> list[Bug]:
        """Return every bug that can be put into the modules."""
        return list(self._changes)

    def change(self, bug: Bug) -> Change | None:
        """Return what the bug changes."""
        return self._changes[bug]

    def run(self, module: str, bug: Bug | None, patience: float, only: str = "") -> Answer:
        """Run the tests of a module, or only those of one file, until one fails or a file takes too long."""
        environment = {**os.environ, _SWITCH: "" if bug is None else str(bug.number)}
        for file in [only] if only else tests_of(module):
            started = time.monotonic()
            try:
                done = subprocess.run(
                    ["node", file],
                    cwd=self._folder,
                    env=environment,
                    timeout=limit_seconds(self._seconds.get(file, 0), patience),
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    check=False,
                )
            except subprocess.TimeoutExpired:
                return Answer(None, file)
            if done.returncode:
                return Answer(done.returncode, file)
            if bug is None:
                self._seconds[file] = time.monotonic() - started
        return Answer(0, "")

    def close(self) -> None:
        """Nothing runs in the background."""


def _offset(source: str, place: _Place) -> int:
    return sum(len(line) for line in source.splitlines(keepends=True)[: place.line]) + place.column
