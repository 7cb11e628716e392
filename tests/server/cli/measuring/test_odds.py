"""`cadogan odds`: deals are played without seeing the face-down cards, and others can check the results."""

import gzip
from pathlib import Path

import pytest

from tests.harness.command_line import run

GAMES = ("caesar", "nestor")


def play(file: Path, *options: str) -> str:
    """Play two deals of two games, and return what the file holds then."""
    played = run("odds", *GAMES, "--deals", "2", "--output", str(file), "--workers", "1", *options)
    assert played.exit_code == 0, played.output
    return file.read_text("utf-8")


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The results of two deals of two games, as one process writes them."""
    return play(tmp_path_factory.mktemp("results") / "one.jsonl")


@pytest.mark.slow
def test_a_run_that_was_stopped_goes_on_where_it_stopped(tmp_path: Path, results: str) -> None:
    file = tmp_path / "stopped.jsonl"
    file.write_text("".join(results.splitlines(keepends=True)[:3]), "utf-8")
    assert play(file) == results
    assert play(file) == results
    refused = run("odds", *GAMES, "--seed", "7", "--output", str(file))
    assert refused.exit_code == 1
    assert "with another seed" in refused.output
    assert file.read_text("utf-8") == results


@pytest.mark.slow
def test_results_are_checked_and_make_a_table(tmp_path: Path, results: str) -> None:
    file, wrong = tmp_path / "results.jsonl.gz", tmp_path / "wrong.jsonl"
    file.write_bytes(gzip.compress(results.encode()))
    wins = results.count('"won":true')
    checked = run("odds", "--check", str(file))
    assert checked.exit_code == 0
    assert f"{wins} deals are won by their moves and {4 - wins} are not, 0 lines are wrong" in checked.output
    assert "| caesar | 0 | 2 | 2 (34–100 %) |" in run("odds", "--table", str(file)).output
    wrong.write_text(results.replace('"won":true', '"won":false', 1), "utf-8")
    refused = run("odds", "--check", str(wrong))
    assert refused.exit_code == 1
    assert "line 1: after its" in refused.output


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("bridge",), "there is no game 'bridge'"),
        (("caesar", "--deals", "0"), "0 is not in the range"),
        (("caesar", "--output", "odds.jsonl.gz"), "--output is written line by line"),
        (("--check",), "--check needs a FILE"),
        (("--table", "missing.jsonl"), "missing.jsonl: "),
    ],
)
def test_what_cannot_be_done_is_refused_with_a_sentence(
    arguments: tuple[str, ...], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    refused = run("odds", *arguments)
    assert refused.exit_code != 0
    assert sentence in refused.output
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("[1]", "line 1: this is no object with game, deal"),
        ("no JSON", "line 1: this is no JSON"),
        (
            '{"game":"caesar","deal":"0","seed":0,"rules":1,"solver":6,"policy":1,"won":true,"searched":1,"moves":[]}',
            "line 1: deal is '0'",
        ),
        (
            '{"game":"caesar","deal":0,"seed":0,"rules":1,"solver":6,"policy":1,"won":1,"searched":1,"moves":[]}',
            "line 1: game has to be text, and won has to be true or false",
        ),
    ],
)
def test_a_damaged_file_is_refused_with_its_first_wrong_line(line: str, sentence: str, tmp_path: Path) -> None:
    file = tmp_path / "odds.jsonl"
    file.write_text(f"{line}\n", "utf-8")
    for arguments in (("--table", str(file)), ("caesar", "--output", str(file))):
        refused = run("odds", *arguments)
        assert refused.exit_code == 1
        assert sentence in refused.output
