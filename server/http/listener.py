"""Accepts connections: a limited number from one address, so that no client uses up the limit of the process.

Behind proxies every connection comes from a proxy, so the limit is off; the proxy must limit its clients.
"""

import asyncio
import socket
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import cast

from aiohttp import web
from aiohttp.http_exceptions import LineTooLong

from cadogan.server.config import Settings
from cadogan.server.core.addresses import hosts_to_listen_on, url_host
from cadogan.server.core.errors import BadMessage, HeadTooLarge, TooMany
from cadogan.server.core.rate_limits import CONNECTIONS_PER_SOCKET, AddressLimit, OpenLimit, TokenBucket
from cadogan.server.core.web.requests import SERVER, json_response
from cadogan.server.http.frame_gate import Inner
from cadogan.server.http.middleware import HEADERS
from cadogan.server.http.request_checks import Handler, bounding_heads

_RequestHandler = Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]

CONNECTION_MILLISECONDS = 0.2
"""The cost of accepting a connection, in milliseconds of the event loop."""
READ_BYTES = 4 * 1024
"""Maximum bytes of one read from the operating system. aiohttp buffers unparsed data, and copies it again for every few
chunks that are consumed: with 256 KiB, one-byte chunks take 160 milliseconds."""
MAX_UNREAD_SECONDS = 60.0
"""Seconds after which a client that reads nothing of its buffered data is disconnected."""

MAX_LINE_BYTES = 8190
"""Maximum bytes of a line of a request's head, as aiohttp has it."""

_read = memoryview(bytearray(READ_BYTES))
"""The read buffer shared by all connections: its content is copied at once."""


class Listener(web.BaseSite):
    """Listens at the configured addresses, or on bound sockets, for an aiohttp runner that is set up."""

    def __init__(
        self, runner: web.AppRunner, settings: Settings, backlog: int, sockets: Sequence[socket.socket] = ()
    ) -> None:
        super().__init__(runner, backlog=backlog)
        self._settings = settings
        self._sockets = sockets
        self._servers: list[asyncio.Server] = []
        self._app = runner.app
        self._limit = None if settings.proxies else OpenLimit(settings.sockets * CONNECTIONS_PER_SOCKET)

    @property
    def name(self) -> str:
        return f"http://{url_host(self._settings.host)}:{self._settings.port}"

    async def start(self) -> None:
        """Start listening."""
        await super().start()
        server = self._runner.server
        assert server is not None
        loop, settings = asyncio.get_running_loop(), self._settings
        server.request_handler = cast(_RequestHandler, bounding_heads(cast(Handler, server.request_handler)))
        times = None if settings.proxies else self._app[SERVER].limits.time

        def make_inner() -> Protocol:
            protocol = server()
            protocol.__class__ = Protocol
            return cast(Protocol, protocol)

        def connection() -> Connection:
            return Connection(make_inner, self._limit, times)

        if not self._sockets:
            hosts = hosts_to_listen_on(settings.host)
            listening = await loop.create_server(connection, hosts, settings.port, backlog=self._backlog)
            self._servers.append(listening)
        for bound in self._sockets:
            self._servers.append(await loop.create_server(connection, sock=bound, backlog=self._backlog))

    async def stop(self) -> None:
        """Stop listening."""
        for listening in self._servers:
            listening.close()
        await super().stop()


class Protocol(web.RequestHandler):
    """aiohttp's protocol, which answers what cannot be parsed as HTTP as every other refusal."""

    __slots__ = ()

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """Return the refusal of a request that cannot be parsed; other errors are aiohttp's."""
        if status != 400 or request.writer.output_size > 0:
            return super().handle_error(request, status, exc, message)
        refusal = BadMessage("The request cannot be read.")
        if isinstance(exc, LineTooLong):
            refusal = HeadTooLarge("A line of a request has at most {count} bytes.", count=MAX_LINE_BYTES)
        answer = json_response(refusal.body())
        answer.set_status(refusal.status)
        answer.headers.update(HEADERS)
        answer.force_close()
        return answer


class Connection(asyncio.BufferedProtocol):
    """A connection, between its transport and aiohttp's protocol. Above the limit of its address it is closed at once.

    The time for reading requests and frames is charged to the address, and a new connection of an address in debt is
    not read until the debt is paid.
    """

    def __init__(
        self, make_inner: Callable[[], Inner], limit: OpenLimit | None, times: AddressLimit | None = None
    ) -> None:
        self._make_inner = make_inner
        self._limit = limit
        self._times = times
        self._time: TokenBucket | None = None
        self._early = b""
        self._inner: Inner | None = None
        self._address = ""
        self._transport: asyncio.Transport | None = None
        self._unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        transport = cast(asyncio.Transport, transport)
        self._address = str((transport.get_extra_info("peername") or ("",))[0])
        try:
            if self._limit is not None:
                self._limit.take(self._address)
        except TooMany:
            transport.abort()
            return
        self._transport = transport
        transport.set_write_buffer_limits(high=0)
        if self._times is not None:
            self._time = self._times.bucket(self._address)
            self._time.charge_later(CONNECTION_MILLISECONDS)
        self._begin(transport)

    def _begin(self, transport: asyncio.Transport) -> None:
        """Start reading as soon as the address is not in debt."""
        if transport.is_closing():
            return
        if wait := self._time.seconds_to_wait(0) if self._time is not None else 0.0:
            transport.pause_reading()
            asyncio.get_running_loop().call_later(wait, self._begin, transport)
            return
        self._inner = self._make_inner()
        self._inner.connection_made(transport)
        transport.resume_reading()
        if self._early:
            self.data_received(self._early)
            self._early = b""

    def get_buffer(self, sizehint: int) -> memoryview:
        return _read

    def buffer_updated(self, nbytes: int) -> None:
        self.data_received(bytes(_read[:nbytes]))

    def data_received(self, data: bytes) -> None:
        if self._inner is None:
            self._early += data  # was read before the transport was paused
        elif self._time is None:
            self._inner.data_received(data)
        else:
            started = time.thread_time()
            try:
                self._inner.data_received(data)
            finally:
                self._time.charge_later((time.thread_time() - started) * 1000)

    def eof_received(self) -> None:
        if self._inner is not None:
            self._inner.eof_received()

    def connection_lost(self, exc: BaseException | None) -> None:
        if self._transport is None:
            return
        if self._limit is not None:
            self._limit.give_back(self._address)
        self._stop_timer()
        if self._inner is not None:
            self._inner.connection_lost(exc)

    def pause_writing(self) -> None:
        if self._inner is not None and self._transport is not None:
            self._wait_for_reader(self._transport)
            self._inner.pause_writing()

    def resume_writing(self) -> None:
        self._stop_timer()
        if self._inner is not None:
            self._inner.resume_writing()

    def _wait_for_reader(self, transport: asyncio.Transport) -> None:
        """Close the connection after `MAX_UNREAD_SECONDS` without reading by the client; restart if it has read."""
        waiting = transport.get_write_buffer_size()

        def look() -> None:
            if transport.get_write_buffer_size() < waiting:
                self._wait_for_reader(transport)
            else:
                transport.abort()

        self._stop_timer()
        self._unread = asyncio.get_running_loop().call_later(MAX_UNREAD_SECONDS, look)

    def _stop_timer(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None
