"""Confirming by the organisation's provider, a real one on this machine, before what cannot be undone; and attacks."""

from urllib.parse import parse_qs, urlencode, urlsplit

import aiohttp
import pytest

from cadogan.server.subjects.accounts.oidc_provider import LEEWAY_SECONDS
from cadogan.server.subjects.accounts.oidc_subjects import SIGN_IN_MILLISECONDS
from cadogan.server.subjects.admin.roles import CONFIRMED_MILLISECONDS
from tests.harness.hosts import player
from tests.harness.oidc_provider import OidcProvider
from tests.harness.people import Person
from tests.harness.running_server import RunningServer
from tests.server.players.sign_in.oidc_company import (
    NOT_RIGHT,
    Answer,
    browser,
    company,
    each_company,
    join,
    linked,
    no_limits,
    sign_in,
    visit_provider,
)

__all__ = ["company", "each_company", "no_limits"]
CONFIRMATION = "/session/oidc/confirmation"
HOUR = 3600


async def wants_confirmation(person: Person) -> bool:
    """Whether what cannot be undone is refused until the person confirms."""
    status, answer = await person.ask("PUT", "/account/recovery-codes")
    assert (status, answer.get("code")) in {(200, None), (403, "confirmation_needed")}, answer
    return bool(status == 403)


async def refused(person: Person, answer: Answer) -> str:
    """What the refusal says to somebody who comes back from the provider so; the session is not confirmed by it."""
    status, refusal = await person.post("/session/oidc", answer)
    assert (status, refusal["code"]) == NOT_RIGHT
    assert await wants_confirmation(person)
    return str(refusal["message"])


async def test_who_has_no_password_confirms_by_the_provider_for_this_session_and_ten_minutes(
    each_company: RunningServer, oidc_provider: OidcProvider
) -> None:
    ada = await join(each_company)
    async with browser(each_company) as person, browser(each_company) as elsewhere:
        await sign_in(person)
        await sign_in(elsewhere)
        each_company.clock.at += HOUR * 1000
        assert await person.get("/session/confirmation") == (
            200,
            {"password": False, "passkey": False, "provider": "127.0.0.1"},
        )
        assert await wants_confirmation(person)
        status, done = await sign_in(person, CONFIRMATION)
        assert (status, done["outcome"], done["player"]["id"], done.get("token")) == (200, "confirmed", ada, None)
        assert (oidc_provider.asked["prompt"], oidc_provider.asked["max_age"]) == ("login", "0")
        assert not await wants_confirmation(person)
        assert await wants_confirmation(elsewhere)
        each_company.clock.at += CONFIRMED_MILLISECONDS
        assert await wants_confirmation(person)


async def test_an_ordinary_sign_in_asks_nobody_again_and_confirms_nothing(
    company: RunningServer, oidc_provider: OidcProvider
) -> None:
    await join(company)
    async with browser(company) as person:
        await sign_in(person)
        assert "prompt" not in oidc_provider.asked
        assert await wants_confirmation(person)


async def test_an_account_has_the_ways_that_it_has(company: RunningServer) -> None:
    bob = await player(company, "Bob")
    assert await bob.get("/session/confirmation") == (200, {"password": True, "passkey": False})
    status, refusal = await bob.post(CONFIRMATION)
    assert (status, refusal["code"]) == (409, "conflict")
    async with browser(company) as person:
        await linked(company, person)
        ways = {"password": True, "passkey": False, "provider": "127.0.0.1"}
        assert (await person.get("/session/confirmation"))[1] == ways


async def test_without_a_provider_nobody_confirms_by_it(sqlite_server: RunningServer) -> None:
    ada = await player(sqlite_server, "Ada")
    assert (await ada.post(CONFIRMATION))[1]["code"] == "not_found"
    assert (await sqlite_server.stranger().post(CONFIRMATION))[1]["code"] == "unauthorized"
    assert (await sqlite_server.stranger().get("/session/confirmation"))[1]["code"] == "unauthorized"


@pytest.mark.parametrize("known", [True, False], ids=["another account's", "nobody's"])
async def test_who_signs_in_there_as_somebody_else_confirms_nothing(
    each_company: RunningServer, oidc_provider: OidcProvider, known: bool
) -> None:
    await join(each_company)
    oidc_provider.subject = "bob"
    if known:
        await join(each_company, "Bob")
    async with browser(each_company) as person:
        oidc_provider.subject = "ada"
        await sign_in(person)
        oidc_provider.subject = "bob"
        assert "as somebody else" in await refused(person, await visit_provider(person, CONFIRMATION))
        assert (await person.get("/session"))[1]["player"]["name"] == "Ada"
        oidc_provider.subject = "ada"
        assert (await sign_in(person, CONFIRMATION))[1]["outcome"] == "confirmed"


