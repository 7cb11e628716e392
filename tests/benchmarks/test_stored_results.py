"""Results that are kept by commit: the last one of the same scenario is what a new one is compared with."""

from pathlib import Path

import pytest

from benchmarks import stored_results
from benchmarks.stored_results import Result

SERVERS = "sqlite, 1 nodes of 1, scale 1"
BEFORE = Result("2026-11-23", "abc1234", "many_games", SERVERS, 3, 4460.0, 0.136, (20.0, 27.0, 38.0), 0.23)


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """A page without rows."""
    page = tmp_path / "results.md"
    head = stored_results.PAGE.read_text("utf-8").split("| 2")[0]
    page.write_text(head, "utf-8")
    return page


def test_the_result_that_was_kept_last_is_found_by_scenario_and_servers(page: Path) -> None:
    assert stored_results.last_result("many_games", SERVERS, page) is None
    latest = BEFORE._replace(commit="def5678+", ratio=0.2, latency=())
    for one in (BEFORE, latest, BEFORE._replace(scenario="reconnect"), BEFORE._replace(servers="postgresql")):
        stored_results.keep(one, page)
    assert stored_results.last_result("many_games", SERVERS, page) == latest
    assert stored_results.last_result("restart", SERVERS, page) is None


@pytest.mark.parametrize(("ratio", "said"), [(0.10, "A SLIDE"), (0.12, "no slide"), (0.3, "no slide")])
def test_a_ratio_that_fell_by_more_than_a_fifth_is_a_slide(ratio: float, said: str) -> None:
    compared = stored_results.comparison(BEFORE._replace(ratio=ratio), BEFORE)
    assert compared == f"{said}: 0.136 at abc1234 on 2026-11-23"


def test_every_row_of_the_page_is_read() -> None:
    rows = [line for line in stored_results.PAGE.read_text("utf-8").splitlines() if line.startswith("| 2")]
    assert [one.row for one in stored_results.read_all()] == rows
