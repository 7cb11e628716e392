"""Requests to addresses that hosts and players have named: guarded, limited in time, and their answers unread."""

import asyncio
import ssl
from typing import NamedTuple

import aiohttp

from clients.wire.webhooks import Problem
from server.news.addresses import InsideError, make_outside_socket

TIMEOUT_SECONDS = 10.0
MAX_RETRY_AFTER_SECONDS = 86_400


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


def open_session(may_go_inside: bool, tls: ssl.SSLContext | None = None) -> aiohttp.ClientSession:
    """Return a session for such requests; only with `may_go_inside` it reaches addresses that are not public.

    `tls` says whose certificates are believed, by default those that aiohttp believes.
    """
    make_socket = None if may_go_inside else make_outside_socket
    connector = aiohttp.TCPConnector(use_dns_cache=False, force_close=True, socket_factory=make_socket, ssl=tls or True)
    timeout = aiohttp.ClientTimeout(total=TIMEOUT_SECONDS)
    return aiohttp.ClientSession(connector=connector, timeout=timeout, cookie_jar=aiohttp.DummyCookieJar())


async def send(session: aiohttp.ClientSession, request: Outgoing) -> Answer:
    """Send a request and return what became of it. Its answer is not read, and redirects are not followed."""
    try:
        async with session.request(
            request.method, request.url, headers=request.headers, data=request.body, allow_redirects=False
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
    session: aiohttp.ClientSession, request: Outgoing, stopping: asyncio.Event | None
) -> Answer | None:
    """Send a request as `send` does; return None if the server is `stopping` before there is an answer."""
    sending = asyncio.create_task(send(session, request))
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
