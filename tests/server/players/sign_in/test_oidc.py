"""Signing in by the organisation's provider, a real one on this machine: accounts are made, linked and refused."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs, urlsplit

import aiohttp
import pytest
from joserfc.jwk import ECKey, RSAKey
from sqlalchemy import insert

from cadogan.server.core.database.tables import oidc_subjects
from cadogan.server.core.errors import Conflict
from cadogan.server.core.web.requests import SERVER
from cadogan.server.subjects.accounts.oidc_provider import LEEWAY_SECONDS, MAX_ANSWER_BYTES, read_address
from cadogan.server.subjects.accounts.oidc_subjects import SIGN_IN_MILLISECONDS
from tests.harness.hosts import WHY, confirm, player, with_role
from tests.harness.oidc_provider import CLIENT, SECRET, OidcProvider
from tests.harness.people import Person
from tests.harness.running_server import TEST_SETTINGS, RunningServer, open_server

Answer = dict[str, str]
NOT_RIGHT = (401, "bad_credentials")


@pytest.fixture(autouse=True)
def no_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test may try as often as it likes."""
    monkeypatch.setattr("cadogan.server.core.rate_limits.ACCOUNTS_AT_ONCE", 1000)


@pytest.fixture
async def company(sqlite_url: str, oidc_provider: OidcProvider) -> AsyncIterator[RunningServer]:
    """A server whose people can sign in by the provider."""
    async for one in open_company(sqlite_url, oidc_provider):
        yield one


@pytest.fixture
async def each_company(database_url: str, oidc_provider: OidcProvider) -> AsyncIterator[RunningServer]:
    """The same, once over SQLite, once over PostgreSQL."""
    async for one in open_company(database_url, oidc_provider):
        yield one


async def open_company(database_url: str, provider: OidcProvider) -> AsyncIterator[RunningServer]:
    """A server whose people can sign in by this provider."""
    settings = replace(
        TEST_SETTINGS,
        database_url=database_url,
        oidc_issuer=provider.url,
        oidc_client_id=CLIENT,
        oidc_client_secret=SECRET,
    )
    async with open_server(settings) as one:
        provider.now = one.clock
        yield one


@asynccontextmanager
async def browser(company: RunningServer) -> AsyncIterator[Person]:
    """Somebody with a browser, which keeps cookies."""
    async with aiohttp.ClientSession(
        cookie_jar=aiohttp.CookieJar(unsafe=True), headers={"Origin": company.url}
    ) as session:
        yield Person(company.url, session)


async def visit_provider(person: Person, path: str = "/session/oidc/request") -> Answer:
    """Sign in at the provider, and return what it has put into the address that it leads back to."""
    status, begun = await person.post(path)
    assert status == 200, begun
    async with aiohttp.ClientSession() as session, session.get(begun["address"], allow_redirects=False) as answer:
        back = urlsplit(answer.headers["Location"])
    assert f"{back.scheme}://{back.netloc}{back.path}" == f"{person.url}/account/provider"
    return {name: values[0] for name, values in parse_qs(back.query).items()}


async def sign_in(person: Person, path: str = "/session/oidc/request") -> tuple[int, Any]:
    """The answer to somebody who has signed in at the provider."""
    return await person.post("/session/oidc", await visit_provider(person, path))


async def join(company: RunningServer, name: str = "Ada") -> str:
    """Create an account by the provider; the player's id."""
    async with browser(company) as person:
        assert await sign_in(person) == (200, {"outcome": "new"})
        status, made = await person.post("/account/oidc", {"player": name})
        assert status == 200, made
        return str(made["player"]["id"])


async def test_who_has_no_account_chooses_a_name_and_is_the_same_player_from_then_on(
    each_company: RunningServer,
) -> None:
    ada = await join(each_company)
    for _ in range(2):
        async with browser(each_company) as person:
            status, again = await sign_in(person)
            assert (status, again["outcome"], again["player"]["id"]) == (200, "signed_in", ada)
            assert (await person.get("/session"))[1]["player"]["id"] == ada


async def test_another_person_at_the_provider_is_another_player(
    company: RunningServer, oidc_provider: OidcProvider
) -> None:
    ada = await join(company)
    oidc_provider.subject = "bob with spaces"
    assert await join(company, "Bob") != ada
    async with browser(company) as person:
        assert (await sign_in(person))[1]["player"]["name"] == "Bob"


async def test_a_guest_keeps_everything_and_gets_recovery_codes(company: RunningServer) -> None:
    async with browser(company) as person:
        _, guest = await person.post("/session/guest")
        await sign_in(person)
        _, made = await person.post("/account/oidc", {"player": "Ada"})
        assert (made["player"]["id"], made["player"]["name"]) == (guest["player"]["id"], "Ada")
        assert len(made["recovery_codes"]) == 10


