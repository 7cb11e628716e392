"""The commands `winnability` and `levels`: how often games can be won and how difficult they are, over all cores.

The command `winnability`: searches many deals for a win, checks result files, and summarizes them.

A result file has one line of JSON for each deal (`cadogan.engine.solver.winnability`), and may be compressed. The lines
are in the order of the deals, whatever the number of processes, so the same command writes the same file on every
machine.
"""

import gzip
import multiprocessing
import os
import re
import signal
import sys
import threading
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import TypeVar, get_args

import click

from cadogan import engine
from cadogan.engine import EngineError, UnknownGame, game, slugs
from cadogan.engine.compiled.choice import find_library, solve
from cadogan.engine.difficulty.levels_table import levels_table
from cadogan.engine.difficulty.measure import SimplePlay, measure_simple_play
from cadogan.engine.difficulty.published import SIMPLE_PLAY_FILE, WINNABILITY_FILE, simple_play, winnability, write_rows
from cadogan.engine.errors import WrongResult
from cadogan.engine.solver import SOLVER_VERSION
from cadogan.engine.solver import solve as solve_in_python
from cadogan.engine.solver.literature import literature_table
from cadogan.engine.solver.solution import Verdict
from cadogan.engine.solver.winnability import (
    DealResult,
    check_result,
    deal_seed,
    decide_deal,
    read_result,
    write_result,
)
from cadogan.engine.solver.winnability_summary import GameSummary, latest_results, summarize, winnability_table
from cadogan.server.cli.output import Failure, say, warn

PoolJob = TypeVar("PoolJob")
Result = TypeVar("Result")


@contextmanager
def run_jobs(work: Callable[[PoolJob], Result], jobs: Sequence[PoolJob], processes: int) -> Iterator[Iterable[Result]]:
    """Yield the results of the jobs, in order, from this many processes, which end with this one.

    Raises Failure if one of the processes is killed.
    """
    count = min(processes, len(jobs))
    if count < 2:
        yield map(work, jobs)
        return
    pool = ProcessPoolExecutor(count, multiprocessing.get_context("spawn"), _end_with_parent)
    try:
        yield pool.map(work, jobs)
    except BrokenProcessPool:
        raise Failure(
            "a process was ended from outside, perhaps because memory ran out: try fewer --processes"
        ) from None
    finally:
        pool.shutdown(cancel_futures=True)


def warn_without_library() -> None:
    """Warn if Python searches, which takes 30 to 70 times as long."""
    if reason := find_library()[1]:
        warn(f"the search runs in Python, 30 to 70 times as slowly as compiled (`make native`): {reason}")


