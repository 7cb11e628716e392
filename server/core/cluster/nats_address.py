"""The address of a NATS server, or of several that form a cluster, as the setting of the bus gives it.

nats://user:password@one:4222,two:4222/club
tls://one:4222,two:4222/club?ca=/etc/nats/ca.pem&certificate=/etc/nats/node.pem&key=/etc/nats/node.key
"""

import re
import ssl
from typing import NamedTuple
from urllib.parse import parse_qsl, urlsplit

DEFAULT_PREFIX = "cadogan"
"""The prefix of all subjects if the address has none."""
_FILES = ("ca", "certificate", "key", "credentials")


class BadNatsAddress(ValueError):
    """The address cannot be used. The message says why, and repeats no password."""


class NatsAddress(NamedTuple):
    """One or more servers with one user, as URLs; the prefix of all subjects; the paths of TLS and credentials files.

    `ca` holds the CA certificates for verifying the servers, instead of those of this machine. `certificate` and `key`
    are the node's own. `credentials` is a NATS credentials file with a token and a key.
    """

    servers: tuple[str, ...]
    prefix: str
    ca: str | None = None
    certificate: str | None = None
    key: str | None = None
    credentials: str | None = None

    def tls_context(self) -> ssl.SSLContext | None:
        """Return the TLS context; None if connections are not encrypted. Raises OSError if a file cannot be read."""
        if not self.servers[0].startswith("tls:"):
            return None
        context = ssl.create_default_context(cafile=self.ca)
        if self.certificate:
            context.load_cert_chain(self.certificate, self.key)
        return context


def read_nats_address(url: str) -> NatsAddress:
    """Return the parts of an address. Raises BadNatsAddress.

    >>> read_nats_address("nats://ada:secret@one,two:4223/club").servers
    ('nats://ada:secret@one:4222', 'nats://ada:secret@two:4223')
    """
    address = urlsplit(url)
    user, at, hosts = address.netloc.rpartition("@")
    if address.scheme not in ("nats", "tls") or not hosts:
        raise BadNatsAddress("is not one of auto, local, postgresql and nats://host:4222")
    if not re.fullmatch(r"/?[A-Za-z0-9_-]*", address.path):
        raise BadNatsAddress(
            "has something after the host that is not a subject: write one word, like nats://host:4222/cadogan"
        )
    for host in hosts.split(","):
        if not re.fullmatch(r"([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:\d{1,5})?", host):
            raise BadNatsAddress("has a server that is not of the form host:4222; put commas between several")
    files = dict(parse_qsl(address.query, keep_blank_values=True))
    if unknown := sorted(set(files) - set(_FILES)):
        raise BadNatsAddress(f"has {unknown[0]!r} after the question mark, where only {', '.join(_FILES)} may stand")
    if address.scheme != "tls" and set(files) - {"credentials"}:
        raise BadNatsAddress("names files of certificates, but is not encrypted: begin it with tls://")
    if ("certificate" in files) != ("key" in files):
        raise BadNatsAddress("needs certificate and key together")
    servers = tuple(
        f"{address.scheme}://{user}{at}{host}" + ("" if re.search(r":\d+$", host) else ":4222")
        for host in hosts.split(",")
    )
    return NatsAddress(servers, address.path.strip("/") or DEFAULT_PREFIX, **files)
