"""Run the tests that run the line that Cosmic Ray has changed: the command in `config.toml`.

Where none of them fails, the tests of the same folders run that are slow or need a service: which lines they run is not
measured, because that takes too long.

What fails must pass at once without the change, else the change counts as not noticed: on a loaded machine a test may
fail by itself. A loop without an end is noticed by the processor's time, which a busy machine does not lengthen.
"""

import json
import os
import re
import resource
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePath

MAX_TESTS = 80
PASSED, FAILED, NO_TEST_RAN = 0, 1, 5
LAST_FAILED = Path(".pytest_cache/v/cache/lastfailed")
MAX_FOLDERS = 3
PROCESSOR_SECONDS = 300


def choose_tests(module: PurePath, line: int, contexts: Mapping[int, Iterable[str]], every: Iterable[str]) -> list[str]:
    """Return the tests that run a line or, where it runs only on import, any line of its module or name the game in it.

    `contexts` are those of coverage.py for the lines of the module. The tests are at most `MAX_TESTS`: those in a file
    that is named after the module come first, then those that run most of it.
    """
    tests = {at: {context.rpartition("|")[0] for context in those if context} for at, those in contexts.items()}
    lines_run = Counter(test for those in tests.values() for test in those)
    game = re.compile(rf"[\[-]{module.stem.replace('_', '-')}[\]-]|/test_{module.stem}\.py")
    named = {context.rpartition("|")[0] for context in every if game.search(context)}
    own = f"/test_{module.stem}.py"
    reached = tests.get(line) or {*lines_run, *named}
    return sorted(reached, key=lambda test: (own not in test, -lines_run[test], test))[:MAX_TESTS]


def choose_folders(module: PurePath, tests: Iterable[str], folders: Iterable[PurePath]) -> list[str]:
    """Return the folders of tests that are named after the module's, and those that most of the tests are in."""
    named = [str(folder) for folder in folders if folder.name == module.parent.name]
    common = Counter(test.partition("::")[0].rpartition("/")[0] for test in tests)
    return list(dict.fromkeys([*named, *(folder for folder, _ in common.most_common())]))[:MAX_FOLDERS]


def main() -> int:
    """Run the command."""
    from coverage import CoverageData  # of the extra `mutants`

    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # tests take more than a second: no two changes have the same time
    resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR_SECONDS, PROCESSOR_SECONDS))
    diff = subprocess.check_output(["git", "diff", "--unified=0"], text=True)
    ((module, line),) = re.findall(r"^--- a/(.*)\n.*\n@@ -(\d+)", diff, re.MULTILINE)
    known = CoverageData(os.environ["COVERAGE_FILE"])
    known.read()
    path = next((path for path in known.measured_files() if path.endswith(f"/{module}")), "")
    tests = choose_tests(PurePath(module), int(line), known.contexts_by_lineno(path), known.measured_contexts())
    folders = choose_folders(PurePath(module), tests, sorted(at for at in Path("tests").rglob("*") if at.is_dir()))
    pytest = [sys.executable, "-m", "pytest", "--quiet", "--exitfirst"]
    for chosen in (tests, folders and ["-m", "(slow or services) and not (heavy or browser)", *folders]):
        LAST_FAILED.unlink(missing_ok=True)
        if chosen and subprocess.call([*pytest, *chosen]) not in (PASSED, NO_TEST_RAN):
            failed = json.loads(LAST_FAILED.read_text("utf-8")) if LAST_FAILED.exists() else []
            failed = [test for test in failed if test]  # an error of collection is named "", which is every test
            subprocess.check_call(["git", "checkout", "--quiet", "--", module])
            return FAILED if subprocess.call([*pytest, *(failed or chosen)]) == PASSED else PASSED
    return PASSED


if __name__ == "__main__":
    sys.exit(main())
