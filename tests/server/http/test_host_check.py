"""Which names a server answers to: a page of another site must not become its own by a name that leads here."""

import asyncio
from collections.abc import AsyncIterator
from itertools import product

import pytest

from cadogan.server.config import Settings
from cadogan.server.http.request_checks import is_own_host
from tests.harness.running_server import RunningServer, open_server

CLUB = ("https://patience.example", "http://192.168.1.5:8000")


@pytest.mark.parametrize(
    ("host", "origins", "arrived_at", "own"),
    [
        *(("localhost", (), "", True), ("LOCALHOST:8000", (), "", True), ("club.localhost:1", (), "", True)),
        *(("127.0.0.1:8000", (), "", True), ("127.9.9.9", CLUB, "", True), ("[::1]:8000", CLUB, "", True)),
        *(
            ("[::ffff:127.0.0.1]", (), "", True),
            ("10.0.0.7:80", (), "10.0.0.7", True),
            ("[fe80::7]", (), "fe80::7%2", True),
        ),
        *(
            ("patience.example", CLUB, "", True),
            ("Patience.Example:443", CLUB, "", True),
            ("192.168.1.5", CLUB, "", True),
        ),
        *(
            ("evil.example", (), "", False),
            ("evil.example", CLUB, "", False),
            ("evilpatience.example", CLUB, "", False),
        ),
        *(
            ("patience.example.evil", CLUB, "", False),
            ("evil.patience.example", CLUB, "", False),
            ("", CLUB, "", False),
        ),
        *(("patience.example@evil.example", CLUB, "", False), ("evil.example/localhost", (), "", False)),
        *(
            ("evillocalhost", (), "", False),
            ("localhost.evil.example", (), "", False),
            ("127.0.0.1.evil.example", (), "", False),
        ),
        *(("localhost:80:80", (), "", False), ("localhost ", (), "", False), ("localhost\n", (), "", False)),
        *(
            ("10.0.0.8", (), "10.0.0.7", False),
            ("0.0.0.0", (), "127.0.0.1", False),
            ("patience.example", (), "", False),
        ),
        *(
            ("xn--bcher-kva.example", ("https://xn--bcher-kva.example",), "", True),
            ("Bücher.example.:443", ("https://xn--bcher-kva.example",), "", True),
            ("patience.example.", CLUB, "", True),
            ("[2001:0db8:0::7]", ("https://[2001:db8::7]:8443",), "", True),
            ("patience.example..", CLUB, "", False),
        ),
        *(
            ("[localhost]", (), "", False),
            ("127.1", (), "", False),
            ("patience.example", ("https://evilpatience.example",), "", False),
        ),
    ],
)
def test_a_host_is_the_servers_own_if_it_is_local_or_configured(
    host: str, origins: tuple[str, ...], arrived_at: str, own: bool
) -> None:
    assert is_own_host(host, origins, arrived_at) is own


@pytest.fixture
async def club(sqlite_url: str) -> AsyncIterator[RunningServer]:
    """A server with a configured name."""
    async with open_server(Settings(database_url=sqlite_url, origin=CLUB)) as one:
        yield one


async def ask(server: RunningServer, path: str, host: str, **headers: str) -> tuple[int, str]:
    """The status and the text of the answer to a request that was sent to this name."""
    async with server.session.get(server.url + path, headers={"Host": host, **headers}) as answer:
        return answer.status, await answer.text()


async def test_a_request_to_another_name_is_refused_wherever_it_goes(sqlite_server: RunningServer) -> None:
    for path in ("/", "/daily/today", "/api/v1/rules", "/api/v1/nothing", "/ws/v1", "/main.css"):
        status, text = await ask(sqlite_server, path, "evil.example", Upgrade="websocket", Origin="http://evil.example")
        assert status == 421, path
        assert '"bad_message"' in text, path
        assert "CADOGAN_ORIGIN" in text, path
        assert (await ask(sqlite_server, path, "localhost"))[0] != 421, path


async def test_a_page_that_leads_its_name_here_changes_nothing(sqlite_server: RunningServer) -> None:
    headers = {"Host": "evil.example", "Origin": "http://evil.example"}
    for method in ("POST", "PUT", "DELETE"):
        async with sqlite_server.session.request(
            method, f"{sqlite_server.url}/api/v1/session/guest", headers=headers
        ) as answer:
            assert (answer.status, "Set-Cookie" in answer.headers) == (421, False)


async def test_a_request_without_a_host_or_with_two_is_refused(sqlite_server: RunningServer) -> None:
    for hosts in (b"", b"Host: localhost\r\nHost: evil.example\r\n"):
        address = sqlite_server.url.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(address[0], int(address[1]))
        writer.write(b"GET / HTTP/1.0\r\n" + hosts + b"\r\n")
        assert (await reader.readline()).split()[1] in (b"400", b"421")
        writer.close()


async def test_the_name_in_an_absolute_target_counts_too(sqlite_server: RunningServer) -> None:
    name, port = sqlite_server.url.removeprefix("http://").split(":")
    for target, status in ((b"http://evil.example", b"421"), (f"http://localhost:{port}".encode(), b"200")):
        reader, writer = await asyncio.open_connection(name, int(port))
        writer.write(b"GET " + target + b"/games HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        head, _, page = (await reader.read()).partition(b"\r\n\r\n")
        assert head.split()[1] == status
        assert b'content="http://evil.example' not in page
        writer.close()


async def test_links_in_previews_are_of_the_configured_name(club: RunningServer, sqlite_server: RunningServer) -> None:
    for host in ("patience.example", "localhost"):
        status, page = await ask(club, "/games", host)
        assert status == 200
        assert 'content="https://patience.example/games"' in page
    status, page = await ask(sqlite_server, "/games", "localhost:8000")
    assert 'content="http://localhost:8000/games"' in page


async def test_health_is_answered_to_proxies_under_any_name(club: RunningServer) -> None:
    for path, host in product(("/healthz", "/readyz"), ("node-1:8000", "10.0.0.9", "127.0.0.1", "patience.example")):
        assert (await ask(club, path, host))[0] == 200


async def test_a_browser_at_a_twin_of_the_name_changes_nothing(club: RunningServer) -> None:
    for origin, allowed in (("https://patience.example", True), ("https://evilpatience.example", False)):
        headers = {"Host": "patience.example", "Origin": origin}
        async with club.session.post(f"{club.url}/api/v1/session/guest", headers=headers) as answer:
            assert (answer.status == 200) is allowed
        status, _ = await ask(club, "/ws/v1", headers["Host"], Origin=origin, Upgrade="websocket", Connection="Upgrade")
        assert (status == 403) is not allowed
