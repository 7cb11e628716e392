"""The published results are true, and the data files and tables are what follows from them."""

import gzip
from pathlib import Path

import pytest

from cadogan import engine
from cadogan.engine.difficulty.levels_table import levels_table
from cadogan.engine.difficulty.published import simple_play, winnability
from cadogan.engine.solver.winnability import check_result, read_result
from cadogan.engine.solver.winnability_summary import summarize
from cadogan.server.cli.measuring import winnability_block

FOLDER = Path(__file__).parents[2] / "docs"
RESULTS = [
    read_result(line)
    for file in sorted((FOLDER / "winnability").glob("*.jsonl.gz"))
    for line in gzip.decompress(file.read_bytes()).decode().splitlines()
]
PUBLISH = "give the command `cadogan winnability --publish docs/winnability/*.jsonl.gz`"


def test_the_data_file_is_the_summary_of_the_published_results() -> None:
    assert [one._replace(nodes_per_second=0) for one in winnability().values()] == summarize(RESULTS), PUBLISH


@pytest.mark.parametrize(
    ("page", "lines"),
    [
        ("winnability.md", winnability_block(list(winnability().values()))),
        ("levels.md", levels_table(simple_play().values(), winnability().values())),
    ],
)
def test_a_page_shows_the_table_of_the_data_files(page: str, lines: list[str]) -> None:
    shown = (FOLDER / page).read_text("utf-8").partition("<!-- table -->\n")[2].partition("<!-- /table -->")[0]
    assert shown.splitlines() == lines, PUBLISH


@pytest.mark.slow
def test_every_result_is_true_that_was_found_with_the_rules_of_today() -> None:
    checked = 0
    for result in RESULTS:
        game = engine.game(result.game)
        if result.rules == game.rules_version:
            check_result(game, result)
            checked += 1
    assert checked
