"""The account page: another password, signing out everywhere, one's bots and personal tokens."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from tests.e2e.club import Clubs
from tests.harness.chromium import DESKTOP, PHONE

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
        here, there = [await club.newcomer(browser, viewport) for viewport in (DESKTOP, PHONE)]
        await here.claims(NAME)
        await there.signs_in(NAME)
        for person in (here, there):
            await person.go("account")
            await expect(signed_in(person.page)).to_be_visible()
        return Account(here.page, there.page, club.url)

    return open_account


@pytest.mark.browser
async def test_what_is_amiss_with_a_password_is_said_beside_its_field_and_once_changed_it_holds_everywhere(
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
    await expect(ada.here.get_by_text("Your password is changed. You are signed out everywhere else.")).to_be_visible()
    await expect(ada.here.locator("[aria-invalid]")).to_have_count(0)
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
async def test_a_bot_and_a_token_are_ended_after_a_question_and_their_tokens_are_worth_nothing(
    account: Callable[[], Awaitable[Account]],
) -> None:
    ada = await account()
    bots, bot_row = panel(ada.here, "Bots"), f"Shut down {BOT}"
    await bots.get_by_label("Name of the bot").fill(BOT)
    await bots.get_by_role("button", name="Create bot").click()
    bot_token = await shown_token(bots)
    assert await player_of(ada, bot_token) == BOT

    tokens, token_row = panel(ada.here, "Personal tokens"), "Revoke My statistics"
    await tokens.get_by_label("What the token is for").fill("My statistics")
    await tokens.get_by_label("What it may do").select_option("look and play")
    await tokens.get_by_label("Valid for").select_option("7 days")
    await tokens.get_by_role("button", name="Create token").click()
    await expect(tokens.get_by_role("listitem")).to_contain_text(re.compile("My statistics.*look and play, until"))
    personal_token = await shown_token(tokens)
    assert await player_of(ada, personal_token) == NAME

    await ada.there.reload()
    for place, row, decision, ended in (
        (bots, bot_row, "Shut down", f"{BOT} has been shut down."),
        (tokens, token_row, "Revoke", "My statistics has been revoked."),
    ):
        await expect(ada.there.get_by_role("button", name=row)).to_be_visible()
        await ada.answer(row, "No")
        await expect(place.get_by_role("listitem")).to_have_count(1)
        await ada.answer(row, decision)
        await expect(place.get_by_text(ended)).to_be_visible()
        await expect(place.get_by_role("listitem")).to_have_count(0)
        await expect(place.locator(".secret")).to_have_count(0)
        await expect(place.locator(":focus")).to_have_count(1)
    assert await player_of(ada, bot_token) is None
    assert await player_of(ada, personal_token) is None

    for row, decision, refusal in (
        (bot_row, "Shut down", "You have no such bot."),
        (token_row, "Revoke", "You have no such token."),
    ):
        await ada.there.get_by_role("button", name=row).click()
        await ada.there.get_by_role("dialog").get_by_role("button", name=decision).click()
        await expect(ada.there.get_by_role("alert").filter(has_text=refusal)).to_be_visible()
        await expect(ada.there.get_by_role("button", name=row)).to_have_count(0)


def panel(page: Page, title: str) -> Locator:
    """The panel of a page with this heading."""
    return page.locator("section", has=page.get_by_role("heading", name=title))


async def shown_token(place: Locator) -> str:
    """The token that a panel shows once."""
    return await place.locator(".secret p code").first.inner_text()


async def player_of(ada: Account, token: str) -> str | None:
    """The name of the player for whom a token acts; None if it is not valid."""
    answer = await ada.here.request.get(f"{ada.url}api/v1/session", headers={"Authorization": f"Bearer {token}"})
    player: dict[str, str] = (await answer.json()).get("player") or {}
    return player.get("name")
