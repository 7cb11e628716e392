"""The review of a day is told: to webhooks when it is complete, in the feed of days, and in the mail of the week."""

import json
from collections.abc import AsyncIterator
from dataclasses import replace

import feedparser
import pytest

from cadogan.server.core import dates
from cadogan.server.core.words import WORDS
from cadogan.server.subjects.news.digest_text import ClosedDay, OwnWeek, ServerWeek, write_digest
from cadogan.server.subjects.news.items import DealFigures
from tests.harness.daily_actions import DAY
from tests.harness.hosts import with_role
from tests.harness.running_server import RunningServer, open_server
from tests.harness.webhook_actions import INSIDE, add, work
from tests.harness.webhook_receiver import Receiver, receiver
from tests.server.reviews.test_reviews import analyse, play_day


@pytest.fixture
async def telling(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[RunningServer]:
    """A server that sends webhooks to this machine when the test says so."""

    async def no_rounds(*_: object) -> None:
        """Make none."""

    monkeypatch.setattr("cadogan.server.subjects.news.news.run_periodically", no_rounds)
    async with open_server(replace(INSIDE, origin=(), database_url=sqlite_url)) as one:
        yield one


@pytest.fixture
async def program() -> AsyncIterator[Receiver]:
    """A program that receives webhooks."""
    async with receiver() as made:
        yield made


async def test_a_day_is_told_to_webhooks_and_in_the_feed_once_its_analyses_are_complete(
    telling: RunningServer, program: Receiver
) -> None:
    host = await with_role(telling, "Ada", "host")
    await add(host, program.url, topics=["day_reviewed"])
    await play_day(telling)
    await telling.server.reviews.run_due()
    await work(telling)
    assert program.received == []
    await analyse(telling)
    await telling.server.reviews.run_due()
    await work(telling)
    await work(telling)
    (told,) = [json.loads(one.body) for one in program.received]
    assert (told["type"], told["data"]["day"], told["data"]["url"]) == ("day.reviewed", DAY, f"/review/{DAY}")
    (deal,) = told["data"]["deals"]
    assert (deal["runs"], deal["won"], deal["first"], deal["last"]) == (2, 0, 1, 10)
    async with telling.session.get(f"{telling.url}/feeds/days.atom") as response:
        (entry,) = feedparser.parse(await response.read()).entries
    assert "Most often it was lost between moves 1 and 10." in entry.content[0].value
    assert f"{telling.url}/review/{DAY}" in entry.content[0].value


@pytest.mark.parametrize("language", sorted(WORDS))
def test_the_mail_of_the_week_says_where_a_day_was_lost_if_it_is_known(language: str) -> None:
    known = DealFigures("klondike", 5, 2, 31, 40)
    day = ClosedDay(DAY, ("klondike", "olga"), ("Ada",), 90, 5, (known, DealFigures("olga", 4, 0)))
    week = ServerWeek((DAY, dates.add_days(DAY, 6)), (day, day._replace(review=())), (), False)
    told = write_digest("The club", "Ada", week, OwnWeek((), 0), language, "https://club.example", "https://end")
    lost = WORDS[language].news.deal_lost.format(first=31, last=40)
    for text in told[1:]:
        assert text.count(lost) == text.count(f"https://club.example/review/{DAY}") == 1
        assert "{" not in text
