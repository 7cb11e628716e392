"""Requests to addresses that hosts and players have named: guarded, limited in time, and their answers unread."""

import asyncio
import socket
import ssl
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import NamedTuple

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult

from cadogan.server.news.addresses import InsideError, make_outside_socket
from cadogan.wire.webhooks import Problem

TIMEOUT_SECONDS = 10.0
MAX_RETRY_AFTER_SECONDS = 86_400
NAMES_AT_ONCE = 8
"""Names that are looked up at the same time for one session; a name server may take half a minute not to answer."""


class Outgoing(NamedTuple):
    """A request that is to be sent."""

    method: str
    url: str
    headers: dict[str, str]
    body: bytes


class Answer(NamedTuple):
    """What became of a request: the status of its answer, or why there was none, and when to try again if it says."""

    status: int | None = None
    problem: Problem | None = None
    retry_after: int = 0


class OwnThreads(AbstractResolver):
    """Looks names up in threads of its own, so that a silent name server holds up nothing else of this process."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(NAMES_AT_ONCE, "names")

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """Return the addresses of a host. Raises OSError."""
        look_up = partial(socket.getaddrinfo, host, port, family, socket.SOCK_STREAM, flags=socket.AI_ADDRCONFIG)
        found = await asyncio.get_running_loop().run_in_executor(self._threads, look_up)
        flags = socket.AI_NUMERICHOST | socket.AI_NUMERICSERV
        return [
            ResolveResult(hostname=host, host=str(where[0]), port=port, family=kind, proto=protocol, flags=flags)
            for kind, _, protocol, _, where in found
        ]

    async def close(self) -> None:
        """Look up nothing more, and wait for nothing."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def open_session(may_go_inside: bool, tls: ssl.SSLContext | None = None) -> aiohttp.ClientSession:
    """Return a session for such requests; only with `may_go_inside` it reaches addresses that are not public.

    `tls` says whose certificates are believed, by default those that aiohttp believes.
    """
    make_socket = None if may_go_inside else make_outside_socket
    connector = aiohttp.TCPConnector(
        use_dns_cache=False,
        force_close=True,
        limit=0,
        socket_factory=make_socket,
        ssl=tls or True,
        resolver=OwnThreads(),
    )
    return aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar())


async def send(session: aiohttp.ClientSession, request: Outgoing, seconds: float) -> Answer:
    """Send a request and return what became of it within so many seconds.

    Its answer is not read, and redirects are not followed.
    """
    timeout = aiohttp.ClientTimeout(total=seconds)
    try:
        async with session.request(
            request.method,
            request.url,
            headers=request.headers,
            data=request.body,
            allow_redirects=False,
            timeout=timeout,
        ) as response:
            status, after = response.status, response.headers.get("Retry-After", "")
    except TimeoutError:
        return Answer(problem="too_slow")
    except (aiohttp.ClientError, OSError, ValueError) as error:
        return Answer(problem="inside" if _is_inside(error) else "unreachable")
    if 200 <= status < 300:
        return Answer(status)
    return Answer(status, "redirected" if 300 <= status < 400 else "status", _seconds(after))


async def send_until(
    session: aiohttp.ClientSession, request: Outgoing, stopping: asyncio.Event | None, seconds: float
) -> Answer | None:
    """Send a request as `send` does; return None if the server is `stopping` before there is an answer."""
    sending = asyncio.create_task(send(session, request, seconds))
    if stopping is None:
        return await sending
    ending = asyncio.create_task(stopping.wait())
    await asyncio.wait({sending, ending}, return_when=asyncio.FIRST_COMPLETED)
    ending.cancel()
    if not sending.done():
        sending.cancel()
        return None
    return await sending


def _seconds(text: str) -> int:
    """Return the seconds that an answer asks us to wait, a day at most; 0 for what is no number of seconds."""
    if not (text.isascii() and text.isdigit()):
        return 0
    return min(int(text), MAX_RETRY_AFTER_SECONDS) if len(text) < 10 else MAX_RETRY_AFTER_SECONDS


def _is_inside(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, InsideError) or isinstance(getattr(error, "os_error", None), InsideError):
            return True
        if isinstance(error, BaseExceptionGroup) and any(_is_inside(one) for one in error.exceptions):
            return True
        error = error.__cause__ or error.__context__
    return False
