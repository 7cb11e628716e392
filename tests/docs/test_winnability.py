"""The page about winnability shows the table of its results, and the results are true."""

import gzip
import re
from pathlib import Path

import engine
from engine.solver.winnability import check_result, read_result
from engine.solver.winnability_table import winnability_table

FOLDER = Path(__file__).parents[2] / "docs"
PAGE = (FOLDER / "winnability.md").read_text("utf-8")
RESULTS = [
    read_result(line)
    for line in gzip.decompress((FOLDER / "winnability" / "first-run.jsonl.gz").read_bytes()).decode().splitlines()
]


def test_the_page_shows_the_table_of_the_results() -> None:
    assert "\n".join(winnability_table(RESULTS)) in PAGE


def test_the_command_on_the_page_is_that_of_the_results() -> None:
    deals, nodes = map(int, re.findall(r"cadogan winnability --deals (\d+) --nodes (\d+)", PAGE)[0])
    searched = [(number, slug) for number in range(deals) for slug in sorted({one.game for one in RESULTS})]
    assert [(one.deal, one.game) for one in RESULTS] == searched
    assert {one.budget for one in RESULTS} == {nodes}
    assert {f"Solver version {one.solver}. " in PAGE for one in RESULTS} == {True}


def test_every_result_is_true_that_was_found_with_the_rules_of_today() -> None:
    checked = 0
    for result in RESULTS:
        game = engine.game(result.game)
        if result.rules == game.rules_version:
            check_result(game, result)
            checked += 1
    assert checked
