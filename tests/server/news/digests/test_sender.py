"""Digests are sent once a week to those who want them, again as long as it makes sense, and to nobody else."""

from collections.abc import Callable
from typing import Any

import pytest

from cadogan.server.core import outbox
from cadogan.server.core.dates import MILLISECONDS_PER_WEEK
from cadogan.server.core.outbox import BACKOFF_MILLISECONDS, BATCH
from cadogan.server.subjects.news.digest_sender import BATCHES, MAX_REFUSALS, PAUSES
from cadogan.server.subjects.news.digest_text import GIVE_UP_MILLISECONDS, HOUR
from tests.harness.hosts import WHY, with_role
from tests.harness.running_server import RunningServer
from tests.harness.smtp_server import Post
from tests.server.news.digests.conftest import DUE, MONDAY, address_of, reader, send, switch, with_address

LONGEST_PAUSE = PAUSES[-1] + PAUSES[-1] // 4


async def test_a_digest_is_sent_once_every_monday_to_those_only_who_want_it(mailing: RunningServer, post: Post) -> None:
    await reader(mailing, post, "Ada")
    await with_address(mailing, post, "Bob")
    mailing.clock.at = DUE - 1
    assert await send(mailing) == 0
    for week in range(2):
        mailing.clock.at = DUE + week * MILLISECONDS_PER_WEEK
        await send(mailing)
        mailing.clock.at += 24 * HOUR
        await send(mailing)
        assert [mail["To"] for mail in post.mails] == [address_of("Ada")] * (week + 1)
    assert post.mails[0]["Subject"] == "Cadogan: the week from 2026-11-16 to 2026-11-22"
    assert post.mails[1]["Subject"] == "Cadogan: the week from 2026-11-23 to 2026-11-29"


