"""Checks that a request was sent to a host name of this server: a defence against DNS rebinding.

A page of another site can point its own name to this machine, and would then count as this server's own page. So the
`Host` of a request is only accepted if it is one of the configured origins, this machine's own name for itself
(`localhost`, `127.0.0.1`, `::1`), or the IP address at which the request arrived.
"""

from functools import lru_cache

from aiohttp import web

from cadogan.server.core.addresses import Origin, is_this_machine, read_address
from cadogan.server.core.errors import UnknownHost
from cadogan.server.http.app_keys import server_of

FOR_MACHINES = frozenset({"/healthz", "/readyz", "/metrics"})
"""Paths without pages, which a proxy or Prometheus requests under its own name for this node."""
MAX_SHOWN_NAME = 80
"""Maximum characters of an unknown host name that are included in the refusal."""


def check_host(request: web.Request) -> None:
    """Allow requests to host names of this server, and to paths in `FOR_MACHINES`. Raises UnknownHost for others."""
    hosts = request.headers.getall("Host", [])
    if request.path in FOR_MACHINES:
        return
    names = hosts
    if (
        len(hosts) == 1 and request.host != hosts[0]
    ):  # "GET http://name/ HTTP/1.1", as sent to proxies: aiohttp accepts it
        names = [*hosts, request.url.authority]
    origins, address = server_of(request).settings.origin, _local_address(request)
    if len(hosts) != 1 or not all(is_own_host(name, origins, address) for name in names):
        raise UnknownHost(
            "This server is not known as {host}. If that is its name, its host has to write it into CADOGAN_ORIGIN.",
            host=",".join(names)[:MAX_SHOWN_NAME],
        )


@lru_cache(maxsize=256)
def is_own_host(host: str, origins: tuple[str, ...], local_address: str = "") -> bool:
    """Return whether this `Host` is a name of the server; `local_address` is the address that received the request.

    >>> is_own_host("localhost:8000", ()), is_own_host("evil.example", ()), is_own_host("10.0.0.7", (), "10.0.0.7")
    (True, False, True)
    >>> is_own_host("patience.example", ("https://patience.example",))
    True
    """
    try:
        name = Origin.of("http", host).host
    except ValueError:
        return False
    if is_this_machine(name) or any(Origin.read(origin).host == name for origin in origins):
        return True
    try:
        return bool(local_address) and read_address(name.strip("[]")) == read_address(local_address)
    except ValueError:
        return False


def _local_address(request: web.Request) -> str:
    name = request.transport.get_extra_info("sockname") if request.transport else None
    return name[0] if isinstance(name, tuple) else ""