def _end_with_parent() -> None:
    """Let this process end at once and without a traceback, by Ctrl-C and when its parent has ended."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if (parent := multiprocessing.parent_process()) is not None:
        threading.Thread(target=_end_after, args=(parent,), daemon=True).start()


def _end_after(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)


CHECKOUT = Path(engine.__file__).parents[2]
"""The folder of the running checkout, unless an installed package runs."""
TIMED_DEALS, TIMED_NODES = 2, 5_000
"""The search speed is measured on the nodes of so many deals with this budget: deals that need fewer nodes are followed
by others."""


def publish_winnability(summaries: Sequence[GameSummary], checkout: Path) -> None:
    """Write the summary of a run, and the tables derived from it.

    The search speed is measured for games with new rules or another version of the solver; that of other games stays.

    Raises Failure if the folder is not a checkout.
    """
    require_checkout(checkout)
    timed = [one._replace(nodes_per_second=_known_speed(one) or measure_speed(one.game)) for one in summaries]
    _write_data(checkout, WINNABILITY_FILE, write_rows(timed))
    write_table(checkout, "winnability", winnability_block(timed))
    write_table(checkout, "winnability", literature_table(timed), "literature")
    write_table(checkout, "levels", levels_table(simple_play().values(), timed))


def _known_speed(summary: GameSummary) -> int:
    """Return the published search speed of this game, with the same rules and solver; 0 if there is none."""
    known = winnability().get(summary.game)
    is_same = known is not None and (known.rules, known.solver) == (summary.rules, summary.solver)
    return known.nodes_per_second if known and is_same else 0


def publish_simple_play(measured: Sequence[SimplePlay], checkout: Path) -> None:
    """Write the measurements of these games, keep those of others, and write the table of levels."""
    all_games = simple_play() | {one.game: one for one in measured}
    rows = [row for _, row in sorted(all_games.items())]
    _write_data(checkout, SIMPLE_PLAY_FILE, write_rows(rows))
    write_table(checkout, "levels", levels_table(rows, winnability().values()))


def measure_speed(slug: str) -> int:
    """Return the nodes that the search in Python visits per second of processor time on one core."""
    rules, nodes, number, began = game(slug), 0, 0, time.process_time()
    while nodes < TIMED_DEALS * TIMED_NODES:
        seed = deal_seed(slug, number)
        nodes += solve_in_python(rules, rules.deal(seed), seed, TIMED_NODES).nodes
        number += 1
    return round(nodes / (time.process_time() - began))


def winnability_block(summaries: Sequence[GameSummary]) -> list[str]:
    """Return the table of winnability, after the command that repeats the run.

    The command shown is the one used for most games; for the others their options are added, and the version of the
    solver if it is another one.
    """
    runs: dict[tuple[int, str], list[str]] = {}
    for one in summaries:
        runs.setdefault((one.solver, f"--deals {one.deals} --nodes {one.budget}"), []).append(one.game)
    (usual, options), *others = sorted(runs, key=lambda run: -len(runs[run]))
    parts = [f"`cadogan winnability {options}` repeats this run"]
    for solver, options in others:
        by_version = "" if solver == usual else f", by version {solver}"
        parts.append(f"`{options}` for {', '.join(runs[solver, options])}{by_version}")
    return [f"Solver version {usual}. {'; '.join(parts)}.", "", *winnability_table(summaries)]


def require_checkout(folder: Path) -> None:
    """Raise Failure unless the folder has the pages and data files of a checkout."""
    if not (folder / "docs" / "winnability.md").is_file():
        raise Failure(f"{folder} is no checkout of the sources, whose data files and pages this writes: --checkout DIR")


def _write_data(checkout: Path, name: str, content: str) -> None:
    (checkout / "engine" / "difficulty" / name).write_text(content, "utf-8")


def write_table(checkout: Path, page: str, lines: Iterable[str], name: str = "table") -> None:
    """Replace the table of this name in a page of the checkout."""
    path = checkout / "docs" / f"{page}.md"
    block = "\n".join(lines) + "\n"
    place = re.compile(rf"(?<=<!-- {name} -->\n).*?(?=<!-- /{name} -->)", re.DOTALL)
    path.write_text(place.sub(lambda _: block, path.read_text("utf-8")), "utf-8")


@click.command("levels")
@click.argument("names", metavar="[GAME...]", nargs=-1)
@click.option("--measure", is_flag=True, help="Let simple players play each GAME again, and write what they show.")
@click.option(
    "--checkout",
    type=click.Path(file_okay=False, path_type=Path),
    default=CHECKOUT,
    help="The checkout of the sources that --measure writes to. [default: this one]",
)
@click.option(
    "--workers", "processes", type=click.IntRange(1), help="How many processes measure. [default: one for each core]"
)
def levels_command(names: tuple[str, ...], measure: bool, checkout: Path, processes: int | None) -> None:
    """Print how difficult each GAME is (by default every game), and what was measured of it, as a table."""
    chosen = game_names(names)
    if measure:
        require_checkout(checkout)
        with (
            run_jobs(_measure, chosen, processes or os.cpu_count() or 1) as results,
            click.progressbar(results, length=len(chosen), label=f"{len(chosen)} games", file=sys.stderr) as shown,
        ):
            publish_simple_play(list(shown), checkout)
        say(f"{len(chosen)} games were measured. The numbers and the table of levels are in {checkout}")
        return
    head, rule, *rows = levels_table(simple_play().values(), winnability().values())
    for line in (head, rule, *(row for row in rows if row.split()[1] in chosen)):
        say(line)


def game_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return these games without duplicates; all games if none is given. Raises Failure for an unknown one."""
    try:
        return tuple(dict.fromkeys(game(name).slug for name in names)) or slugs()
    except UnknownGame as error:
        raise Failure(str(error)) from None


def _measure(slug: str) -> SimplePlay:
    return measure_simple_play(game(slug), search=solve)


Job = tuple[str, int, int]
"""The input of one job: a game, the number of a deal, and the node budget."""