async def test_a_server_that_takes_no_mails_is_tried_again_and_given_up_on_wednesday(
    mailing: RunningServer, post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    await reader(mailing, post, "Ada")
    monkeypatch.setattr(post, "handle_MAIL", _answer("550 not from you"), raising=False)
    mailing.clock.at = DUE
    assert await send(mailing) == 1
    mailing.clock.at += BACKOFF_MILLISECONDS - 1
    assert await send(mailing) == 0  # it rests
    for pause in PAUSES:
        mailing.clock.at += pause + pause // 4
        assert await send(mailing) == 1
    while mailing.clock.at < DUE + GIVE_UP_MILLISECONDS:
        mailing.clock.at += LONGEST_PAUSE
        await send(mailing)
    monkeypatch.delattr(post, "handle_MAIL")
    mailing.clock.at += LONGEST_PAUSE
    assert await send(mailing) == 0
    assert post.mails == []
    mailing.clock.at = DUE + MILLISECONDS_PER_WEEK
    assert await send(mailing) == 1
    assert (await post.next())["To"] == address_of("Ada")


async def test_while_the_server_takes_no_mails_the_others_wait_and_then_get_theirs(
    mailing: RunningServer, post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(BATCH + 1):
        await reader(mailing, post, f"Player{number}")
    monkeypatch.setattr(post, "handle_MAIL", _answer("451 not now"), raising=False)
    mailing.clock.at = DUE
    assert await send(mailing) == BATCH
    monkeypatch.delattr(post, "handle_MAIL")
    mailing.clock.at += BACKOFF_MILLISECONDS + BACKOFF_MILLISECONDS // 4
    assert await send(mailing) == 1
    mailing.clock.at += PAUSES[0] + PAUSES[0] // 4
    assert await send(mailing) == BATCH
    assert len(post.mails) == BATCH + 1


async def test_an_address_that_is_refused_gets_no_more_after_three_weeks(mailing: RunningServer, post: Post) -> None:
    ada = await reader(mailing, post, "Ada")
    await reader(mailing, post, "Bob")
    post.refused.add(address_of("Ada"))
    for week in range(MAX_REFUSALS):
        assert (await ada.get("/account/mail"))[1]["digest"] is True
        mailing.clock.at = DUE + week * MILLISECONDS_PER_WEEK
        assert await send(mailing) == 2
        mailing.clock.at += LONGEST_PAUSE
        assert await send(mailing) == 0  # once a week
    assert (await ada.get("/account/mail"))[1].get("digest") is None
    mailing.clock.at = DUE + MAX_REFUSALS * MILLISECONDS_PER_WEEK
    assert await send(mailing) == 1
    assert {mail["To"] for mail in post.mails} == {address_of("Bob")}


async def test_an_address_that_is_full_for_now_is_tried_again_and_holds_up_nobody(
    mailing: RunningServer, post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    await reader(mailing, post, "Ada")
    await reader(mailing, post, "Bob")
    take = post.handle_RCPT

    async def full(server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:
        busy = address == address_of("Ada")
        return "452 full" if busy else await take(server, session, envelope, address, options)

    monkeypatch.setattr(post, "handle_RCPT", full)
    mailing.clock.at = DUE
    assert await send(mailing) == 2
    assert [mail["To"] for mail in post.mails] == [address_of("Bob")]
    monkeypatch.undo()
    mailing.clock.at += PAUSES[0] + PAUSES[0] // 4
    assert await send(mailing) == 1
    assert post.mails[-1]["To"] == address_of("Ada")


async def test_a_mail_that_is_rejected_is_not_tried_again_this_week(
    mailing: RunningServer, post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = await reader(mailing, post, "Ada")
    monkeypatch.setattr(post, "handle_DATA", _answer("554 it looks like spam"))
    for week in range(MAX_REFUSALS + 1):
        mailing.clock.at = DUE + week * MILLISECONDS_PER_WEEK
        assert await send(mailing) == 1
        mailing.clock.at += LONGEST_PAUSE
        assert await send(mailing) == 0
    assert (await ada.get("/account/mail"))[1]["digest"] is True  # nobody refused the address


async def test_who_is_banned_suspended_erased_or_without_address_gets_none(mailing: RunningServer, post: Post) -> None:
    host = await with_role(mailing, "Mo", "host")
    names = ("Ada", "Bob", "Cleo", "Dan", "Eve", "Fay")
    people = {name: await reader(mailing, post, name) for name in names}
    await host.ask("PUT", f"/house/players/{people['Ada'].id}/ban", {"banned": True, **WHY})
    await host.ask("PUT", f"/house/players/{people['Bob'].id}/suspension", {"until": DUE + HOUR, **WHY})
    assert (await host.ask("PUT", f"/house/players/{people['Cleo'].id}/erasure", {"reason": "request"}))[0] == 200
    await people["Dan"].ask("DELETE", "/account/mail")
    assert (await people["Eve"].ask("PUT", "/account/mail", {"address": "new@mail.example"}))[0] == 200
    await post.next()
    mailing.clock.at = DUE
    await send(mailing)
    assert [mail["To"] for mail in post.mails] == [address_of("Fay")]
    mailing.clock.at = DUE + MILLISECONDS_PER_WEEK
    await send(mailing)
    assert {mail["To"] for mail in post.mails[1:]} == {address_of("Fay"), address_of("Bob")}


async def test_a_server_that_was_off_on_monday_sends_until_wednesday(mailing: RunningServer, post: Post) -> None:
    await reader(mailing, post, "Ada")
    mailing.clock.at = DUE + GIVE_UP_MILLISECONDS
    assert await send(mailing) == 0
    mailing.clock.at = DUE + MILLISECONDS_PER_WEEK + GIVE_UP_MILLISECONDS - 1
    assert await send(mailing) == 1
    assert (await post.next())["Subject"].endswith("from 2026-11-23 to 2026-11-29")


async def test_a_node_sends_a_bounded_number_in_a_round(
    mailing: RunningServer, post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "BATCH", 1)
    for number in range(BATCHES + 1):
        await reader(mailing, post, f"Player{number}")
    mailing.clock.at = DUE
    assert [await send(mailing) for _ in range(3)] == [BATCHES, 1, 0]


async def test_who_switches_it_off_gets_none_and_who_switches_it_on_late_waits_a_week(
    mailing: RunningServer, post: Post
) -> None:
    ada, bob = await reader(mailing, post, "Ada"), await with_address(mailing, post, "Bob")
    assert "digest" not in (await switch(ada, on=False))[1]
    mailing.clock.at = DUE
    await switch(bob, on=True)
    assert await send(mailing) == 0
    assert (await bob.get("/dailies"))[0] == 200  # opens a day of the week
    mailing.clock.at = DUE + MILLISECONDS_PER_WEEK
    assert await send(mailing) == 1
    assert (await post.next())["To"] == address_of("Bob")


async def test_a_digest_is_sent_by_itself(mailing: RunningServer, post: Post) -> None:
    mailing.clock.at = MONDAY
    await reader(mailing, post, "Ada")
    mailing.clock.at = DUE
    assert (await post.next())["To"] == address_of("Ada")


def _answer(reply: str) -> Callable[..., Any]:
    async def answer(*_: Any) -> str:
        return reply

    return answer
