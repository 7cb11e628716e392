"""The command `odds`: plays many deals without seeing the face-down cards, over all cores.

A file of results has one line of JSON for each deal (`cadogan.engine.odds.results`), and may be compressed. The lines
are in the order of the deals, whatever the number of processes.
"""

import os
import sys
from collections.abc import Iterable
from pathlib import Path

import click

from cadogan.engine import EngineError, game, slugs
from cadogan.engine.compiled.choice import solve
from cadogan.engine.difficulty.published import winnability
from cadogan.engine.errors import WrongResult
from cadogan.engine.odds.fair_player import POLICY_VERSION
from cadogan.engine.odds.results import (
    FairResult,
    check_fair_result,
    odds_table,
    play_numbered_deal,
    read_fair_result,
    write_fair_result,
)
from cadogan.engine.solver import SOLVER_VERSION
from cadogan.server.cli.measuring import (
    CHECKOUT,
    game_names,
    read_lines,
    require_checkout,
    run_jobs,
    warn_without_library,
    write_table,
)
from cadogan.server.cli.output import Failure, say

Job = tuple[str, int, int]
"""The input of one job: a game, the number of a deal, and the seed."""


@click.command("odds")
@click.argument("names", metavar="[GAME...]", nargs=-1)
@click.option("--deals", type=click.IntRange(1), default=20, show_default=True, help="How many deals of each game.")
@click.option(
    "--seed", type=click.IntRange(0), default=0, show_default=True, help="The number from which the samples follow."
)
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("odds.jsonl"),
    show_default=True,
    help="The file of results. What it holds is not played again.",
)
@click.option(
    "--workers", "processes", type=click.IntRange(1), help="How many processes play. [default: one for each core]"
)
@click.option("--check", "task", flag_value="check", help="Check files of results instead: odds --check FILE...")
@click.option("--table", "task", flag_value="table", help="Print files of results as a table: odds --table FILE...")
@click.option(
    "--publish", "task", flag_value="publish", help="Write this table into docs/winnability.md: odds --publish FILE..."
)
@click.option(
    "--checkout",
    type=click.Path(file_okay=False, path_type=Path),
    default=CHECKOUT,
    help="The checkout of the sources that --publish writes to. [default: this one]",
)
def odds_command(
    names: tuple[str, ...],
    deals: int,
    seed: int,
    output: Path,
    processes: int | None,
    task: str | None,
    checkout: Path,
) -> None:
    """Play deals of each GAME (by default of every game) without seeing the face-down cards, and count the wins.

    The deals are those of `cadogan winnability`, and the same command gives the same results everywhere. A run that was
    stopped goes on when the same command is given again.
    """
    if task is None:
        if output.suffix == ".gz":
            raise click.UsageError("--output is written line by line: compress the file when it is complete")
        _play(game_names(names), deals, seed, output, processes or os.cpu_count() or 1)
    elif not names:
        raise click.UsageError(f"--{task} needs a FILE")
    elif task == "check":
        _check(names)
    elif task == "table":
        for line in table_of(names):
            say(line)
    else:
        require_checkout(checkout)
        write_table(checkout, "winnability", table_of(names), "odds")
        say(f"the table of fair odds is in {checkout}")


def table_of(names: Iterable[str]) -> list[str]:
    """Return the table of these files of results. Raises Failure if they cannot be read or are inconsistent."""
    games = {slug: game(slug) for slug in slugs()}
    try:
        return odds_table((one for name in names for one in _read(Path(name))), games, winnability())
    except WrongResult as error:
        raise Failure(str(error)) from None


def _play(chosen: tuple[str, ...], deals: int, seed: int, output: Path, processes: int) -> None:
    warn_without_library()
    done = _played(output, seed)
    jobs = [(slug, deal, seed) for deal in range(deals) for slug in chosen if (slug, deal) not in done]
    won = 0
    with (
        output.open("a", encoding="utf-8", newline="\n") as file,
        run_jobs(_play_deal, jobs, processes) as results,
        click.progressbar(results, length=len(jobs), label=f"{len(jobs)} deals", file=sys.stderr) as shown,
    ):
        for result in shown:
            file.write(write_fair_result(result) + "\n")
            file.flush()
            won += result.won
    say(f"{len(jobs)} deals played, {won} of them won. The results are in {output}")


def _play_deal(job: Job) -> FairResult:
    slug, deal, seed = job
    return play_numbered_deal(game(slug), deal, seed, solve)


def _played(output: Path, seed: int) -> set[tuple[str, int]]:
    """Return the deals that the file already holds. Raises Failure if they were played in another way."""
    done = list(_read(output)) if output.exists() else []
    for one in done:
        today = (seed, game(one.game).rules_version, SOLVER_VERSION, POLICY_VERSION)
        if (one.seed, one.rules, one.solver, one.policy) != today:
            raise Failure(
                f"{output} holds results of {one.game} with another seed, or by other versions of rules, solver or "
                "policy: choose another file with --output"
            )
    return {(one.game, one.deal) for one in done}


def _check(names: Iterable[str]) -> None:
    """Check every line of these result files; exit with code 1 if one is wrong."""
    won = lost = wrong = 0
    for name in names:
        for number, line in enumerate(read_lines(Path(name)), 1):
            try:
                result = read_fair_result(line)
                check_fair_result(game(result.game), result)
            except EngineError as error:
                say(f"{name}, line {number}: {error}")
                wrong += 1
            else:
                won, lost = won + result.won, lost + (not result.won)
    say(
        f"{won} deals are won by their moves and {lost} are not, {wrong} lines are wrong; that the player chose these "
        "moves shows only when the same command plays the deals again"
    )
    if wrong:
        raise SystemExit(1)


def _read(path: Path) -> Iterable[FairResult]:
    """Yield the results in a file. Raises Failure with the first unreadable line."""
    for number, line in enumerate(read_lines(path), 1):
        try:
            result = read_fair_result(line)
            game(result.game)
        except EngineError as error:
            raise Failure(f"{path}, line {number}: {error}") from None
        yield result
