"""The port shared by several processes: each accepts a part of the connections, independently of the others.

Linux distributes connections evenly among SO_REUSEPORT sockets, so there each process gets its own sockets; when it
ends, the others get its connections. Other systems do not distribute them; there all processes accept from the same
sockets, and the first one to accept gets the connection.
"""

import os
import socket
import sys
from collections.abc import Sequence

from cadogan.server.core.addresses import hosts_to_listen_on

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
