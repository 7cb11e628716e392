"""Which network addresses news may be sent to: by default only those of the public Internet.

The address is checked when a socket is made for it, so it does not matter which name it had, or what the name meant a
moment before (DNS rebinding).
"""

import errno
import socket
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import urlsplit

_NAT64 = (IPv6Network("64:ff9b::/96"), IPv6Network("64:ff9b:1::/48"))

AddressInfo = tuple[int | socket.AddressFamily, int | socket.SocketKind, int, str, tuple[str | int, ...]]


class InsideError(OSError):
    """The address belongs to this machine or to a network that is not public."""


def is_public(address: str) -> bool:
    """Return whether an IP address is one of the public Internet, also where it is wrapped in another one.

    >>> is_public("1.1.1.1"), is_public("127.0.0.1"), is_public("::ffff:10.0.0.1")
    (True, False, False)
    """
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    return all(one.is_global and not one.is_multicast for one in (found, *_wrapped(found)))


def host_of(url: str) -> str | None:
    """Return the name or the IP address of the host in a URL; None for one that no request is sent to.

    >>> host_of("https://push.example:443/x"), host_of("https://user@push.example/"), host_of("https://[::1")
    ('push.example', None, None)
    """
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return None
    return None if parts.username is not None or parts.fragment else host


def names_inside(host: str) -> bool:
    """Return whether a host names this machine, or an address that is not public; what a name means is not asked."""
    is_literal = ":" in host or host.replace(".", "").isdigit()
    return host == "localhost" or (is_literal and not is_public(host))


def make_outside_socket(info: AddressInfo) -> socket.socket:
    """Make the socket for a connection to this address. Raises InsideError for an address that is not public."""
    family, kind, protocol, _, address = info
    if not is_public(str(address[0])):
        raise InsideError(errno.EACCES, "the address is inside the network of the host")
    return socket.socket(family=family, type=kind, proto=protocol)


def _wrapped(address: IPv4Address | IPv6Address) -> tuple[IPv4Address, ...]:
    """Return the IPv4 addresses that are written in an IPv6 address, and that a gateway may connect to."""
    if isinstance(address, IPv4Address):
        return ()
    found = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
    if any(address in network for network in _NAT64):
        found.append(IPv4Address(int(address) & 0xFFFFFFFF))
    return tuple(one for one in found if one is not None)
