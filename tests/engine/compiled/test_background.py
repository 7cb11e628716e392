"""Building the library in the background: once at a time, and not again until what has failed is changed."""

import shutil
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from cadogan import engine
from cadogan.engine.compiled import background, building, choice
from cadogan.engine.compiled.building import translate_games
from tests.harness.patience import long

WRONG = {"golf": "this is no C++;"}


@pytest.fixture
def target(tmp_path: Path, small_library_file: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where the library is put, and looked for. It is compiled once for all tests, and copied when it is built."""

    def build_or_copy(target: Path, texts: dict[str, str]) -> None:
        if texts == WRONG:
            building.build(target, texts)
        shutil.copyfile(small_library_file, target)

    made = tmp_path / "build" / "rules.so"
    monkeypatch.setattr(choice, "LIBRARY", made)
    monkeypatch.setattr(background, "build", build_or_copy)
    yield made
    choice.configure(uses_library=True)


def test_a_process_that_searches_in_python_finds_the_library_when_it_is_built(target: Path) -> None:
    game = engine.game("golf")
    assert choice.find_library()[0] is None
    assert background.must_build(target)
    assert background.build_once(target, translate_games([game])[0]) == background.BUILT
    found, _ = choice.find_library()
    assert found is not None
    assert found.has(game)


def test_a_build_that_failed_says_why_and_is_not_repeated_until_the_sources_change(
    target: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert background.build_once(target, WRONG) == background.FAILED
    assert "error" in capsys.readouterr().err
    assert not background.must_build(target)
    assert background.build_once(target, translate_games([engine.game("golf")])[0]) == background.BUSY
    for module in (background, building):
        monkeypatch.setattr(module, "digest_sources", lambda: "other sources")
    assert background.must_build(target)
    assert background.build_once(target, translate_games([engine.game("golf")])[0]) == background.BUILT
    assert [one.name for one in target.parent.iterdir() if one.name not in ("lock", "rules.so")] == []


def test_only_one_process_builds_at_a_time(target: Path) -> None:
    fcntl = pytest.importorskip("fcntl")
    target.parent.mkdir()
    with (target.parent / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert background.build_once(target, WRONG) == background.BUSY
    assert background.build_once(target, WRONG) == background.FAILED


def test_without_a_compiler_nothing_is_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "find_compiler", lambda: None)
    assert not background.must_build(tmp_path / "build" / "rules.so")


def test_who_starts_a_build_is_told_how_it_ended_in_another_process() -> None:
    for code, said, expected in ((background.BUILT, "", None), (background.FAILED, "no such file", "no such file")):
        told, ended = list[str | None](), threading.Event()

        def on_end(problem: str | None, told: list[str | None] = told, ended: threading.Event = ended) -> None:
            told.append(problem)
            ended.set()

        program = (
            f"import os, sys; print({said!r}, file=sys.stderr); sys.exit({code} if os.getsid(0) == os.getpid() else 1)"
        )
        background.start_building(on_end, (sys.executable, "-c", program))
        assert ended.wait(long())
        assert told == [expected]
