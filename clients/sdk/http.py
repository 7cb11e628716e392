"""HTTP requests to a server, by the endpoint's name, with typed bodies and errors, and with retries."""

import asyncio
import random
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import NoReturn, TypeVar
from urllib.parse import quote, urlsplit

import aiohttp
import msgspec
from yarl import URL

from cadogan.sdk.errors import AnyRefusal, BadAddress, RefusalError, Unreachable, error_from_refusal
from cadogan.sdk.retries import REQUEST_TIMEOUT_SECONDS, backoff_seconds
from cadogan.wire.codec import UnreadableMessage, decode_body, encode
from cadogan.wire.endpoints import ENDPOINTS

ATTEMPT_TIMEOUT_SECONDS = 30.0
"""How long one attempt at a request waits for its answer."""
GATEWAY_STATUSES = frozenset({502, 503, 504})
"""The statuses of a proxy whose server does not answer. A retry may succeed."""
IDEMPOTENCY_KEY = "Idempotency-Key"
"""The header with the id of a POST. All attempts at one request have the same id, so that it is carried out once."""

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
    """Sends requests to one server, as the player of its token, or without a token anonymously.

    A request waits at most `timeout_seconds` for its answer, all attempts together. The constructor raises BadAddress.
    """

    def __init__(
        self,
        address: str,
        token: str | None = None,
        timeout_seconds: float = REQUEST_TIMEOUT_SECONDS,
        random_fraction: Callable[[], float] = random.random,
    ) -> None:
        self.origin = parse_origin(address)
        self.token = token
        self.timeout_seconds = timeout_seconds
        self._random_fraction = random_fraction
        self._session: aiohttp.ClientSession | None = None
        self._is_closed = False

    @property
    def headers(self) -> dict[str, str]:
        """The headers that identify the player."""
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

        `path_values` fill the endpoint's path; values of `query` that are None are left out.

        If the server does not answer, or refuses with a `retry_after`, this waits and retries. If the wait would be
        longer than the remaining time, it raises the last error instead.

        Raises RefusalError or Unreachable.
        """
        method, url = self._locate(endpoint_name, query, path_values)
        headers = {IDEMPOTENCY_KEY: secrets.token_hex(16)} if method == "POST" else {}
        attempts = _Attempts(self.timeout_seconds, self._random_fraction)
        while True:
            try:
                return await self._attempt(response, method, url, headers, body, attempts.seconds_left)
            except (RefusalError, _NoAnswer) as error:
                await attempts.wait_after(error)

    async def lines(
        self,
        line: type[Body],
        endpoint_name: str,
        /,
        query: dict[str, str | int | None] | None = None,
        **path_values: str | int,
    ) -> AsyncIterator[Body]:
        """Yield the lines of the answer of the endpoint of this name, each a body of the type `line`.

        If the answer breaks off, this retries, and skips the lines that it has yielded. It waits at most
        `timeout_seconds` for the next line, all attempts together. Raises as `request`.
        """
        method, url = self._locate(endpoint_name, query, path_values)
        attempts = _Attempts(self.timeout_seconds, self._random_fraction)
        yielded: set[bytes] = set()
        while True:
            limits = aiohttp.ClientTimeout(sock_read=min(ATTEMPT_TIMEOUT_SECONDS, attempts.seconds_left))
            try:
                async with self._send(method, url, {}, None, limits) as answer:
                    if answer.status != 200:
                        self._raise_refusal(answer.status, await answer.read())
                    async for text in answer.content:
                        if text not in yielded:
                            yielded.add(text)
                            yield self._decode(line, answer.status, text)
                            attempts.begin()
                    return
            except (RefusalError, _NoAnswer) as error:
                await attempts.wait_after(error)

    async def close(self) -> None:
        """Close the connections for good. Further requests raise Unreachable."""
        self._is_closed = True
        if self._session is not None:
            await self._session.close()

    async def _attempt(
        self,
        response: type[Body],
        method: str,
        url: URL,
        headers: dict[str, str],
        body: msgspec.Struct | None,
        seconds_left: float,
    ) -> Body:
        """Send a request once. Raises RefusalError, Unreachable, or _NoAnswer if a retry may succeed."""
        limits = aiohttp.ClientTimeout(total=min(ATTEMPT_TIMEOUT_SECONDS, seconds_left))
        async with self._send(method, url, headers, body, limits) as answer:
            text = await answer.read()
        if answer.status != 200:
            self._raise_refusal(answer.status, text)
        return self._decode(response, answer.status, text)

    def _locate(
        self, endpoint_name: str, query: dict[str, str | int | None] | None, path_values: dict[str, str | int]
    ) -> tuple[str, URL]:
        """Return the method and the address of an endpoint."""
        endpoint = _ENDPOINTS_BY_NAME[endpoint_name]
        path = endpoint.path.format(**{part: quote(str(value), safe="") for part, value in path_values.items()})
        url = URL(self.origin + path, encoded=True)
        return endpoint.method, url.with_query(
            {key: str(value) for key, value in (query or {}).items() if value is not None}
        )

    def _decode(self, kind: type[Body], status: int, text: bytes) -> Body:
        try:
            return decode_body(kind, text)
        except UnreadableMessage:
            raise Unreachable(f"{self.origin} answered {status}, and nothing that can be read") from None

    def _raise_refusal(self, status: int, text: bytes) -> NoReturn:
        """Raise the refusal in this answer, Unreachable, or _NoAnswer if a retry may succeed."""
        try:
            refusal = decode_body(AnyRefusal, text)
        except UnreadableMessage:
            if status in GATEWAY_STATUSES:
                raise _NoAnswer(f"{self.origin} does not answer: its proxy says {status}") from None
            raise Unreachable(f"{self.origin} answered {status}, and nothing that can be read") from None
        raise error_from_refusal(refusal)

    @asynccontextmanager
    async def _send(
        self,
        method: str,
        url: URL,
        headers: dict[str, str],
        body: msgspec.Struct | None,
        limits: aiohttp.ClientTimeout,
    ) -> AsyncIterator[aiohttp.ClientResponse]:
        """Send a request once, and yield its answer, to be read in the context. Raises Unreachable or _NoAnswer."""
        if self._is_closed:
            raise Unreachable("the connection was closed")
        if self._session is None:
            self._session = aiohttp.ClientSession()
        data = None if body is None else encode(body)
        headers = self.headers | headers | ({} if data is None else {"Content-Type": "application/json"})
        try:
            async with self._session.request(method, url, data=data, headers=headers, timeout=limits) as response:
                yield response
        except (aiohttp.ClientSSLError, aiohttp.InvalidURL) as error:
            raise Unreachable(f"{self.origin} cannot be used: {error}") from None
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise _NoAnswer(f"{self.origin} does not answer: {str(error) or 'it took too long'}") from None


class _Attempts:
    """The time limit of all attempts at one request, and the waits between them."""

    def __init__(self, timeout_seconds: float, random_fraction: Callable[[], float]) -> None:
        self._timeout_seconds = timeout_seconds
        self._random_fraction = random_fraction
        self.begin()

    def begin(self) -> None:
        """Restart the time limit."""
        self._deadline = asyncio.get_running_loop().time() + self._timeout_seconds
        self._failures = 0

    @property
    def seconds_left(self) -> float:
        return self._deadline - asyncio.get_running_loop().time()

    async def wait_after(self, error: "RefusalError | _NoAnswer") -> None:
        """Wait before the next attempt. Raises the error, or Unreachable, if no time is left."""
        if isinstance(error, RefusalError):
            wait = error.retry_after
        else:
            self._failures += 1
            wait = backoff_seconds(self._failures, self._random_fraction())
        if wait is None or wait >= self.seconds_left:
            raise error if isinstance(error, RefusalError) else Unreachable(str(error))
        await asyncio.sleep(wait)


class _NoAnswer(Exception):
    """The server does not answer now; a retry may succeed."""
