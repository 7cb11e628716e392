"""Writing what was measured into a checkout: the data files that the server ships with, and the tables of two pages."""

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
"""The folder of the checkout that runs, unless an installed package does."""
TIMED_DEALS, TIMED_NODES = 2, 5_000
"""The speed of the search is measured on so many deals of a game, with this budget for each."""
_TABLE = re.compile(r"(?<=<!-- table -->\n).*?(?=<!-- /table -->)", re.DOTALL)


def publish_winnability(summaries: Sequence[GameSummary], checkout: Path) -> None:
    """Write the summary of a run, with the speed of the search measured now, and the tables that follow from it.

    Raises Failure when the folder is no checkout.
    """
    require_checkout(checkout)
    timed = [one._replace(nodes_per_second=measure_speed(one.game)) for one in summaries]
    _write_data(checkout, WINNABILITY_FILE, write_rows(timed))
    _write_table(checkout, "winnability", winnability_block(timed))
    _write_table(checkout, "levels", levels_table(simple_play().values(), timed))


def publish_simple_play(measured: Sequence[SimplePlay], checkout: Path) -> None:
    """Write what was measured of these games, beside the others, and the table of levels."""
    all_games = simple_play() | {one.game: one for one in measured}
    rows = [row for _, row in sorted(all_games.items())]
    _write_data(checkout, SIMPLE_PLAY_FILE, write_rows(rows))
    _write_table(checkout, "levels", levels_table(rows, winnability().values()))


def measure_speed(slug: str) -> int:
    """Return how many nodes a second the search does on one core, by the processor's clock."""
    rules, nodes, began = game(slug), 0, time.process_time()
    for number in range(TIMED_DEALS):
        seed = deal_seed(slug, number)
        nodes += solve(rules, rules.deal(seed), seed, TIMED_NODES).nodes
    return round(nodes / (time.process_time() - began))


def winnability_block(summaries: Sequence[GameSummary]) -> list[str]:
    """Return the table of winnability, after the command that repeats the run.

    It is that of the most games; for those with other deals or another budget, it is said with which options.
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
