"""A search that ends its process in compiled code is continued in Python."""

import asyncio
import signal
from collections.abc import Mapping, Sequence

import pytest

from cadogan.server.cli.serving import workers
from cadogan.server.config import Settings


class Processes:
    """Stands for starting processes: notes what each is told, lets the first ones end with these codes, and ends."""

    def __init__(self, *codes: int) -> None:
        self.codes = list(codes)
        self.told: list[str] = []

    async def run(self, command: Sequence[str], environment: Mapping[str, str]) -> int:
        self.told.append(environment["CADOGAN_COMPILED"])
        if not self.codes:
            raise asyncio.CancelledError
        return self.codes.pop(0)


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
    await workers.keep_analysing(Settings())
    assert processes.told == told


@pytest.mark.parametrize(
    ("codes", "told"),
    [
        ((-signal.SIGSEGV, 0), ["true", "false", "true"]),
        ((-signal.SIGKILL,), ["true", "true"]),
        ((0,), ["true", "true"]),
    ],
)
async def test_a_certifier_that_crashed_is_repeated_in_python(
    codes: tuple[int, ...], told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    processes = Processes(*codes)
    monkeypatch.setattr(workers, "run_process", processes.run)
    monkeypatch.setattr(workers, "INTERVAL_SECONDS", 0)
    await workers.keep_certifying(Settings(beacon=""))
    assert processes.told == told


async def test_what_the_settings_say_of_searches_reaches_the_analyst(monkeypatch: pytest.MonkeyPatch) -> None:
    processes = Processes()
    monkeypatch.setattr(workers, "run_process", processes.run)
    await workers.keep_analysing(Settings(compiled=False))
    assert processes.told == ["false"]
