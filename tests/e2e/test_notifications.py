"""Notifications in a browser: switched on by the page, sent by the server, shown by the service worker.

A browser that a test drives has no push service of its maker. So its subscription is at the push service of the tests,
which decrypts what the server sends, and the browser's own tools hand that to the page's own service worker. A whole
Chromium then shows it; one without a window shows nothing at all, and there it counts what it is told to show.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from shutil import which
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, ViewportSize, Worker, async_playwright, expect

from cadogan.server.core import dates
from tests.e2e.club import FIRST_DAY, Club, Clubs
from tests.e2e.lively import CARD
from tests.e2e.looks import LooksWell
from tests.e2e.person import Person
from tests.harness.chromium import ARGUMENTS, DESKTOP, PHONE, chromium
from tests.harness.patience import soon
from tests.harness.push_service import PushService, push_service

SUBSCRIBED = """(given) => {
  let current = null;
  const subscription = {
    options: { applicationServerKey: null }, toJSON: () => given,
    unsubscribe: async () => { current = null; return true; },
  };
  PushManager.prototype.getSubscription = async () => current;
  PushManager.prototype.subscribe = async ({ applicationServerKey, userVisibleOnly }) => {
    if (!userVisibleOnly) throw new Error("not allowed");
    subscription.options = { applicationServerKey: applicationServerKey.buffer };
    return current = subscription;
  };
}"""
"""The place of the push service of the browser's maker."""
PERMITTED = "Object.defineProperty(Notification, 'permission', { get: () => 'granted' })"
RECORDED = """() => {
  const all = [];
  self.registration.showNotification = async (title, options) => {
    const shown = { title, ...options, close: () => all.splice(all.indexOf(shown), 1) };
    all.push(shown);
  };
  self.registration.getNotifications = async () => [...all];
}"""
"""What takes the place of the notifications of a browser that shows none: a list of what it is told to show."""
SHOWN = """async () => (await self.registration.getNotifications())
  .map(({ title, body, tag, data }) => ({ title, body, tag, url: data.url }))"""
CLICKED = """async (tag) => {
  const opened = new Promise((resolve) => { self.clients.openWindow = resolve; });
  const shown = await self.registration.getNotifications();
  const event = new ExtendableEvent("notificationclick");
  event.notification = shown.find((one) => one.tag === tag);
  self.dispatchEvent(event);
  return [await opened, (await self.registration.getNotifications()).length];
}"""
RENEWED = """async (given) => {
  const told = new Promise((resolve) => {
    const send = self.fetch;
    self.fetch = async (...asked) => {
      const answer = await send(...asked);
      if (asked[1]?.method === "PUT") resolve();
      return answer;
    };
  });
  const event = new ExtendableEvent("pushsubscriptionchange");
  event.newSubscription = { toJSON: () => given };
  self.dispatchEvent(event);
  await told;
}"""


HINDRANCES = {
    "Object.defineProperty(window, 'isSecureContext', { value: false })": "begins with https",
    "delete window.PushManager": "This browser shows no notifications of web pages.",
    "delete window.PushManager; navigator.standalone = false": "add this page to the Home Screen",
    "Object.defineProperty(Notification, 'permission', { value: 'denied' })": "You have told this browser",
}
"""What keeps a browser from showing notifications, and what the page says then."""


@pytest_asyncio.fixture(loop_scope="session")
async def whole_browser() -> AsyncIterator[Browser]:
    """A whole Chromium where one is installed: the one without a window, which most tests have, shows nothing."""
    found = next((path for name in ("chromium", "chromium-browser", "google-chrome") if (path := which(name))), None)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=found or chromium(), args=ARGUMENTS)
        yield browser
        await browser.close()


async def subscribing(club: Club, browser: Browser, viewport: ViewportSize, service: PushService) -> Person:
    """A visitor whose browser may show notifications and is known at the push service."""
    ada = await club.newcomer(browser, viewport, offline=True)
    await may_be_notified(ada, service)
    return ada


