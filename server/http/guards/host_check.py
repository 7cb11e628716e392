"""Whether a request was sent to a name of this server: a defence against DNS rebinding.

A page of another site can let its own name lead to this machine, and would then count as this server's own page. So the
`Host` of a request is only taken for the server's name if it is one of the configured origins, this machine's own name
for itself (`localhost`, `127.0.0.1`, `::1`), or the IP address at which the request arrived.
"""

from functools import lru_cache

from aiohttp import web

from cadogan.server.core.addresses import Origin, is_this_machine, read_address
from cadogan.server.core.errors import UnknownHost
from cadogan.server.http.app_keys import SETTINGS

FOR_MACHINES = frozenset({"/healthz", "/readyz", "/metrics"})
"""Addresses without pages, which a proxy or Prometheus asks for by the name that it has for this node."""
MAX_SHOWN_NAME = 80
"""So many characters of an unknown name are in the refusal."""


def check_host(request: web.Request) -> None:
    """Allow requests to names of this server, and those of machines. Raises UnknownHost for others."""
    hosts = request.headers.getall("Host", [])
    if request.path in FOR_MACHINES:
        return
    names = hosts
    if (
        len(hosts) == 1 and request.host != hosts[0]
    ):  # "GET http://name/ HTTP/1.1", as sent to proxies: aiohttp takes that
        names = [*hosts, request.url.authority]
    origins, address = request.app[SETTINGS].origin, _local_address(request)
    if len(hosts) != 1 or not all(is_own_host(name, origins, address) for name in names):
        raise UnknownHost(
            "This server is not known as {host}. If that is its name, its host has to write it into CADOGAN_ORIGIN.",
            host=",".join(names)[:MAX_SHOWN_NAME],
        )


@lru_cache(maxsize=256)
def is_own_host(host: str, origins: tuple[str, ...], local_address: str = "") -> bool:
    """Return whether this `Host` is a name of the server, whose requests arrive at `local_address`.

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
