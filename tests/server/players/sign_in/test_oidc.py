"""Signing in by the organisation's provider, a real one on this machine: accounts are made, linked and refused."""

import pytest
from sqlalchemy import insert

from cadogan.server.core.database.tables import oidc_subjects
from cadogan.server.core.errors import Conflict
from cadogan.server.core.web.requests import SERVER
from cadogan.server.subjects.accounts.oidc_subjects import SIGN_IN_MILLISECONDS
from tests.harness.hosts import WHY, confirm, player, with_role
from tests.harness.oidc_provider import OidcProvider
from tests.harness.running_server import RunningServer
from tests.server.players.sign_in.oidc_company import (
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
