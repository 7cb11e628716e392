"""Digests are off until a player with a confirmed address switches them on, and end by a link without signing in."""

from dataclasses import replace

import pytest

from cadogan.server.subjects.news.digest_sender import LINK_MILLISECONDS
from tests.harness.hosts import confirm, player
from tests.harness.running_server import TEST_SETTINGS, RunningServer, open_server
from tests.harness.smtp_server import Post
from tests.server.news.digests.conftest import DUE, ORIGIN, code_in, reader, send, switch, with_address


async def click(server: RunningServer, code: str, method: str = "POST") -> int:
    """The status of what a mail program, or whoever opens the link, asks for."""
    body = {"List-Unsubscribe": "One-Click"} if method == "POST" else None
    async with server.session.request(method, f"{server.url}/digest/{code}", data=body) as response:
        return response.status


async def test_they_are_off_and_only_a_confirmed_address_switches_them_on(mailing: RunningServer, post: Post) -> None:
    ada = await player(mailing, "Ada")
    assert (await ada.get("/account/mail"))[1] == {"offered": True, "digest_offered": True}
    assert (await switch(ada, on=True))[1]["code"] == "conflict"
    await confirm(ada)
    await ada.ask("PUT", "/account/mail", {"address": "ada@mail.example"})
    await post.next()
    assert (await switch(ada, on=True))[1]["code"] == "conflict"
    bob = await with_address(mailing, post, "Bob")
    assert "digest" not in (await bob.get("/account/mail"))[1]
    assert (await switch(bob, on=True))[1]["digest"] is True
    assert (await switch(await mailing.guest(), on=True))[1]["code"] == "conflict"
    assert (await switch(mailing.stranger(), on=True))[1]["code"] == "unauthorized"


async def test_one_click_ends_them_and_reading_the_address_does_not(mailing: RunningServer, post: Post) -> None:
    ada, bob = await reader(mailing, post, "Ada"), await reader(mailing, post, "Bob")
    mailing.clock.at = DUE
    await send(mailing)
    mail = next(one for one in post.mails if one["To"] == "ada@mail.example")
    code = code_in(mail)
    raw = dict(mail.raw_items())
    assert raw["List-Unsubscribe"] == f"<{ORIGIN}/digest/{code}>"
    assert raw["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert [await click(mailing, code, method) for method in ("GET", "HEAD")] == [200, 200]
    assert (await ada.get("/account/mail"))[1]["digest"] is True
    assert [await click(mailing, code) for _ in range(2)] == [204, 204]  # a mail program may ask twice
    assert "digest" not in (await ada.get("/account/mail"))[1]
    assert (await bob.get("/account/mail"))[1]["digest"] is True


async def test_the_button_of_the_page_ends_them_too_and_a_wrong_code_ends_nothing(
    mailing: RunningServer, post: Post
) -> None:
    ada = await reader(mailing, post, "Ada")
    mailing.clock.at = DUE
    await send(mailing)
    code = code_in(await post.next())
    wrong = code[::-1]
    assert await click(mailing, wrong) == 404
    end = ("PUT", "/account/mail/digest/end")
    assert (await mailing.stranger().ask(*end, {"code": wrong}))[1]["code"] == "not_found"
    assert (await ada.get("/account/mail"))[1]["digest"] is True
    assert (await mailing.stranger().ask(*end, {"code": code}))[1] == {"offered": True, "digest_offered": True}
    assert "digest" not in (await ada.get("/account/mail"))[1]


@pytest.mark.both_databases
async def test_a_link_of_an_earlier_week_ends_them_and_one_of_half_a_year_ago_does_not(
    mailing: RunningServer, post: Post
) -> None:
    await reader(mailing, post, "Ada")
    mailing.clock.at = DUE
    await send(mailing)
    code = code_in(await post.next())
    mailing.clock.at += LINK_MILLISECONDS - 1
    await send(mailing)
    assert await click(mailing, code) == 204
    mailing.clock.at += 1
    assert await click(mailing, code) == 404


async def test_the_code_of_a_digest_is_worth_nothing_for_anything_else(mailing: RunningServer, post: Post) -> None:
    await reader(mailing, post, "Ada")
    mailing.clock.at = DUE
    await send(mailing)
    code = code_in(await post.next())
    stranger = mailing.stranger()
    for path, body in (("/account/access", {"password": "nine black knaves"}), ("/account/mail/confirmation", {})):
        assert (await stranger.ask("PUT", path, {"code": code, **body}))[1]["code"] == "not_found", path


@pytest.mark.parametrize("missing", ["smtp_url", "origin"])
async def test_without_an_smtp_server_or_a_known_address_of_the_house_none_are_offered(
    sqlite_url: str, post: Post, missing: str
) -> None:
    settings = replace(
        TEST_SETTINGS, database_url=sqlite_url, smtp_url=post.url, mail_from="club@patience.example", origin=(ORIGIN,)
    )
    nothing = {"smtp_url": ""} if missing == "smtp_url" else {"origin": ()}
    async with open_server(replace(settings, **nothing)) as server:
        ada = await player(server, "Ada")
        assert "digest_offered" not in (await ada.get("/account/mail"))[1]
        status, answer = await switch(ada, on=True)
        assert (status, answer["code"]) == (409, "conflict")
