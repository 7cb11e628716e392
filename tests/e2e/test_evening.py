"""An evening of a host, from an empty machine: a real server process, a real SMTP server, a real program for news."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.async_api import Browser, BrowserContext, Page, expect

from tests.e2e.lively import CARD
from tests.e2e.looks import LooksWell
from tests.e2e.person import Person
from tests.e2e.test_admin import PASSWORD, act_on
from tests.e2e.test_mail import link_in
from tests.e2e.test_notifications import deliver, may_be_notified, notification_panel, worker_of
from tests.e2e.test_passkeys import INTERNAL, sign_out
from tests.harness.chromium import DESKTOP, PHONE
from tests.harness.push_service import PushService, push_service
from tests.harness.server_process import NO_RATE_LIMIT, ServerProcess
from tests.harness.smtp_server import Post, open_post
from tests.harness.webhook_receiver import Receiver, receiver

NEW_PASSWORD = "nine black knaves"


async def confirm(page: Page, password: str = PASSWORD) -> None:
    """Enter the password again, where the page asks for it."""
    again = page.get_by_role("dialog", name="This cannot be undone")
    await again.get_by_label("Current password").fill(password)
    await again.get_by_role("button", name="Confirm").click()


async def part(page: Page, name: str) -> None:
    """Open a part of the console, whatever number stands behind its name."""
    await page.get_by_role("button", name=re.compile(rf"^{name}( \(\d+\))?$")).click()


async def comes_from(context: BrowserContext, address: str) -> None:
    """Let a browser come from this address: the server believes the proxy before it, and each address has limits."""
    await context.set_extra_http_headers({"X-Forwarded-For": address})


async def becomes_host(server: ServerProcess, browser: Browser, url: str) -> Person:
    """Somebody who creates an account and opens the link that the server has printed."""
    link = re.search(r"http://\S+/(house/claim/\S+)", server.log.read_text())
    assert link is not None
    ada = await Person.away(browser, url, DESKTOP, 0)
    await ada.claims("Ada")
    await ada.go(link[1])
    await ada.page.get_by_role("button", name="Become the host").click()
    await expect(ada.page.get_by_role("heading", name="Hosts and moderators")).to_be_visible()
    return ada


async def has_authenticator(context: BrowserContext, page: Page) -> None:
    """Give the browser a device that holds passkeys."""
    device = await context.new_cdp_session(page)
    await device.send("WebAuthn.enable")
    await device.send("WebAuthn.addVirtualAuthenticator", {"options": INTERNAL})


async def invites(host: Page, looks_well: LooksWell) -> str:
    """Let in only who has an invitation, and make one: its address."""
    await part(host, "Entry")
    await host.get_by_label("Who can create an account").select_option(label="Only with an invitation")
    await host.get_by_role("button", name="Save", exact=True).click()
    await expect(host.get_by_role("status").filter(has_text="Saved.")).to_be_visible()
    await host.get_by_label("For how many people").fill("2")
    await host.get_by_role("button", name="Create invitation").click()
    link = await host.locator(".secret code").inner_text()
    await looks_well(host, "evening-invitation")
    return link


async def adds_webhook(host: Page, program: Receiver, looks_well: LooksWell) -> None:
    """Have a program told of everything, in German."""
    await part(host, "News")
    await host.get_by_label("Where to").select_option(label="Your own program")
    await host.get_by_label("Name").fill("My program")
    await host.get_by_label("Address").fill(program.url)
    await host.get_by_label("Language of the texts").select_option(label="Deutsch")
    for_hosts = host.get_by_label("Somebody has reported something (for hosts)")
    await expect(for_hosts).not_to_be_checked()
    await for_hosts.check()
    await looks_well(host, "evening-webhook")
    await host.get_by_role("button", name="Add a webhook").click()
    await expect(host.locator(".secret code")).to_be_visible()


async def comes_in(page: Page, name: str) -> str:
    """Create an account on the page of an invitation: the first recovery code."""
    form = page.locator("form").first
    await form.get_by_label("Name").fill(name)
    await form.get_by_label("Password").fill(PASSWORD)
    await form.get_by_role("button", name="Create account", exact=True).click()
    await expect(page.locator("#account-link")).to_have_text(name)
    code = await page.get_by_role("status").locator("code").first.inner_text()
    await page.get_by_role("button", name="I have kept them").click()
    return code


async def adds_passkey(page: Page) -> None:
    """Add a passkey, and sign in by it."""
    panel = page.locator("section", has=page.get_by_role("heading", name="Passkeys"))
    await panel.get_by_label("Name of the passkey").fill("My laptop")
    await panel.get_by_role("button", name="Add a passkey").click()
    await confirm(page)
    await expect(panel.get_by_role("status")).to_have_text("The passkey is added.")
    await sign_out(page)
    await page.get_by_role("button", name="Sign in with a passkey").click()
    await expect(page.get_by_text("You are signed in as Bob.")).to_be_visible()


async def forgets_the_password(page: Page, url: str, code: str, post: Post) -> None:
    """Set a new one by a recovery code; have an address confirmed; and set a new one by mail."""
    await sign_out(page)
    await page.goto(f"{url}forgot")
    form = page.locator("form", has=page.get_by_label("Recovery code"))
    await form.get_by_label("Name").fill("Bob")
    await form.get_by_label("Recovery code").fill(code)
    await form.get_by_label("Password").fill(NEW_PASSWORD)
    await form.get_by_role("button", name="Set password").click()
    await expect(page.get_by_text("You are signed in as Bob.")).to_be_visible()
    panel = page.locator("section", has=page.get_by_role("heading", name="Address for mails"))
    await panel.get_by_label("Address").fill("bob@mail.example")
    await panel.get_by_role("button", name="Send a link to confirm it").click()
    await confirm(page, NEW_PASSWORD)
    await expect(panel.get_by_role("status")).to_contain_text("not confirmed yet")
    await page.goto(await link_in(post))
    await page.get_by_role("button", name="This is my address").click()
    await page.goto(f"{url}account")
    await sign_out(page)
    await page.goto(f"{url}forgot")
    form = page.locator("form", has=page.get_by_role("heading", name="By mail"))
    await form.get_by_label("Address").fill("bob@mail.example")
    await form.get_by_role("button", name="Send a link").click()
    await page.goto(await link_in(post))
    await page.get_by_label("Password").fill(PASSWORD)
    await page.get_by_role("button", name="Set password").click()
    await expect(page.get_by_text("You are signed in as Bob.")).to_be_visible()


async def is_notified(person: Person, service: PushService) -> None:
    """Switch notifications on, and have one sent: the browser shows it."""
    await person.go("account")
    panel = notification_panel(person.page)
    await panel.get_by_label("The day is open").check()
    await panel.get_by_role("button", name="Switch on").click()
    await expect(panel).to_contain_text("This device gets notifications.")
    await panel.get_by_role("button", name="Send a test").click()
    sent = await service.next()
    shown = await deliver(person.page, await worker_of(person.page), sent.shown)
    assert [one["body"] for one in shown] == ["This is a test. Notifications arrive here."]


@pytest.mark.browser
@pytest.mark.parametrize("looks_well", ["every_size"], indirect=True)
async def test_an_evening_of_a_host_from_an_empty_machine(
    browser: Browser, tmp_path: Path, looks_well: LooksWell
) -> None:
    calendar = tmp_path / "calendar.toml"
    calendar.write_text("".join(f'[[deal]]\nlevel = "{level}"\ngames = ["{game}"]\n' for level, game in CARD.items()))
    async with open_post({}) as post, receiver() as program, push_service(tmp_path) as service:
        settings = {
            "CADOGAN_CALENDAR": str(calendar),
            "CADOGAN_SMTP_URL": post.url,
            "CADOGAN_MAIL_FROM": "club@patience.example",
            "CADOGAN_PRIVATE_DESTINATIONS": "webhooks,notifications",
            "SSL_CERT_FILE": str(tmp_path / "certificate.pem"),
            "CADOGAN_FRESH": "0",
            "CADOGAN_PROXIES": "1",
            "CADOGAN_MIGRATE": "true",
        }
        database = f"sqlite+aiosqlite:///{tmp_path}/cadogan.db"
        async with ServerProcess(database, tmp_path / "log", NO_RATE_LIMIT | settings) as server:
            url = f"http://localhost:{server.port}/"  # browsers have no passkeys for addresses in digits
            ada = await becomes_host(server, browser, url)
            host = ada.page
            invitation = await invites(host, looks_well)
            await adds_webhook(host, program, looks_well)

            bob = await Person.at(browser, url, PHONE, 0)
            page = bob.page
            await has_authenticator(page.context, page)
            await page.goto(invitation)
            await looks_well(page, "evening-invited")
            await comes_from(page.context, "10.0.0.1")
            code = await comes_in(page, "Bob")
            await adds_passkey(page)
            await comes_from(page.context, "10.0.0.2")
            await forgets_the_password(page, url, code, post)

            await bob.go("")
            await bob.begin_daily("Quatorze")
            await ada.go(f"watch/{bob.game}")
            await expect(host.get_by_role("button", name="Report")).to_be_visible()
            await looks_well(host, "evening-watch")
            await bob.plays_and_resigns()
            cat = await Person.at(browser, url, DESKTOP, 0, offline=True)
            await comes_from(cat.page.context, "10.0.0.3")
            await may_be_notified(cat, service)
            await cat.page.goto(invitation)
            await comes_in(cat.page, "Cat")
            await is_notified(cat, service)
            await cat.go(f"watch/{bob.game}")
            await cat.page.get_by_role("button", name="Report").click()
            await cat.page.get_by_label("What happened").fill("He laughed at me.")
            await cat.page.get_by_role("button", name="Send").click()
            await expect(cat.page.get_by_text("Reported. You will find it")).to_be_visible()

            sent = json.loads((await program.next()).body)
            assert (sent["type"], sent["data"]["about"], sent["data"]["reason"]) == ("report.made", "run", "cheating")

            await cat.go("")
            wall = cat.page.locator(".meters")
            await expect(wall.get_by_text("Bob")).to_be_visible()
            await ada.go("house")
            await expect(host.get_by_role("button", name="Reports (1)")).to_be_visible()
            await part(host, "Reports")
            await expect(host.get_by_text("“He laughed at me.”")).to_be_visible()
            await expect(host.get_by_text("The runs of this day are compared once it has closed.")).to_be_visible()
            await looks_well(host, "evening-report")
            await host.get_by_role("link", name="the run", exact=True).click()
            await host.get_by_role("button", name="Take off the leaderboards").click()
            await host.get_by_role("button", name="Confirm").click()
            await expect(host.get_by_text("A host has taken this run off the leaderboards")).to_be_visible()
            await expect(wall.get_by_text("Bob")).to_have_count(0)
            await looks_well(cat.page, "evening-wall-struck")
            await host.get_by_role("button", name="Put back on the leaderboards").click()
            await host.get_by_role("button", name="Confirm").click()
            await expect(wall.get_by_text("Bob")).to_be_visible()

            await part(host, "Reports")
            await host.get_by_role("button", name="Settled: done").click()
            await host.get_by_role("button", name="Confirm").click()
            await expect(host.get_by_role("button", name="Reports", exact=True)).to_be_visible()
            await part(host, "Players")
            await act_on(host, "Bob", "Ban for good")
            await host.get_by_role("button", name="Confirm").click()
            await confirm(host)
            await expect(host.get_by_text("Banned · Here since")).to_be_visible()
            await bob.go("account")
            await expect(page.get_by_role("alert").filter(has_text="This account is banned.")).to_be_visible()
            await looks_well(page, "evening-banned")
            await act_on(host, "Bob", "Erase for good")
            await host.get_by_role("button", name="Confirm").click()
            await expect(host.get_by_role("link", name="Bob")).to_have_count(0)
            await cat.go("board/today")
            await expect(cat.page.get_by_text("Somebody who left").first).to_be_visible()
            await part(host, "Log")
            for notices in ("Role changed", "Run struck", "Erased"):
                await expect(host.get_by_text(notices).first).to_be_visible()
            await looks_well(host, "evening-log")
