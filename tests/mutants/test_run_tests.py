"""Which tests run for a line that Cosmic Ray has changed."""

from pathlib import PurePath

from tests.mutants.run_tests import MAX_TESTS, choose_folders, choose_tests

KIND, SLUG, OWN = (
    "tests/a.py::test_kind[1]",
    "tests/a.py::test_layout[la-nivernaise]",
    "tests/test_la_nivernaise.py::test_deal",
)
EVERY = ["", f"{KIND}|run", f"{SLUG}|run", f"{OWN}|setup", "tests/a.py::test_layout[sly]|run"]
GAME = PurePath("engine/games/la_nivernaise.py")


def test_a_line_has_the_tests_that_run_it_and_those_of_most_of_the_module_come_first() -> None:
    contexts = {7: ["tests/b.py::test_other|run", f"{KIND}|run", f"{KIND}|setup"], 8: [f"{KIND}|run"]}
    assert choose_tests(GAME, 7, contexts, EVERY) == [KIND, "tests/b.py::test_other"]
    assert len(choose_tests(GAME, 7, {7: [f"test[{number}]|run" for number in range(999)]}, EVERY)) == MAX_TESTS


def test_a_line_that_runs_on_import_has_first_the_tests_in_its_own_file_then_those_of_its_module_or_game() -> None:
    assert choose_tests(GAME, 3, {3: [""], 8: [f"{KIND}|run"]}, EVERY) == [OWN, KIND, SLUG]


def test_slow_tests_are_those_of_folders_of_the_same_name_then_of_the_folders_of_most_tests() -> None:
    tests = ["tests/a/test_b.py::test_one", "tests/c/test_d.py::test_two[x/y]", "tests/c/test_d.py::test_three"]
    folders = [PurePath("tests/engine/games"), PurePath("tests/games"), PurePath("tests/c")]
    assert choose_folders(GAME, tests, folders) == ["tests/engine/games", "tests/games", "tests/c"]
    assert choose_folders(GAME, tests, folders[1:]) == ["tests/games", "tests/c", "tests/a"]
