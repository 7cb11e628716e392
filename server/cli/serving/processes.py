"""Operating system services for serving: a port shared by processes, child processes, the service manager.

The port shared by several processes: each accepts a part of the connections, independently of the others.

Linux distributes connections evenly among SO_REUSEPORT sockets, so there each process gets its own sockets; when it
ends, the others get its connections. Other systems do not distribute them; there all processes accept from the same
sockets, and the first one to accept gets the connection.

Notifying the service manager (systemd, or another one that sets `NOTIFY_SOCKET`).

The protocol is sd_notify(3): lines in a datagram, to a Unix socket with a path or, after ``@``, an abstract name.
Without a service manager nothing is sent.
"""

import asyncio
import os
import socket
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress

import structlog

from cadogan.server.core.addresses import hosts_to_listen_on

log = structlog.stdlib.get_logger("cadogan")
SPREADS = sys.platform == "linux"
"""Whether this system distributes connections among the sockets that listen on one port."""
Address = tuple[socket.AddressFamily, tuple[str, int] | tuple[str, int, int, int] | tuple[int, bytes]]


class Port:
    """A port on every address of a host, reserved as long as this object is open."""

    def __init__(self, host: str, port: int, spreads: bool = SPREADS) -> None:
        """Reserve the port. Raises OSError if it is in use, or if the host is not this machine."""
        self._spreads = spreads
        self._reserved: list[socket.socket] = []
        try:
            for family, address in _addresses(host, port):
                probe = _bind(family, address)
                self._reserved.append(probe)
                if spreads:  # the probe has shown that the port is free; only now may others share it
                    self._reserved[-1] = _bind_instead(probe)
        except OSError:
            self.close()
            raise

    def sockets(self) -> Sequence[socket.socket]:
        """Return listening sockets for one process; close them here once the process has inherited them."""
        if self._spreads:
            return [_bind(reserved.family, reserved.getsockname(), shared=True) for reserved in self._reserved]
        return [reserved.dup() for reserved in self._reserved]

    def close(self) -> None:
        """Release the port."""
        for reserved in self._reserved:
            reserved.close()
        self._reserved.clear()


def _addresses(host: str, port: int) -> list[Address]:
    found = [
        one
        for name in hosts_to_listen_on(host)
        for one in socket.getaddrinfo(name, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    ]
    return list(dict.fromkeys((family, address) for family, _, _, _, address in found))


def _bind_instead(probe: socket.socket) -> socket.socket:
    family, address = probe.family, probe.getsockname()
    probe.close()
    return _bind(family, address, shared=True)


def _bind(family: socket.AddressFamily, address: object, shared: bool = False) -> socket.socket:
    bound = socket.socket(family, socket.SOCK_STREAM)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if shared:
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        if family == socket.AF_INET6:
            bound.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        bound.bind(address)  # type: ignore[arg-type]  # one that getaddrinfo gave
    except OSError as error:
        bound.close()
        raise OSError(error.errno, f"cannot listen on {address}: {os.strerror(error.errno or 0)}") from None
    return bound


STOP_SECONDS = 3.0
"""Grace period of a child process when its server stops."""


async def run_process(command: Sequence[str], environment: Mapping[str, str]) -> int:
    """Run a command and return its exit code; end it if this task is cancelled.

    Its standard input is empty and closes when this process ends, for whatever reason.
    """
    pipe, nothing = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
    starting = asyncio.ensure_future(
        asyncio.create_subprocess_exec(*command, env=environment, stdin=pipe, stdout=nothing)
    )
    try:
        process = await asyncio.shield(starting)
    except asyncio.CancelledError:
        # uvloop would not wait for the end of a process whose start is cancelled
        with suppress(OSError):  # it could not be started
            await end_process(await starting, STOP_SECONDS)
        raise
    try:
        return await process.wait()
    finally:
        await end_process(process, STOP_SECONDS)


async def end_process(process: asyncio.subprocess.Process, seconds: float) -> None:
    """Terminate a process, kill it after the grace period in seconds, and return when it has ended."""
    with suppress(ProcessLookupError):  # it may have just ended
        process.terminate()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):  # `wait_for` can lose a cancellation at the end of the process
                await process.wait()
        process.kill()
    await process.wait()


READY = "READY=1"
STOPPING = "STOPPING=1"
ALIVE = "WATCHDOG=1"


def notify_service_manager(state: str, environment: Mapping[str, str] = os.environ) -> None:
    """Send a state, such as `READY`, to the service manager, if there is one. Failures are logged."""
    address = environment.get("NOTIFY_SOCKET", "")
    if not address:
        return
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
            sender.connect(f"\0{address[1:]}" if address.startswith("@") else address)
            sender.send(state.encode())
    except OSError as error:
        log.warning("service_manager_not_told", state=state, reason=str(error))


async def keep_watchdog(environment: Mapping[str, str] = os.environ) -> None:
    """Send the watchdog notification twice per watchdog interval.

    Returns at once if no watchdog is configured. Nothing is sent while the event loop is blocked.
    """
    microseconds = environment.get("WATCHDOG_USEC", "")
    if not microseconds.isdecimal() or environment.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return
    while True:
        notify_service_manager(ALIVE, environment)
        await asyncio.sleep(int(microseconds) / 2_000_000)
