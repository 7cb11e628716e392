"""The address of a server, as people write it, and requests to servers that do not always answer."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from msgspec.structs import replace

from cadogan.sdk.api import Api
from cadogan.sdk.errors import BadAddress, OtherRefusal, RateLimited, Unreachable
from cadogan.sdk.http import IDEMPOTENCY_KEY, HttpClient, parse_origin
from cadogan.wire.account import SignedIn
from cadogan.wire.bodies import Refusal
from cadogan.wire.codec import encode
from cadogan.wire.examples import example
from cadogan.wire.results import RecentGame
from cadogan.wire.values import Player
from tests.harness.server_process import free_port

PLAYER = "k3v7q2m5x4c6z2ab"


@pytest.mark.parametrize(
    ("address", "origin"),
    [
        ("patience.example", "https://patience.example"),
        ("http://localhost:8000/daily?x=1", "http://localhost:8000"),
        ("https://[::1]:8443", "https://[::1]:8443"),
    ],
)
def test_an_address_becomes_an_origin(address: str, origin: str) -> None:
    assert parse_origin(address) == origin


@pytest.mark.parametrize("address", ["", "ftp://patience.example", "http://", "http://host:port", "http://me@host"])
def test_a_text_that_is_not_an_address_is_refused(address: str) -> None:
    with pytest.raises(BadAddress):
        parse_origin(address)


class Unsteady:
    """A server that answers in turn what it is told to, and then as a Cadogan server does."""

    def __init__(self, *answers: int | str) -> None:
        self.answers = list(answers)
        self.keys: list[str | None] = []

    async def answer(self, request: web.Request) -> web.Response:
        """Answer a request with the next status, hang up, or serve the body of `begin_as_guest`."""
        self.keys.append(request.headers.get(IDEMPOTENCY_KEY))
        match self.answers.pop(0) if self.answers else 200:
            case "hang up":
                assert request.transport is not None
                request.transport.abort()
                return web.Response()
            case "limited":
                refusal = Refusal(code="rate_limited", message="Too fast.", retry_after=0.01)
                return web.Response(status=429, body=encode(refusal))
            case "limited for an hour":
                refusal = Refusal(code="rate_limited", message="Too fast.", retry_after=3600)
                return web.Response(status=429, body=encode(refusal))
            case "from the future":
                return web.json_response({"code": "from_the_future", "message": "Not yet."}, status=425)
            case 200:
                player = Player(id=PLAYER, name="Guest", guest=True)
                return web.Response(body=encode(SignedIn(player=player, token="token")))
            case status:
                return web.Response(status=int(status), text="<h1>Bad Gateway</h1>")


@asynccontextmanager
async def api_of(unsteady: "Unsteady | Exporting", timeout_seconds: float = 60) -> AsyncIterator[Api]:
    """Serve it on a port of its own, and yield a client that waits for no time between two attempts."""
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", unsteady.answer)
    async with TestServer(app) as server:
        api = Api(HttpClient(str(server.make_url("")), None, timeout_seconds, random_fraction=lambda: 0.0))
        try:
            yield api
        finally:
            await api.http.close()


@pytest.mark.parametrize("failure", [502, 503, 504, "hang up", "limited"])
async def test_a_request_is_sent_again_with_its_id_until_it_is_answered(failure: int | str) -> None:
    unsteady = Unsteady(*[failure] * 7)
    async with api_of(unsteady) as api:
        assert (await api.begin_as_guest()).token == "token"
    assert len(unsteady.keys) == 8
    assert len(set(unsteady.keys)) == 1
    assert unsteady.keys[0]


class Exporting:
    """A server that sends so many lines in answer to each request in turn, and then hangs up; at the end, all three."""

    def __init__(self, *sizes: int) -> None:
        self.sizes = list(sizes)

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Send the first lines of an export."""
        assert request.transport is not None
        size = self.sizes.pop(0) if self.sizes else 3
        response = web.StreamResponse(headers={"Content-Type": "application/x-ndjson"})
        await response.prepare(request)
        for moves in range(size):
            await response.write(encode(replace(example(RecentGame), moves=moves)) + b"\n")
        if size == 3:
            await response.write_eof()
        else:
            request.transport.close()
        return response


async def test_an_export_that_breaks_off_goes_on_where_it_was() -> None:
    exporting = Exporting(0, 1, 2, 0, 0)
    async with api_of(exporting) as api:
        assert [one.moves async for one in api.export_games(PLAYER)] == [0, 1, 2]
    assert exporting.sizes == []


async def test_an_export_from_a_server_that_is_limited_or_away_is_waited_for() -> None:
    unsteady = Unsteady("limited", 502, "hang up", "from the future")
    async with api_of(unsteady) as api:
        with pytest.raises(OtherRefusal):
            await anext(api.export_games(PLAYER))
        assert unsteady.answers == []
        with pytest.raises(Unreachable, match="nothing that can be read"):
            await anext(api.export_games(PLAYER))  # this server answers something else


async def test_an_export_that_never_goes_on_ends_when_the_time_is_over() -> None:
    async with api_of(Exporting(*[1] * 100_000), timeout_seconds=0.05) as api:
        exported = api.export_games(PLAYER)
        assert (await anext(exported)).moves == 0
        with pytest.raises(Unreachable, match="does not answer"):
            await anext(exported)


async def test_two_requests_have_different_ids_and_reading_has_none() -> None:
    unsteady = Unsteady()
    async with api_of(unsteady) as api:
        await api.begin_as_guest()
        await api.begin_as_guest()
        with pytest.raises(Unreachable):
            await api.show_daily()  # this server answers something else
    first, second, reading = unsteady.keys
    assert first != second
    assert reading is None


async def test_a_refused_connection_is_tried_again_until_the_server_is_there() -> None:
    unsteady, failures = Unsteady(), []
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", unsteady.answer)
    server = TestServer(app, port=free_port())
    started = asyncio.Event()

    def fraction() -> float:
        failures.append(1)
        if len(failures) == 3:
            started.set()
        return 0.0

    async def start() -> None:
        await started.wait()
        await server.start_server()

    starting = asyncio.create_task(start())
    api = Api(HttpClient(f"http://127.0.0.1:{server.port}", random_fraction=fraction))
    assert (await api.begin_as_guest()).token == "token"
    assert len(failures) >= 3
    await starting
    await api.http.close()
    await server.close()


async def test_a_wait_that_is_longer_than_the_time_that_is_left_is_raised_at_once() -> None:
    async with api_of(Unsteady("limited for an hour")) as api:
        with pytest.raises(RateLimited) as refused:
            await api.begin_as_guest()
    assert refused.value.retry_after == 3600


async def test_a_refusal_with_a_code_of_a_newer_server_is_a_refusal_like_any_other() -> None:
    async with api_of(Unsteady("from the future")) as api:
        with pytest.raises(OtherRefusal, match=r"Not yet\.") as refused:
            await api.begin_as_guest()
    assert refused.value.code == "from_the_future"


async def test_a_server_that_never_answers_is_unreachable_when_the_time_is_over() -> None:
    unsteady = Unsteady(*[502] * 100_000)
    async with api_of(unsteady, timeout_seconds=0.05) as api:
        with pytest.raises(Unreachable, match="does not answer"):
            await api.begin_as_guest()
    assert len(unsteady.keys) > 1