async def test_who_was_not_asked_anew_there_confirms_nothing(
    company: RunningServer, oidc_provider: OidcProvider
) -> None:
    now = oidc_provider.now() // 1000
    wrong: list[object] = [now - LEEWAY_SECONDS - 1, now + LEEWAY_SECONDS + 1, None, True, "now", float("nan"), []]
    await join(company)
    async with browser(company) as person:
        await sign_in(person)
        for auth_time in wrong:
            oidc_provider.claims = {"auth_time": auth_time}
            sentence = await refused(person, await visit_provider(person, CONFIRMATION))
            assert "did not ask you to sign in again" in sentence, auth_time
        oidc_provider.claims = {"auth_time": oidc_provider.now() // 1000 - LEEWAY_SECONDS + 0.5}
        assert (await sign_in(person, CONFIRMATION))[1]["outcome"] == "confirmed"


@pytest.mark.parametrize("left_out", [("prompt",), ("prompt", "max_age")])
async def test_who_changes_the_address_so_that_the_provider_asks_nothing_confirms_nothing(
    company: RunningServer, left_out: tuple[str, ...]
) -> None:
    await join(company)
    async with browser(company) as person:
        await sign_in(person)
        company.clock.at += HOUR * 1000
        _, begun = await person.post(CONFIRMATION)
        asked = {name: values[0] for name, values in parse_qs(urlsplit(begun["address"]).query).items()}
        query = urlencode({name: value for name, value in asked.items() if name not in left_out})
        address = f"{begun['address'].partition('?')[0]}?{query}"
        async with aiohttp.ClientSession() as session, session.get(address, allow_redirects=False) as answer:
            back = parse_qs(urlsplit(answer.headers["Location"]).query)
        given = {name: values[0] for name, values in back.items()}
        assert "did not ask you to sign in again" in await refused(person, given)


async def test_what_came_back_from_the_provider_is_good_once(company: RunningServer) -> None:
    await join(company)
    async with browser(company) as person:
        await sign_in(person)
        answer = await visit_provider(person, CONFIRMATION)
        cookies = {cookie.key: cookie.value for cookie in person.session.cookie_jar}
        assert (await person.post("/session/oidc", answer))[1]["outcome"] == "confirmed"
        company.clock.at += CONFIRMED_MILLISECONDS
        await refused(person, answer)
        person.session.cookie_jar.update_cookies(cookies)
        await refused(person, answer)
        late = await visit_provider(person, CONFIRMATION)
        company.clock.at += SIGN_IN_MILLISECONDS
        await refused(person, late)


async def test_another_state_is_refused(company: RunningServer) -> None:
    await join(company)
    async with browser(company) as person:
        await sign_in(person)
        before = await visit_provider(person, CONFIRMATION)
        after = await visit_provider(person, CONFIRMATION)
        await refused(person, before)
        await refused(person, {**before, "state": after["state"]})


async def test_what_one_session_began_confirms_no_other_of_the_same_player(each_company: RunningServer) -> None:
    await join(each_company)
    async with browser(each_company) as person, browser(each_company) as other:
        await sign_in(person)
        await sign_in(other)
        answer = await visit_provider(person, CONFIRMATION)
        await visit_provider(other, CONFIRMATION)
        await refused(other, answer)
        secret = {cookie.key: cookie.value for cookie in person.session.cookie_jar}["cadogan_oidc"]
        other.session.cookie_jar.clear(lambda cookie: cookie.key == "cadogan_oidc")
        other.session.cookie_jar.update_cookies({"cadogan_oidc": secret})
        await refused(other, answer)
        assert await wants_confirmation(person)


async def test_a_confirmation_needs_the_session_that_began_it(company: RunningServer) -> None:
    await join(company)
    async with browser(company) as person:
        await sign_in(person)
        answer = await visit_provider(person, CONFIRMATION)
        await person.ask("DELETE", "/session")
        status, refusal = await person.post("/session/oidc", answer)
        assert (status, refusal["code"]) == NOT_RIGHT
        assert (await person.get("/session"))[1]["player"] is None


async def test_what_began_as_a_sign_in_confirms_nothing(company: RunningServer) -> None:
    await join(company)
    async with browser(company) as person:
        await sign_in(person)
        status, done = await person.post("/session/oidc", await visit_provider(person))
        assert (status, done["outcome"]) == (200, "signed_in")
        assert await wants_confirmation(person)


async def test_an_account_that_was_unlinked_meanwhile_is_not_confirmed(company: RunningServer) -> None:
    async with browser(company) as person:
        await linked(company, person)
        answer = await visit_provider(person, CONFIRMATION)
        assert (await person.ask("DELETE", "/account/oidc"))[0] == 200
        company.clock.at += CONFIRMED_MILLISECONDS - 1
        status, refusal = await person.post("/session/oidc", answer)
        assert (status, refusal["code"]) == NOT_RIGHT
