"""The profile: what a host says about the server, what may be said, and how every page shows it."""

import base64
import re
import struct
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cadogan import web
from cadogan.server.core.errors import BadMessage
from cadogan.server.subjects.admin import branding
from cadogan.server.subjects.admin.branding import MAX_SIDE, MIN_SIDE, picture_type
from cadogan.wire.branding import SiteColours
from tests.harness.hosts import log_of, with_role
from tests.harness.people import Person
from tests.harness.running_server import RunningServer
from tests.harness.two_nodes import TwoNodes

PURPLE = {"bar": "#3b1f4a", "accent": "#5a2f73", "accent_dark": "#d3b3e8"}


def png(width: int, height: int, *extra: tuple[bytes, bytes]) -> bytes:
    """A picture that is all black."""
    rows = zlib.compress(b"\0" * ((width + 7) // 8 + 1) * height)
    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"IDAT", rows), *extra, (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )


def webp(width: int, height: int) -> bytes:
    """The head of a lossless picture, which is all that is looked at."""
    data = b"\x2f" + struct.pack("<I", (height - 1) << 14 | width - 1) + b"\0"
    chunk = b"VP8L" + struct.pack("<I", len(data)) + data
    return b"RIFF" + struct.pack("<I", len(chunk) + 4) + b"WEBP" + chunk


async def change(host: Person, **profile: Any) -> dict[str, Any]:
    """Change the profile."""
    status, answer = await host.ask("PUT", "/house/profile", profile)
    assert status == 200, answer
    shown: dict[str, Any] = answer
    return shown


async def page(running_server: RunningServer, path: str) -> str:
    """A page as a browser gets it."""
    async with running_server.session.get(running_server.url + path) as response:
        assert response.status == 200
        return await response.text()


async def test_what_a_host_says_is_on_every_page_and_in_the_log(running_server: RunningServer) -> None:
    host = await with_role(running_server, "Ada", "host")
    before = await page(running_server, "/games")
    shown = await change(
        host,
        name=" The <Thursday> Club ",
        announcement="Closed & locked",
        welcome="We meet at *eight*.",
        colours=PURPLE,
    )
    assert shown["welcome_html"] == "<p>We meet at <em>eight</em>.</p>\n"
    assert (await running_server.stranger().get("/house/profile"))[1] == shown
    assert (await running_server.stranger().get("/home"))[1]["welcome"] == shown["welcome_html"]
    text = await page(running_server, "/games")
    assert '<a class="brand" href="/">The &lt;Thursday&gt; Club</a>' in text
    assert "<title>The games · The &lt;Thursday&gt; Club</title>" in text
    assert "<p>Closed &amp; locked</p>" in text
    assert '<meta name="theme-color" content="#3b1f4a">' in text
    (sheet,) = re.findall(r'href="(/look/[\w-]+\.css)"', text)
    colours = await page(running_server, sheet)
    assert all(colour in colours for colour in PURPLE.values())
    await change(host)
    assert await page(running_server, "/games") == before
    assert [act["changed"] for act in (await log_of(host))[:2]] == [["name", "announcement", "welcome", "colours"]] * 2


async def test_an_address_that_says_no_colours_has_no_style_sheet(sqlite_server: RunningServer) -> None:
    for name in ("17382c-1f5a43", "17382c-1f5a43-red", "17382c-1f5a43-8fcfae;x", "17382C-1f5a43-8fcfae"):
        async with sqlite_server.session.get(f"{sqlite_server.url}/look/{name}.css") as response:
            assert response.status == 404


async def test_saving_what_is_there_already_is_no_act(sqlite_server: RunningServer) -> None:
    host = await with_role(sqlite_server, "Ada", "host")
    await change(host, name="The club")
    acts = await log_of(host)
    await change(host, name="The club")
    assert await log_of(host) == acts


async def test_no_text_of_a_host_brings_a_script_or_a_picture(sqlite_server: RunningServer) -> None:
    host = await with_role(sqlite_server, "Ada", "host")
    for text in (
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "![a picture](https://elsewhere.example/x.png)",
        "[a link](javascript:alert(1))",
        "[a link](data:text/html,<script>alert(1)</script>)",
    ):
        shown = await change(host, rules=text, welcome=text)
        for markup in (shown["rules_html"], shown["welcome_html"]):
            assert not re.search(r"<(?!/?p>|/?a\b|a href=\"https)", markup), markup
            assert 'href="javascript' not in markup
            assert 'href="data' not in markup


async def test_colours_that_cannot_be_read_are_refused_with_the_reason(sqlite_server: RunningServer) -> None:
    host = await with_role(sqlite_server, "Ada", "host")
    for name, colour in (("bar", "#c0c0c0"), ("accent", "#9bd39b"), ("accent_dark", "#333333")):
        status, refused = await host.ask("PUT", "/house/profile", {"colours": {**PURPLE, name: colour}})
        assert (status, refused["code"]) == (400, "bad_message")
        assert colour in refused["message"]
        assert refused["said"]["values"]["least"] == "4.5"
    assert (await host.get("/house/profile"))[1].get("colours") is None


def test_the_colours_are_checked_against_those_of_the_page() -> None:
    style = Path(web.__path__[0], "style", "base.css").read_text("utf-8")

    def pair(name: str) -> tuple[str, str]:
        (found,) = re.findall(rf"^  --{name}: light-dark\((#\w+), (#\w+)\);", style, re.MULTILINE)
        return found[0], found[1]

    assert pair("bar-ink")[1] == branding.BAR_INK
    assert pair("page")[0] == branding.LIGHT_PAGE
    assert pair("panel")[1] == branding.DARK_PANEL
    assert pair("accent-ink")[1] == branding.DARK_BUTTON_INK
    own = SiteColours(bar=pair("bar")[0], accent=pair("accent")[0], accent_dark=pair("accent")[1])
    branding.check_colours(own)


@given(st.from_regex(r"#[0-9a-f]{6}", fullmatch=True), st.from_regex(r"#[0-9a-f]{6}", fullmatch=True))
def test_contrast_is_the_same_both_ways_and_never_more_than_of_black_and_white(one: str, other: str) -> None:
    found = branding.contrast(one, other)
    assert found == branding.contrast(other, one)
    assert 1 <= found <= branding.contrast("#000000", "#ffffff") == pytest.approx(21)
    assert max(branding.contrast(one, "#000000"), branding.contrast(one, "#ffffff")) > 4.5


async def test_a_crest_is_served_as_what_it_is_at_an_address_of_its_own(running_server: RunningServer) -> None:
    host = await with_role(running_server, "Ada", "host")
    for image, kind in ((png(64, 64), "image/png"), (webp(32, 16), "image/webp")):
        status, shown = await host.ask("PUT", "/house/crest", {"image": base64.b64encode(image).decode()})
        assert status == 200, shown
        async with running_server.session.get(running_server.url + shown["crest"]) as response:
            assert await response.read() == image
            assert response.content_type == kind
            assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert f'<img src="{shown["crest"]}" alt="">Cadogan</a>' in await page(running_server, "/")
    assert (await host.ask("PUT", "/house/crest", {"image": None}))[1].get("crest") is None
    async with running_server.session.get(running_server.url + shown["crest"]) as response:
        assert response.status == 404
    assert [act["changed"] for act in (await log_of(host))[:3]] == [["crest"]] * 3


@pytest.mark.parametrize(
    "image",
    [
        b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>",
        b"GIF89a" + b"\0" * 20,
        png(64, 64)[:-1],
        png(64, 64) + b"<script>",
        png(64, 64).replace(b"IDAT", b"IDAX"),
        png(64, 64)[:-20] + bytes([png(64, 64)[-20] ^ 1]) + png(64, 64)[-19:],
        png(MIN_SIDE - 1, 64),
        png(64, MAX_SIDE + 1),
        webp(64, 64) + b"x",
        webp(8, 8),
        b"\x89PNG\r\n\x1a\n",
        b"RIFF\x04\0\0\0WEBP",
    ],
)
def test_what_is_no_whole_picture_of_a_fitting_size_is_no_crest(image: bytes) -> None:
    with pytest.raises(BadMessage):
        picture_type(image)


@given(st.binary(max_size=80))
def test_no_bytes_break_the_look_at_a_picture(data: bytes) -> None:
    for image in (data, png(64, 64)[:8] + data, webp(64, 64)[:16] + data):
        with pytest.raises(BadMessage):
            picture_type(image)


async def test_another_node_serves_a_new_crest_at_once(two_nodes: TwoNodes) -> None:
    host = await with_role(two_nodes.first, "Ada", "host")
    await two_nodes.second.stranger().get("/house/profile")
    image = base64.b64encode(png(64, 64)).decode()
    _, shown = await host.ask("PUT", "/house/crest", {"image": image})
    async with two_nodes.second.session.get(two_nodes.second.url + shown["crest"]) as response:
        assert response.status == 200


async def test_another_node_shows_a_change_within_two_seconds(two_nodes: TwoNodes) -> None:
    host = await with_role(two_nodes.first, "Ada", "host")
    stranger = two_nodes.second.stranger()
    await stranger.get("/house/profile")
    await change(host, name="The club")
    two_nodes.second.clock.at += 2_000
    assert (await stranger.get("/house/profile"))[1]["name"] == "The club"