@click.command("winnability")
@click.argument("names", metavar="[GAME...]", nargs=-1)
@click.option("--deals", type=click.IntRange(1), default=20, show_default=True, help="How many deals of each game.")
@click.option("--nodes", type=click.IntRange(1), default=20_000, show_default=True, help="The budget of each deal.")
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("winnability.jsonl"),
    show_default=True,
    help="The file of results. What it holds is not searched again.",
)
@click.option(
    "--workers", "processes", type=click.IntRange(1), help="How many processes search. [default: one for each core]"
)
@click.option("--check", "task", flag_value="check", help="Check files of results instead: winnability --check FILE...")
@click.option(
    "--table", "task", flag_value="table", help="Print files of results as a table: winnability --table FILE..."
)
@click.option(
    "--publish",
    "task",
    flag_value="publish",
    help="Write the summary of files of results into a checkout, with the tables of its pages, and measure the "
    "search's speed for it: winnability --publish FILE...",
)
@click.option(
    "--checkout",
    type=click.Path(file_okay=False, path_type=Path),
    default=CHECKOUT,
    help="The checkout of the sources that --publish writes to. [default: this one]",
)
def winnability_command(
    names: tuple[str, ...],
    deals: int,
    nodes: int,
    output: Path,
    processes: int | None,
    task: str | None,
    checkout: Path,
) -> None:
    """Search deals of each GAME (by default of every game) for a win, with every card known.

    Deal 0, 1, 2 ... of a game have the same seeds everywhere, so the results can be repeated. A run that was stopped
    goes on when the same command is given again. --nodes above those of the file searches the unknown deals again.
    """
    if task is None:
        if output.suffix == ".gz":
            raise click.UsageError("--output is written line by line: compress the file when it is complete")
        _search(game_names(names), deals, nodes, output, processes or os.cpu_count() or 1)
    elif not names:
        raise click.UsageError(f"--{task} needs a FILE")
    elif task == "check":
        _check(names)
    elif task == "table":
        for line in winnability_table(_summarize(names)):
            say(line)
    else:
        publish_winnability(summaries := _summarize(names), checkout)
        say(f"the summary of {len(summaries)} games and the tables that follow from it are in {checkout}")


def _search(chosen: tuple[str, ...], deals: int, nodes: int, output: Path, processes: int) -> None:
    warn_without_library()
    done = _continued(output)
    jobs = [
        (slug, number, nodes)
        for number in range(deals)
        for slug in chosen
        if (one := done.get((slug, number))) is None or (one.verdict == "unknown" and one.budget < nodes)
    ]
    counts = Counter[str]()
    with (
        output.open("a", encoding="utf-8", newline="\n") as file,
        run_jobs(_decide, jobs, processes) as results,
        click.progressbar(results, length=len(jobs), label=f"{len(jobs)} deals", file=sys.stderr) as shown,
    ):
        for result in shown:
            file.write(write_result(result) + "\n")
            file.flush()
            counts[result.verdict] += 1
    found = ", ".join(f"{counts[verdict]} {verdict}" for verdict in get_args(Verdict))
    say(f"{len(jobs)} deals searched: {found}. The results are in {output}")


def _decide(job: Job) -> DealResult:
    slug, number, nodes = job
    return decide_deal(game(slug), number, nodes, solve)


def _check(names: Iterable[str]) -> None:
    """Check every line of these result files; exit with code 1 if one is wrong."""
    counts = Counter[str]()
    for name in names:
        for number, line in enumerate(read_lines(Path(name)), 1):
            try:
                result = read_result(line)
                check_result(game(result.game), result)
            except EngineError as error:
                say(f"{name}, line {number}: {error}")
                counts["wrong"] += 1
            else:
                counts[result.verdict] += 1
    say(
        f"{counts['won']} deals are won by their moves, {counts['wrong']} lines are wrong; {counts['lost']} lost and "
        f"{counts['unknown']} unknown deals were not searched again: the same games, --deals and --nodes repeat them"
    )
    if counts["wrong"]:
        raise SystemExit(1)


def _summarize(names: Iterable[str]) -> list[GameSummary]:
    """Return the summary of these result files. Raises Failure if they cannot be read or are inconsistent."""
    try:
        return summarize(one for name in names for one in _read(Path(name)))
    except WrongResult as error:
        raise Failure(str(error)) from None


def _continued(output: Path) -> dict[tuple[str, int], DealResult]:
    """Return the results that the file already holds, by game and deal."""
    done = latest_results(_read(output)) if output.exists() else {}
    for result in done.values():
        if (result.solver, result.rules) != (SOLVER_VERSION, game(result.game).rules_version):
            raise Failure(
                f"{output} holds results of solver version {result.solver} and rules version {result.rules} of "
                f"{result.game}, which are not those of today: choose another file with --output"
            )
    return done


def _read(path: Path) -> Iterator[DealResult]:
    """Yield the results in a file. Raises Failure with the first unreadable line."""
    for number, line in enumerate(read_lines(path), 1):
        try:
            result = read_result(line)
            game(result.game)
        except EngineError as error:
            raise Failure(f"{path}, line {number}: {error}") from None
        yield result


def read_lines(path: Path) -> list[str]:
    """Return the lines of a file of results, which may be compressed. Raises Failure if it cannot be read."""
    try:
        content = path.read_bytes()
        lines = (gzip.decompress(content) if path.suffix == ".gz" else content).decode().split("\n")
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise Failure(f"{path}: {error}") from None
    if lines.pop():
        raise Failure(f"{path}: its last line was not written whole: delete this line")
    return lines
