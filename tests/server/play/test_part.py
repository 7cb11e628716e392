"""What a part may want of the server: hooks by name, called in the order in which the parts were added."""

import asyncio
import gc
import weakref
from collections.abc import Collection
from dataclasses import replace
from inspect import iscoroutinefunction, signature

import pytest
import structlog
from structlog.testing import LogCapture

from cadogan.server import app, web_app
from cadogan.server.app import Server
from cadogan.server.config import Settings
from cadogan.server.core.eventlog.background_tasks import BackgroundPart
from cadogan.server.core.outbox import Destination
from cadogan.server.part import Part, Parts
from cadogan.server.subjects.admin.findings import ClaimedDay
from tests.harness.patience import soon
from tests.harness.running_server import TEST_SETTINGS, RunningServer, forget_applications, listening, open_server

HOOKS = [hook for name, hook in vars(Part).items() if not name.startswith("_")]


async def test_every_hook_of_every_part_takes_what_it_is_handed(sqlite_server: RunningServer) -> None:
    found = [(hook, own) for hook in HOOKS for own in sqlite_server.server.parts.hooks(hook)]
    wrong = [
        own.__qualname__
        for hook, own in found
        if len(signature(own).parameters) != len(signature(hook).parameters) - 1
        or iscoroutinefunction(own) != iscoroutinefunction(hook)
    ]
    assert wrong == []
    assert {hook.__name__ for hook, _ in found} == {hook.__name__ for hook in HOOKS} - {"routes"}


async def test_hooks_are_called_in_the_order_of_the_parts_and_a_part_without_it_is_passed_over() -> None:
    closed: list[str] = []

    class Closing:
        def __init__(self, name: str) -> None:
            self.name = name

        async def close(self) -> None:
            closed.append(self.name)

    parts = Parts()
    for part in (Closing("first"), object(), Closing("second")):
        parts.add(part)
    await parts.call(Part.close)
    assert closed == ["first", "second"]


@pytest.mark.parametrize("name", ["on_comit", "on_race_changed", "wake_up_handler", "closed", "clear_olds", "run_dues"])
def test_a_part_with_a_misspelt_hook_is_refused(name: str) -> None:
    parts = Parts()
    with pytest.raises(TypeError, match=f"Late.{name} is no hook"):
        parts.add(type("Late", (), {name: lambda self: None})())


async def test_a_clock_that_fails_is_logged_by_the_name_of_its_hook_and_called_again(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    logged, called_again = LogCapture(), asyncio.Event()

    class Failing:
        async def clear_old(self) -> None:
            if len(logged.entries) > 2:
                called_again.set()
            raise ConnectionError

    monkeypatch.setattr(web_app, "log", structlog.wrap_logger(None, [logged], structlog.make_filtering_bound_logger(0)))
    monkeypatch.setattr(web_app, "CLOCK_INTERVAL_SECONDS", 0.01)
    settings = replace(TEST_SETTINGS, database_url=sqlite_url)
    server = Server(settings)
    server.parts.add(Failing())
    async with listening(web_app.make_web_app(server), settings), asyncio.timeout(soon()):
        await called_again.wait()
    assert {line["task"] for line in logged.entries} == {"clear_old"}


async def test_a_part_whose_close_fails_or_hangs_keeps_no_other_from_closing(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cadogan.server.app.CLOSE_TIMEOUT_SECONDS", 0.05)
    closed: list[str] = []

    class Failing:
        async def close(self) -> None:
            raise ValueError

    class Hanging:
        async def close(self) -> None:
            try:
                await asyncio.Event().wait()
            finally:
                closed.append("cancelled")

    class Last:
        async def close(self) -> None:
            closed.append("closed")

    async with asyncio.timeout(soon()), open_server(Settings(database_url=sqlite_url)) as running_server:
        for part in (Failing(), Hanging(), Last()):
            running_server.server.parts.add(part)
    assert closed == ["closed", "cancelled"]


async def test_a_part_that_is_cut_off_is_named_although_it_inherits_its_end(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    logged = LogCapture()

    class Hanging(BackgroundPart):
        async def hang(self) -> None:
            await asyncio.Event().wait()

    monkeypatch.setattr("cadogan.server.app.CLOSE_TIMEOUT_SECONDS", 0.05)
    async with asyncio.timeout(soon()), open_server(Settings(database_url=sqlite_url)) as running_server:
        hanging = running_server.server.parts.add(Hanging())
        hanging.background.start(hanging.hang)
        monkeypatch.setattr(app, "log", structlog.wrap_logger(None, [logged], structlog.make_filtering_bound_logger(0)))
    assert [line["task"] for line in logged.entries] == ["Hanging.close"]


async def test_what_a_part_still_does_when_the_server_stops_is_named_if_it_is_cut_off(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    logged, begun = LogCapture(), [asyncio.Event(), asyncio.Event()]

    class Endless:
        async def run(self, stopping: asyncio.Event) -> None:
            begun[0].set()
            await asyncio.Event().wait()

        async def run_due(self) -> None:
            begun[1].set()
            await asyncio.Event().wait()

    monkeypatch.setattr(web_app, "CLOSE_TIMEOUT_SECONDS", 0.05)
    monkeypatch.setattr(web_app, "CLOCK_INTERVAL_SECONDS", 0.01)
    settings = replace(TEST_SETTINGS, database_url=sqlite_url)
    server = Server(settings)
    server.parts.add(Endless())
    async with asyncio.timeout(soon()), listening(web_app.make_web_app(server), settings):
        for each in begun:
            await each.wait()
        monkeypatch.setattr(app, "log", structlog.wrap_logger(None, [logged], structlog.make_filtering_bound_logger(0)))
    named = {line["task"].rpartition("Endless.")[2] for line in logged.entries}
    assert {"run", "run_due"} <= named
    assert not any(name.startswith("Task-") for name in named)


async def test_findings_are_closed_once_no_day_is_being_analysed(
    sqlite_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    findings, begun, may_end = sqlite_server.server.admin.findings, asyncio.Event(), asyncio.Event()

    async def due(busy: Collection[str], doubtful: Collection[str], proven: bool, most: int) -> list[Destination]:
        return [Destination("findings")] if proven and not begun.is_set() else []

    async def claim(destination: str, most: int) -> list[ClaimedDay]:
        begun.set()
        await may_end.wait()
        return []

    monkeypatch.setattr(findings, "due", due)
    monkeypatch.setattr(findings, "claim", claim)
    running = asyncio.create_task(findings.run_due())
    await begun.wait()
    closing = asyncio.create_task(findings.close())
    await asyncio.wait([closing], timeout=0)
    assert not closing.done()
    may_end.set()
    await closing
    await running


async def test_a_server_that_has_answered_is_freed_once_it_has_stopped(sqlite_url: str) -> None:
    async with open_server(replace(TEST_SETTINGS, database_url=sqlite_url)) as one:
        await one.guest()
        server = weakref.ref(one.server)
    del one
    forget_applications()
    gc.collect()
    assert server() is None
