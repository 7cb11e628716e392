"""HTTP requests to a server: one at a time, by the endpoint's name, with typed bodies and errors."""

import asyncio
from typing import TypeVar
from urllib.parse import quote, urlsplit

import aiohttp
import msgspec

from clients.sdk.errors import BadAddress, Unreachable, error_from_refusal
from clients.wire.bodies import Refusal
from clients.wire.codec import UnreadableMessage, decode_body, encode
from clients.wire.endpoints import ENDPOINTS

MAX_ATTEMPTS = 5
"""How often a request is sent at most, if the server answers each time that it must be sent again later."""
HTTP_TIMEOUT_SECONDS = 30

Body = TypeVar("Body", bound=msgspec.Struct)
_ENDPOINTS_BY_NAME = {endpoint.name: endpoint for endpoint in ENDPOINTS}


def parse_origin(address: str) -> str:
    """Return a server's address as `http://host:port`, without any path; `https://` is assumed if nothing is given.

    >>> parse_origin("patience.example/daily")
    'https://patience.example'
    >>> parse_origin("http://127.0.0.1:8000/")
    'http://127.0.0.1:8000'

    Raises BadAddress.
    """
    try:
        parts = urlsplit(address if "://" in address else f"https://{address}")
        if parts.scheme in ("http", "https") and parts.hostname and parts.port != 0 and "@" not in parts.netloc:
            return f"{parts.scheme}://{parts.netloc}"
    except ValueError:
        pass
    raise BadAddress(f"{address!r} is not the address of a server: one is like https://patience.example")


class HttpClient:
    """Sends requests to one server, as the player whose token it has; without a token, as nobody.

    The constructor raises BadAddress.
    """

    def __init__(self, address: str, token: str | None = None) -> None:
        self.origin = parse_origin(address)
        self.token = token
        self._session: aiohttp.ClientSession | None = None

    @property
    def headers(self) -> dict[str, str]:
        """The headers that name the player."""
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    async def request(
        self,
        response: type[Body],
        endpoint_name: str,
        body: msgspec.Struct | None = None,
        /,
        query: dict[str, str | int | None] | None = None,
        **path_values: str | int,
    ) -> Body:
        """Send a request to the endpoint of this name and return its answer, a body of the type `response`.

        `path_values` fill the endpoint's path; values of `query` that are None are left out. If the server answers that
        the request must be sent again later, this waits and sends it again, up to MAX_ATTEMPTS times in all.

        Raises RefusalError, Unreachable, or UnreadableMessage.
        """
        endpoint = _ENDPOINTS_BY_NAME[endpoint_name]
        path = endpoint.path.format(**{part: quote(str(value), safe="") for part, value in path_values.items()})
        parameters = {key: str(value) for key, value in (query or {}).items() if value is not None}
        attempts = 0
        while True:
            attempts += 1
            status, answer = await self._fetch(endpoint.method, self.origin + path, parameters, body)
            if status == 200:
                return decode_body(response, answer)
            try:
                refusal = error_from_refusal(decode_body(Refusal, answer))
            except UnreadableMessage:
                raise Unreachable(f"{self.origin} answered {status}, and nothing that can be read") from None
            if refusal.retry_after is None or attempts == MAX_ATTEMPTS:
                raise refusal
            await asyncio.sleep(refusal.retry_after)

    async def close(self) -> None:
        """Close the connections."""
        if self._session is not None:
            await self._session.close()

    async def _fetch(
        self, method: str, url: str, query: dict[str, str], body: msgspec.Struct | None
    ) -> tuple[int, bytes]:
        if self._session is None:
            self._session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=HTTP_TIMEOUT_SECONDS))
        data = None if body is None else encode(body)
        headers = self.headers | ({} if data is None else {"Content-Type": "application/json"})
        try:
            async with self._session.request(method, url, params=query, data=data, headers=headers) as response:
                return response.status, await response.read()
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise Unreachable(f"{self.origin} does not answer: {error or 'it took too long'}") from None
