"""`cadogan winnability`: many deals are searched, and others can check the results."""

import gzip
import json
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from cadogan.engine.solver.winnability_summary import GameSummary
from cadogan.server.cli import measuring
from cadogan.server.cli.measuring import run_jobs, winnability_block
from tests.harness.command_line import run

GAMES = ("caesar", "fortress", "klondike")


def search(file: Path, *options: str, deals: int = 2, nodes: int = 200) -> str:
    """Search the deals of three games, and return what the file holds then."""
    numbers = ("--deals", str(deals), "--nodes", str(nodes))
    searched = run("winnability", *GAMES, *numbers, "--output", str(file), "--workers", "1", *options)
    assert searched.exit_code == 0, searched.output
    return file.read_text("utf-8")


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The results of two deals of three games, as one process writes them."""
    return search(tmp_path_factory.mktemp("results") / "one.jsonl")


def wait_for_the_end(number: int) -> None:
    """Say that this job has begun, and never end it."""
    print(number, flush=True)
    threading.Event().wait()


def begin_two_jobs() -> None:
    with run_jobs(wait_for_the_end, [1, 2], 2) as results:
        list(results)


def test_no_process_goes_on_when_the_command_is_killed() -> None:
    program = f"from {__name__} import begin_two_jobs; begin_two_jobs()"
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as command:
        assert command.stdout is not None
        assert {command.stdout.readline(), command.stdout.readline()} == {"1\n", "2\n"}
        command.kill()
        assert command.stdout.read() == ""  # only when no process is left that could write there


@pytest.mark.slow
def test_many_processes_write_the_same_file_as_one(tmp_path: Path, results: str) -> None:
    assert search(tmp_path / "two.jsonl", "--workers", "2") == results


def test_it_warns_only_where_python_searches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for is_compiled in (False, True):
        monkeypatch.setattr(measuring, "find_library", lambda: (None, "" if is_compiled else "none was built"))  # noqa: B023
        searched = run("winnability", "caesar", "--deals", "1", "--output", str(tmp_path / f"{is_compiled}.jsonl"))
        assert ("30 to 70 times" in searched.stderr) is not is_compiled
        assert ("none was built" in searched.stderr) is not is_compiled


def test_a_run_that_was_stopped_goes_on_where_it_stopped(tmp_path: Path, results: str) -> None:
    file = tmp_path / "stopped.jsonl"
    file.write_text("".join(results.splitlines(keepends=True)[:4]), "utf-8")
    assert search(file) == results
    assert search(file) == results


def test_more_nodes_search_only_unknown_deals_again(tmp_path: Path, results: str) -> None:
    file = tmp_path / "more.jsonl"
    file.write_text(results, "utf-8")
    added = [json.loads(line) for line in search(file, nodes=300).removeprefix(results).splitlines()]
    unknown = [one["seed"] for one in map(json.loads, results.splitlines()) if one["verdict"] == "unknown"]
    assert [one["seed"] for one in added] == unknown
    assert {one["budget"] for one in added} == {300}
    table = run("winnability", "--table", str(file)).output
    assert "| klondike | 2 | 300 | 0 (0–66 %) |" in table


def test_wins_are_checked_and_the_rest_is_counted(tmp_path: Path, results: str) -> None:
    file = tmp_path / "results.jsonl"
    file.write_text(results, "utf-8")
    checked = run("winnability", "--check", str(file))
    assert checked.exit_code == 0
    verdicts = [json.loads(line)["verdict"] for line in results.splitlines()]
    won, lost, unknown = map(verdicts.count, ("won", "lost", "unknown"))
    assert won
    assert f"{won} deals are won by their moves, 0 lines are wrong; {lost} lost and {unknown} unknown" in checked.output


def test_a_compressed_file_is_read_like_any_other(tmp_path: Path, results: str) -> None:
    plain, packed, cut = (tmp_path / name for name in ("results.jsonl", "results.jsonl.gz", "cut.jsonl.gz"))
    plain.write_text(results, "utf-8")
    packed.write_bytes(gzip.compress(results.encode()))
    cut.write_bytes(packed.read_bytes()[:-20])
    for task in ("--check", "--table"):
        assert run("winnability", task, str(packed)).output == run("winnability", task, str(plain)).output
        refused = run("winnability", task, str(cut))
        assert (refused.exit_code, "cut.jsonl.gz: " in refused.output) == (1, True)


def test_each_wrong_line_is_named_with_its_reason(tmp_path: Path, results: str) -> None:
    file = tmp_path / "wrong.jsonl"
    lines = results.splitlines(keepends=True)
    lines[0] = lines[0].replace('"caesar"', '"bridge"')
    lines[2] = lines[2].replace('"verdict":"unknown"', '"verdict":"won"')
    lines[3] = "{\n" + "[" * 100_000 + "\n"
    file.write_text("".join(lines), "utf-8")
    checked = run("winnability", "--check", str(file))
    assert checked.exit_code == 1
    assert "line 1: there is no game 'bridge'" in checked.output
    assert "line 3: the game is not won after its 0 moves" in checked.output
    assert "line 4: this is no JSON" in checked.output
    assert "line 5: this is no JSON" in checked.output
    assert "4 lines are wrong" in checked.output


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("bridge",), "there is no game 'bridge'"),
        (("klondike", "--deals", "0"), "0 is not in the range"),
        (("klondike", "--nodes", "0"), "0 is not in the range"),
        (("klondike", "--output", "results.jsonl.gz"), "--output is written line by line"),
        (("--check",), "--check needs a FILE"),
        (("--table",), "--table needs a FILE"),
        (("--check", "missing.jsonl"), "missing.jsonl: "),
        (("--table", "missing.jsonl"), "missing.jsonl: "),
    ],
)
def test_what_cannot_be_done_is_refused_with_a_sentence(
    arguments: tuple[str, ...], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    refused = run("winnability", *arguments)
    assert refused.exit_code != 0
    assert sentence in refused.output
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (lambda text: text[:-30], "its last line was not written whole"),
        (lambda text: text.replace('"deal":0', '"deal":"0"', 1), "line 1: deal is '0'"),
        (lambda text: text.replace('"solver":', '"solver":99', 1), "holds results of solver version 99"),
        (lambda text: text.replace('"rules":', '"rules":7', 1), "rules version 7"),
        (lambda text: text.replace('"klondike"', '"bridge"', 1), "there is no game 'bridge'"),
        (lambda text: "\udcff", "utf-8"),
    ],
)
def test_a_file_that_cannot_be_continued_is_left_as_it_is(
    damage: Callable[[str], str], sentence: str, tmp_path: Path, results: str
) -> None:
    file = tmp_path / "damaged.jsonl"
    file.write_text(damage(results), "utf-8", errors="surrogateescape")
    before = file.read_bytes()
    refused = run("winnability", *GAMES, "--deals", "2", "--nodes", "200", "--output", str(file))
    assert refused.exit_code == 1
    assert sentence in refused.output
    assert file.read_bytes() == before


def test_results_of_a_game_by_several_solver_versions_make_no_one_table(tmp_path: Path, results: str) -> None:
    file = tmp_path / "mixed.jsonl"
    file.write_text(results.replace('"solver":', '"solver":9', 1), "utf-8")
    refused = run("winnability", "--table", str(file))
    assert refused.exit_code == 1
    assert "make no one table" in refused.output


def test_the_published_table_says_how_to_repeat_it_also_where_games_had_other_budgets() -> None:
    usual = GameSummary("caesar", 1, 5, 20, 20_000, 20, 0, 50, 30, 20, 0.5)
    slow = usual._replace(game="sly", deals=5, budget=10_000, won=5)
    both = winnability_block([usual, slow, usual._replace(game="maze")])
    command = "`cadogan winnability --deals 20 --nodes 20000` repeats this run"
    assert both[0] == f"Solver version 5. {command}; `--deals 5 --nodes 10000` for sly."
    assert winnability_block([usual])[0] == f"Solver version 5. {command}."
    newer = winnability_block([usual, slow, usual._replace(game="maze"), slow._replace(game="golf", solver=6)])
    assert newer[0] == f"{both[0][:-1]}; `--deals 5 --nodes 10000` for golf, by version 6."
