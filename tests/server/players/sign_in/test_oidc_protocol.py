"""The answers of a provider, real on this machine: which are accepted, and which sign nobody in."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from joserfc.jwk import ECKey, RSAKey

from cadogan.server.subjects.accounts.oidc_provider import LEEWAY_SECONDS, MAX_ANSWER_BYTES, read_address
from cadogan.server.subjects.accounts.oidc_subjects import SIGN_IN_MILLISECONDS
from tests.harness.oidc_provider import CLIENT, SECRET, OidcProvider
from tests.harness.running_server import TEST_SETTINGS, RunningServer, open_server
from tests.server.players.sign_in.oidc_company import (
    NOT_RIGHT,
    Answer,
    browser,
    company,
    join,
    no_limits,
    sign_in,
    visit_provider,
)

__all__ = ["company", "no_limits"]


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
