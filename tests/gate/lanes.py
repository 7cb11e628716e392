"""The lanes of `make test-heavy` and of `.ci/run`: runs them one after another, and prints the seconds of each.

    python -m tests.gate.lanes heavy [LANE ...]  # every heavy lane, or these, such as tests/failure or citus
    python -m tests.gate.lanes ci                # what every change must pass, and the heavy lanes that it can reach

A heavy lane that passed on a clean tree, without skipped tests, is recorded in `tests/heavy.toml` with its commit: `ci`
compares the tree with that commit. CADOGAN_CI_BASE names another commit; CADOGAN_CI=all runs every lane.
"""

import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path
from time import monotonic

import grimp
import msgspec

from tests.gate.reach import ALWAYS, build_graph, first_that_reaches
from tests.harness.worker_groups import HEAVY, HEAVY_WORDS

RECORD = Path("tests/heavy.toml")
CANNOT_RUN_HERE = 3
"""The exit code of a lane whose tools are not available on this machine."""
CITUS = "tests/failure/test_citus.py"
MANY = ("tests/e2e",)
"""Folders whose tests are heavy because they are many: they use all cores. The others disturb what runs beside them."""


class Lane(msgspec.Struct, frozen=True):
    """A command; with the test files (through their imports) and the path patterns by which a change reaches it."""

    name: str
    command: tuple[str, ...]
    tests: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()


FIRST = (Lane("check", ("make", "check")), Lane("test", ("make", "test")))
LAST = (Lane("serve", (".ci/serve",)),)
OTHERS = (
    Lane("citus", (".ci/citus",), tests=(CITUS,)),
    Lane("documents", ("make", "documents"), paths=("clients/wire/*", "tests/wire/check*")),
    Lane("alerts", (".ci/alerts",), paths=("deploy/prometheus/*",)),
    Lane("image", (".ci/image",), paths=("deploy/*", "Dockerfile", ".dockerignore", "MANIFEST.in")),
)


def heavy_lanes() -> tuple[Lane, ...]:
    """Return a lane for each folder with heavy tests, and the lanes that do not run pytest."""
    folders: dict[str, list[str]] = defaultdict(list)
    for file in sorted(Path("tests").rglob("test_*.py")):
        path = file.as_posix()
        by_path = any(path.startswith(heavy.partition("::")[0]) for heavy in HEAVY)
        by_word = any(word in file.read_text() for word in HEAVY_WORDS)
        if path != CITUS and (by_path or by_word) and not path.startswith("tests/gate/"):
            folders[file.parent.as_posix()].append(path)
    pytest = (sys.executable, "-m", "tests.gate", "-m", "heavy")
    workers = {name: ("-n", "auto") if name in MANY else ("-p", "no:xdist") for name in folders}
    return (*(Lane(name, (*pytest, *workers[name], *files), tuple(files)) for name, files in folders.items()), *OTHERS)


def why_run(lane: Lane, base: str, graph: grimp.ImportGraph) -> str:
    """Return why a heavy lane has to run after the changes since a commit; empty if it need not."""
    paths = changed_since(base) if base else None
    if paths is None:
        return f"{base} is not known here" if base else f"{RECORD} has no commit at which it passed"
    patterns = (*lane.paths, *ALWAYS)
    by_path = next((path for path in paths if any(fnmatchcase(path, pattern) for pattern in patterns)), "")
    path = by_path or (first_that_reaches(paths, lane.tests, graph) if lane.tests else "")
    return path and f"{path} changed since {base}"


def changed_since(base: str) -> list[str] | None:
    """Return the files that differ from a commit, including new ones; None if the commit is unknown here."""
    differing = git("diff", "--name-only", "--no-renames", base, "--")
    unknown = git("ls-files", "--others", "--exclude-standard")
    return None if differing is None or unknown is None else sorted({*differing.splitlines(), *unknown.splitlines()})


def git(*arguments: str) -> str | None:
    """Run git; return its output, or None if it fails."""
    ran = subprocess.run(["git", *arguments], capture_output=True, text=True, check=False)
    return ran.stdout.strip() if ran.returncode == 0 else None


def read_record() -> dict[str, str]:
    """Return the commit at which each heavy lane last passed."""
    return msgspec.toml.decode(RECORD.read_bytes(), type=dict[str, str]) if RECORD.exists() else {}


def record(name: str) -> None:
    """Record that a heavy lane passed at this commit, if the tree is clean and no test was skipped."""
    if os.environ.get("CI") or os.environ.get("CADOGAN_REQUIRE_SERVICES") != "1":
        return
    if git("status", "--porcelain", "--", ".", f":!{RECORD}") == "" and (
        commit := git("rev-parse", "--short=10", "HEAD")
    ):
        passed = {**read_record(), name: commit}
        lines = (f'"{lane}" = "{commit}"\n' for lane, commit in sorted(passed.items()))
        RECORD.write_text(
            f"# Where each heavy lane last passed as a whole; `make test-heavy` writes it.\n{''.join(lines)}"
        )


def run(lanes: Iterable[Lane], left_out: dict[str, str]) -> int:
    """Run lanes until one fails, then print which ran and which did not; return the exit code."""
    table, failed = [], ""
    for lane in lanes:
        if failed or lane.name in left_out:
            table.append((lane.name, "left out", left_out.get(lane.name, f"{failed} failed")))
            continue
        print(f"\n== {lane.name}", flush=True)
        started = monotonic()
        code = subprocess.run(lane.command, check=False).returncode
        took = f"{monotonic() - started:.0f} s"
        if code == CANNOT_RUN_HERE and lane in OTHERS:
            table.append((lane.name, "left out", "it cannot run here, see above"))
            continue
        table.append((lane.name, "FAILED" if code else "passed", took))
        if code:
            failed = lane.name
        elif lane not in (*FIRST, *LAST):
            record(lane.name)
    print("\n== Lanes", *(f"{name:36} {what:9} {why}" for name, what, why in table), sep="\n", flush=True)
    return 1 if failed else 0


def main(arguments: list[str]) -> int:
    """Execute the command; return its exit code."""
    heavy, (command, *names) = heavy_lanes(), arguments
    if command == "heavy":
        if unknown := set(names) - {lane.name for lane in heavy}:
            print(f"There are no heavy lanes {sorted(unknown)}, but", *(lane.name for lane in heavy))
            return 2
        return run((lane for lane in heavy if not names or lane.name in names), {})
    left_out: dict[str, str] = {}
    if os.environ.get("CADOGAN_CI") != "all":
        graph, passed = build_graph(), read_record()
        for lane in heavy:
            base = os.environ.get("CADOGAN_CI_BASE") or passed.get(lane.name, "")
            if not why_run(lane, base, graph):
                left_out[lane.name] = f"nothing that changed since {base} reaches it"
    return run((*FIRST, *heavy, *LAST), left_out)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
