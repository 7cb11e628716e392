"""Logs hold the request's id and never a secret."""

import errno
import io
import json
import logging
from collections.abc import Callable, Iterator
from urllib.parse import quote

import pytest
import structlog

from cadogan.server.core import logs
from tests.harness.http_client import Client, from_our_page, sign_up

TOKEN = "cadogan_" + "x" * 43


@pytest.fixture(params=["json", "console"])
def written(request: pytest.FixtureRequest) -> Iterator[Callable[[], str]]:
    """What was logged, once in either form; afterwards logging is as it was."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    stream = io.StringIO()
    logs.configure("debug", request.param, stream)
    yield stream.getvalue
    root.handlers[:] = handlers
    root.setLevel(level)
    logging.captureWarnings(False)
    structlog.reset_defaults()


def test_secrets_are_removed_from_logs_by_key_and_by_pattern(written: Callable[[], str]) -> None:
    secrets: list[dict[str, object]] = [
        {"password": "hunter2-secret"},
        {"Authorization": "Bearer hunter2-secret"},
        {"headers": {"Cookie": "cadogan_session=hunter2-secret", "Host": "example"}},
        {"why": "GET with Authorization: Bearer hunter2-secret"},
        {"why": "Cookie: other=1; cadogan_session=hunter2-secret; more=2"},
        {"url": "postgresql://club:hunter2-secret@host/club"},
        {"url": "nats://:hunter2-secret@host"},
        {"seed": "hunter2-secret"},
        {"deal": [{"secret": "hunter2-secret"}]},
        {"piles": {"stock": ["hunter2-secret"]}},
        {"hash": "$argon2id$v=19$m=65536,t=3,p=4$hunter2-secret"},
    ]
    for fields in secrets:
        structlog.stdlib.get_logger("test").info("something", **fields)
    lines = written().splitlines()
    assert len(lines) == len(secrets)
    assert [line for line in lines if "hunter2-secret" in line or "[removed]" not in line] == []


def test_a_token_is_recognised_by_its_pattern_anywhere(written: Callable[[], str]) -> None:
    logging.getLogger("library").warning("cannot use %s here: %r", TOKEN, {"of": [TOKEN]})
    structlog.stdlib.get_logger("test").info(f"token {TOKEN}")
    assert "library" in written()
    assert TOKEN not in written()


def test_a_secret_in_a_traceback_is_removed(written: Callable[[], str]) -> None:
    try:
        raise ValueError(f"no such token: {TOKEN}")
    except ValueError:
        structlog.stdlib.get_logger("test").exception("failure")
    assert "ValueError" in written()
    assert TOKEN not in written()


def test_other_values_are_kept(written: Callable[[], str]) -> None:
    structlog.stdlib.get_logger("test").info("request", path="/api/v1/games/k3v7q2m5x4c6z2ab", status=200)
    assert "/api/v1/games/k3v7q2m5x4c6z2ab" in written()
    assert "200" in written()


async def test_no_password_or_token_is_logged_from_any_request(written: Callable[[], str], client: Client) -> None:
    password = "eight red queens"
    await sign_up(client, "Ada", password)
    ours = from_our_page(client)
    signed_in = await client.post("/api/v1/session", json={"name": "Ada", "password": password}, headers=ours)
    token = (await signed_in.json())["token"]
    await client.post("/api/v1/session", json={"name": "Ada", "password": password + "!"}, headers=ours)
    await client.post("/api/v1/session", data=f"{password} no JSON", headers=ours)
    await client.get(f"/api/v1/rules/{token}", headers={"Authorization": f"Bearer {token}"})
    assert "request" in written()
    assert password not in written()
    assert token not in written()


async def test_no_query_is_logged_however_the_request_ends(written: Callable[[], str], client: Client) -> None:
    paths = ("/", "/daily/today", "/main.css", "/nothing.js", "/healthz", "/ws/v1", "/metrics", "/api/v1/nothing")
    answers = [await client.get(f"{path}?why=private-words") for path in (*paths, "/api/v1/rules")]
    answers.append(await client.get("/api/v1/dailies?limit=private-words"))
    answers.append(await client.post("/api/v1/session?why=private-words", data="no JSON"))
    answers.append(await client.get("/?private-words", headers={"Host": "evil.example"}))
    assert {answer.status for answer in answers} >= {200, 400, 401, 404, 415, 421}
    assert written().count("/api/v1/dailies") == 1
    assert "private-words" not in written()
    assert not [path for path in (*paths, "/api/v1/rules", "/api/v1/dailies") if f"{path}?" in written()]


GROUP_TOKEN = "aB3-dE_fG7hIjK9lMnOp_w"


async def test_the_token_of_an_invitation_is_in_no_log_line(written: Callable[[], str], client: Client) -> None:
    paths = (
        f"/join/{GROUP_TOKEN}",
        f"/join//{GROUP_TOKEN}/",
        f"/Join/{GROUP_TOKEN.lower()}",
        f"/join/x%20y%0A{GROUP_TOKEN}",
        f"/join%2F{GROUP_TOKEN.lower()}",
        f"/{GROUP_TOKEN}",
        f"/api/v1/groups/{GROUP_TOKEN}/members/me",
        f"/api/v1/groups/join/{GROUP_TOKEN}",
        f"/race/r2s4t6u3v5w7x2yz?token={GROUP_TOKEN}",
        f"/race/r2s4t6u3v5w7x2yz%3Ftoken={GROUP_TOKEN.lower()}",
        f"/race/token%3D{GROUP_TOKEN.lower()}",
    )
    for path in paths:
        await client.get(path)
    assert written().count("request_id") >= len(paths)
    assert [line for line in written().splitlines() if GROUP_TOKEN.lower() in line.lower()] == []


FEED_KEY = "k3v7q2m5x4c6z2ab"


async def test_the_key_of_the_feeds_of_a_group_is_in_no_log_line(written: Callable[[], str], client: Client) -> None:
    group = "feeds/groups/r2s4t6u3v5w7x2yz"
    paths = (
        f"/{group}/{FEED_KEY}/evenings.ics",
        f"/x//{group}//{FEED_KEY}/x",
        f"/{group}/{FEED_KEY}".upper(),
        f"/{group}/x%20y%0A{FEED_KEY}",
        f"/feeds%2Fgroups%2Fr2s4t6u3v5w7x2yz%2F{FEED_KEY}",
    )
    for path in paths:
        await client.get(path)
    assert written().count("request_id") >= len(paths)
    assert FEED_KEY not in written().lower()


def test_an_invitation_in_any_text_is_removed(written: Callable[[], str]) -> None:
    structlog.stdlib.get_logger("test").info(
        "x", referrer=f"https://a.example/join/{GROUP_TOKEN}", at=[f"/race/r?token={GROUP_TOKEN}&b"], head={"t": "/"}
    )
    assert GROUP_TOKEN not in written()
    assert "a.example" in written()


CONTROLS = "\x1b[2K\x00\x07\x7f\x85\x9b31m\u061c\u200f\u202e\u2028\u2066\ufeff\n2026 [info] all is well"


async def test_no_character_that_commands_a_terminal_is_logged(written: Callable[[], str], client: Client) -> None:
    log = structlog.stdlib.get_logger("test")
    await client.get("/a" + quote(CONTROLS))
    logging.getLogger("library").warning("said %s", CONTROLS)
    log.info(CONTROLS, why=CONTROLS, **{CONTROLS: [CONTROLS]})
    try:
        raise ValueError(CONTROLS)
    except ValueError:
        log.exception("failure")
    assert "ValueError" in written()
    assert {char for char in written() if not char.isprintable()} == {"\n"}
    assert not [line for line in written().splitlines() if line.startswith("2026 [info]")]


async def test_every_log_line_of_a_request_has_the_id_of_its_answer(client: Client) -> None:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    stream = io.StringIO()
    logs.configure("info", "json", stream)
    try:
        response = await client.get("/api/v1/rules")
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
        logging.captureWarnings(False)
        structlog.reset_defaults()
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert [line["request_id"] for line in lines if line["event"] == "request"] == [response.headers["X-Request-Id"]]


@pytest.mark.parametrize("log_format", ["json", "console"])
def test_every_line_says_which_of_several_processes_wrote_it(written: Callable[[], str], log_format: str) -> None:
    stream = io.StringIO()
    logs.configure("info", log_format, stream, process=7)
    structlog.stdlib.get_logger("test").info("ours")
    logging.getLogger("library").info("theirs")
    lines = stream.getvalue().splitlines()
    assert len(lines) == 2
    assert all(('"process": 7' if log_format == "json" else "process=7") in line for line in lines)
    logs.configure("info", log_format, stream)
    structlog.stdlib.get_logger("test").info("alone")
    assert "process" not in stream.getvalue().splitlines()[2]


class FullDisk(io.StringIO):
    """A stream that takes nothing."""

    def write(self, text: str) -> int:
        """Refuse the text."""
        raise OSError(errno.ENOSPC, "No space left on device")


def test_what_is_logged_goes_on_when_the_log_cannot_be_written(
    written: Callable[[], str], capsys: pytest.CaptureFixture[str]
) -> None:
    logs.configure("info", "json", FullDisk())
    structlog.stdlib.get_logger("test").info("ours")
    logging.getLogger("library").info("theirs")
    assert "No space left" in capsys.readouterr().err
    assert written() == ""
