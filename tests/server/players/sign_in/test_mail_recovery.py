"""Recovery by mail, over a real SMTP server: an address is confirmed, and gets links; nobody learns who has one."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import select

from cadogan.server.core.database.tables import metadata
from cadogan.server.core.dates import MILLISECONDS_PER_DAY
from cadogan.server.core.errors import RateLimited
from cadogan.server.core.outbox import BACKOFF_MILLISECONDS
from cadogan.server.core.web.requests import SERVER
from cadogan.server.core.words import WORDS
from cadogan.server.subjects.accounts.mail_recovery import (
    DOMAIN,
    MAILBOX,
    NETWORK,
    PLAYER,
    WHOLE_SERVER,
    MailLimits,
    domain_of,
)
from tests.harness.hosts import WHY, confirm, player, with_role
from tests.harness.patience import soon
from tests.harness.people import Person
from tests.harness.running_server import TEST_SETTINGS, RunningServer, open_server
from tests.harness.smtp_server import Post

ADDRESS = "Ada@Mail.example"
NEW = "nine black knaves"
MAILED = {"offered": True}


@pytest.fixture
async def mailing(database_url: str, post: Post) -> AsyncIterator[RunningServer]:
    """A server that sends mails."""
    settings = replace(TEST_SETTINGS, database_url=database_url, smtp_url=post.url, mail_from="club@patience.example")
    async with open_server(settings) as one:
        yield one


@pytest.fixture(autouse=True)
def no_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test may try as often as it likes from its address."""
    monkeypatch.setattr("cadogan.server.core.rate_limits.ACCOUNTS_AT_ONCE", 1000)


async def set_address(person: Person, address: str = ADDRESS, language: str = "en") -> tuple[int, Any]:
    """The answer to somebody who sets an address."""
    await confirm(person)
    return await person.ask("PUT", "/account/mail", {"address": address, "language": language})


async def code_in(post: Post, page: str) -> str:
    """The code in the link of the next mail, which leads to this page."""
    text = (await post.next()).get_content()
    found = re.search(rf"http://127\.0\.0\.1:\d+/{page}/([\w-]+)\s", text)
    assert found is not None, text
    return found[1]


async def with_address(mailing: RunningServer, post: Post, name: str = "Ada", address: str = ADDRESS) -> Person:
    """A player with a confirmed address."""
    person = await player(mailing, name)
    assert (await set_address(person, address))[0] == 200
    code = {"code": await code_in(post, "mail")}
    assert (await mailing.stranger().ask("PUT", "/account/mail/confirmation", code))[0] == 200
    return person


async def recover(mailing: RunningServer, address: str) -> tuple[int, Any]:
    """The answer to somebody who asks for a link, once every mail that follows from it is sent."""
    answer = await mailing.stranger().ask("PUT", "/account/mail/recovery", {"address": address})
    await send(mailing)
    return answer


async def send(mailing: RunningServer) -> None:
    """Send what waits."""
    recovery = mailing.app[SERVER].sign_in.mail_recovery
    await recovery.wait_until_idle()
    assert recovery.sender is not None
    await recovery.sender.send_due()


async def code_once_sent(mailing: RunningServer, person: Person, address: str) -> str | None:
    """The code of the answer to somebody who sets an address, once its mail is sent, which the next would replace."""
    _, answer = await set_address(person, address)
    await send(mailing)
    code: str | None = answer.get("code")
    return code


async def test_a_confirmed_address_gets_a_link_that_sets_a_new_password_once(
    mailing: RunningServer, post: Post
) -> None:
    ada = await with_address(mailing, post)
    assert (await ada.get("/account/mail"))[1] == {"offered": True, "address": ADDRESS, "confirmed": True}
    assert await recover(mailing, ADDRESS.lower()) == (200, MAILED)
    body = {"code": await code_in(post, "access"), "password": NEW}
    status, signed_in = await mailing.stranger().ask("PUT", "/account/access", body)
    assert (status, signed_in["player"]["id"]) == (200, ada.id)
    assert (await ada.get("/friends"))[1]["code"] == "unauthorized"
    assert (await mailing.stranger().ask("PUT", "/account/access", body))[1]["code"] == "not_found"


async def test_a_link_is_good_for_an_hour(mailing: RunningServer, post: Post) -> None:
    await with_address(mailing, post)
    await recover(mailing, ADDRESS)
    body = {"code": await code_in(post, "access"), "password": NEW}
    mailing.clock.at += 3600 * 1000
    assert (await mailing.stranger().ask("PUT", "/account/access", body))[1]["code"] == "not_found"


async def test_an_address_that_nobody_has_gets_the_same_answer_and_no_mail(mailing: RunningServer, post: Post) -> None:
    await with_address(mailing, post)
    bob = await player(mailing, "Bob")
    assert (await set_address(bob, "bob@mail.example"))[0] == 200  # and does not confirm it
    await code_in(post, "mail")
    answers = [await recover(mailing, one) for one in (ADDRESS, "bob@mail.example", "nobody@mail.example")]
    assert answers == [(200, MAILED)] * 3
    await code_in(post, "access")
    assert post.mails == []


