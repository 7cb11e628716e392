"""The published results are true, and the data files and tables are what follows from them."""

import gzip
from pathlib import Path

import pytest

from cadogan import engine
from cadogan.engine.difficulty.levels_table import levels_table
from cadogan.engine.difficulty.published import simple_play, winnability
from cadogan.engine.odds.results import check_fair_result, read_fair_result
from cadogan.engine.solver.literature import BLAKE_AND_GENT, literature_table, overlaps
from cadogan.engine.solver.winnability import DealResult, check_result, read_result
from cadogan.engine.solver.winnability_summary import summarize
from cadogan.server.cli.measuring import winnability_block
from cadogan.server.cli.odds import table_of

FOLDER = Path(__file__).parents[2] / "docs"
FILES = sorted((FOLDER / "winnability").glob("*.jsonl.gz"), key=lambda file: file.name.partition(".")[0])
ODDS = [str(file) for file in sorted((FOLDER / "odds").glob("*.jsonl.gz"))]
CHECKED_QUICKLY = 8
"""The deals whose numbers this divides are checked by the test that has to be quick."""
PUBLISH = (
    "give the commands `cadogan winnability --publish docs/winnability/*.jsonl.gz` and `cadogan odds --publish "
    "docs/odds/*.jsonl.gz`"
)


def results_in(file: Path) -> list[DealResult]:
    """The published results of one game."""
    return [read_result(line) for line in gzip.decompress(file.read_bytes()).decode().splitlines()]


def assert_true(every: int) -> None:
    """Check each of so many deals that was found with the rules of today, and that this is not nothing."""
    checked = 0
    for file in FILES:
        for result in results_in(file):
            game = engine.game(result.game)
            if result.rules == game.rules_version and result.deal % every == 0:
                check_result(game, result)
                checked += 1
    assert checked


def test_the_data_file_is_the_summary_of_the_published_results() -> None:
    found = [summary for file in FILES for summary in summarize(results_in(file))]
    assert [one.game for one in found] == [file.name.partition(".")[0] for file in FILES]
    assert [one._replace(nodes_per_second=0) for one in winnability().values()] == found, PUBLISH


@pytest.mark.parametrize(
    ("page", "name", "lines"),
    [
        ("winnability.md", "table", winnability_block(list(winnability().values()))),
        ("winnability.md", "literature", literature_table(winnability().values())),
        ("winnability.md", "odds", table_of(ODDS)),
        ("levels.md", "table", levels_table(simple_play().values(), winnability().values())),
    ],
)
def test_a_page_shows_the_table_of_the_data_files(page: str, name: str, lines: list[str]) -> None:
    shown = (FOLDER / page).read_text("utf-8").partition(f"<!-- {name} -->\n")[2].partition(f"<!-- /{name} -->")[0]
    assert shown.splitlines() == lines, PUBLISH


def test_no_published_share_of_others_contradicts_ours() -> None:
    for slug, share in BLAKE_AND_GENT.items():
        assert overlaps(winnability()[slug].can_be_won, share.interval), slug


@pytest.mark.slow
def test_a_sample_of_the_results_is_true() -> None:
    assert_true(every=CHECKED_QUICKLY)


@pytest.mark.slow
def test_the_moves_of_the_fair_player_are_legal_and_win_what_they_are_said_to_win() -> None:
    assert ODDS
    for file in ODDS:
        for line in gzip.decompress(Path(file).read_bytes()).decode().splitlines():
            result = read_fair_result(line)
            check_fair_result(engine.game(result.game), result)


@pytest.mark.heavy
def test_every_result_is_true_that_was_found_with_the_rules_of_today() -> None:
    assert_true(every=1)
