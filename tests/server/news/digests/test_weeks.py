"""What is in a digest: one's own places and the winners of closed days, nothing of an open one, in one's language."""

from dataclasses import replace

import pytest

from cadogan.server.core import dates
from cadogan.server.core.words import WORDS
from cadogan.server.subjects.daily.days import SETTLE_MILLISECONDS
from cadogan.server.subjects.news.digest_text import (
    HOUR,
    ClosedDay,
    DigestWeeks,
    OwnPlace,
    OwnWeek,
    ServerWeek,
    write_digest,
)
from tests.harness.daily_actions import play_and_resign
from tests.harness.people import Person
from tests.harness.running_server import RunningServer, open_server
from tests.harness.smtp_server import Post
from tests.server.news.digests.conftest import DUE, ORIGIN, SETTINGS, parts, reader, send

SUNDAY, NEXT_MONDAY = "2026-11-22", "2026-11-23"
LINK = f"{ORIGIN}/digest/code"


async def end_run(server: RunningServer, person: Person, seconds: int) -> None:
    """End the person's ranked run of today's first deal after twelve moves and so many seconds. Less is better."""
    game = await person.enter()
    server.clock.at += seconds * 1000
    await play_and_resign(person, game, moves=12)


async def test_it_tells_the_own_week_the_winners_and_the_days_to_come(mailing: RunningServer, post: Post) -> None:
    ada, bob = await reader(mailing, post, "Ada"), await reader(mailing, post, "Bob", "de")
    await reader(mailing, post, "Cleo", "hu")
    for _ in range(2):
        await end_run(mailing, ada, 10)
        mailing.clock.at += 24 * HOUR
    await end_run(mailing, ada, 100)
    await end_run(mailing, bob, 50)
    mailing.clock.at = DUE
    await send(mailing)
    mails = {mail["To"].partition("@")[0]: parts(mail)[0] for mail in post.mails}
    board = (await ada.get(f"/boards/day:{SUNDAY}"))[1]["entries"]
    points = {row["player"]["name"]: row["points"] for row in board}
    week = {row["player"]["name"]: row for row in (await ada.get("/boards/week:2026-W47"))[1]["entries"]}
    first = board[0]["player"]["name"]
    assert "Days played: 3. " in mails["ada"]
    assert "Streak, in days: 3." in mails["ada"]
    assert f"Points: {week['Ada']['points']}." in mails["ada"]
    assert f"Your rank on the board of the week: {week['Ada']['rank']} of 2." in mails["ada"]
    assert f"- {SUNDAY}: rank {[*points].index('Ada') + 1} of 2, points: {points['Ada']}\n" in mails["ada"]
    assert f": {first}, points: {points[first]}, players: 2\n" in mails["ada"]
    assert f"- {SUNDAY}: Rang {[*points].index('Bob') + 1} von 2, Punkte: {points['Bob']}\n" in mails["bob"]
    assert "Ezeken a napokon egyik ranglistán sem szerepeltél." in mails["cleo"]
    for text in mails.values():
        assert f"- {NEXT_MONDAY}: " in text
        assert "- 2026-11-29: " in text


async def test_it_waits_for_the_close_of_sunday_and_tells_nothing_of_an_open_day(sqlite_url: str, post: Post) -> None:
    grace = 12 * HOUR
    settings = replace(SETTINGS, database_url=sqlite_url, smtp_url=post.url, daily_grace=grace // 1000)
    async with open_server(settings) as server:
        ada = await reader(server, post, "Ada")
        server.clock.at = dates.day_times(SUNDAY, 0).ends_at - HOUR
        await end_run(server, ada, 10)
        server.clock.at = DUE
        parts_of = server.server
        weeks = DigestWeeks(parts_of.challenges, parts_of.boards, parts_of.reviews, parts_of.profiles, parts_of.players)
        told = await weeks.server_week(dates.week_number(DUE), DUE)
        assert (SUNDAY in [day.day for day in told.closed], told.open) == (False, True)
        own = (await weeks.own_weeks(told, [ada.id], DUE))[ada.id]
        assert (own.places, own.week) == ((), None)
        server.clock.at = dates.day_times(SUNDAY, grace).closes_at + SETTLE_MILLISECONDS - 1
        assert await send(server) == 0
        server.clock.at += 1
        assert await send(server) == 1
        text, _ = parts(await post.next())
        assert f"- {SUNDAY}: rank 1 of 1" in text
        assert NEXT_MONDAY not in text.partition("THE DAYS TO COME")[0]


def week(name: str = "Ada", is_open: bool = False) -> ServerWeek:
    """A week of the server that somebody of this name has won."""
    closed = (ClosedDay(SUNDAY, ("klondike",), (name,), 90, 3), ClosedDay("2026-11-21", ("olga",), (), 0, 0))
    days = ("2026-11-16", SUNDAY)
    return ServerWeek(days, closed, ((NEXT_MONDAY, ("klondike",)),), is_open)


def test_everything_in_the_html_is_escaped_and_no_line_is_added_to_the_subject() -> None:
    name = "<b>\"'&"
    digest = write_digest("A <i>\r\nBcc: x", name, week(name), OwnWeek((), 0), "en", ORIGIN, LINK)
    assert "<b>" not in digest.html
    assert "<i>" not in digest.html
    assert digest.html.count("&lt;b&gt;&quot;&#x27;&amp;") == 2
    assert digest.subject.startswith("A <i>Bcc: x")
    assert name in digest.text


@pytest.mark.parametrize("language", [*sorted(WORDS), "xx"])
@pytest.mark.parametrize("is_open", [False, True])
def test_a_digest_is_whole_in_each_language(language: str, is_open: bool) -> None:
    place = OwnPlace(SUNDAY, 2, 3, 70)
    own = OwnWeek((place,), 4, None if is_open else place._replace(rank=5))
    digest = write_digest("The club", "Ada", week(is_open=is_open), own, language, ORIGIN, LINK)
    words = WORDS.get(language, WORDS["en"]).digests
    for text in digest:
        assert "{" not in text
    for text in digest[1:]:
        assert LINK in text
        assert (words.open in text) is is_open
        assert (words.week_rank.partition("{")[0] in text) is not is_open
    assert f'<html lang="{language if language in WORDS else "en"}">' in digest.html


async def test_a_week_without_a_closed_day_is_not_told(mailing: RunningServer, post: Post) -> None:
    await reader(mailing, post, "Ada")
    mailing.clock.at = DUE + 7 * 24 * HOUR * 3  # the server was off for the whole week before
    assert await send(mailing) == 0
    assert post.mails == []