async def test_the_answer_waits_for_no_mail(
    mailing: RunningServer, post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    await with_address(mailing, post)
    going_on = asyncio.Event()
    take = post.handle_DATA

    async def take_later(*given: Any) -> str:
        await going_on.wait()
        return await take(*given)

    monkeypatch.setattr(post, "handle_DATA", take_later)
    stranger = mailing.stranger()
    assert (await stranger.ask("PUT", "/account/mail/recovery", {"address": ADDRESS})) == (200, MAILED)
    assert post.mails == []
    going_on.set()
    await code_in(post, "access")


async def test_a_mail_that_is_not_taken_changes_no_answer(mailing: RunningServer, post: Post) -> None:
    ada = await with_address(mailing, post)
    post.refused.add(ADDRESS)
    assert await recover(mailing, ADDRESS) == (200, MAILED)
    assert await set_address(ada) == (200, {"offered": True, "address": ADDRESS})


async def test_a_domain_that_does_not_answer_holds_up_no_other_and_no_answer(
    mailing: RunningServer, post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, going_on = asyncio.Event(), asyncio.Event()
    accept = post.handle_RCPT

    async def accept_later(server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:
        if address.endswith("tar.example"):
            asked.set()
            await going_on.wait()
        return await accept(server, session, envelope, address, options)

    monkeypatch.setattr(post, "handle_RCPT", accept_later)
    eve, ada = await player(mailing, "Eve"), await player(mailing, "Ada")
    assert (await set_address(eve, "eve@tar.example"))[0] == 200
    async with asyncio.timeout(soon()):
        await asked.wait()
    assert (await set_address(ada))[0] == 200
    assert (await post.next())["To"] == ADDRESS
    going_on.set()
    assert (await post.next())["To"] == "eve@tar.example"


async def test_a_mail_that_no_server_took_is_sent_once_it_does_also_after_a_restart(
    database_url: str, post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = replace(TEST_SETTINGS, database_url=database_url, smtp_url=post.url, mail_from="club@patience.example")
    monkeypatch.setattr(post, "handle_MAIL", _not_now, raising=False)
    async with open_server(settings) as before:
        ada = await player(before, "Ada")
        assert (await set_address(ada))[0] == 200
        await send(before)
    monkeypatch.delattr(post, "handle_MAIL")
    async with open_server(settings) as after:
        after.clock.at += 2 * BACKOFF_MILLISECONDS
        await send(after)
        code = {"code": await code_in(post, "mail")}
        after.clock.at += MILLISECONDS_PER_DAY // 2
        await send(after)
        assert post.mails == []
        assert (await after.stranger().ask("PUT", "/account/mail/confirmation", code))[0] == 200


async def test_no_code_of_a_link_is_in_the_database(mailing: RunningServer, post: Post) -> None:
    await with_address(mailing, post)
    await recover(mailing, ADDRESS)
    code = await code_in(post, "access")
    async with mailing.app[SERVER].database.reading() as connection:
        for table in metadata.sorted_tables:
            assert code not in str((await connection.execute(select(table))).all())


async def test_one_address_gets_some_mails_only_whether_or_not_somebody_has_it(
    mailing: RunningServer, post: Post
) -> None:
    await with_address(mailing, post)
    for address, before in ((ADDRESS, 1), ("nobody@mail.example", 0)):
        codes = [(await recover(mailing, address))[1].get("code") for _ in range(MAILBOX.at_once + 1 - before)]
        assert codes == [None] * (MAILBOX.at_once - before) + ["rate_limited"]


async def test_nobody_has_a_mailbox_or_strangers_written_to_again_and_again(mailing: RunningServer, post: Post) -> None:
    ada, bob = await player(mailing, "Ada"), await player(mailing, "Bob")
    written = [f"v.ictim+{number}@Mail.example" for number in range(8)]
    codes = [await code_once_sent(mailing, ada, address) for address in written]
    assert codes == [None] * MAILBOX.at_once + ["rate_limited"] * (8 - MAILBOX.at_once)
    codes = [await code_once_sent(mailing, bob, f"stranger{number}@a{number}.example") for number in range(8)]
    assert codes == [None] * PLAYER.at_once + ["rate_limited"] * (8 - PLAYER.at_once)
    assert len(post.recipients) == MAILBOX.at_once + PLAYER.at_once
    assert not any("Ada" in mail.get_content() or "Bob" in mail.get_content() for mail in post.mails)


async def test_of_the_addresses_set_while_a_mail_is_on_its_way_only_the_last_gets_one(
    mailing: RunningServer, post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken, going_on = asyncio.Event(), asyncio.Event()
    take = post.handle_DATA

    async def take_later(*given: Any) -> str:
        taken.set()
        await going_on.wait()
        return await take(*given)

    monkeypatch.setattr(post, "handle_DATA", take_later)
    ada = await player(mailing, "Ada")
    assert (await set_address(ada, "first@mail.example"))[0] == 200
    async with asyncio.timeout(soon()):
        await taken.wait()
    for address in ("second@mail.example", "third@mail.example"):
        assert (await set_address(ada, address))[0] == 200
    going_on.set()
    await send(mailing)
    assert post.recipients == ["first@mail.example", "third@mail.example"]


def test_confirmations_are_limited_for_a_network_a_domain_and_the_house_and_links_do_not_depend_on_them() -> None:
    def sent(limits: MailLimits, network: str = "", domain: str = "") -> int:
        """How many mails are sent for many players from one or from many networks, and to one or to many domains."""
        count = 0
        for number in range(300):
            with suppress(RateLimited):
                there = f"a{number}@{domain or f'a{number}.example'}"
                limits.take_confirmation(there, f"player {number}", network or f"10.0.{number}.1")
                count += 1
        return count

    limits = MailLimits()
    assert sent(limits, network="192.0.2.7") == NETWORK.at_once
    assert sent(limits, domain="sub.mail.example") == DOMAIN.at_once
    assert sent(limits) == WHOLE_SERVER.at_once - NETWORK.at_once - DOMAIN.at_once
    limits.take_asked_link("ada@mail.example")
    limits.take_sent_link()
    assert domain_of("a@b.c.mail.example") == domain_of("a@mail.example.")
    assert sent(MailLimits(4)) == WHOLE_SERVER.at_once // 4


async def test_an_address_is_set_with_the_password_and_by_players_only(mailing: RunningServer, post: Post) -> None:
    ada, guest = await player(mailing, "Ada"), await mailing.guest()
    body = {"address": ADDRESS}
    assert (await ada.ask("PUT", "/account/mail", body))[1]["code"] == "confirmation_needed"
    assert (await guest.ask("PUT", "/account/mail", body))[1]["code"] == "conflict"
    for wrong in ("ada", "ada@mail.example\r\nBcc: eve@mail.example", "Ada <ada@mail.example>"):
        assert (await set_address(ada, wrong))[1]["code"] == "bad_message"
    assert (await mailing.stranger().get("/account/mail"))[1] == MAILED
    assert post.mails == []


async def test_a_new_address_has_to_be_confirmed_and_the_old_one_gets_nothing(
    mailing: RunningServer, post: Post
) -> None:
    ada = await with_address(mailing, post)
    assert (await set_address(ada, "new@mail.example"))[1] == {"offered": True, "address": "new@mail.example"}
    assert (await post.next())["To"] == "new@mail.example"
    await recover(mailing, ADDRESS)
    await recover(mailing, "new@mail.example")
    assert post.mails == []
    assert (await ada.ask("DELETE", "/account/mail"))[1] == MAILED


async def test_the_code_of_one_purpose_is_worth_nothing_for_another(mailing: RunningServer, post: Post) -> None:
    ada = await player(mailing, "Ada")
    await set_address(ada)
    code = await code_in(post, "mail")
    body = {"code": code, "password": NEW}
    assert (await mailing.stranger().ask("PUT", "/account/access", body))[1]["code"] == "not_found"
    confirmation = {"code": code}
    assert (await mailing.stranger().ask("PUT", "/account/mail/confirmation", confirmation))[0] == 200
    assert (await mailing.stranger().ask("PUT", "/account/mail/confirmation", confirmation))[1]["code"] == "not_found"


async def test_who_is_banned_or_erased_gets_no_further(mailing: RunningServer, post: Post) -> None:
    host = await with_role(mailing, "Mo", "host")
    ada = await with_address(mailing, post)
    await host.ask("PUT", f"/house/players/{ada.id}/ban", {"banned": True, **WHY})
    await recover(mailing, ADDRESS)
    body = {"code": await code_in(post, "access"), "password": NEW}
    assert (await mailing.stranger().ask("PUT", "/account/access", body))[1]["code"] == "suspended"
    assert (await host.ask("PUT", f"/house/players/{ada.id}/erasure", {"reason": "request"}))[0] == 200
    await recover(mailing, ADDRESS)
    assert post.mails == []


@pytest.mark.parametrize("language", sorted(WORDS))
async def test_a_mail_is_in_the_language_of_the_page(mailing: RunningServer, post: Post, language: str) -> None:
    ada = await player(mailing, "Ada")
    await set_address(ada, language=language)
    mail = await post.next()
    assert mail["Subject"] == WORDS[language].mail.confirm_subject.format(house="127.0.0.1")
    assert WORDS[language].mail.confirm.partition("{")[0] in mail.get_content().replace("\r\n", "\n")
    assert "{" not in mail.get_content()


async def test_without_an_smtp_server_nothing_is_offered(sqlite_server: RunningServer) -> None:
    ada = await player(sqlite_server, "Ada")
    assert (await ada.get("/account/mail"))[1] == {"offered": False}
    assert (await set_address(ada))[1]["code"] == "conflict"
    asked = await sqlite_server.stranger().ask("PUT", "/account/mail/recovery", {"address": ADDRESS})
    assert asked[1]["code"] == "conflict"


async def _not_now(*_: Any) -> str:
    return "451 not now"
