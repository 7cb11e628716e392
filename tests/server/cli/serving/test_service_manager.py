"""What a service manager is told, over a real socket."""

import asyncio
import socket
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from cadogan.server.cli.serving.processes import ALIVE, READY, STOPPING, keep_watchdog, notify_service_manager
from tests.harness.patience import long, soon
from tests.harness.server_process import ServerProcess
from tests.harness.several_processes import SeveralProcesses


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[socket.socket]:
    """A socket as systemd opens it."""
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.settimeout(long())
        yield listening


def test_without_a_service_manager_nothing_is_told() -> None:
    notify_service_manager(READY, {})


def test_a_state_is_one_datagram(manager: socket.socket) -> None:
    notify_service_manager(READY, {"NOTIFY_SOCKET": manager.getsockname()})
    assert manager.recv(100) == b"READY=1"


def test_a_socket_may_be_abstract() -> None:
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as listening:
        listening.bind("")  # Linux chooses an abstract name
        notify_service_manager(STOPPING, {"NOTIFY_SOCKET": "@" + listening.getsockname()[1:].decode()})
        listening.settimeout(long())
        assert listening.recv(100) == b"STOPPING=1"


def test_a_service_manager_that_has_gone_stops_nobody(tmp_path: Path) -> None:
    notify_service_manager(READY, {"NOTIFY_SOCKET": str(tmp_path / "nobody")})


async def test_the_watchdog_is_told_again_and_again(manager: socket.socket) -> None:
    environment = {"NOTIFY_SOCKET": manager.getsockname(), "WATCHDOG_USEC": "2000"}
    keeping = asyncio.create_task(keep_watchdog(environment))
    output = [await asyncio.to_thread(manager.recv, 100) for _ in range(3)]
    keeping.cancel()
    with suppress(asyncio.CancelledError):
        await keeping
    assert output == [ALIVE.encode()] * 3


@pytest.mark.parametrize("asked", [{}, {"WATCHDOG_USEC": ""}, {"WATCHDOG_USEC": "2000", "WATCHDOG_PID": "1"}])
async def test_a_watchdog_that_nobody_asked_for_ends_at_once(asked: dict[str, str]) -> None:
    await keep_watchdog(asked)


async def test_a_server_says_that_it_is_ready_once_it_listens_and_that_it_stops(
    manager: socket.socket, tmp_path: Path
) -> None:
    settings = {"CADOGAN_MIGRATE": "1", "NOTIFY_SOCKET": manager.getsockname(), "WATCHDOG_USEC": "600000000"}
    server = ServerProcess(f"sqlite:///{tmp_path}/cadogan.db", tmp_path / "log", settings)
    starting = asyncio.create_task(server.start())
    assert await asyncio.to_thread(manager.recv, 100) == b"READY=1"
    with closing(socket.create_connection(("127.0.0.1", server.port), soon())):
        pass
    await starting
    assert await asyncio.to_thread(manager.recv, 100) == b"WATCHDOG=1"
    assert await asyncio.to_thread(server.stop) == 0
    assert await asyncio.to_thread(manager.recv, 100) == b"STOPPING=1"


@pytest.mark.heavy
async def test_several_processes_are_one_service_which_is_ready_when_all_of_them_serve(
    manager: socket.socket, postgresql_url: str, tmp_path: Path
) -> None:
    settings = {"NOTIFY_SOCKET": manager.getsockname(), "WATCHDOG_USEC": "600000000"}
    server = SeveralProcesses(postgresql_url, tmp_path, settings=settings)
    starting = asyncio.create_task(server.start())
    assert await asyncio.to_thread(manager.recv, 100) == b"READY=1"
    assert {line["process"] for line in server.logged("serving") if "process" in line} == {1, 2}
    await starting
    assert await asyncio.to_thread(manager.recv, 100) == b"WATCHDOG=1"
    assert await asyncio.to_thread(server.stop) == 0
    assert await asyncio.to_thread(manager.recv, 100) == b"STOPPING=1"
    manager.settimeout(0)
    with pytest.raises(BlockingIOError):  # the processes themselves say nothing
        manager.recv(100)
