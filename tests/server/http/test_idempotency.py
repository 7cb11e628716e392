"""A POST that is sent again with its `Idempotency-Key` changes nothing a second time, on whichever node."""

from collections.abc import Mapping
from typing import Any

from aiohttp import ClientSession

from cadogan.sdk import connect
from cadogan.server.subjects.admin.roles import Roles
from cadogan.wire.admin import Why
from cadogan.wire.endpoints import ENDPOINTS
from tests.harness.running_server import Clock, RunningServer
from tests.harness.two_nodes import TwoNodes

CREATING: dict[str, dict[str, object]] = {
    "/deals": {"rules": "klondike"},
    "/dailies/today/deals/1/games": {"practice": True},
    "/races": {"rules": "quatorze", "nonce": "mine", "open": True},
    "/groups": {"name": "The club"},
    "/evenings": {"title": "Thursday", "starts_at": Clock.at + 600_000, "rounds": 1},
    "/matches": {"against": "link"},
    "/bots": {"name": "Marvin"},
    "/tokens": {"name": "Notebook", "scopes": ["read"]},
    "/house/invitations": {"uses": 3},
    "/house/webhooks": {"name": "Chat", "url": "https://hooks.example/x", "topics": ["day_opened"]},
}
"""Each POST that creates something, with a body for it."""
OTHER_BODY: dict[str, dict[str, object]] = {
    "/deals": {"rules": "quatorze"},
    "/races": {"rules": "klondike", "nonce": "mine", "open": True},
    "/groups": {"name": "Another club"},
    "/evenings": {"title": "Friday", "starts_at": Clock.at + 600_000, "rounds": 1},
    "/matches": {"against": "link", "starts_at": Clock.at + 600_000},
    "/bots": {"name": "Zaphod"},
    "/tokens": {"name": "Notebook", "scopes": ["read"], "days": 7},
}
"""Another request to the same address."""
REPEATABLE = {
    "analyse_game",
    "begin_game",
    "spoil_deal",
    "join_group",
    "join_race",
    "leave_race",
    "start_race",
    "open_rematch",
    "open_evening_deal",
    "begin_virtual_evening",
    "open_virtual_deal",
    "submit_work",
    "rule_evening",
    "object_to_evening",
    "try_puzzle",
    "give_puzzle_up",
    "try_webhook",
    "try_notifications",
}
"""POSTs that change nothing a second time, with an id or without: what they name is in their path or body. The decision
of a leader is refused a second time, except for more minutes, which a leader sees; so is the same objection."""
SESSIONS = {"begin_as_guest", "sign_in", "claim_name", "sign_in_with_passkey", "claim_name_with_passkey"} | {
    "finish_oidc",
    "claim_name_with_oidc",
}
"""POSTs that make a session or prove it by a password; repeated, the sign-ins leave an unused session behind. What a
passkey or a provider has signed is good once, so that a request that is sent again is refused."""
CHALLENGES = {"ask_passkey_challenge", "ask_new_passkey_challenge"} | {
    "begin_oidc",
    "begin_oidc_link",
    "begin_oidc_confirmation",
}
"""POSTs whose answer is good for some minutes; repeated, they leave an unused one behind."""
NEW_EACH_TIME = {"token", "secret"}
"""What is never told twice: tokens, which are stored as hashes only, and the secret of a webhook."""


async def post(session: ClientSession, url: str, path: str, body: Mapping[str, object], key: str) -> tuple[int, Any]:
    """Send a POST with this id, and return the status and the body of the answer."""
    async with session.post(f"{url}/api/v1{path}", json=body, headers={"Idempotency-Key": key}) as answer:
        return answer.status, await answer.json()


def test_every_post_is_known_here() -> None:
    creating = {
        "seal_deal",
        "enter_daily",
        "open_race",
        "make_evening",
        "make_match",
        "make_group",
        "make_bot",
        "make_token",
        "invite",
        "play_on",
        "play_deal",
        "take_work",
    } | {"add_webhook", "try_webhook", "write_message"}
    assert {one.name for one in ENDPOINTS if one.method == "POST"} == creating | REPEATABLE | SESSIONS | CHALLENGES


