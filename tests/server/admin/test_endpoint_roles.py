"""The table of endpoints and roles: everybody is let in where the table says so, and refused everywhere else."""

from collections.abc import AsyncIterator
from itertools import count
from typing import Any

import msgspec
import pytest

from cadogan.wire.admin import Why
from cadogan.wire.endpoint import ROLES, Endpoint, Role
from cadogan.wire.endpoints import ENDPOINTS
from cadogan.wire.examples import example
from tests.harness.hosts import PASSWORD, roles, with_role
from tests.harness.people import Person
from tests.harness.running_server import RunningServer

STAFF_ENDPOINTS: dict[str, Role | None] = {
    "become_host": "player",
    "find_players": "moderator",
    "change_role": "host",
    "rename_player": "moderator",
    "mute_player": "moderator",
    "suspend_player": "moderator",
    "ban_player": "host",
    "sign_out_player": "moderator",
    "reset_access": "host",
    "erase_player": "host",
    "show_waiting": "moderator",
    "show_findings": "moderator",
    "list_reports": "moderator",
    "settle_report": "moderator",
    "show_run": "moderator",
    "strike_run": "moderator",
    "show_entry": None,
    "change_entry": "host",
    "show_profile": None,
    "change_profile": "host",
    "change_crest": "host",
    "list_webhooks": "host",
    "add_webhook": "host",
    "remove_webhook": "host",
    "list_deliveries": "host",
    "try_webhook": "host",
    "change_seasons": "host",
    "show_schedule": "host",
    "change_schedule": "host",
    "list_invitations": "host",
    "invite": "host",
    "end_invitation": "host",
    "show_house_log": "host",
    "browse_events": "moderator",
    "download_events": "moderator",
}
"""Who may ask for each endpoint of hosts and moderators. It is repeated here: a change needs a decision."""
WHY = Why(reason="request")
NOTHING = "aaaaaaaaaaaaaaaa"
"""An id that nothing has."""
CONFIRMED = {
    "change_role",
    "rename_player",
    "ban_player",
    "reset_access",
    "erase_player",
    "erase_account",
    "renew_recovery_codes",
    "add_passkey",
    "set_mail_address",
    "remove_passkey",
    "begin_oidc_link",
    "unlink_oidc",
}
"""What needs the password again."""
ANYBODY = {
    "day_record",
    "begin_as_guest",
    "sign_in",
    "who_am_i",
    "sign_out",
    "claim_name",
    "regain_access",
    "recover_account",
    "show_mail_address",
    "confirm_mail_address",
    "recover_by_mail",
    "end_mail_digest",
    "ask_passkey_challenge",
    "sign_in_with_passkey",
    "ask_new_passkey_challenge",
    "claim_name_with_passkey",
    "show_oidc_provider",
    "begin_oidc",
    "finish_oidc",
    "claim_name_with_oidc",
    "show_home",
    "show_shelf",
    "show_winnability",
    "list_rules",
    "show_rules",
    "list_live_games",
    "show_game",
    "replay_game",
    "stream_game",
    "download_record",
    "show_deal",
    "show_result",
    "show_attestation",
    "list_dailies",
    "show_daily",
    "show_review",
    "show_best_line",
    "list_puzzles",
    "show_puzzle",
    "show_puzzle_way",
    "show_player",
    "show_collection",
    "show_form",
    "list_ratings",
    "list_seasons",
    "show_season",
    "export_games",
    "show_board",
    "show_pace",
    "show_analysis",
    "stream_analysis",
    "show_way",
    "compare_games",
    "find_group",
    "list_races",
    "show_race",
    "race_record",
    "list_evenings",
    "find_evening",
    "show_evening",
    "show_evening_standing",
    "show_evening_round",
    "show_arena_deals",
    "show_arena_sheet",
    "download_evening",
    "evening_record",
    "show_root",
    "show_entry",
    "show_profile",
    "openapi",
    "asyncapi",
}
"""What needs nobody to be signed in."""
LED = "make_evening"
"""What a player may only do for a group that the player leads."""


def test_the_table_is_the_one_that_was_decided() -> None:
    for_staff = {one.name: one.role for one in ENDPOINTS if "/house/" in one.path}
    assert for_staff == STAFF_ENDPOINTS
    assert {one.name for one in ENDPOINTS if one.role is None} == ANYBODY
    assert {one.name for one in ENDPOINTS if one.is_for_staff} <= set(STAFF_ENDPOINTS)
    assert {one.name for one in ENDPOINTS if one.confirmed} == CONFIRMED
    assert {one.needed_scope for one in ENDPOINTS if one.is_for_staff} == {"session"}


