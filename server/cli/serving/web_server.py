"""Serving an application over HTTP and WebSocket, from its start to its orderly end."""

import asyncio
import gc
import os
import resource
import signal
import socket
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress

import structlog
from aiohttp import web

from cadogan.server.cli.output import Failure, say
from cadogan.server.config import Settings
from cadogan.server.core.addresses import hosts_to_listen_on, url_host
from cadogan.server.http.app_keys import ROLES
from cadogan.server.http.guards.listener import Listener
from cadogan.server.http.websocket import closing_seconds

SILENT_SECONDS = 75.0
"""Seconds within which the headers of a request must arrive, and for which a connection is kept without one."""
READ_BYTES = 16 * 1024
"""Bytes of a body that are read before somebody asks for them; twice as many may be kept."""
MAX_WAITING_CONNECTIONS = 4096
"""How many connections may wait to be accepted. A crowd that comes at once waits here and need not try again."""

OBJECTS_BEFORE_COLLECTION = 20_000
"""Objects that may come into being before the interpreter looks for cycles among them; they are 10 MB or so."""

log = structlog.stdlib.get_logger("cadogan")


@asynccontextmanager
async def serve_app(
    app: web.Application, settings: Settings, sockets: Sequence[socket.socket] = ()
) -> AsyncIterator[None]:
    """Serve an application while the context is open, where the settings say or on sockets that are bound there."""
    runner = web.AppRunner(
        app,
        access_log=None,
        keepalive_timeout=SILENT_SECONDS,
        read_bufsize=READ_BYTES,
        shutdown_timeout=closing_seconds(settings.shutdown),
    )
    try:
        await runner.setup()
        collect_garbage_seldom()
        if settings.log_format != "json" and (code := await app[ROLES].first_host_code()):
            say("This server has no host yet. Create an account on its page, then open this link to become the host:")
            say(f"    {first_origin(settings)}/house/claim/{code}")
        with name_address(settings):
            await Listener(runner, settings, MAX_WAITING_CONNECTIONS, sockets).start()
        log.info("serving", address=f"http://{url_host(settings.host)}:{settings.port}")
        yield
    finally:
        await runner.cleanup()


@contextmanager
def name_address(settings: Settings) -> Iterator[None]:
    """Say of an error while beginning to listen that it is about the address of the settings. Raises Failure."""
    try:
        yield
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror
        raise Failure(
            f"cannot listen on {settings.host}, port {settings.port}: {reason}. CADOGAN_HOST is an address of this "
            "machine, such as 127.0.0.1, or 0.0.0.0 for all; CADOGAN_PORT is one that nobody else listens on"
        ) from None


def first_origin(settings: Settings) -> str:
    """Return the first address that people type, or that on which the server listens."""
    if settings.origin:
        return settings.origin[0]
    host = hosts_to_listen_on(settings.host)[-1]
    return f"http://{'127.0.0.1' if host == '0.0.0.0' else url_host(host)}:{settings.port}"


def stop_on_signals(on_stop: Callable[[], None] = lambda: None) -> Callable[[str], None]:
    """Cancel the current task on the first signal that ends this process, and log it; call `on_stop` before.

    Returns a function that does the same for another reason, unless it was done already.
    """
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None

    def stop(reason: str) -> None:
        if task.cancelling():
            return
        log.info("stopping", reason=reason)
        on_stop()
        for each in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(each)
        task.cancel()

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop, number.name)
    return stop


@contextmanager
def logging_end() -> Iterator[None]:
    """Log that the server has stopped, or the error that stopped it or kept it from starting."""
    try:
        yield
    except Exception as error:
        log.error("stopped", reason=str(error) or type(error).__name__)
        raise
    log.info("stopped")


def collect_garbage_seldom() -> None:
    """Let the interpreter look for garbage in cycles seldom, and never again among what is there already.

    Nearly all garbage is freed without it. With thousands of games and sockets in memory, a move and an arrival cost up
    to a tenth less so.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(OBJECTS_BEFORE_COLLECTION)


def raise_socket_limit() -> None:
    """Raise the number of sockets that this process may have open to the most that the system allows."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(OSError, ValueError):  # macOS names a limit that it then refuses
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