async def test_the_same_id_gets_the_same_answer_from_every_node_and_another_id_does_not(two_nodes: TwoNodes) -> None:
    one, other = two_nodes.first.url, two_nodes.second.url
    async with connect(one) as player, ClientSession() as session:
        await player.claim_name("Ada Byron", "correct horse")
        session.headers["Authorization"] = f"Bearer {player.token}"
        server = two_nodes.first.server
        me = (await player.who_am_i()).player
        assert me is not None
        await Roles(server.database, server.now).change(None, me.id, "host", Why(reason="request"))
        await (await player.enter()).resign()
        for path, body in CREATING.items():
            status, first = await post(session, one, path, body, "1")
            assert status == 200, first
            status, again = await post(session, other, path, body, "1")
            assert status == 200, again
            assert {**again, **{key: first[key] for key in NEW_EACH_TIME & first.keys()}} == first
            other_body = OTHER_BODY.get(path, body)
            if other_body != body:
                status, refusal = await post(session, other, path, other_body, "1")
                assert (status, refusal["code"]) == (409, "name_taken" if path == "/bots" else "command_reused")
            status, second = await post(session, other, path, other_body, "2")
            assert status == 200, second
            assert second != first
        assert len((await player.list_bots()).bots) == 2
        assert len((await player.list_groups()).groups) == 2


async def test_a_message_that_is_sent_again_is_written_once(two_nodes: TwoNodes) -> None:
    one, other = two_nodes.first.url, two_nodes.second.url
    async with connect(one) as player, ClientSession() as session:
        await player.claim_name("Ada Byron", "correct horse")
        session.headers["Authorization"] = f"Bearer {player.token}"
        group = (await player.make_group("The club")).id
        await player.switch_talk(group, on=True)
        path = f"/groups/{group}/messages"
        _, first = await post(session, one, path, {"text": "Hello!"}, "1")
        assert await post(session, other, path, {"text": "Hello!"}, "1") == (200, first)
        assert (await post(session, other, path, {"text": "Goodbye!"}, "1"))[1]["code"] == "command_reused"
        assert [one.id for one in (await player.list_messages(group)).messages] == [first["id"]]


async def test_who_has_left_a_group_is_not_shown_it_for_the_request_that_made_it(sqlite_server: RunningServer) -> None:
    ann, bob = await sqlite_server.guest(), await sqlite_server.guest()
    sqlite_server.session.headers["Authorization"] = f"Bearer {ann.token}"
    made = (sqlite_server.session, sqlite_server.url, "/groups", CREATING["/groups"], "1")
    _, group = await post(*made)
    assert (await bob.post("/groups/join", {"token": group["token"]}))[0] == 200
    assert (await ann.ask("DELETE", f"/groups/{group['id']}/members/me"))[0] == 200
    assert (await bob.ask("PUT", f"/groups/{group['id']}/link"))[0] == 200
    status, refusal = await post(*made)
    assert (status, refusal["code"]) == (409, "command_reused")


async def test_an_id_of_another_player_is_another_id(sqlite_server: RunningServer) -> None:
    deals = []
    for _ in range(2):
        async with connect(sqlite_server.url) as player, ClientSession() as session:
            session.headers["Authorization"] = f"Bearer {player.token}"
            deals.append((await post(session, sqlite_server.url, "/deals", CREATING["/deals"], "1"))[1]["deal"])
    assert len(set(deals)) == 2


async def test_an_id_that_is_no_id_is_refused(sqlite_server: RunningServer) -> None:
    async with connect(sqlite_server.url) as player, ClientSession() as session:
        session.headers["Authorization"] = f"Bearer {player.token}"
        for key in ("", "a b", "é", "x" * 129):
            status, refusal = await post(session, sqlite_server.url, "/deals", CREATING["/deals"], key)
            assert (status, refusal["code"]) == (400, "bad_message"), key
