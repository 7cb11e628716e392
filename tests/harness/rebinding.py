"""A malicious name server."""

import socket

from aiohttp.abc import AbstractResolver, ResolveResult


class Rebinding(AbstractResolver):
    """A resolver that returns this machine for every name."""

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """Return this machine, whatever the name."""
        flags = socket.AI_NUMERICHOST | socket.AI_NUMERICSERV
        return [ResolveResult(hostname=host, host="127.0.0.1", port=port, family=family, proto=0, flags=flags)]

    async def close(self) -> None:
        """Do nothing."""
