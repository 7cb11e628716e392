"""The supervisor and processes of a few lines, which begin, end and fail as they are told."""

import asyncio
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from cadogan.server.cli.serving.processes import Port
from cadogan.server.cli.serving.supervisor import RestartPolicy, StartFailed, Supervisor
from cadogan.server.config import Settings
from tests.harness.patience import long
from tests.harness.server_process import free_port

FAST_RESTARTS = RestartPolicy(
    first_pause_seconds=0.001, max_pause_seconds=0.01, stable_after_seconds=3600.0, max_failures=4
)
BEGIN = """
import json, os, signal, socket, sys, time
supervisor = socket.socket(fileno=int(sys.argv[1])).makefile("rwb")
begin = json.loads(supervisor.readline())
def say(what): supervisor.write(json.dumps(what).encode() + b"\\n"); supervisor.flush()
"""
SERVE = "say({'type': 'ready'})\n"
STAY = "supervisor.readline()\n"
"""Until the supervisor has gone, or asks for something."""


@pytest.fixture
def port() -> Iterator[Port]:
    """A port of this machine."""
    with closing(Port("127.0.0.1", free_port())) as port:
        yield port


@asynccontextmanager
async def supervised(
    port: Port, program: str, processes: int = 2, stop_seconds: float = 60
) -> AsyncIterator[Supervisor]:
    """A supervisor of processes that run this program; it is stopped in the end."""
    command = (sys.executable, "-c", BEGIN + program)
    supervisor = Supervisor(command, Settings(log_level="error"), processes, port, stop_seconds, FAST_RESTARTS)
    async with asyncio.timeout(long()):
        try:
            yield supervisor
        finally:
            await supervisor.stop()


async def test_every_process_has_a_number_the_settings_and_the_port(port: Port, tmp_path: Path) -> None:
    note = f"""
bound = socket.socket(fileno=begin["sockets"][0]).getsockname()
open({str(tmp_path)!r} + "/" + str(begin["number"]), "w").write(f"{{begin['settings']['log_level']}} {{bound[0]}}")
"""
    async with supervised(port, note + SERVE + STAY, processes=3) as supervisor:
        await supervisor.start()
    assert read_files(tmp_path) == dict.fromkeys("123", "error 127.0.0.1")


async def test_the_other_processes_begin_once_the_first_serves(port: Port, tmp_path: Path) -> None:
    first_has_begun = repr(str(tmp_path / "first"))
    program = f"""
if begin["number"] == 1:
    open({first_has_begun}, "w")
else:
    assert os.path.exists({first_has_begun})
"""
    async with supervised(port, program + SERVE + STAY) as supervisor:
        with capture_logs() as logged:
            await supervisor.start()
    assert [line["event"] for line in logged] == ["process_started"] * 2


async def test_a_first_process_that_ends_before_it_serves_ends_the_start(port: Port) -> None:
    async with supervised(port, "sys.exit(3)") as supervisor:
        with pytest.raises(StartFailed, match=r"^3$"), capture_logs() as logged:
            await supervisor.start()
    assert [line["event"] for line in logged] == ["process_started"]


async def test_a_command_that_cannot_be_run_ends_the_start(port: Port) -> None:
    supervisor = Supervisor(("/no/such/program",), Settings(), 2, port, 1.0)
    with pytest.raises(StartFailed, match="No such file"):
        await supervisor.start()
    await supervisor.stop()


async def test_a_process_that_never_stays_is_given_up_after_pauses_that_grow(port: Port) -> None:
    program = SERVE + "if begin['number'] == 2: sys.exit(7)\n" + STAY
    with capture_logs() as logged:
        async with supervised(port, program) as supervisor:
            await supervisor.start()
            assert await supervisor.wait() == "process 2 has ended 4 times in a row, at last with 7"
    ended = [line["seconds_until_restart"] for line in logged if line["event"] == "process_ended"]
    assert ended == [0.001, 0.002, 0.004]
    assert [line["process"] for line in logged if line["event"] == "process_given_up"] == [2]


def test_pauses_double_until_the_longest() -> None:
    restart_policy = RestartPolicy(first_pause_seconds=0.5, max_pause_seconds=30.0)
    assert [restart_policy.pause(ends) for ends in range(1, 9)] == [0.5, 1, 2, 4, 8, 16, 30, 30]


async def test_a_process_without_a_sign_of_life_is_killed_and_replaced(
    port: Port, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cadogan.server.cli.serving.supervisor.SILENT_SECONDS", 0.2)
    with capture_logs() as logged:
        async with supervised(port, SERVE + "time.sleep(3600)", processes=1) as supervisor:
            await supervisor.start()
            await supervisor.wait()
    events = [line["event"] for line in logged]
    assert events[:4] == ["process_started", "process_silent", "process_ended", "process_started"]
    assert [line["code"] for line in logged if line["event"] == "process_ended"] == [-9, -9, -9]


async def test_a_process_that_does_not_end_in_time_is_killed(port: Port) -> None:
    program = "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n" + SERVE + "time.sleep(3600)"
    async with supervised(port, program, stop_seconds=0.1) as supervisor:
        await supervisor.start()


async def test_the_total_has_what_each_process_said_last_even_if_it_says_no_more(port: Port, tmp_path: Path) -> None:
    counted = "[['cadogan_moves', 'Moves', 'counter', [['cadogan_moves_total', {}, 3.0]]]]"
    program = f"""
say({{"type": "figures", "families": {counted}}})
if begin["number"] == 1:
    say({{"type": "ready"}})
    time.sleep(3600)
say({{"type": "figures", "families": {counted}, "asks_total": True}})
total = json.loads(supervisor.readline())
open({str(tmp_path / "unfinished")!r}, "w").write(total["text"])
os.rename({str(tmp_path / "unfinished")!r}, {str(tmp_path / "total")!r})
"""
    async with supervised(port, program + SERVE + STAY) as supervisor:
        await supervisor.start()
    assert "cadogan_moves_total 6.0" in (tmp_path / "total").read_text().splitlines()


def read_files(folder: Path) -> dict[str, str]:
    """What is in the files of a folder, by their names."""
    return {file.name: file.read_text() for file in folder.iterdir()}
