"""Writing measurements into a checkout: the data files in the package, and the tables of two pages."""

import re
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from cadogan import engine
from cadogan.engine import game
from cadogan.engine.difficulty.levels_table import levels_table
from cadogan.engine.difficulty.measure import SimplePlay
from cadogan.engine.difficulty.published import SIMPLE_PLAY_FILE, WINNABILITY_FILE, simple_play, winnability, write_rows
from cadogan.engine.solver import solve
from cadogan.engine.solver.winnability import deal_seed
from cadogan.engine.solver.winnability_summary import GameSummary, winnability_table
from cadogan.server.cli.output import Failure

CHECKOUT = Path(engine.__file__).parents[2]
"""The folder of the running checkout, unless an installed package runs."""
TIMED_DEALS, TIMED_NODES = 2, 5_000
"""The search speed is measured on this many deals of a game, with this node budget for each."""
_TABLE = re.compile(r"(?<=<!-- table -->\n).*?(?=<!-- /table -->)", re.DOTALL)


def publish_winnability(summaries: Sequence[GameSummary], checkout: Path) -> None:
    """Write the summary of a run with the current search speed, and the tables derived from it.

    Raises Failure if the folder is not a checkout.
    """
    require_checkout(checkout)
    timed = [one._replace(nodes_per_second=measure_speed(one.game)) for one in summaries]
    _write_data(checkout, WINNABILITY_FILE, write_rows(timed))
    _write_table(checkout, "winnability", winnability_block(timed))
    _write_table(checkout, "levels", levels_table(simple_play().values(), timed))


def publish_simple_play(measured: Sequence[SimplePlay], checkout: Path) -> None:
    """Write the measurements of these games, keep those of others, and write the table of levels."""
    all_games = simple_play() | {one.game: one for one in measured}
    rows = [row for _, row in sorted(all_games.items())]
    _write_data(checkout, SIMPLE_PLAY_FILE, write_rows(rows))
    _write_table(checkout, "levels", levels_table(rows, winnability().values()))


def measure_speed(slug: str) -> int:
    """Return the nodes that the search visits per second of processor time on one core."""
    rules, nodes, began = game(slug), 0, time.process_time()
    for number in range(TIMED_DEALS):
        seed = deal_seed(slug, number)
        nodes += solve(rules, rules.deal(seed), seed, TIMED_NODES).nodes
    return round(nodes / (time.process_time() - began))


def winnability_block(summaries: Sequence[GameSummary]) -> list[str]:
    """Return the table of winnability, after the command that repeats the run.

    The command shown is the one used for most games; for the others their options are added.
    """
    sizes: dict[str, list[str]] = {}
    for one in summaries:
        sizes.setdefault(f"--deals {one.deals} --nodes {one.budget}", []).append(one.game)
    usual, *others = sorted(sizes, key=lambda size: -len(sizes[size]))
    versions = ", ".join(str(version) for version in sorted({one.solver for one in summaries}))
    parts = [
        f"`cadogan winnability {usual}` repeats this run",
        *(f"`{one}` for {', '.join(sizes[one])}" for one in others),
    ]
    return [f"Solver version {versions}. {'; '.join(parts)}.", "", *winnability_table(summaries)]


def require_checkout(folder: Path) -> None:
    """Raise Failure unless the folder has the pages and data files of a checkout."""
    if not (folder / "docs" / "winnability.md").is_file():
        raise Failure(f"{folder} is no checkout of the sources, whose data files and pages this writes: --checkout DIR")


def _write_data(checkout: Path, name: str, content: str) -> None:
    (checkout / "engine" / "difficulty" / name).write_text(content, "utf-8")


def _write_table(checkout: Path, page: str, lines: Iterable[str]) -> None:
    path = checkout / "docs" / f"{page}.md"
    block = "\n".join(lines) + "\n"
    path.write_text(_TABLE.sub(lambda _: block, path.read_text("utf-8")), "utf-8")