async def may_be_notified(person: Person, service: PushService) -> None:
    """Let somebody's browser show notifications, and make it known at the push service."""
    given = service.device("browser").subscription()
    keys = {"p256dh": given["p256dh"], "auth": given["auth"]}
    context = person.page.context
    await context.add_init_script(f"({SUBSCRIBED})({json.dumps({'endpoint': given['endpoint'], 'keys': keys})})")
    await context.grant_permissions(["notifications"], origin=person.url.rstrip("/"))
    if await person.page.evaluate("Notification.permission") != "granted":
        await context.add_init_script(PERMITTED)


async def worker_of(page: Page) -> Worker:
    """The service worker of a page, which can show notifications."""
    async with asyncio.timeout(soon()):
        await page.evaluate("navigator.serviceWorker.ready.then(() => null)")
        worker = page.context.service_workers[-1]
        if await worker.evaluate("Notification.permission") != "granted":
            await worker.evaluate(RECORDED)
    return worker


async def deliver(page: Page, worker: Worker, shown: dict[str, Any]) -> list[dict[str, Any]]:
    """Hand what a notification shows to the service worker of the page; all that the browser shows then."""
    tools = await page.context.new_cdp_session(page)
    versions: asyncio.Queue[list[dict[str, Any]]] = asyncio.Queue()
    tools.on("ServiceWorker.workerVersionUpdated", lambda message: versions.put_nowait(message["versions"]))
    async with asyncio.timeout(soon()):
        await tools.send("ServiceWorker.enable")
        while not (active := [one for one in await versions.get() if one["status"] == "activated"]):
            pass  # to any other one, nothing is delivered
    message = {"origin": page.url.split("/account")[0], "registrationId": active[0]["registrationId"]}
    async with asyncio.timeout(soon()):
        await tools.send("ServiceWorker.deliverPushMessage", {**message, "data": json.dumps(shown)})
        while shown["tag"] not in {one["tag"] for one in await worker.evaluate(SHOWN)}:
            await page.wait_for_timeout(20)
        found: list[dict[str, Any]] = await worker.evaluate(SHOWN)
        return found


def notification_panel(page: Page) -> Any:
    """The panel on the page of the account."""
    return page.locator("section", has=page.get_by_role("heading", name="Notifications"))


@pytest.mark.browser
async def test_a_notification_that_the_server_sends_is_shown_and_leads_to_its_page(
    clubs: Clubs, whole_browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, looks_well: LooksWell
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "certificate.pem"))
    async with push_service(tmp_path) as service:
        club = await clubs(CARD)
        ada = await subscribing(club, whole_browser, PHONE, service)
        page = ada.page
        await ada.claims("Ada")
        await ada.go("account")
        panel = notification_panel(page)
        await expect(panel).to_contain_text("This device gets no notifications.")
        await panel.get_by_role("button", name="Switch on").press("Enter")
        await expect(panel.get_by_role("alert")).to_have_text("Choose at least one thing to be told.")
        await panel.get_by_label("The day is open").press(" ")
        await panel.get_by_label("Until").fill("06:30")
        await panel.get_by_role("button", name="Switch on").press("Enter")
        await expect(panel).to_contain_text("This device gets notifications.")
        await panel.scroll_into_view_if_needed()
        await looks_well(page, "notifications")
        await page.reload()
        await expect(panel.get_by_label("The day is open")).to_be_checked()
        await expect(panel.get_by_label("Your race begins")).not_to_be_checked()
        await expect(panel.get_by_label("Until")).to_have_value("06:30")
        await panel.get_by_label("Between these times").uncheck()
        await panel.get_by_role("button", name="Save").click()
        await expect(panel.get_by_role("status")).to_have_text("Saved.")

        await panel.get_by_role("button", name="Send a test").click()
        await expect(panel.get_by_role("status")).to_have_text("A test is on its way.")
        sent = await service.next()
        worker = await worker_of(page)
        (test,) = await deliver(page, worker, sent.shown)
        assert (test["body"], test["url"]) == ("This is a test. Notifications arrive here.", "/account")

        tomorrow = dates.add_days(FIRST_DAY, 1)
        club.clock.turn_to(dates.day_times(tomorrow, 0).opens_at)
        shown = await deliver(page, worker, (await service.next()).shown)
        opened = next(one for one in shown if one["url"] == f"/daily/{tomorrow}")
        assert opened["body"].startswith("Today's deals are open: ")
        address, left = await asyncio.wait_for(worker.evaluate(CLICKED, opened["tag"]), soon())
        assert address == f"{club.url}daily/{tomorrow}"
        assert left == len(shown) - 1

        await panel.get_by_role("button", name="Switch off").click()
        await expect(panel.get_by_role("status")).to_have_text("Switched off.")
        await expect(panel.get_by_role("button", name="Switch on")).to_be_visible()
        await expect(panel.get_by_role("button", name="Send a test")).to_be_hidden()


