"""Every page for everybody: axe finds nothing to say, in light and dark, on a desk and on a phone, whoever looks."""

from __future__ import annotations

from typing import Any

import aiohttp
import pytest
from playwright.async_api import Browser, Page, ViewportSize, WebSocketRoute, expect

from cadogan.server.core.web.requests import SESSION_COOKIE
from tests.e2e.club import Club, Clubs
from tests.e2e.lively import CARD, Lively, enliven
from tests.e2e.looks import RULES, violations
from tests.harness.chromium import DESKTOP, PHONE

READERS = [
    *(pytest.param(who, marks=pytest.mark.heavy) for who in ("named", "named, in other light", "guest", "signed out")),
    "signed out, at first",
]
"""Who looks at the pages."""
ON_ITS_SIDE = ViewportSize(width=844, height=390)
NARROW = ViewportSize(width=320, height=640)
PRESSABLE = """() => [...document.querySelectorAll("button, a, input, select, summary")]
  .filter((one) => one.checkVisibility())
  .map((one) => ({ name: one.ariaLabel || one.textContent, ...one.getBoundingClientRect().toJSON() }))"""
"""What one would press of a page, and where it is."""
COVERED = f"""(notice) => {{
  const over = notice.getBoundingClientRect();
  return ({PRESSABLE})().filter((box) =>
    box.left < over.right && box.right > over.left && box.top < over.bottom && box.bottom > over.top);
}}"""
"""Of these what an element lies over, even in part. axe passes over what is covered whole."""
IN_THE_WAY = """(notice) => {
  const { x, y, width, height } = notice.getBoundingClientRect();
  return document.elementFromPoint(x + width / 2, y + height / 2) === notice;
}"""
"""Whether an element would be pressed in place of what it lies over."""
OVER_THE_TOOLS = """(notice) => {
  const over = notice.getBoundingClientRect(), tools = document.querySelector(".tools").getBoundingClientRect();
  return over.left < tools.right && over.right > tools.left && over.top < tools.bottom && over.bottom > tools.top;
}"""
"""Whether an element lies over the tools of a table, even in part."""


COLOURS = ["color-contrast"]
LOOKS = {
    "named": [(DESKTOP, False, RULES), (PHONE, True, RULES)],
    "named, in other light": [(DESKTOP, True, COLOURS), (PHONE, False, COLOURS)],
    "guest": [(PHONE, True, RULES)],
    "signed out": [(DESKTOP, False, RULES)],
    "signed out, at first": [(PHONE, False, RULES)],
}
"""The window, whether the page is dark, and what axe looks at: in other light only the colours differ."""
OWN = {
    *(
        "home",
        "day open",
        "board of a closed deal",
        "board of friends",
        "races",
        "race waiting",
        "race running",
        "race over",
    ),
    *("rules", "play", "watch", "account", "settings", "people", "group", "join", "profile", "collection"),
}
"""What is not the same for whoever looks."""
FIRST = {"home", "day open", "board of a closed deal", "race over", "rules", "watch"}
"""What somebody sees who comes for the first time: a page of each kind."""


@pytest.mark.browser
@pytest.mark.parametrize("who", READERS)
async def test_no_page_has_anything_that_axe_finds_or_is_wider_than_a_narrow_window(
    clubs: Clubs, browser: Browser, who: str
) -> None:
    club = await clubs(CARD)
    async with aiohttp.ClientSession() as session:
        lively = await enliven(club, session)
    page = await visit(club, browser, lively, who)
    found: list[str] = []
    wider: dict[str, int] = {}
    some = FIRST if who.endswith("at first") else lively.pages if who.startswith("named") else OWN
    looked_at = [(name, path) for name, path in lively.pages.items() if name in some]
    for name, path in looked_at:
        await arrive(page, club.url + path)
        for viewport, dark, rules in LOOKS[who]:
            await page.set_viewport_size(viewport)
            await page.emulate_media(color_scheme="dark" if dark else "light")
            look = f"{name}, {viewport['width']} pixels, {'dark' if dark else 'light'}"
            found += [f"{look}: {one}" for one in await violations(page, rules)]
        await page.set_viewport_size(NARROW)
        width = await page.evaluate("document.documentElement.scrollWidth")
        if width > NARROW["width"]:
            wider[name] = width
    assert found == [], "\n".join(found)
    assert wider == {}


