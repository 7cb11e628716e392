"""Notifying the service manager (systemd, or another one that sets `NOTIFY_SOCKET`).

The protocol is sd_notify(3): lines in a datagram, to a Unix socket with a path or, after ``@``, an abstract name.
Without a service manager nothing is sent.
"""

import asyncio
import os
import socket
from collections.abc import Mapping

import structlog

READY = "READY=1"
STOPPING = "STOPPING=1"
ALIVE = "WATCHDOG=1"

log = structlog.stdlib.get_logger("cadogan")


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
