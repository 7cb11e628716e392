"""The lines of docs/hosting.md for Caddy, nginx and Traefik, on a port of their own: people get in, told apart."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import tomllib
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import aiohttp
import pytest

from tests.harness import databases
from tests.harness.server_process import ServerProcess, free_port

NAME = "xn--bcher-kva.example"
PAGE = (Path(__file__).parents[2] / "docs" / "hosting.md").read_text("utf-8")
NGINX_LINES = "location / {" + PAGE.partition("    location / {")[2].partition("\n    }\n")[0] + "\n}"
CADDY_LINE = re.findall(r"`(reverse_proxy [^`]+)`", PAGE)[0]


def nginx_command(folder: Path, port: int, lines: str) -> list[str]:
    """What runs nginx in the foreground, with these lines in its one server."""
    folders = "".join(
        f"{one}_temp_path {folder}/{one};" for one in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; error_log stderr; events {{}}\n"
        f"http {{ access_log off; {folders} server {{ listen 127.0.0.1:{port};\n{lines}\n}} }}\n"
    )
    return ["-p", str(folder), "-e", "stderr", "-c", str(folder / "nginx.conf")]


def caddy_command(folder: Path, port: int, lines: str) -> list[str]:
    """What runs Caddy, with these lines in its one site."""
    (folder / "Caddyfile").write_text(f"{{\nadmin off\n}}\nhttp://:{port} {{\n{lines}\n}}\n")
    return ["run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


PROXIES = {"nginx": (nginx_command, NGINX_LINES), "caddy": (caddy_command, CADDY_LINE)}


@pytest.fixture(params=PROXIES)
async def proxy(request: pytest.FixtureRequest, sqlite_url: str, tmp_path: Path) -> AsyncIterator[tuple[int, Path]]:
    """A server behind a proxy with the lines of the documents: the port of the proxy, and the log of the server."""
    program = shutil.which(request.param) or shutil.which(request.param, path="/usr/sbin:/usr/local/sbin")
    if program is None:
        databases.leave_out(f"needs {request.param}")
    make_command, lines = PROXIES[request.param]
    port, log = free_port(), tmp_path / "server.log"
    settings = {
        "CADOGAN_ORIGIN": f"https://elsewhere.example, http://Bücher.example.:{port}",
        "CADOGAN_PROXIES": "1",
        "CADOGAN_LOG_FORMAT": "json",
    }
    node = ServerProcess(sqlite_url, log, settings)
    assert "127.0.0.1:8000" in lines
    command = [program, *make_command(tmp_path, port, lines.replace("127.0.0.1:8000", f"127.0.0.1:{node.port}"))]
    await node.start()
    running = await asyncio.create_subprocess_exec(*command)
    try:
        await wait_until_served(f"http://127.0.0.1:{port}", running)
        yield port, log
    finally:
        with suppress(ProcessLookupError):
            running.terminate()
        await running.wait()
        node.kill()


async def wait_until_served(url: str, proxy: asyncio.subprocess.Process) -> None:
    """Wait until the proxy listens, and reaches the server; the test fails if it has ended."""
    async with aiohttp.ClientSession() as session:
        while True:
            assert proxy.returncode is None, "the proxy has ended: it wrote why"
            with suppress(aiohttp.ClientConnectionError):
                async with session.get(f"{url}/readyz") as answer:
                    if answer.status == 200:
                        return
            await asyncio.sleep(0.05)


@pytest.mark.slow
async def test_behind_the_proxies_of_the_documents_pages_writes_and_sockets_work_and_each_has_an_address(
    proxy: tuple[int, Path],
) -> None:
    port, log = proxy
    url = f"http://127.0.0.1:{port}"
    browser = {"Host": f"{NAME}:{port}", "Origin": f"http://{NAME}:{port}"}
    connector = aiohttp.TCPConnector(local_addr=("127.0.0.2", 0))
    async with aiohttp.ClientSession(connector=connector) as session:
        async with session.get(url, headers=browser) as page:
            assert page.status == 200
        async with session.post(f"{url}/api/v1/session/guest", headers=browser) as guest:
            assert guest.status == 200
        async with session.ws_connect(f"{url}/ws/v1", headers=browser) as socket:
            await socket.send_str("{}")
            assert json.loads(await socket.receive_str())["code"] == "bad_message"
        other = {**browser, "Origin": f"http://evil.example:{port}"}
        async with session.post(f"{url}/api/v1/session/guest", headers=other) as refused:
            assert refused.status == 403
        forged = {**browser, "X-Forwarded-For": "203.0.113.9"}
        body = {"name": "Nobody", "password": "correct horse"}
        async with session.post(f"{url}/api/v1/session", json=body, headers=forged) as refused:
            assert refused.status == 401
    lines = [json.loads(line) for line in log.read_text("utf-8").splitlines() if line.startswith("{")]
    assert {line["address"] for line in lines if line.get("code") == "bad_credentials"} == {"127.0.0.2"}


def test_the_lines_for_traefik_can_be_read_and_lead_to_the_server() -> None:
    """Debian has no Traefik: here only the shape of its file is checked."""
    block = PAGE[PAGE.index("    [http.routers") :].partition("\n\n")[0]
    http = tomllib.loads(block)["http"]
    [router], [service] = http["routers"].values(), http["services"].values()
    assert router["service"] in http["services"]
    assert router["rule"] == "Host(`patience.example`)"
    assert service["loadBalancer"] == {"servers": [{"url": "http://127.0.0.1:8000"}]}
