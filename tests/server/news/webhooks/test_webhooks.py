"""Webhooks: signed as Standard Webhooks says, sent until they arrive, and told once by several nodes."""

import asyncio
import json
import re
from collections import Counter
from datetime import UTC, datetime
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from standardwebhooks import Webhook as Verifier

from cadogan.server.core import dates
from cadogan.server.core.web.requests import SERVER
from cadogan.server.core.words import WORDS
from cadogan.server.subjects.admin import findings
from cadogan.server.subjects.admin.copying import Compared, PaceFinding
from cadogan.server.subjects.daily.days import SETTLE_MILLISECONDS
from cadogan.server.subjects.news.items import Item, Place, RenderedItem, render_item
from cadogan.server.subjects.news.webhook_sender import PAUSES, make_request
from cadogan.server.subjects.news.webhooks import failing_webhooks
from cadogan.wire.webhooks import Topic
from tests.harness.daily_actions import play_and_resign
from tests.harness.hosts import log_of, player, with_role
from tests.harness.race_actions import make_race
from tests.harness.running_server import TEST_SETTINGS, RunningServer
from tests.harness.two_nodes import TwoNodes
from tests.harness.webhook_actions import TOPICS, add, deliveries_of, work
from tests.harness.webhook_receiver import Receiver

TODAY = "2026-11-20"


async def test_a_day_is_told_when_it_has_opened_and_when_it_has_closed(
    inside_server: RunningServer, program: Receiver
) -> None:
    host, bob = await with_role(inside_server, "Ada", "host"), await player(inside_server, "Bob")
    made = await add(host, program.url)
    await work(inside_server)
    assert program.received == []  # the day had opened before anybody was to be told
    await play_and_resign(bob, await bob.enter(), moves=1)
    span = dates.day_times(TODAY, TEST_SETTINGS.daily_grace * 1000)
    inside_server.clock.at = span.ends_at
    await work(inside_server)
    inside_server.clock.at = span.closes_at + SETTLE_MILLISECONDS
    await work(inside_server)
    await work(inside_server)
    rendered = [json.loads(one.body) for one in program.received]
    assert [(one["type"], one["data"]["day"]) for one in rendered] == [
        ("day.opened", "2026-11-21"),
        ("day.closed", TODAY),
    ]
    assert [place["player"] for place in rendered[1]["data"]["top"]] == ["Bob"]
    assert [one["state"] for one in await deliveries_of(host, made["id"])] == ["delivered", "delivered"]


