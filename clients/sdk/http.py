"""The server's HTTP side: one request at a time, by the endpoint's name, with typed bodies and errors."""

import asyncio
from typing import TypeVar
from urllib.parse import quote, urlsplit

import aiohttp
import msgspec

from clients.sdk.errors import BadAddress, Unreachable, error_of
from clients.wire.bodies import Refusal
from clients.wire.codec import UnreadableMessage, decode_body, encode
from clients.wire.endpoints import ENDPOINTS

TRIES = 5
"""How often something is asked that the server puts off."""
TIMEOUT = aiohttp.ClientTimeout(total=30)

Body = TypeVar("Body", bound=msgspec.Struct)
_BY_NAME = {endpoint.name: endpoint for endpoint in ENDPOINTS}


def origin(address: str) -> str:
    """A server's address as `http://host:port`, whatever path it was given with.

    >>> origin("patience.example/daily")
    'https://patience.example'
    >>> origin("http://127.0.0.1:8000/")
    'http://127.0.0.1:8000'

    Raises BadAddress.
    """
    try:
        parts = urlsplit(address if "://" in address else f"https://{address}")
        if parts.scheme in ("http", "https") and parts.hostname and parts.port != 0 and "@" not in parts.netloc:
            return f"{parts.scheme}://{parts.netloc}"
    except ValueError:
        pass
    raise BadAddress(f"{address!r} is no server's address: one is like https://patience.example")


class Http:
    """Asks one server, as whoever `token` belongs to."""

    def __init__(self, address: str, token: str | None = None) -> None:
        self.origin = origin(address)
        self.token = token
        self._session: aiohttp.ClientSession | None = None

    @property
    def headers(self) -> dict[str, str]:
        """What says who asks."""
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    async def ask(
        self,
        kind: type[Body],
        name: str,
        body: msgspec.Struct | None = None,
        /,
        query: dict[str, str | int | None] | None = None,
        **parts: str | int,
    ) -> Body:
        """Ask the endpoint of this name; `parts` fill its path. What the server puts off is asked again.

        Raises RefusalError, Unreachable, or UnreadableMessage.
        """
        endpoint = _BY_NAME[name]
        path = endpoint.path.format(**{part: quote(str(value), safe="") for part, value in parts.items()})
        wanted = {key: str(value) for key, value in (query or {}).items() if value is not None}
        tries = 0
        while True:
            tries += 1
            status, answer = await self._fetch(endpoint.method, self.origin + path, wanted, body)
            if status == 200:
                return decode_body(kind, answer)
            try:
                refusal = error_of(decode_body(Refusal, answer))
            except UnreadableMessage:
                raise Unreachable(f"{self.origin} answered {status}, and nothing that can be read") from None
            if refusal.retry_after is None or tries == TRIES:
                raise refusal
            await asyncio.sleep(refusal.retry_after)

    async def close(self) -> None:
        """Close its connections."""
        if self._session is not None:
            await self._session.close()

    async def _fetch(
        self, method: str, url: str, query: dict[str, str], body: msgspec.Struct | None
    ) -> tuple[int, bytes]:
        if self._session is None:
            self._session = aiohttp.ClientSession(timeout=TIMEOUT)
        data = None if body is None else encode(body)
        headers = self.headers | ({} if data is None else {"Content-Type": "application/json"})
        try:
            async with self._session.request(method, url, params=query, data=data, headers=headers) as response:
                return response.status, await response.read()
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise Unreachable(f"{self.origin} does not answer: {error or 'it took too long'}") from None
