"""How many small bugs the tests notice: bugs are put in one at a time, and the tests of their module run.

    pip install -e '.[dev,mutants]'
    python -m benchmarks.mutants --minutes 60 --workers 2 [--seed 1] [AREA|MODULE...]

Cosmic Ray, and Stryker for the verifier in JavaScript, say where a bug can be put in and write it: a comparison turned
round, a number one higher, a condition denied, a loop that never runs. A sample is drawn of every area, and the areas
take turns until the time is over. Each worker has a copy of the tracked files of its own. The result is the share
noticed of each area, and every bug that no test noticed, as the line before and after. PostgreSQL and NATS have to run,
else the bugs in what needs them are not noticed; the verifier needs Node and npm.

A test that fails for the first time must pass at once without the bug, else its failure does not count. A test that
never ends notices the bug too, if without the bug it still ends in half of the time that it was given. Between the bugs
the tests of a module run with no bug, under the same conditions: how many of these runs count as noticed says how often
the machine, and not a bug, made a test fail.

Not every survivor is a gap in the tests: some change nothing that anybody could see. `explained.toml` says why.
"""

import argparse
import random
import time
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.mutants.areas import AREAS, modules_of
from benchmarks.mutants.bugs import (
    NO_BUG,
    NOTICED,
    SURVIVED,
    TIMED_OUT,
    UNCLEAR,
    Bug,
    Outcome,
    decode_outcome,
    encode_outcome,
    outdated,
    read_explained,
)
from benchmarks.mutants.workspace import Workspace


def take_turns(chosen: Sequence[Sequence[Bug]], rng: random.Random) -> Iterator[Bug]:
    """Yield the bugs of all areas in random order, one of each area after another."""
    shuffled = [rng.sample(bugs, len(bugs)) for bugs in chosen]
    for turn in zip_longest(*shuffled):
        yield from filter(None, turn)


def choose(workspace: Workspace, names: Collection[str]) -> Iterator[list[Bug]]:
    """Yield the bugs of each area, or of the areas and modules with these names."""
    for area in AREAS:
        if not names or area in names:
            yield workspace.bugs(area)
        elif not set(names).isdisjoint(modules_of(area)):
            yield [bug for bug in workspace.bugs(area) if bug.module in names]


def controls(chosen: Sequence[Sequence[Bug]]) -> list[Bug]:
    """Return for each module of these bugs one that changes nothing."""
    modules = {bug.module: bug.area for bugs in chosen for bug in bugs}
    return [Bug(area, module, 0, NO_BUG, 0) for module, area in modules.items()]


def try_until(bugs: Iterator[Bug], workspaces: Sequence[Workspace], deadline: float) -> Iterator[Outcome]:
    """Yield what became of each bug, until the time (of `time.monotonic`) is over."""
    with ThreadPoolExecutor(len(workspaces)) as pool:
        free, trying = list(workspaces), dict[Future[Outcome | None], Workspace]()
        while True:
            while free and time.monotonic() < deadline and (bug := next(bugs, None)) is not None:
                workspace = free.pop()
                trying[pool.submit(workspace.try_bug, bug)] = workspace
            if not trying:
                return
            for done in wait(trying, return_when=FIRST_COMPLETED).done:
                free.append(trying.pop(done))
                if (outcome := done.result()) is not None:
                    yield outcome


def print_table(outcomes: Sequence[Outcome]) -> None:
    """Print the share noticed of each area and of all, how often no bug was noticed, and every survivor."""
    explained = read_explained()
    without = [outcome for outcome in outcomes if outcome.bug.is_control]
    outcomes = [outcome for outcome in outcomes if not outcome.bug.is_control]
    by_area: defaultdict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        by_area[outcome.bug.area].append(outcome)
    print(f"\n{'area':14} tried noticed  of these by time  share  survivors explained")
    for area, tried in [*by_area.items(), ("all", outcomes)]:
        fates = [outcome.fate for outcome in tried if outcome.fate != UNCLEAR]
        by_time = fates.count(TIMED_OUT)
        noticed = fates.count(NOTICED) + by_time
        left = [outcome for outcome in tried if outcome.fate == SURVIVED]
        harmless = sum(outcome.key in explained for outcome in left)
        print(
            f"{area:14} {len(fates):5} {noticed:7} {by_time:17} {noticed / max(len(fates), 1):6.0%}"
            f" {harmless:11} of {len(left)}"
        )
    failed = [outcome for outcome in without if outcome.fate != SURVIVED]
    print(f"no bug: {len(without)} runs, {len(failed)} with a test that failed")
    for outcome in failed:
        print(f"    {outcome.bug.module}: {outcome.test} ({outcome.fate})")
    for outcome in outcomes:
        if outcome.fate == SURVIVED:
            print(f"{outcome}\n    {explained.get(outcome.key, 'NOT EXPLAINED')}")
        elif outcome.fate == UNCLEAR:
            print(f"{outcome}\n    {outcome.test} fails without it too, now and then")
    for line in outdated(explained):
        print(f"explained.toml names a line that is gone: {line}")


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "names", nargs="*", metavar="AREA|MODULE", help=f"the path of a module, or one of: {', '.join(AREAS)}"
    )
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1, help="another seed draws another sample")
    parser.add_argument("--log", type=Path, help="a file to which results are added; what it has is not tried again")
    arguments = parser.parse_args()
    lines = arguments.log.read_text("utf-8").splitlines() if arguments.log and arguments.log.exists() else []
    outcomes = [decode_outcome(line) for line in lines]
    known = {outcome.bug for outcome in outcomes}
    with TemporaryDirectory() as folder, ExitStack() as stack:
        spaces = [stack.enter_context(Workspace(Path(folder) / str(n))) for n in range(arguments.workers)]
        chosen = list(choose(spaces[0], arguments.names))
        if not any(chosen):
            parser.error(f"there are no bugs for {', '.join(arguments.names)}")
        bugs = (
            bug for bug in take_turns([*chosen, controls(chosen)], random.Random(arguments.seed)) if bug not in known
        )
        for outcome in try_until(bugs, spaces, time.monotonic() + 60 * arguments.minutes):
            outcomes.append(outcome)
            if arguments.log:
                with arguments.log.open("a", encoding="utf-8") as file:
                    print(encode_outcome(outcome), file=file)
            if outcome.fate == SURVIVED and not outcome.bug.is_control:
                print(f"survived: {outcome}", flush=True)
    print_table(outcomes)


if __name__ == "__main__":
    main()
