"""Which processes build the library of the compiled rules, and what they say of it."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cadogan.engine.compiled import background, choice
from cadogan.server.cli.serving import workers
from cadogan.server.config import Settings
from tests.harness.patience import soon


@pytest.fixture
def begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Set when a build has begun, which ends at once; there is no library, and a compiler."""
    event = threading.Event()

    def start_building(on_end: Callable[[str | None], None]) -> None:
        on_end("no memory")
        event.set()

    monkeypatch.setattr(choice, "LIBRARY", tmp_path / "rules.so")
    monkeypatch.setattr(background, "must_build", lambda: True)
    monkeypatch.setattr(background, "start_building", start_building)
    yield event
    choice.configure(uses_library=True)


def test_a_process_that_searches_in_python_builds_after_some_seconds_and_logs_how_it_ended(
    begun: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[tuple[str, object]] = []
    monkeypatch.setattr(workers.log, "warning", lambda event, reason: said.append((event, reason)))
    monkeypatch.setattr(workers, "BUILD_AFTER_SECONDS", 0.01)
    assert workers.build_later(Settings())
    assert begun.wait(soon())
    assert said == [("library_not_built", "no memory")]


def test_nothing_is_built_where_the_settings_leave_all_games_to_python(begun: threading.Event) -> None:
    assert not workers.build_later(Settings(compiled=False))
    assert not begun.is_set()


def test_nothing_is_built_where_no_build_is_worth_a_try(
    begun: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "must_build", lambda: False)
    assert not workers.build_later(Settings())
    assert not begun.is_set()