async def test_a_name_that_is_taken_can_be_chosen_anew_and_the_account_is_made_once(
    each_company: RunningServer,
) -> None:
    await player(each_company, "Ada")
    async with browser(each_company) as person:
        await sign_in(person)
        assert (await person.post("/account/oidc", {"player": "Ada"}))[1]["code"] == "name_taken"
        assert (await person.post("/account/oidc", {"player": "Bob"}))[0] == 200
        await person.ask("DELETE", "/session")
        assert (await person.post("/account/oidc", {"player": "Eve"}))[1]["code"] == "bad_credentials"


async def test_a_name_is_chosen_within_minutes(company: RunningServer) -> None:
    async with browser(company) as person:
        await sign_in(person)
        company.clock.at += SIGN_IN_MILLISECONDS
        assert (await person.post("/account/oidc", {"player": "Ada"}))[1]["code"] == "bad_credentials"


@pytest.mark.parametrize(("accounts", "status"), [("open", 200), ("invitation", 403), ("closed", 403)])
async def test_the_rules_of_entry_hold_for_new_players_only(
    company: RunningServer, oidc_provider: OidcProvider, accounts: str, status: int
) -> None:
    ada = await join(company)
    host = await with_role(company, "Host", "host")
    await host.ask("PUT", "/house/entry", {"accounts": accounts, "guests": True})
    async with browser(company) as person:
        assert (await sign_in(person))[1]["player"]["id"] == ada
    oidc_provider.subject = "bob"
    async with browser(company) as person:
        await sign_in(person)
        assert (await person.post("/account/oidc", {"player": "Bob"}))[0] == status


async def test_an_invitation_lets_somebody_in_by_the_provider(company: RunningServer) -> None:
    host = await with_role(company, "Host", "host")
    await host.ask("PUT", "/house/entry", {"accounts": "invitation", "guests": True})
    _, made = await host.post("/house/invitations", {"uses": 1})
    async with browser(company) as person:
        await sign_in(person)
        assert (await person.post("/account/oidc", {"player": "Bob", "invitation": made["token"]}))[0] == 200


async def linked(company: RunningServer, person: Person, name: str = "Ada") -> str:
    """An account with a password that is linked now; the player's id."""
    _, made = await person.post("/account", {"name": name, "password": "eight red queens"})
    person.token = ""
    assert (await person.post("/account/oidc/request"))[1]["code"] == "confirmation_needed"
    await confirm(person)
    status, done = await sign_in(person, "/account/oidc/request")
    assert (status, done["outcome"]) == (200, "linked"), done
    return str(made["player"]["id"])


async def test_an_account_is_linked_signs_in_and_is_unlinked(each_company: RunningServer) -> None:
    async with browser(each_company) as person:
        ada = await linked(each_company, person)
        assert (await person.get("/session/oidc"))[1] == {"name": "127.0.0.1", "linked": True}
        async with browser(each_company) as other:
            assert (await sign_in(other))[1]["player"]["id"] == ada
        assert await person.ask("DELETE", "/account/oidc") == (200, {"name": "127.0.0.1"})
    async with browser(each_company) as other:
        assert (await sign_in(other))[1]["outcome"] == "new"


async def test_what_is_linked_with_one_account_cannot_be_linked_with_another(each_company: RunningServer) -> None:
    await join(each_company)
    async with browser(each_company) as person:
        await person.post("/account", {"name": "Bob", "password": "eight red queens"})
        person.token = ""
        await confirm(person)
        status, refusal = await sign_in(person, "/account/oidc/request")
        assert (status, refusal["code"]) == (409, "conflict")
        assert (await person.get("/session/oidc"))[1] == {"name": "127.0.0.1"}


async def test_linking_ends_with_the_session_that_began_it(company: RunningServer) -> None:
    async with browser(company) as person:
        await person.post("/account", {"name": "Bob", "password": "eight red queens"})
        person.token = ""
        await confirm(person)
        answer = await visit_provider(person, "/account/oidc/request")
        await person.ask("DELETE", "/session")
        assert (await person.post("/session/oidc", answer))[1]["code"] == "bad_credentials"
    async with browser(company) as other:
        assert (await sign_in(other))[1]["outcome"] == "new"


async def test_the_only_way_into_an_account_is_not_unlinked(each_company: RunningServer) -> None:
    async with browser(each_company) as person:
        await sign_in(person)
        _, made = await person.post("/account/oidc", {"player": "Ada"})
        recovered = {"name": "Ada", "code": made["recovery_codes"][0], "password": "nine black knaves"}
        with pytest.raises(Conflict, match="only way into your account"):
            await each_company.app[SERVER].sign_in.oidc_subjects.unlink(made["player"]["id"])
        assert (await person.ask("PUT", "/account/recovery", recovered))[0] == 200
        await person.ask("PUT", "/session/confirmation", {"password": "nine black knaves"})
        assert (await person.ask("DELETE", "/account/oidc"))[0] == 200


