"""The command `levels`: prints the measured difficulty of each game, or measures it again."""

import os
import sys
from pathlib import Path

import click

from cadogan.engine import UnknownGame, game, slugs
from cadogan.engine.difficulty.levels_table import levels_table
from cadogan.engine.difficulty.measure import SimplePlay, measure_simple_play
from cadogan.engine.difficulty.published import simple_play, winnability
from cadogan.server.cli.measuring.job_pool import run_jobs
from cadogan.server.cli.measuring.publish import CHECKOUT, publish_simple_play, require_checkout
from cadogan.server.cli.output import Failure, say


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
    return measure_simple_play(game(slug))
