"""The account page: another password, signing out everywhere, and one's bots."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from tests.e2e.club import Clubs
from tests.e2e.person import DESKTOP, PHONE

NAME, BOT = "Ada", "Adabot"
HAD = "a long password"
"""What `Person.claims` takes."""
WANTED = "nine black knaves"
AMISS = [
    ("", WANTED, "Current password", "Enter your current password."),
    (HAD, "short", "New password", "A password has 8 to 256 characters."),
    ("not my password", WANTED, "Current password", "This is not your password."),
    (HAD, HAD, "New password", "This is your current password. Choose another one."),
]
"""The password said to be one's own, the one wanted, and the field beside which stands what is amiss."""


@dataclass
class Account:
    """Two browsers in which one player is signed in, each at the account page."""

    here: Page
    there: Page
    url: str

    async def answer(self, asked: str, decision: str) -> None:
        """Presses a button that asks first, and answers."""
        await self.here.get_by_role("button", name=asked).click()
        dialog = self.here.get_by_role("dialog")
        await dialog.get_by_role("button", name=decision, exact=True).click()
        await expect(dialog).to_have_count(0)

    async def change_password(self, present: str, wanted: str) -> None:
        """Fills in and sends the form."""
        await self.here.get_by_label("Current password").fill(present)
        await self.here.get_by_label("New password").fill(wanted)
        await self.here.get_by_role("button", name="Change the password").click()

    async def lose_the_server(self) -> None:
        """Lets nothing that this page asks for reach the server."""
        await self.here.route("**/api/**", lambda route: route.abort())


def signed_in(page: Page) -> Locator:
    """What says so of a page."""
    return page.get_by_text(f"You are signed in as {NAME}.")


async def sign_in(page: Page, password: str) -> None:
    """Fills in and sends the form of a page at which nobody is signed in."""
    form = page.locator("form", has=page.get_by_role("heading", name="Sign in"))
    await form.get_by_label("Name").fill(NAME)
    await form.get_by_label("Password").fill(password)
    await form.get_by_role("button").click()


@pytest.fixture
def account(clubs: Clubs, browser: Browser) -> Callable[[], Awaitable[Account]]:
    """Signs a player in at a desk and on a phone."""

    async def open_account() -> Account:
        club = await clubs({"gentle": "klondike"})
        here, there = [await club.visitor(browser, viewport) for viewport in (DESKTOP, PHONE)]
        await here.claims(NAME)
        await there.go("account")
        await sign_in(there.page, HAD)
        for person in (here, there):
            await expect(signed_in(person.page)).to_be_visible()
        return Account(here.page, there.page, club.url)

    return open_account


@pytest.mark.browser
async def test_a_password_is_changed_by_who_has_it_and_holds_everywhere(
    account: Callable[[], Awaitable[Account]],
) -> None:
    ada = await account()
    await ada.change_password(HAD, WANTED)
    await expect(ada.here.get_by_text("Your password is changed. You are signed out everywhere else.")).to_be_visible()
    await expect(ada.here.get_by_label("Current password")).to_have_value("")
    await ada.here.reload()
    await expect(signed_in(ada.here)).to_be_visible()
    await ada.there.reload()
    await sign_in(ada.there, HAD)
    refusal = ada.there.get_by_text("No player has this name and password.")
    await expect(refusal).to_be_visible()
    await sign_in(ada.there, "short")  # which the browser refuses by itself
    await expect(refusal).to_have_count(0)
    await sign_in(ada.there, WANTED)
    await expect(signed_in(ada.there)).to_be_visible()


@pytest.mark.browser
async def test_what_is_amiss_with_a_password_is_said_beside_its_field_and_nothing_is_changed(
    account: Callable[[], Awaitable[Account]],
) -> None:
    ada = await account()
    for present, wanted, field, words in AMISS:
        await ada.change_password(present, wanted)
        amiss = ada.here.get_by_label(field)
        await expect(amiss).to_have_accessible_description(re.compile(rf"{re.escape(words)}$"))
        await expect(amiss).to_be_focused()
        await expect(ada.here.locator("[aria-invalid=true]")).to_have_count(1)
    await ada.there.reload()
    await expect(signed_in(ada.there)).to_be_visible()

    await ada.change_password(HAD, WANTED)
    await expect(ada.here.get_by_text("Your password is changed.")).to_be_visible()
    await expect(ada.here.locator("[aria-invalid]")).to_have_count(0)


@pytest.mark.browser
async def test_signing_out_everywhere_asks_first_and_then_leaves_nobody_signed_in(
    account: Callable[[], Awaitable[Account]],
) -> None:
    ada = await account()
    await ada.answer("Sign out everywhere", "No")
    await expect(ada.here.get_by_role("button", name="Sign out everywhere")).to_be_focused()
    await ada.there.reload()
    await expect(signed_in(ada.there)).to_be_visible()

    await ada.lose_the_server()
    await ada.answer("Sign out everywhere", "Sign out everywhere")
    await expect(ada.here.get_by_role("alert").filter(has_text="The server cannot be reached")).to_be_visible()
    await expect(signed_in(ada.here)).to_be_visible()

    await ada.here.unroute("**/api/**")
    await ada.answer("Sign out everywhere", "Sign out everywhere")
    await expect(ada.here.get_by_role("button", name="Play as a guest")).to_be_visible()
    await ada.there.reload()
    await expect(ada.there.get_by_role("button", name="Play as a guest")).to_be_visible()


@pytest.mark.browser
async def test_a_bot_is_retired_after_a_question_and_its_token_is_worth_nothing(
    account: Callable[[], Awaitable[Account]],
) -> None:
    ada = await account()
    bots = ada.here.locator("section", has=ada.here.get_by_role("heading", name="Bots"))
    rows = bots.get_by_role("listitem")
    await bots.get_by_label("Name of the bot").fill(BOT)
    await bots.get_by_role("button", name="Create bot").click()
    await expect(rows.filter(has_text=BOT)).to_have_count(1)
    bearer = {"Authorization": f"Bearer {await bots.locator('.secret p code').first.inner_text()}"}
    session = f"{ada.url}api/v1/session"
    assert (await (await ada.here.request.get(session, headers=bearer)).json())["player"]["name"] == BOT

    await ada.there.reload()
    stale = ada.there.get_by_role("button", name=f"Shut down {BOT}")
    await expect(stale).to_be_visible()

    await ada.answer(f"Shut down {BOT}", "No")
    await expect(rows).to_have_count(1)
    await ada.answer(f"Shut down {BOT}", "Shut down")
    await expect(bots.get_by_text(f"{BOT} has been shut down.")).to_be_visible()
    await expect(rows).to_have_count(0)
    await expect(bots.locator(".secret")).to_have_count(0)
    await expect(bots.locator(":focus")).to_have_count(1)
    ended = await ada.here.request.get(session, headers=bearer)
    assert (await ended.json()).get("player") is None

    await stale.click()
    await ada.there.get_by_role("dialog").get_by_role("button", name="Shut down").click()
    await expect(ada.there.get_by_role("alert").filter(has_text="You have no such bot.")).to_be_visible()
    await expect(stale).to_have_count(0)