@pytest.mark.browser
async def test_no_dialog_has_anything_that_axe_finds_or_loses_the_focus(clubs: Clubs, browser: Browser) -> None:
    club = await clubs(CARD)
    async with aiohttp.ClientSession() as session:
        lively = await enliven(club, session)
    page = await visit(club, browser, lively, "named")
    for path, opener in (
        ("home", "Share your day"),
        ("play", "Resign"),
        ("people", "Leave The Club"),
        ("account", "Shut down Adabot"),
    ):
        await arrive(page, club.url + lively.pages[path])
        await page.get_by_role("button", name=opener).press("Enter")
        await expect(page.get_by_role("dialog")).to_be_visible()
        assert await violations(page, RULES) == []
        await page.keyboard.press("Escape")
        await expect(page.get_by_role("dialog")).to_have_count(0)
        await expect(page.get_by_role("button", name=opener)).to_be_focused()


@pytest.mark.browser
@pytest.mark.parametrize(
    "viewport",
    [
        pytest.param(PHONE, id="phone"),
        pytest.param(ON_ITS_SIDE, id="on_its_side", marks=pytest.mark.heavy),
        pytest.param(DESKTOP, id="desktop", marks=pytest.mark.heavy),
    ],
)
async def test_a_page_that_is_not_connected_says_so_and_is_used_as_before(
    clubs: Clubs, browser: Browser, viewport: ViewportSize
) -> None:
    club = await clubs(CARD)
    async with aiohttp.ClientSession() as session:
        lively = await enliven(club, session)
    page = await visit(club, browser, lively, "named")
    await page.set_viewport_size(viewport)
    for path, shown, notice in (
        ("play", "Resign", ".line-notice.not_connected"),
        ("watch", "Rules", ".line-notice.not_connected"),
        ("home", "Share your day", "#signal"),
    ):
        cable = Cable()
        await page.route_web_socket("**/ws/v1", cable.pass_on)
        await arrive(page, club.url + lively.pages[path])
        await expect(page.get_by_role("button", name=shown)).to_be_visible()
        before = rows_of(await page.evaluate(PRESSABLE))
        await cable.cut()
        said = page.locator(notice)
        await expect(said).to_be_visible()
        await expect(said).to_have_text("Not connected; trying again. Nothing is lost.")
        await expect(page.get_by_role("status").filter(has_text="Not connected")).to_have_count(1)
        if path == "home":
            assert await said.evaluate(COVERED) == []
        else:
            assert rows_of(await page.evaluate(PRESSABLE)) == before
            assert not await said.evaluate(IN_THE_WAY)
            assert not await said.evaluate(OVER_THE_TOOLS)


@pytest.mark.browser
async def test_a_table_that_was_never_connected_has_nothing_that_axe_finds(clubs: Clubs, browser: Browser) -> None:
    club = await clubs(CARD)
    async with aiohttp.ClientSession() as session:
        lively = await enliven(club, session)
    page = await visit(club, browser, lively, "named")
    cable = Cable()
    await cable.cut()
    await page.route_web_socket("**/ws/v1", cable.pass_on)
    await arrive(page, club.url + lively.pages["play"])
    await expect(page.locator(".line-notice.not_connected")).to_be_visible()
    assert await violations(page, RULES) == []


def rows_of(boxes: list[dict[str, Any]]) -> list[tuple[str, float, float]]:
    """How high each of these is on the page. A clock beside it may push it to the right."""
    return [(box["name"], box["top"], box["bottom"]) for box in boxes]


class Cable:
    """Stands between a page and its server, and can be cut for good."""

    def __init__(self) -> None:
        self._is_cut = False
        self._sockets: list[WebSocketRoute] = []

    async def pass_on(self, socket: WebSocketRoute) -> None:
        """Connects a socket of the page, or closes it."""
        if self._is_cut:
            await socket.close()
        else:
            socket.connect_to_server()
            self._sockets.append(socket)

    async def cut(self) -> None:
        """Closes what is connected, and lets nothing through from now on."""
        self._is_cut = True
        for socket in self._sockets:
            await socket.close()


async def visit(club: Club, browser: Browser, lively: Lively, who: str) -> Page:
    """A browser in which this person is signed in; nothing moves and nothing is kept."""
    context = await browser.new_context(viewport=DESKTOP, reduced_motion="reduce", service_workers="block")
    await context.add_init_script(f"{{ const real = Date.now; Date.now = () => real() + {club.clock.ahead}; }}")
    token = {"named": lively.named, "guest": lively.guest}.get(who.partition(",")[0])
    if token:
        await context.add_cookies([{"name": SESSION_COOKIE, "value": token, "url": club.url}])
    return await context.new_page()


async def arrive(page: Page, address: str) -> None:
    """Opens a page and waits for whatever it asks the server first."""
    await page.goto(address, wait_until="networkidle")
    await expect(page.locator("main > .page > *").first).to_be_attached()