async def test_of_a_passkey_and_a_link_either_may_go_and_the_other_stays(each_company: RunningServer) -> None:
    passkey = {
        "id": "key",
        "credential": "c3VpdA",
        "name": "Phone",
        "public_key": b"",
        "sign_count": 0,
        "created_at": 1,
    }
    link = {"issuer": "https://login.example", "subject": "ada", "created_at": 1}
    accounts, subjects = each_company.server.sign_in.accounts, each_company.app[SERVER].sign_in.oidc_subjects
    ada = (await accounts.claim_name_with_passkey(None, "Ada", passkey)).player.id
    async with each_company.server.database.writing() as connection:
        await connection.execute(insert(oidc_subjects).values({**link, "player": ada}))
    await each_company.app[SERVER].sign_in.passkeys.remove(ada, "key")
    with pytest.raises(Conflict, match="only way into your account"):
        await subjects.unlink(ada)
    bob = (await accounts.claim_name_with_passkey(None, "Bob", passkey)).player.id
    async with each_company.server.database.writing() as connection:
        await connection.execute(insert(oidc_subjects).values({**link, "subject": "bob", "player": bob}))
    await subjects.unlink(bob)
    with pytest.raises(Conflict, match="only way into your account"):
        await each_company.app[SERVER].sign_in.passkeys.remove(bob, "key")


@pytest.mark.parametrize("key", [None, "EC"])
@pytest.mark.parametrize("method", ["client_secret_basic", "client_secret_post"])
async def test_either_kind_of_key_and_either_way_to_send_the_secret_will_do(
    company: RunningServer, oidc_provider: OidcProvider, key: str | None, method: str
) -> None:
    oidc_provider.methods = (method,)
    if key:
        oidc_provider.key = ECKey.generate_key("P-256", {"kid": "two"})
    assert await join(company)


async def test_a_sign_in_needs_the_cookie_of_the_browser_that_began_it(company: RunningServer) -> None:
    async with browser(company) as person, browser(company) as other:
        answer = await visit_provider(person)
        assert (await other.post("/session/oidc", answer))[1]["code"] == "bad_credentials"
        await visit_provider(other)
        assert (await other.post("/session/oidc", answer))[1]["code"] == "bad_credentials"
        assert (await person.post("/session/oidc", answer))[0] == 200


@pytest.mark.parametrize("change", [{"state": "x" * 43}, {"state": "é"}, {"code": "none"}])
async def test_another_state_or_code_is_refused(company: RunningServer, change: Answer) -> None:
    async with browser(company) as person:
        answer = await visit_provider(person)
        status, refusal = await person.post("/session/oidc", {**answer, **change})
        assert (status, refusal["code"]) == NOT_RIGHT


async def test_a_code_is_good_once_and_for_minutes(company: RunningServer) -> None:
    await join(company)
    async with browser(company) as person:
        answer = await visit_provider(person)
        cookies = {cookie.key: cookie.value for cookie in person.session.cookie_jar}
        assert (await person.post("/session/oidc", answer))[0] == 200
        person.session.cookie_jar.update_cookies(cookies)
        assert (await person.post("/session/oidc", answer))[1]["code"] == "bad_credentials"
        answer = await visit_provider(person)
        company.clock.at += SIGN_IN_MILLISECONDS
        assert (await person.post("/session/oidc", answer))[1]["code"] == "bad_credentials"


def with_claims(**claims: Any) -> Callable[[OidcProvider], None]:
    """An ID token that has these claims."""
    return lambda provider: provider.claims.update(claims)


def past(provider: OidcProvider) -> None:
    provider.claims["exp"] = provider.now() // 1000 - LEEWAY_SECONDS


def future(provider: OidcProvider) -> None:
    provider.claims["iat"] = provider.now() // 1000 + LEEWAY_SECONDS + 1


def with_other_key(provider: OidcProvider) -> None:
    provider.signing = RSAKey.generate_key(2048, {"kid": "one"})


def with_key_of_other_kind(provider: OidcProvider) -> None:
    provider.signing = ECKey.generate_key("P-256", {"kid": "one"})


def without_signature(provider: OidcProvider) -> None:
    provider.unsigned = True


