"""Host names, origins and network addresses, each parsed into one canonical form for comparison.

    host        `patience.example`, `10.0.0.7`, `[2001:db8::7]`     lower case, IDNA, no dot at the end
    origin      `https://patience.example`                          no port where it is that of the scheme
    address     `198.51.100.7`, `2001:db8::7`                       no port, no zone, IPv4 where it is IPv4

An origin has the form in which browsers send it (WHATWG URL, "host serializing"), so the two can be compared as text.
All functions raise ValueError, whose message explains the problem.
"""

import re
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import NamedTuple, Self
from urllib.parse import unquote

import idna

PORTS = {"http": 80, "https": 443}
MAX_HOST_LENGTH = 1024
"""Maximum characters of a host that are parsed; a canonical name has at most 253."""
_LABEL = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?")
_AUTHORITY = re.compile(r"(?P<host>\[[^\[\]]*\]|[^:\[\]]+)(:(?P<port>[0-9]{0,5}))?", re.DOTALL)
_ORIGIN = re.compile(r"(?P<scheme>https?)://(?P<authority>[^/?#\\]*)(?P<rest>.*)", re.DOTALL | re.IGNORECASE)
_PEER = re.compile(r"\[(?P<six>[^\[\]]*)\](:[0-9]{1,5})?|(?P<four>.+):[0-9]{1,5}", re.DOTALL)

IPAddress = IPv4Address | IPv6Address


@lru_cache(maxsize=1024)
def read_host(text: str) -> str:
    """Return the canonical form of a host: a name in ASCII, or an IP address, in brackets if it is IPv6.

    >>> read_host("Bücher.example."), read_host("[2001:DB8:0:0::7]"), read_host("[::ffff:10.0.0.7]")
    ('xn--bcher-kva.example', '[2001:db8::7]', '10.0.0.7')
    """
    if not text or len(text) > MAX_HOST_LENGTH:
        raise ValueError("has no name of a host")
    if text.startswith("["):
        return _read_bracketed(text)
    name = text.lower()
    if not text.isascii():
        try:
            name = idna.encode(text, uts46=True).decode()
        except (idna.IDNAError, UnicodeError):
            raise ValueError(
                f"{text!r} is not a name that the Internet knows: write it in its ASCII form, with xn--"
            ) from None
    name = name.removesuffix(".")
    labels = name.split(".")
    if len(name) > 253 or not all(map(_LABEL.fullmatch, labels)):
        raise ValueError(f"{text!r} is not the name of a host")
    if not re.fullmatch(r"[0-9]+|0x[0-9a-f]*", labels[-1]):  # browsers parse a name that ends in a number as an address
        return name
    try:
        return str(IPv4Address(name))
    except ValueError:
        raise ValueError(f"{text!r} is not an address: write four numbers from 0 to 255, like 192.0.2.7") from None


def _read_bracketed(text: str) -> str:
    if "%" in text:
        raise ValueError(f"{text!r} names a zone, which no browser sends: write the address without it")
    try:
        address = IPv6Address(text.removeprefix("[").removesuffix("]"))
    except ValueError:
        raise ValueError(f"{text!r} is not an IPv6 address") from None
    return str(address.ipv4_mapped) if address.ipv4_mapped else f"[{address}]"


class Origin(NamedTuple):
    """An origin of pages: a scheme, a host as returned by `read_host`, and a port. Its text is what browsers send.

    >>> str(Origin.read("HTTPS://B%C3%BCcher.example.:443/")), str(Origin.read("http://[::1]:8000"))
    ('https://xn--bcher-kva.example', 'http://[::1]:8000')
    """

    scheme: str
    host: str
    port: int

    @classmethod
    def read(cls, text: str) -> Self:
        """Parse an origin, from the settings or from a browser. Raises ValueError."""
        match = _ORIGIN.fullmatch(text)
        if match is None:
            raise ValueError(
                f"{text!r} is not an origin: write https://patience.example, and put commas between several"
            )
        if match["rest"] not in ("", "/"):
            raise ValueError(
                f"{text!r} has more than a name and a port: this server cannot be below a path, so give it a name of "
                "its own, like https://patience.example"
            )
        if "@" in match["authority"]:
            raise ValueError("an origin has no name of a user and no password: write https://patience.example")
        return cls.of(match["scheme"].lower(), unquote(match["authority"], errors="replace"))

    @classmethod
    def of(cls, scheme: str, authority: str) -> Self:
        """Return the origin of this scheme for the value of a header `Host`.

        Raises ValueError.
        """
        match = _AUTHORITY.fullmatch(authority)
        if match is None:
            raise ValueError(f"{authority!r} is not a host, with or without a port: IPv6 addresses stand in brackets")
        port = int(match["port"] or PORTS[scheme])
        if not 0 < port < 65536:
            raise ValueError(f"{authority!r} has a port that is not from 1 to 65535")
        return cls(scheme, read_host(match["host"]), port)

    @property
    def name(self) -> str:
        """The host without brackets, in the form for resolvers and passkeys."""
        return self.host.strip("[]")

    def __str__(self) -> str:
        port = "" if self.port == PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{self.host}{port}"


def read_address(text: str) -> IPAddress:
    """Parse a network address; an IPv4-mapped IPv6 address becomes IPv4, and a zone is dropped.

    >>> read_address("::ffff:192.0.2.7"), read_address("fe80::7%eth0")
    (IPv4Address('192.0.2.7'), IPv6Address('fe80::7'))
    """
    address = ip_address(text.partition("%")[0])
    return (isinstance(address, IPv6Address) and address.ipv4_mapped) or address


def read_forwarded(text: str) -> IPAddress:
    """Parse an entry of `X-Forwarded-For`: an address, with or without a port.

    >>> str(read_forwarded("198.51.100.7:50123")), str(read_forwarded("[2001:db8:1::7]:50123"))
    ('198.51.100.7', '2001:db8:1::7')
    """
    text = text.strip().strip('"')
    try:
        return read_address(text)
    except ValueError:
        match = _PEER.fullmatch(text)
        if match is None:
            raise
        return read_address(match["six"] or match["four"] or "")


def is_this_machine(host: str) -> bool:
    """Return whether a host, as returned by `read_host`, is a loopback name or address.

    >>> is_this_machine("club.localhost"), is_this_machine("127.0.0.2"), is_this_machine("[::1]")
    (True, True, True)
    """
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return read_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def hosts_to_listen_on(host: str) -> tuple[str, ...]:
    """Return the addresses to listen on for a configured host: `::` includes all IPv4 addresses.

    >>> hosts_to_listen_on("[::]"), hosts_to_listen_on("[::1]"), hosts_to_listen_on("0.0.0.0")
    (('::', '0.0.0.0'), ('::1',), ('0.0.0.0',))
    """
    bare = host.removeprefix("[").removesuffix("]")
    try:
        is_any = IPv6Address(bare) == IPv6Address("::")
    except ValueError:
        return (host,)
    return ("::", "0.0.0.0") if is_any else (bare,)


def url_host(host: str) -> str:
    """Return a host in the form for a URL: an IPv6 address in brackets.

    >>> url_host("::1"), url_host("localhost")
    ('[::1]', 'localhost')
    """
    return f"[{host}]" if ":" in host and not host.startswith("[") else host
