"""Serving an application over HTTP and WebSocket, from start to graceful shutdown."""

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
from cadogan.server.core.web.requests import SERVER
from cadogan.server.http.listener import Listener
from cadogan.server.http.websocket import CLOSING_SECONDS

SILENT_SECONDS = 75.0
"""The timeout of request headers, and of idle keep-alive connections."""
READ_BYTES = 16 * 1024
"""Bytes of a body that are buffered before a handler reads them; up to twice as many may be held."""
MAX_WAITING_CONNECTIONS = 4096
"""The backlog of connections to be accepted. With it a crowd that connects at once need not retry."""

OBJECTS_BEFORE_COLLECTION = 20_000
"""New objects before the garbage collector looks for cycles; they take about 10 MB."""

log = structlog.stdlib.get_logger("cadogan")


@asynccontextmanager
async def serve_app(
    app: web.Application, settings: Settings, sockets: Sequence[socket.socket] = ()
) -> AsyncIterator[None]:
    """Serve an application while the context is open, at the configured address or on these bound sockets."""
    runner = web.AppRunner(
        app,
        access_log=None,
        keepalive_timeout=SILENT_SECONDS,
        read_bufsize=READ_BYTES,
        shutdown_timeout=CLOSING_SECONDS,
    )
    try:
        await runner.setup()
        collect_garbage_seldom()
        if settings.log_format != "json" and (code := await app[SERVER].admin.roles.first_host_code()):
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
    """Add the configured address to an error raised while starting to listen. Raises Failure."""
    try:
        yield
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror
        raise Failure(
            f"cannot listen on {settings.host}, port {settings.port}: {reason}. CADOGAN_HOST is an address of this "
            "machine, such as 127.0.0.1, or 0.0.0.0 for all; CADOGAN_PORT is one that nobody else listens on"
        ) from None


def first_origin(settings: Settings) -> str:
    """Return the first public address, or the one on which the server listens."""
    if settings.origin:
        return settings.origin[0]
    host = hosts_to_listen_on(settings.host)[-1]
    return f"http://{'127.0.0.1' if host == '0.0.0.0' else url_host(host)}:{settings.port}"


def stop_on_signals(on_stop: Callable[[], None] = lambda: None) -> Callable[[str], None]:
    """Cancel the current task on the first termination signal, and log it; `on_stop` is called first.

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
    """Log that the server stopped, or the error that stopped it. A Failure is not logged: the command prints it."""
    try:
        yield
    except Failure:
        raise
    except Exception as error:
        log.error("stopped", reason=str(error) or type(error).__name__)
        raise
    log.info("stopped")


def collect_garbage_seldom() -> None:
    """Run the cyclic garbage collector rarely, and never over the objects that exist now.

    Nearly all garbage is freed by reference counting. With thousands of games and sockets in memory, this makes a move
    and an arrival up to a tenth cheaper.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(OBJECTS_BEFORE_COLLECTION)


def raise_socket_limit() -> None:
    """Raise this process's limit of open sockets to the system's maximum."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(OSError, ValueError):  # macOS reports a limit that it then refuses
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