@pytest.mark.browser
async def test_a_new_address_of_the_device_is_told_to_the_server(
    clubs: Clubs, whole_browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "certificate.pem"))
    async with push_service(tmp_path) as service:
        club = await clubs(CARD)
        ada = await subscribing(club, whole_browser, DESKTOP, service)
        await ada.claims("Ada")
        await ada.go("account")
        panel = notification_panel(ada.page)
        await panel.get_by_label("Your race begins").check()
        await panel.get_by_role("button", name="Switch on").click()
        await expect(panel.get_by_role("status")).to_have_text("Saved.")
        worker = await worker_of(ada.page)
        given = service.device("renewed").subscription()
        keys = {"p256dh": given["p256dh"], "auth": given["auth"]}
        await asyncio.wait_for(worker.evaluate(RENEWED, {"endpoint": given["endpoint"], "keys": keys}), soon())
        await panel.get_by_role("button", name="Send a test").click()
        assert (await service.next()).path == "/send/renewed"


@pytest.mark.browser
@pytest.mark.parametrize(
    "hindrances",
    [
        pytest.param(list(HINDRANCES)[:1], id="one"),
        pytest.param(list(HINDRANCES)[1:], id="others", marks=pytest.mark.heavy),
    ],
)
async def test_where_no_notification_can_be_shown_the_page_says_why(
    clubs: Clubs, browser: Browser, looks_well: LooksWell, hindrances: list[str]
) -> None:
    club = await clubs(CARD)
    ada = await club.newcomer(browser, PHONE)
    await ada.claims("Ada")
    for hindrance in hindrances:
        words = HINDRANCES[hindrance]
        page = await ada.page.context.new_page()
        await page.add_init_script(hindrance)
        await page.goto(f"{club.url}account")
        panel = notification_panel(page)
        await expect(panel).to_contain_text(words)
        await expect(panel.get_by_role("checkbox")).to_have_count(0)
        await looks_well(page, f"no-notifications-{words[:8]}")
        await page.close()


@pytest.mark.browser
async def test_who_permits_nothing_or_whose_push_service_is_away_reads_so(clubs: Clubs, browser: Browser) -> None:
    club = await clubs(CARD)
    ada = await club.newcomer(browser, DESKTOP, offline=True)
    await ada.page.context.add_init_script("Object.defineProperty(Notification, 'permission', { value: 'default' })")
    await ada.claims("Ada")
    await ada.go("account")
    panel = notification_panel(ada.page)
    await panel.get_by_label("Your race begins").check()
    for permission, words in (("denied", "Without your permission"), ("granted", "does not answer")):
        await ada.page.evaluate(f"Notification.requestPermission = async () => '{permission}'")
        await panel.get_by_role("button", name="Switch on").click()
        await expect(panel.get_by_role("alert")).to_contain_text(words)
