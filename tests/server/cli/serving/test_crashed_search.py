"""A search that ends its process in compiled code is continued in Python."""

import asyncio
import signal
from collections.abc import Coroutine, Mapping, Sequence

import pytest

from cadogan.server.cli.serving import workers
from cadogan.server.config import Settings
from tests.harness.patience import soon


class Processes:
    """Stands for starting processes: notes what each is told; the first ones end with these codes, one more never."""

    def __init__(self, *codes: int) -> None:
        self.codes = list(codes)
        self.told: list[str] = []
        self.last_runs = asyncio.Event()

    async def run(self, command: Sequence[str], environment: Mapping[str, str]) -> int:
        self.told.append(environment["CADOGAN_COMPILED"])
        if not self.codes:
            self.last_runs.set()
            await asyncio.Event().wait()
        return self.codes.pop(0)

    async def watch(self, work: Coroutine[object, object, None]) -> list[str]:
        """Let a worker start processes until the last one runs, and stop it; return what each process was told."""
        working = asyncio.create_task(work)
        async with asyncio.timeout(soon()):
            await self.last_runs.wait()
        working.cancel()
        await asyncio.wait([working])
        return self.told


@pytest.mark.parametrize(
    ("code", "told"),
    [(-signal.SIGSEGV, ["true", "false"]), (-signal.SIGABRT, ["true", "false"]), (-signal.SIGKILL, ["true", "true"])],
)
async def test_an_analyst_after_one_that_crashed_searches_in_python(
    code: int, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    processes = Processes(code)
    monkeypatch.setattr(workers, "run_process", processes.run)
    monkeypatch.setattr(workers, "MIN_PAUSE_SECONDS", 0)
    assert await processes.watch(workers.keep_analysing(Settings())) == told


@pytest.mark.parametrize(
    ("codes", "told"),
    [
        ((-signal.SIGSEGV, 0), ["true", "false", "true"]),
        ((-signal.SIGKILL,), ["true", "true"]),
        ((0,), ["true", "true"]),
    ],
)
async def test_a_certifier_that_crashed_is_repeated_in_python(
    codes: tuple[int, ...], told: list[str], sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    processes = Processes(*codes)
    monkeypatch.setattr(workers, "run_process", processes.run)
    monkeypatch.setattr(workers, "INTERVAL_SECONDS", 0)
    assert await processes.watch(workers.keep_certifying(Settings(database_url=sqlite_url, beacon=""))) == told


async def test_what_the_settings_say_of_searches_reaches_the_analyst(monkeypatch: pytest.MonkeyPatch) -> None:
    processes = Processes()
    monkeypatch.setattr(workers, "run_process", processes.run)
    assert await processes.watch(workers.keep_analysing(Settings(compiled=False))) == ["false"]
