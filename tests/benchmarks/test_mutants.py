"""What the command about small bugs keeps in a file is still true."""

from benchmarks.mutants import areas, bugs


def test_every_bug_that_is_explained_is_in_a_module_of_an_area_and_changes_a_line() -> None:
    modules = {module for area in areas.AREAS for module in areas.modules_of(area)}
    for (module, _, before, after), why in bugs.read_explained().items():
        assert module in modules
        assert before != after
        assert why.endswith("."), before


def test_every_module_of_an_area_and_all_of_its_tests_are_there() -> None:
    for area in areas.AREAS:
        for module in areas.modules_of(area):
            assert (areas.ROOT / module).is_file(), module
            assert [
                name
                for name in areas.tests_of(module)
                if "/" in name and not (areas.ROOT / name.partition("::")[0]).exists()
            ] == [], module


def test_what_became_of_a_bug_is_read_back_from_the_log() -> None:
    bug = bugs.Bug("games", "engine/games/sly.py", 7, "NumberReplacer", 3)
    outcome = bugs.Outcome(bug, bugs.changed_line("a = 1\nb = 2\n", "a = 1\nb = 3\n"), bugs.SURVIVED, "")
    assert str(outcome) == "engine/games/sly.py:7 NumberReplacer\n    - b = 2\n    + b = 3"
    assert bugs.decode_outcome(bugs.encode_outcome(outcome)) == outcome