async def test_hosts_are_told_of_reports_and_findings_without_a_name_and_only_where_they_want_it(
    inside_server: RunningServer, program: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, bob = await with_role(inside_server, "Ada", "host"), await player(inside_server, "Bob")
    await add(host, program.url)
    wanted = await add(host, program.url, topics=["report_made", "findings_made"])
    game = await bob.enter()
    await play_and_resign(bob, game, moves=1)

    async def found(_: object) -> list[Compared]:  # a random deal may end before there is a pace to judge
        return [Compared([], [PaceFinding(game, "fast", 90.0, 0.5, 60)])]

    monkeypatch.setattr(findings, "compare_runs", found)
    ann = await player(inside_server, "Ann")
    await ann.ask("PUT", f"/reports/runs/{game}", {"reason": "cheating", "text": "Bob is too fast."})
    await ann.ask("PUT", f"/reports/players/{bob.id}", {"reason": "name"})
    await work(inside_server)
    inside_server.clock.at = dates.day_times(TODAY, TEST_SETTINGS.daily_grace * 1000).closes_at + SETTLE_MILLISECONDS
    await inside_server.server.challenges.write_due(inside_server.clock.at)
    await inside_server.server.sequencer.append_all()
    await inside_server.server.admin.findings.run_due()
    await work(inside_server)
    await work(inside_server)
    rendered = [(one["type"], one["data"]) for one in (json.loads(one.body) for one in program.received)]
    assert Counter(kind for kind, _ in rendered) == {
        "report.made": 2,
        "findings.made": 1,
        "day.opened": 1,
        "day.closed": 1,
    }
    data = dict(rendered)
    assert {(one["about"], one["reason"]) for kind, one in rendered if kind == "report.made"} == {
        ("run", "cheating"),
        ("player", "name"),
    }
    assert (data["findings.made"]["day"], data["findings.made"]["count"]) == (TODAY, 1)
    for_hosts = [str(one) for kind, one in rendered if kind in ("report.made", "findings.made")]
    assert not any(hidden in text for text in for_hosts for hidden in ("Bob", "Ann", bob.id, ann.id, game))
    sent = await deliveries_of(host, wanted["id"])
    assert {one["event"] for one in sent} == {"report_made", "findings_made"}


@pytest.mark.parametrize(
    ("language", "shown", "sentence"),
    [
        ("en", "en", "this is a test"),
        ("de", "de", "Das ist ein Test"),
        ("hu", "hu", "ez egy próba"),
        ("tr", "tr", "bu bir deneme"),
        ("xx", "en", "this is a test"),
    ],
)
async def test_a_chat_is_told_in_its_own_language(
    inside_server: RunningServer, program: Receiver, language: str, shown: str, sentence: str
) -> None:
    host = await with_role(inside_server, "Ada", "host")
    made = await add(host, program.url, format="slack", language=language)
    assert made["language"] == (await host.get("/house/webhooks"))[1]["webhooks"][0].get("language", "en") == shown
    await host.post(f"/house/webhooks/{made['id']}/deliveries")
    await work(inside_server)
    (one,) = program.received
    assert sentence in json.loads(one.body)["text"]


@pytest.mark.parametrize("language", WORDS)
def test_every_kind_of_news_is_told_in_every_language(language: str) -> None:
    names, place = {"a": "Ada"}, Place(1, "a", 7)
    kinds = get_args(get_args(Topic)[0])
    for kind, reason, run in [*((kind, "name", "") for kind in kinds), ("report_made", "cheating", "g")]:
        item = Item(kind, "2026-11-20", 0, ("klondike",), ("a",), (place,), reason, run, 2)
        rendered = render_item(item, names, "The <Club>", "https://club.example", language)
        assert rendered.text.startswith("The <Club>: ")
        assert not re.search(r"[{}]|None", rendered.text)
        if language != "en":
            english = render_item(item, names, "The <Club>", "https://club.example", "en")
            assert (rendered.text == english.text, rendered.data) == (False, english.data)


async def test_every_request_is_signed_as_the_library_of_the_standard_verifies(
    inside_server: RunningServer, program: Receiver
) -> None:
    host = await with_role(inside_server, "Ada", "host")
    made = await add(host, program.url)
    assert (await host.post(f"/house/webhooks/{made['id']}/deliveries"))[0] == 200
    await work(inside_server)
    (one,) = program.received
    headers = {name.lower(): value for name, value in one.headers.items()}
    assert int(headers["webhook-timestamp"]) == inside_server.clock.at // 1000
    verifier = Verifier(made["secret"])
    signed = verifier.sign(headers["webhook-id"], dates_of(inside_server.clock.at), one.body.decode())
    assert headers["webhook-signature"] == signed
    other = Verifier("whsec_" + "A" * 44)
    assert other.sign(headers["webhook-id"], dates_of(inside_server.clock.at), one.body.decode()) != signed
    assert made["secret"] not in str(await host.get("/house/webhooks"))


def dates_of(now: int) -> datetime:
    """A time as the library wants it."""
    return datetime.fromtimestamp(now // 1000, UTC)


async def test_what_fails_is_sent_again_with_growing_pauses_under_the_same_id_and_then_given_up(
    inside_server: RunningServer, program: Receiver
) -> None:
    host = await with_role(inside_server, "Ada", "host")
    made = await add(host, program.url, topics=["race_ended"])
    await host.post(f"/house/webhooks/{made['id']}/deliveries")
    program.answers = [500] * 20
    for attempt, pause in enumerate(PAUSES, 1):
        await work(inside_server)
        (shown,) = await deliveries_of(host, made["id"])
        assert (shown["state"], shown["attempts"], shown["status"], shown["problem"]) == (
            "waiting",
            attempt,
            500,
            "status",
        )
        retry_delay = shown["next_at"] - inside_server.clock.at
        assert pause <= retry_delay <= pause * 1.25
        inside_server.clock.at += retry_delay - 1
        await work(inside_server)
        assert len(program.received) == attempt
        inside_server.clock.at += 1
    await work(inside_server)
    (shown,) = await deliveries_of(host, made["id"])
    assert (shown["state"], shown["attempts"]) == ("failed", len(PAUSES) + 1)
    inside_server.clock.at += dates.MILLISECONDS_PER_WEEK
    await work(inside_server)
    assert len(program.received) == len(PAUSES) + 1
    assert len({one.headers["webhook-id"] for one in program.received}) == 1


async def test_a_receiver_says_when_to_try_again_or_never(inside_server: RunningServer, program: Receiver) -> None:
    host = await with_role(inside_server, "Ada", "host")
    made = await add(host, program.url)
    await host.post(f"/house/webhooks/{made['id']}/deliveries")
    program.answers, program.retry_after = [429, 410], "900"
    await work(inside_server)
    (shown,) = await deliveries_of(host, made["id"])
    assert shown["next_at"] == inside_server.clock.at + 900_000
    inside_server.clock.at = shown["next_at"]
    await work(inside_server)
    (shown,) = await deliveries_of(host, made["id"])
    assert (shown["state"], shown["status"]) == ("failed", 410)


async def test_a_receiver_is_asked_again_after_a_day_however_long_it_says(
    inside_server: RunningServer, program: Receiver
) -> None:
    host = await with_role(inside_server, "Ada", "host")
    made = await add(host, program.url)
    await host.post(f"/house/webhooks/{made['id']}/deliveries")
    program.answers, program.retry_after = [429], "9" * 5000
    await work(inside_server)
    (shown,) = await deliveries_of(host, made["id"])
    assert shown["next_at"] == inside_server.clock.at + dates.MILLISECONDS_PER_DAY


@pytest.mark.both_databases
async def test_two_nodes_tell_everything_once(two_inside: TwoNodes, program: Receiver) -> None:
    host = await with_role(two_inside.first, "Ada", "host")
    made = await add(host, program.url)
    two_inside.first.clock.at += dates.MILLISECONDS_PER_DAY
    for _ in range(3):
        await host.post(f"/house/webhooks/{made['id']}/deliveries")
    nodes = (two_inside.first, two_inside.second)
    await asyncio.gather(*(work(node) for node in (*nodes, *nodes)))
    await asyncio.gather(*(work(node) for node in nodes))
    sent = [one.headers["webhook-id"] for one in program.received]
    assert len(sent) == len(set(sent)) == 5
    kinds = Counter(json.loads(one.body)["type"] for one in program.received)
    assert kinds == {"test": 3, "day.opened": 1, "day.closed": 1}


async def test_a_webhook_that_never_answers_holds_up_no_other(inside_server: RunningServer, program: Receiver) -> None:
    host, asked = await with_role(inside_server, "Ada", "host"), asyncio.Event()

    async def never_answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.set()
        await stopping.wait()
        writer.close()
        await writer.wait_closed()
        closed.set()

    stopping, closed, courier = asyncio.Event(), asyncio.Event(), inside_server.app[SERVER].news.webhook_sender
    async with await asyncio.start_server(never_answer, "127.0.0.1", 0) as listening:
        silent = await add(host, f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}/")
        for _ in range(20):
            await host.post(f"/house/webhooks/{silent['id']}/deliveries")
        await courier.start_due(stopping)
        await asked.wait()
        other = await add(host, program.url)
        await host.post(f"/house/webhooks/{other['id']}/deliveries")
        await courier.start_due(stopping)
        await program.next()
        stopping.set()
        await courier.close()
        await closed.wait()


async def test_open_races_are_told_and_private_ones_never(inside_server: RunningServer, program: Receiver) -> None:
    host, bob = await with_role(inside_server, "Ada", "host"), await player(inside_server, "Bob")
    await add(host, program.url)
    hidden = await make_race(host, bob, start=True)
    await work(inside_server)
    assert program.received == []
    shown = await make_race(host, bob, start=True, open=True)
    await work(inside_server)
    (rendered,) = [json.loads(one.body) for one in program.received]
    assert (rendered["type"], rendered["data"]["race"], rendered["data"]["players"]) == (
        "race.started",
        shown["race"],
        ["Ada", "Bob"],
    )
    assert hidden["race"] not in str([one.body for one in program.received])


@pytest.mark.parametrize("format", ["discord", "slack", "matrix"])
async def test_a_chat_gets_what_it_reads_and_no_name_is_markup_there(
    inside_server: RunningServer, program: Receiver, format: str
) -> None:
    host = await with_role(inside_server, "Ada", "host")
    assert (await host.ask("PUT", "/house/profile", {"name": "<@here> *Club*"}))[0] == 200
    made = await add(host, program.url, format=format, token="syt_secret" if format == "matrix" else "")
    assert "secret" not in made
    await host.post(f"/house/webhooks/{made['id']}/deliveries")
    await work(inside_server)
    (one,) = program.received
    body = json.loads(one.body)
    if format == "discord":
        assert body == {
            "content": r"\<\@here\> \*Club\*: this is a test. News arrives here.",
            "allowed_mentions": {"parse": []},
        }
    elif format == "slack":
        assert body == {"text": "&lt;@here&gt; *Club*: this is a test. News arrives here."}
    else:
        assert (one.method, one.headers["Authorization"]) == ("PUT", "Bearer syt_secret")
        assert one.path.startswith("/news/")
        assert body == {"msgtype": "m.notice", "body": "<@here> *Club*: this is a test. News arrives here."}
        assert "syt_secret" not in str(await host.get("/house/webhooks"))


@given(st.text(min_size=1), st.sampled_from(["discord", "slack", "matrix", "standard"]))
def test_every_body_is_json_whatever_a_name_is(text: str, format: Any) -> None:
    rendered = RenderedItem(text.encode(errors="replace").decode(), {"at": "2026-11-20T12:00:00Z"})
    request = make_request(format, "https://hooks.example/", "whsec_MfKQ9r8GKYqr", "a b/c", 1, "test", rendered)
    assert json.loads(request.body)


async def test_adding_and_removing_are_acts_and_what_is_gone_gets_nothing(
    inside_server: RunningServer, program: Receiver
) -> None:
    host = await with_role(inside_server, "Ada", "host")
    made = await add(host, program.url)
    await host.post(f"/house/webhooks/{made['id']}/deliveries")
    status, left = await host.ask("DELETE", f"/house/webhooks/{made['id']}")
    assert (status, left["webhooks"]) == (200, [])
    await work(inside_server)
    assert program.received == []
    assert (await host.ask("DELETE", f"/house/webhooks/{made['id']}"))[0] == 404
    assert (await host.get(f"/house/webhooks/{made['id']}/deliveries"))[0] == 404
    acts = await log_of(host)
    assert [(act["act"], act["code"]) for act in acts[:2]] == [
        ("webhook_removed", made["id"]),
        ("webhook_added", made["id"]),
    ]
    assert program.url not in str(acts)


async def test_a_test_is_sent_by_itself_at_once(inside_server: RunningServer, program: Receiver) -> None:
    host = await with_role(inside_server, "Ada", "host")
    made = await add(host, program.url)
    await host.post(f"/house/webhooks/{made['id']}/deliveries")
    assert json.loads((await program.next()).body)["type"] == "test"


async def test_twenty_webhooks_are_enough(sqlite_server: RunningServer) -> None:
    host = await with_role(sqlite_server, "Ada", "host")
    for _ in range(20):
        await add(host, "https://hooks.example/x")
    webhook = {"name": "One more", "url": "https://hooks.example/x", "topics": TOPICS}
    assert (await host.post("/house/webhooks", webhook))[1]["code"] == "too_many"


async def test_doctor_names_the_webhook_whose_last_delivery_was_given_up(
    inside_server: RunningServer, program: Receiver
) -> None:
    host = await with_role(inside_server, "Ada", "host")
    made = await add(host, program.url)
    program.answers = [410]

    async def failing() -> list[str]:
        async with inside_server.server.database.reading() as connection:
            return await failing_webhooks(connection)

    for expected in (["The channel"], []):
        await host.post(f"/house/webhooks/{made['id']}/deliveries")
        await work(inside_server)
        assert await failing() == expected
        inside_server.clock.at += 1
