"""Requests to addresses given by hosts and players: public addresses only, with a timeout, without reading the answer.

The network addresses that news may be sent to: by default only those of the public Internet.

The address is checked when its socket is created, so neither its host name nor a later DNS answer (DNS rebinding)
matters.

An address is public if it is globally reachable by the IANA special-purpose registries (RFC 6890;
iana-ipv4-special-registry and iana-ipv6-special-registry, read in 2026), except for the metadata services of clouds.
The table is written here because Python's `is_global` depends on the Python version.
"""

import asyncio
import errno
import socket
import ssl
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import NamedTuple
from urllib.parse import urlsplit

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult

from cadogan.server.core.addresses import Origin, is_this_machine, read_address, read_host, url_host
from cadogan.server.core.outbox import Answer

_SPECIAL_IPV4 = tuple(
    map(
        IPv4Network,
        (
            "0.0.0.0/8",  # this network
            "10.0.0.0/8",  # private
            "100.64.0.0/10",  # behind the NAT of a provider
            "127.0.0.0/8",  # this machine
            "168.63.129.16/32",  # Azure's metadata service
            "169.254.0.0/16",  # link-local, and the metadata services of clouds
            "172.16.0.0/12",  # private
            "192.0.0.0/24",  # protocols of the IETF
            "192.0.2.0/24",  # documentation
            "192.88.99.0/24",  # relays of 6to4
            "192.168.0.0/16",  # private
            "198.18.0.0/15",  # measurements
            "198.51.100.0/24",  # documentation
            "203.0.113.0/24",  # documentation
            "224.0.0.0/4",  # multicast
            "240.0.0.0/4",  # reserved, and broadcast
        ),
    )
)
_GLOBAL_IPV6 = IPv6Network("2000::/3")
"""All addresses that IANA allocates to networks; fc00::/7, fe80::/10, fec0::/10, ff00::/8 and ::/8 are outside."""
_SPECIAL_IPV6 = tuple(
    map(
        IPv6Network,
        (
            "2001::/23",  # protocols of the IETF, Teredo among them
            "2001:db8::/32",  # documentation
            "2002::/16",  # 6to4, which can reach any IPv4 address
            "3fff::/20",  # documentation
        ),
    )
)
_NAT64 = IPv6Network("64:ff9b::/96")
"""IPv4 addresses in the last four bytes, for IPv6-only networks."""
AddressInfo = tuple[int | socket.AddressFamily, int | socket.SocketKind, int, str, tuple[str | int, ...]]


class InsideError(OSError):
    """The address is this machine, or is in a network that is not public."""


def is_public(address: str) -> bool:
    """Return whether an IP address is public, also if it is embedded in another address.

    >>> is_public("1.1.1.1"), is_public("127.0.0.1"), is_public("::ffff:10.0.0.1")
    (True, False, False)
    """
    try:
        found = read_address(address)
    except ValueError:
        return False
    if isinstance(found, IPv6Address) and found in _NAT64:
        found = IPv4Address(int(found) & 0xFFFFFFFF)
    if isinstance(found, IPv4Address):
        return not any(found in network for network in _SPECIAL_IPV4)
    return found in _GLOBAL_IPV6 and not any(found in network for network in _SPECIAL_IPV6)


def host_of(url: str) -> str | None:
    """Return the normalized host of a URL (`read_host`); None for a URL to which no request is sent.

    >>> host_of("https://Push.example.:443/x"), host_of("https://user@push.example/"), host_of("https://[::1")
    ('push.example', None, None)
    """
    try:
        parts = urlsplit(url)
        host, _ = url_host(parts.hostname or ""), parts.port
        return None if parts.username is not None or parts.fragment else read_host(host)
    except ValueError:
        return None


def service_of(url: str) -> str:
    """Return the normalized origin of a URL that `host_of` can parse: the same text for every spelling.

    >>> service_of("https://Push.example.:443/x")
    'https://push.example'
    """
    parts = urlsplit(url)
    return str(Origin.of(parts.scheme, parts.netloc))


def names_inside(host: str) -> bool:
    """Return whether a host, as `host_of` returns it, is this machine or an address that is not public.

    Names are not resolved.
    """
    is_literal = host.startswith("[") or host.rpartition(".")[2].isdigit()
    return is_this_machine(host) or (is_literal and not is_public(host.strip("[]")))


def make_outside_socket(info: AddressInfo) -> socket.socket:
    """Create the socket for a connection to this address. Raises InsideError for an address that is not public."""
    family, kind, protocol, _, address = info
    if not is_public(str(address[0])):
        raise InsideError(errno.EACCES, "the address is inside the network of the host")
    return socket.socket(family=family, type=kind, proto=protocol)


TIMEOUT_SECONDS = 10.0
FIRST_TIMEOUT_SECONDS = 5.0
"""A destination that is not proven has to answer within this time."""
MAX_RETRY_AFTER_SECONDS = 86_400
NAMES_AT_ONCE = 8
"""Names that are looked up at the same time for one session; a name server may take half a minute not to answer."""


class Outgoing(NamedTuple):
    """A request that is to be sent."""

    method: str
    url: str
    headers: dict[str, str]
    body: bytes


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


class HttpSender:
    """Sends requests of one kind. Only with `may_go_inside` it reaches addresses that are not public.

    Destinations that are proven have connections of their own.
    """

    def __init__(self, may_go_inside: bool) -> None:
        self._may_go_inside = may_go_inside
        self._sessions: dict[bool, aiohttp.ClientSession] = {}
        self._tls: ssl.SSLContext | None = None
        self._opening = asyncio.Lock()

    async def send(self, request: Outgoing, is_proven: bool, stopping: asyncio.Event | None) -> Answer | None:
        """Send a request as `send` does; return None if the server is `stopping` before there is an answer."""
        async with self._opening:
            if not self._sessions:
                self._tls = self._tls or await asyncio.to_thread(ssl.create_default_context)
                self._sessions |= {proven: open_session(self._may_go_inside, self._tls) for proven in (True, False)}
        seconds = TIMEOUT_SECONDS if is_proven else FIRST_TIMEOUT_SECONDS
        sending = asyncio.create_task(send(self._sessions[is_proven], request, seconds))
        if stopping is None:
            return await sending
        ending = asyncio.create_task(stopping.wait())
        await asyncio.wait({sending, ending}, return_when=asyncio.FIRST_COMPLETED)
        ending.cancel()
        if not sending.done():
            sending.cancel()
            return None
        return await sending

    async def close(self) -> None:
        """Close all connections."""
        while self._sessions:
            await self._sessions.popitem()[1].close()


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
    """Send a request and return the result, with a timeout.

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
        return Answer(problem="too_slow", no_answer=True)
    except (aiohttp.ClientError, OSError, ValueError) as error:
        return Answer(problem="inside") if _is_inside(error) else Answer(problem="unreachable", no_answer=True)
    if 200 <= status < 300:
        return Answer(status)
    return Answer(status, "redirected" if 300 <= status < 400 else "status", _seconds(after))


def _seconds(text: str) -> int:
    """Return the seconds of a `Retry-After` header, at most a day; 0 if it is not a number of seconds."""
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