async def ask(person: Person, endpoint: Endpoint) -> tuple[int, Any]:
    """Ask for an endpoint as an example says, for things that do not exist."""
    path = endpoint.path.format(
        slug="klondike",
        day="today",
        slot=1,
        board="all",
        code="AAAAAA",
        deal=NOTHING,
        id=NOTHING,
        round=1,
        name="Nemo",
        other=NOTHING,
        player=NOTHING,
        message=NOTHING,
        version=1,
        token=NOTHING,
    )
    body = msgspec.to_builtins(example(endpoint.request)) if endpoint.request else None
    return await person.ask(endpoint.method, path.removeprefix("/api/v1"), body)


async def askers(running_server: RunningServer, role: Role | None) -> AsyncIterator[Person]:
    """Again and again somebody of this role, who has just come."""
    for number in count():
        person = running_server.stranger()
        if role is not None:  # from one address few passwords are taken, so they come past the limit
            session = await running_server.server.sign_in.accounts.claim_name(None, f"{role} {number}", PASSWORD)
            person.id, person.token = session.player.id, session.token
            await roles(running_server).change(None, person.id, None if role == "player" else role, WHY)
        yield person


def is_as_the_table_says(endpoint: Endpoint, role: Role | None, status: int, code: str | None) -> bool:
    """Whether somebody of this role may be answered so."""
    order: tuple[Role | None, ...] = (None, *ROLES)
    if endpoint.name == LED and role == "player":
        return (status, code) == (403, "forbidden")
    if order.index(role) >= order.index(endpoint.role):
        return code not in ("unauthorized", "forbidden") and (code == "confirmation_needed") == endpoint.confirmed
    return (status, code) == ((401, "unauthorized") if role is None else (403, "forbidden"))


@pytest.mark.parametrize("role", [None, *ROLES])
async def test_every_endpoint_lets_in_the_roles_of_the_table_and_no_others(
    sqlite_server: RunningServer, role: Role | None
) -> None:
    wrong = []
    people = askers(sqlite_server, role)
    person = await anext(people)
    for endpoint in ENDPOINTS:
        status, answer = await ask(person, endpoint)
        if endpoint.method != "GET":  # the person may be signed out, or be another one
            person = await anext(people)
        if not is_as_the_table_says(endpoint, role, status, answer.get("code")):
            wrong.append((endpoint.name, status, answer))
    assert wrong == []


async def test_no_personal_token_of_a_host_does_what_only_hosts_may(sqlite_server: RunningServer) -> None:
    host = await with_role(sqlite_server, "Ada", "host")
    _, made = await host.post("/tokens", {"name": "Notebook", "scopes": ["read", "play"]})
    program = sqlite_server.stranger()
    program.token = made["token"]
    answers = {one.name: await ask(program, one) for one in ENDPOINTS if one.is_for_staff}
    refused = {
        name: (status, answer["code"], "session" in answer["message"]) for name, (status, answer) in answers.items()
    }
    assert refused == dict.fromkeys(refused, (403, "unauthorized", True))


async def test_a_password_that_was_entered_again_holds_for_ten_minutes_of_one_session(
    sqlite_server: RunningServer,
) -> None:
    host = await with_role(sqlite_server, "Ada", "host", confirmed=False)
    bob = await with_role(sqlite_server, "Bob", None)
    other = sqlite_server.stranger()
    _, signed_in = await other.post("/session", {"name": "Ada", "password": "eight red queens"})
    other.token = signed_in["token"]
    wrong = await host.ask("PUT", "/session/confirmation", {"password": "eight red kings"})
    assert (wrong[0], wrong[1]["code"]) == (401, "bad_credentials")
    ban = {"banned": True, "reason": "cheating"}
    assert (await host.ask("PUT", f"/house/players/{bob.id}/ban", ban))[1]["code"] == "confirmation_needed"
    _, confirmed = await host.ask("PUT", "/session/confirmation", {"password": "eight red queens"})
    assert confirmed["role"] == "host"
    sqlite_server.clock.at += 10 * 60 * 1000 - 1
    assert (await host.ask("PUT", f"/house/players/{bob.id}/ban", ban))[0] == 200
    assert (await other.ask("PUT", f"/house/players/{bob.id}/ban", ban))[1]["code"] == "confirmation_needed"
    sqlite_server.clock.at += 1
    assert (await host.ask("PUT", f"/house/players/{bob.id}/ban", ban))[1]["code"] == "confirmation_needed"


async def test_a_guest_has_no_password_to_enter(sqlite_server: RunningServer) -> None:
    guest = await sqlite_server.guest()
    status, answer = await guest.ask("PUT", "/session/confirmation", {"password": "eight red queens"})
    assert (status, answer["code"]) == (409, "conflict")
