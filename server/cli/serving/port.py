"""The port that several processes share: each accepts its part of the connections, and none is needed for the others.

Linux spreads the connections evenly among sockets that listen with SO_REUSEPORT, so there each process gets sockets of
its own: when it ends, the others get its part. Other systems do not spread them; there all processes accept from the
same sockets, and the first to do so has the connection.
"""

import os
import socket
import sys
from collections.abc import Sequence

from cadogan.server.core.addresses import hosts_to_listen_on

SPREADS = sys.platform == "linux"
"""Whether this system spreads connections among the sockets that listen on one port."""

Address = tuple[socket.AddressFamily, tuple[str, int] | tuple[str, int, int, int] | tuple[int, bytes]]


class Port:
    """A port on every address of a host, kept from others for as long as this object is open."""

    def __init__(self, host: str, port: int, spreads: bool = SPREADS) -> None:
        """Keep the port. Raises OSError if somebody else listens on it, or the host is not this machine."""
        self._spreads = spreads
        self._reserved: list[socket.socket] = []
        try:
            for family, address in _addresses(host, port):
                probe = _bind(family, address)
                self._reserved.append(probe)
                if spreads:  # the probe has shown that nobody listens; only now others may share the port
                    self._reserved[-1] = _bind_instead(probe)
        except OSError:
            self.close()
            raise

    def sockets(self) -> Sequence[socket.socket]:
        """Return sockets for one process that is to listen on them; close them once that process has them."""
        if self._spreads:
            return [_bind(reserved.family, reserved.getsockname(), shared=True) for reserved in self._reserved]
        return [reserved.dup() for reserved in self._reserved]

    def close(self) -> None:
        """Leave the port to others."""
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
