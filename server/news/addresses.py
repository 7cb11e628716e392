"""The network addresses that news may be sent to: by default only those of the public Internet.

The address is checked when its socket is created, so neither its host name nor a later DNS answer (DNS rebinding)
matters.

An address is public if it is globally reachable by the IANA special-purpose registries (RFC 6890;
iana-ipv4-special-registry and iana-ipv6-special-registry, read in 2026), except for the metadata services of clouds.
The table is written here because Python's `is_global` depends on the Python version.
"""

import errno
import socket
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from urllib.parse import urlsplit

from cadogan.server.core.addresses import Origin, is_this_machine, read_address, read_host, url_host

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
