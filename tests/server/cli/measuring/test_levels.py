"""`cadogan levels` and `cadogan winnability --publish`: what was measured is written into a checkout and printed."""

import gzip
import json
from pathlib import Path

import pytest

from cadogan.engine import game
from cadogan.engine.difficulty.measure import measure_simple_play
from cadogan.engine.difficulty.published import simple_play, winnability
from tests.harness.command_line import run

PAGE = "# A page\n\n<!-- table -->\nan old table\n<!-- /table -->\n\nand more\n"
LITERATURE = "\n<!-- literature -->\nan old table\n<!-- /literature -->\n"
PUBLISHED = Path(__file__).parents[4] / "docs" / "winnability"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder with what a checkout has of data files and pages."""
    folder = tmp_path / "checkout"
    (folder / "docs").mkdir(parents=True)
    (folder / "engine" / "difficulty").mkdir(parents=True)
    for page in ("winnability", "levels"):
        (folder / "docs" / f"{page}.md").write_text(PAGE, "utf-8")
    return folder


def data(checkout: Path, name: str) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = json.loads((checkout / "engine" / "difficulty" / name).read_text("utf-8"))
    return rows


def test_the_levels_are_printed_with_what_was_measured_the_easiest_game_first() -> None:
    printed = run("levels", "queens", "caesar")
    assert printed.exit_code == 0
    head, _, caesar, queens = printed.output.splitlines()
    assert head.endswith("| ease | level |")
    assert caesar.startswith("| caesar |")
    assert caesar.endswith("| gentle |")
    assert queens.startswith("| queens |")
    assert queens.endswith("| stern |")


def test_a_game_that_is_measured_again_is_written_beside_the_others(checkout: Path) -> None:
    measured = run("levels", "fortress", "--measure", "--checkout", str(checkout))
    assert measured.exit_code == 0, measured.output
    written = {row["game"]: row for row in data(checkout, "simple_play.json")}
    assert list(written) == sorted(simple_play())
    again = measure_simple_play(game("fortress"))
    assert written == {slug: one._asdict() for slug, one in (simple_play() | {"fortress": again}).items()}
    page = (checkout / "docs" / "levels.md").read_text("utf-8")
    assert page.startswith("# A page\n\n<!-- table -->\n| game | careless |")
    assert page.endswith("|\n<!-- /table -->\n\nand more\n")
    assert "an old table" not in page


def test_a_run_is_published_as_summary_and_tables_with_one_command(checkout: Path, tmp_path: Path) -> None:
    results = tmp_path / "results.jsonl"
    run("winnability", "fortress", "--deals", "3", "--nodes", "200", "--output", str(results), "--workers", "1")
    published = run("winnability", "--publish", str(results), "--checkout", str(checkout))
    assert published.exit_code == 0, published.output
    (row,) = data(checkout, "winnability.json")
    assert (row["game"], row["deals"], set(row)) == ("fortress", 3, set(winnability()["fortress"]._fields))
    assert isinstance(row["nodes_per_second"], int)
    assert row["nodes_per_second"] > 0
    page = (checkout / "docs" / "winnability.md").read_text("utf-8")
    assert "`cadogan winnability --deals 3 --nodes 200` repeats this run." in page
    assert "| fortress | 3 | 200 |" in page
    assert "| fortress |" in (checkout / "docs" / "levels.md").read_text("utf-8")


def test_a_published_run_has_its_shares_beside_those_of_the_literature(checkout: Path, tmp_path: Path) -> None:
    results, page = tmp_path / "results.jsonl", checkout / "docs" / "winnability.md"
    page.write_text(PAGE + LITERATURE, "utf-8")
    run("winnability", "golf", "--deals", "2", "--nodes", "20", "--output", str(results), "--workers", "1")
    run("winnability", "--publish", str(results), "--checkout", str(checkout))
    assert "| golf | 2 | 2 | 0.0–100.0 % | 45.109 ± 0.032 % | 10,000,000 | 0 | overlap |" in page.read_text("utf-8")
    assert "an old table" not in page.read_text("utf-8")


def test_the_speed_of_a_game_with_the_same_rules_is_not_measured_again(checkout: Path, tmp_path: Path) -> None:
    results = tmp_path / "results.jsonl"
    lines = gzip.decompress((PUBLISHED / "fortress.jsonl.gz").read_bytes()).decode().splitlines(keepends=True)
    results.write_text("".join(lines[:10]), "utf-8")
    run("winnability", "--publish", str(results), "--checkout", str(checkout))
    (published,) = data(checkout, "winnability.json")
    speed = winnability()["fortress"].nodes_per_second
    assert (published["deals"], published["nodes_per_second"]) == (10, speed)


@pytest.mark.parametrize("arguments", [("levels", "fortress", "--measure"), ("winnability", "--publish", "FILE")])
def test_a_folder_that_is_no_checkout_is_refused_and_left_as_it_is(arguments: tuple[str, ...], tmp_path: Path) -> None:
    results, folder = tmp_path / "results.jsonl", tmp_path / "elsewhere"
    folder.mkdir()
    run("winnability", "fortress", "--deals", "1", "--nodes", "20", "--output", str(results), "--workers", "1")
    given = [str(results) if word == "FILE" else word for word in arguments]
    refused = run(*given, "--checkout", str(folder))
    assert refused.exit_code == 1
    assert "is no checkout of the sources" in refused.output
    assert list(folder.iterdir()) == []


def test_a_game_that_does_not_exist_has_no_level() -> None:
    refused = run("levels", "bridge")
    assert refused.exit_code == 1
    assert "there is no game 'bridge'" in refused.output
