"""How many small bugs the tests notice: Cosmic Ray puts them in one at a time, and the tests that run that line run.

    make mutants [FOLDER=engine/solver] [SAMPLE=200] [SEED=1] [SESSION=file]

First all tests that are fast run once, to find which of them run which line. Then the bugs are put into a copy of what
is committed. The folders of the code take turns when the sample is drawn, so that a small one counts as much as a large
one. With a session a run goes on where the one before it stopped.
"""

import argparse
import os
import random
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

from cosmic_ray.config import load_config, serialize_config
from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import MutationSpec, WorkItem, WorkResult

CONFIG = Path(__file__).with_name("config.toml")
ROOT = CONFIG.parent.parent.parent


def draw_sample(items: Iterable[WorkItem], size: int, seed: int) -> list[WorkItem]:
    """Return so many bugs, one of each folder after another."""

    def identity(item: WorkItem) -> tuple[Path, str, int]:
        bug: MutationSpec = item.mutations[0]
        return bug.module_path, bug.operator_name, bug.occurrence

    def turn(item: WorkItem) -> int:
        turns[item.mutations[0].module_path.parent] += 1
        return turns[item.mutations[0].module_path.parent]

    shuffled, turns = sorted(items, key=identity), Counter[Path]()
    random.Random(seed).shuffle(shuffled)
    return sorted(shuffled, key=turn)[:size]


def print_report(completed: Iterable[tuple[WorkItem, WorkResult]]) -> None:
    """Print every bug that no test noticed, and the share noticed of each folder and of all."""
    fates = defaultdict[str, list[bool]](list)
    for item, result in completed:
        bug = item.mutations[0]
        for folder in (bug.module_path.parent.as_posix(), "together"):
            fates[folder].append(result.is_killed)
        if not result.is_killed:
            print(f"\n{bug.module_path}:{bug.start_pos[0]} {bug.operator_name}\n{result.diff}")
    print("\n| folder | tried | noticed | share |\n| --- | ---: | ---: | ---: |")
    for folder, noticed in sorted(fates.items()):
        print(f"| {folder} | {len(noticed)} | {sum(noticed)} | {sum(noticed) / len(noticed):.0%} |")


def main() -> None:
    """Run the command."""
    config, python = load_config(str(CONFIG)), Path(sys.executable)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", default=config["module-path"], help="of the code, or modules")
    parser.add_argument("--sample", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1, help="another seed draws another sample")
    parser.add_argument("--session", type=Path, help="a file that keeps the results")
    arguments = parser.parse_args()
    with TemporaryDirectory(prefix="cadogan-mutants-") as name:
        clone, config_file = Path(name, "clone"), Path(name, "config.toml")
        session = (arguments.session or Path(name, "session.sqlite")).absolute()
        known = session.with_suffix(".coverage")
        config["module-path"] = arguments.folders
        config["test-command"] = f"{python} -m tests.mutants.run_tests"
        config_file.write_text(serialize_config(config), "utf-8")
        subprocess.check_call(["git", "clone", "--quiet", ROOT, clone])
        environment = {**os.environ, "PYTHONPATH": str(clone), "TMPDIR": name, "COVERAGE_FILE": str(known)}

        def run(command: str, *rest: str | Path) -> None:
            subprocess.check_call([python.with_name(command), *rest], cwd=clone, env=environment)

        if not known.exists():
            measured = [f"--cov={path if (ROOT / path).is_dir() else Path(path).parent}" for path in arguments.folders]
            pytest = ["-m", "pytest", "--quiet", "--numprocesses", "auto", "--cov-context=test", "--cov-report="]
            subprocess.call([python, *pytest, *measured, *config["tests"]], cwd=clone, env=environment)
        if not session.exists():
            every = Path(name, "every.sqlite")
            run("cosmic-ray", "init", config_file, every)
            run("cr-filter-operators", every, config_file)
            with use_db(every) as database:
                possible = database.pending_work_items
            with use_db(session) as database:
                database.add_work_items(draw_sample(possible, arguments.sample, arguments.seed))
            print(f"{arguments.sample} of {len(possible)} bugs, seed {arguments.seed}", flush=True)
        run("cosmic-ray", "exec", config_file, session)
        with use_db(session, WorkDB.Mode.open) as database:
            print_report(database.completed_work_items)


if __name__ == "__main__":
    main()
