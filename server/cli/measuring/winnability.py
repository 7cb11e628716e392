"""The command `winnability`: searches many deals for a win, checks result files, and summarizes them.

A result file has one line of JSON for each deal (`cadogan.engine.solver.winnability`), and may be compressed. The lines
are in the order of the deals, whatever the number of processes, so the same command writes the same file on every
machine.
"""

import gzip
import os
import sys
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import get_args

import click

from cadogan.engine import EngineError, game
from cadogan.engine.errors import WrongResult
from cadogan.engine.solver import SOLVER_VERSION
from cadogan.engine.solver.solution import Verdict
from cadogan.engine.solver.winnability import DealResult, check_result, decide_deal, read_result, write_result
from cadogan.engine.solver.winnability_summary import GameSummary, latest_results, summarize, winnability_table
from cadogan.server.cli.measuring.job_pool import run_jobs
from cadogan.server.cli.measuring.levels import game_names
from cadogan.server.cli.measuring.publish import CHECKOUT, publish_winnability
from cadogan.server.cli.output import Failure, say

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
    return decide_deal(game(slug), number, nodes)


def _check(names: Iterable[str]) -> None:
    """Check every line of these result files; exit with code 1 if one is wrong."""
    counts = Counter[str]()
    for name in names:
        for number, line in enumerate(_lines(Path(name)), 1):
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
    for number, line in enumerate(_lines(path), 1):
        try:
            result = read_result(line)
            game(result.game)
        except EngineError as error:
            raise Failure(f"{path}, line {number}: {error}") from None
        yield result


def _lines(path: Path) -> list[str]:
    try:
        content = path.read_bytes()
        lines = (gzip.decompress(content) if path.suffix == ".gz" else content).decode().split("\n")
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise Failure(f"{path}: {error}") from None
    if lines.pop():
        raise Failure(f"{path}: its last line was not written whole: delete this line")
    return lines
