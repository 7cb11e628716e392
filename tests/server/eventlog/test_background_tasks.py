"""Background tasks: done in the end though the database was away, and their failures are not lost."""

import asyncio

import pytest
import structlog
from structlog.testing import LogCapture, ReturnLogger

from cadogan.server.core.eventlog import aggregate, background_tasks
from cadogan.server.core.eventlog.background_tasks import BackgroundTasks
from cadogan.server.core.eventlog.event_store import StoredEvent
from tests.harness.patience import soon
from tests.harness.race_actions import make_race
from tests.harness.running_server import RunningServer


@pytest.fixture(autouse=True)
def unpaused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tried again at once."""
    monkeypatch.setattr(background_tasks, "RETRY_SECONDS", 0.0)


@pytest.fixture
def logged(monkeypatch: pytest.MonkeyPatch) -> LogCapture:
    """What is logged of background tasks, however logging is configured."""
    capture = LogCapture()
    wrapper = structlog.make_filtering_bound_logger(0)
    monkeypatch.setattr(background_tasks, "log", structlog.wrap_logger(ReturnLogger(), [capture], wrapper))
    return capture


async def test_a_task_that_failed_for_lack_of_the_database_is_retried_when_it_is_back(logged: LogCapture) -> None:
    failures = [ConnectionError(), TimeoutError()]

    async def work() -> None:
        if failures:
            raise failures.pop()

    tasks = BackgroundTasks()
    tasks.start(work)
    await tasks.wait_until_idle()
    assert not failures
    assert [(line["event"], line["reason"]) for line in logged.entries] == [
        ("background_task_retried", "TimeoutError"),
        ("background_task_retried", "ConnectionError"),
    ]


async def test_a_failure_of_another_kind_is_logged_and_not_retried(logged: LogCapture) -> None:
    async def work(part: str) -> None:
        raise ValueError(part)

    tasks = BackgroundTasks()
    tasks.start(work, "deal")
    await tasks.wait_until_idle()
    assert [line["event"] for line in logged.entries] == ["background_task_failed"]


async def test_a_task_that_was_started_for_some_time_is_given_up_then() -> None:
    attempts = []

    async def work() -> None:
        attempts.append(1)
        raise ConnectionError

    tasks = BackgroundTasks()
    tasks.start_for(0.05, work)
    async with asyncio.timeout(soon()):
        await tasks.wait_until_idle()
    assert attempts


async def test_a_node_does_not_look_for_ever_for_versions_that_never_come(
    sqlite_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(aggregate, "WAKE_UP_SECONDS", 0.05)
    ann, bob = await sqlite_server.guest(), await sqlite_server.guest()
    server, game, race = sqlite_server.server, await ann.deal(), await make_race(ann, bob, seconds=60)
    server.wake_ups.on_wake_up(game, 2**63)
    server.wake_ups.on_wake_up(f"match/{race['race']}", 2**63)
    assert server.cache.background.busy
    assert server.race_repository.background.busy
    async with asyncio.timeout(soon()):
        await server.wait_until_idle()
    async with ann.connect() as socket:
        assert (await socket.play(await socket.request("subscribe", game=game)))["version"] == 2


async def test_closed_background_tasks_retry_nothing(logged: LogCapture) -> None:
    async def work() -> None:
        raise ConnectionError

    tasks = BackgroundTasks()
    tasks.start(work)
    async with asyncio.timeout(soon()):
        await tasks.close()
    assert not tasks.busy
    assert "background_task_failed" not in [line["event"] for line in logged.entries]


async def test_a_race_ends_although_the_database_was_away_at_its_time_limit(
    sqlite_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = await sqlite_server.guest(), await sqlite_server.guest()
    race = await make_race(ann, bob, seconds=60)
    races = sqlite_server.server.races
    read, away = sqlite_server.server.store.read_later, [True]

    async def flaky(stream: str, after: int) -> list[StoredEvent]:
        if away:
            away.pop()
            raise ConnectionError
        return await read(stream, after)

    sqlite_server.clock.at = race["ends_at"]
    monkeypatch.setattr(sqlite_server.server.store, "read_later", flaky)
    races.schedule_settlement(race["race"])
    await races.wait_until_idle()
    assert not away
    found = sqlite_server.server.race_repository.cached(race["race"])
    assert found is not None
    assert found.over
