"""A club's room, whose people share one address: one who guesses passwords there keeps nobody else from signing in."""

from collections.abc import AsyncIterator
from dataclasses import replace

import aiohttp
import pytest

from tests.harness.hosts import PASSWORD, confirm, player
from tests.harness.oidc_provider import CLIENT, SECRET, OidcProvider
from tests.harness.people import Person
from tests.harness.running_server import TEST_SETTINGS, RunningServer, open_server
from tests.harness.smtp_server import Post
from tests.server.players.sign_in import oidc_company as by_provider
from tests.server.players.sign_in import test_mail_recovery as by_mail
from tests.server.players.sign_in import test_passkeys as by_passkey

TRIES = 12


@pytest.fixture
async def club(
    sqlite_url: str, post: Post, oidc_provider: OidcProvider, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[RunningServer]:
    """A server with every way to sign in, where one network may fail only twelve times."""
    monkeypatch.setattr("cadogan.server.subjects.accounts.passwords.NETWORK_AT_ONCE", TRIES)
    settings = replace(
        TEST_SETTINGS,
        database_url=sqlite_url,
        smtp_url=post.url,
        mail_from="club@patience.example",
        oidc_issuer=oidc_provider.url,
        oidc_client_id=CLIENT,
        oidc_client_secret=SECRET,
    )
    async with open_server(settings) as one:
        oidc_provider.now = one.clock
        yield one


async def guess(club: RunningServer, name: str, password: str = "not the password") -> str | None:
    """The refusal of who tries to sign in from a browser that nobody knows; None if there is none."""
    _, answer = await club.stranger().post("/session", {"name": name, "password": password})
    code: str | None = answer.get("code")
    return code


@pytest.mark.slow
async def test_wrong_passwords_keep_nobody_else_of_the_same_address_from_signing_in(
    club: RunningServer, post: Post
) -> None:
    _, device = await by_passkey.with_passkey(club, "Ada")
    await by_mail.with_address(club, post, "Bob")
    eve = await by_provider.join(club, "Eve")
    cookies = aiohttp.CookieJar(unsafe=True)
    async with aiohttp.ClientSession(cookie_jar=cookies, headers={"Origin": club.url}) as session:
        cyd = Person(club.url, session)
        body = {"name": "Cyd", "password": PASSWORD}
        assert (await cyd.post("/account", body))[0] == 200
        assert (await cyd.ask("DELETE", "/session"))[0] == 200

        refusals = [await guess(club, f"Nemo {number}") for number in range(TRIES + 8)]
        assert refusals == ["bad_credentials"] * TRIES + ["rate_limited"] * 8
        assert [await guess(club, "Cyd") for _ in range(TRIES)][-1] == "rate_limited"  # as known there as she is

        assert (await cyd.post("/session", body))[0] == 200
    assert (await by_passkey.sign_in(club, device))[0] == 200
    assert (await by_mail.recover(club, by_mail.ADDRESS))[0] == 200
    assert await by_mail.code_in(post, "access")
    async with by_provider.browser(club) as person:
        assert (await by_provider.sign_in(person))[1]["player"]["id"] == eve
    await player(club, "Dan")


async def test_who_signs_in_with_the_right_password_is_charged_nothing(club: RunningServer) -> None:
    await player(club, "Ada")
    assert [await guess(club, "Ada", PASSWORD) for _ in range(2 * TRIES)] == [None] * 2 * TRIES


async def test_only_wrong_passwords_that_confirm_or_change_one_are_charged_to_the_player(club: RunningServer) -> None:
    ada, bob = await player(club, "Ada"), await player(club, "Bob")
    for _ in range(TRIES):
        await confirm(ada)
    tries = [
        (await ada.ask("PUT", "/session/confirmation", {"password": "not the password"}))[1]["code"]
        for _ in range(TRIES)
    ]
    wrong = {"old": "not mine", "new": "nine black knaves"}
    assert tries[-1] == (await ada.ask("PUT", "/account/password", wrong))[1]["code"] == "rate_limited"
    await confirm(bob)