WRONG = [
    with_claims(nonce="x"),
    with_claims(nonce=None),
    with_claims(iss="https://other.example"),
    with_claims(iss=None),
    with_claims(aud="other"),
    with_claims(aud=["other"]),
    with_claims(aud=None),
    with_claims(aud=[CLIENT, "other"]),
    with_claims(aud=[CLIENT, "other"], azp="other"),
    with_claims(azp="other"),
    with_claims(exp=None),
    with_claims(sub=None),
    with_claims(sub=7),
    with_claims(sub="x" * 256),
    past,
    future,
    with_other_key,
    with_key_of_other_kind,
    without_signature,
]


async def test_an_id_token_that_is_not_right_in_any_way_signs_nobody_in(
    company: RunningServer, oidc_provider: OidcProvider
) -> None:
    await join(company)
    for number, wrong in enumerate(WRONG):
        wrong(oidc_provider)
        async with browser(company) as person:
            status, refusal = await sign_in(person)
            assert (status, refusal["code"]) == NOT_RIGHT, number
            assert (await person.get("/session"))[1]["player"] is None, number
        oidc_provider.claims, oidc_provider.signing, oidc_provider.unsigned = {}, None, False


@pytest.mark.parametrize("aud", [CLIENT, [CLIENT], [CLIENT, "other"]])
async def test_a_token_for_this_server_may_be_for_others_too(
    company: RunningServer, oidc_provider: OidcProvider, aud: Any
) -> None:
    oidc_provider.claims = {"aud": aud, "azp": CLIENT}
    assert await join(company)


@pytest.mark.parametrize(
    "change",
    [
        {"status": 500},
        {"status": 302},
        {"padding": MAX_ANSWER_BYTES},
        {"discovery": {"issuer": "https://other.example"}},
        {"discovery": {"token_endpoint": None}},
    ],
)
async def test_a_provider_that_does_not_answer_as_it_should_is_said_to_be_away(
    company: RunningServer, oidc_provider: OidcProvider, change: dict[str, Any]
) -> None:
    for name, value in change.items():
        setattr(oidc_provider, name, value)
    status, refusal = await company.stranger().post("/session/oidc/request")
    assert (status, refusal["code"]) == (503, "unavailable")


async def test_keys_without_tls_are_not_asked_for(company: RunningServer, oidc_provider: OidcProvider) -> None:
    oidc_provider.discovery = {"jwks_uri": "http://login.example/keys"}
    async with browser(company) as person:
        assert (await sign_in(person))[1]["code"] == "unavailable"


async def test_a_provider_that_is_not_there_is_said_to_be_away(sqlite_url: str) -> None:
    settings = replace(
        TEST_SETTINGS,
        database_url=sqlite_url,
        oidc_issuer="http://127.0.0.1:9",
        oidc_client_id=CLIENT,
        oidc_client_secret=SECRET,
    )
    async with open_server(settings) as one:
        assert (await one.stranger().post("/session/oidc/request"))[1]["code"] == "unavailable"


@pytest.mark.parametrize("act", ["suspension", "ban"])
async def test_who_is_suspended_or_banned_is_not_signed_in(company: RunningServer, act: str) -> None:
    ada = await join(company)
    host = await with_role(company, "Host", "host")
    until = {"until": company.clock.at + 60_000} if act == "suspension" else {"banned": True}
    status, answer = await host.ask("PUT", f"/house/players/{ada}/{act}", {**WHY, **until})
    assert status == 200, answer
    async with browser(company) as person:
        status, refusal = await sign_in(person)
        assert (status, refusal["code"]) == (403, "suspended")


async def test_who_erases_the_account_is_new_at_the_next_sign_in(each_company: RunningServer) -> None:
    async with browser(each_company) as person:
        await linked(each_company, person)
        status, answer = await person.ask("DELETE", "/account")
        assert status == 200, answer
    async with browser(each_company) as person:
        assert (await sign_in(person))[1]["outcome"] == "new"


async def test_without_a_provider_nothing_is_offered(sqlite_server: RunningServer) -> None:
    stranger = sqlite_server.stranger()
    assert await stranger.get("/session/oidc") == (200, {})
    assert (await stranger.post("/session/oidc/request"))[1]["code"] == "not_found"
    ada = await player(sqlite_server, "Ada")
    await confirm(ada)
    assert (await ada.post("/account/oidc/request"))[1]["code"] == "not_found"


@pytest.mark.parametrize(
    "address",
    [
        "http://login.example",
        "login.example",
        "https://",
        "https://a:b@login.example",
        "ftp://localhost",
        "https://x/#y",
    ],
)
def test_the_address_of_a_provider_has_tls(address: str) -> None:
    with pytest.raises(ValueError, match="is not the address of a provider"):
        read_address(address)


@pytest.mark.parametrize("address", ["https://login.example/realms/works", "http://localhost:8080", "http://[::1]:1"])
def test_a_provider_on_this_machine_needs_none(address: str) -> None:
    assert read_address(f" {address} ") == address
