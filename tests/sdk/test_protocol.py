"""What a client says on one socket after another; no socket is needed for it."""

from typing import Any

import pytest
from msgspec import json

from clients.sdk.errors import IllegalMove, NotFound, StaleVersion
from clients.sdk.protocol import Answered, Conversation, Delayed, Refused, Told
from clients.wire import messages as wire
from clients.wire.codec import UnreadableMessage
from tests.sdk.server_messages import GAME, PLAYED, VIEW, frame


def said(talk: Conversation) -> list[dict[str, Any]]:
    """What is to be sent now."""
    return [json.decode(text) for text in talk.outgoing()]


def kinds(talk: Conversation) -> list[str]:
    return [message["type"] for message in said(talk)]


def refusal(id: str, code: str, **keys: Any) -> bytes:
    return json.encode({"type": "refused", "code": code, "message": "No.", "id": id, **keys})


@pytest.fixture
def talk() -> Conversation:
    """A conversation that follows a game, and has its view."""
    talk = Conversation("t", now=lambda: 0)
    talk.follow(GAME)
    talk.opened()
    (subscribed,) = said(talk)
    talk.receive(frame(VIEW, id=subscribed["id"]))
    return talk


def play(talk: Conversation) -> str:
    id = talk.new_id()
    talk.ask(wire.Play(id=id, game=GAME, version=4, move="waste/tableau.0"))
    return id


def test_nothing_is_said_before_a_socket_stands_open() -> None:
    talk = Conversation("t", now=lambda: 0)
    talk.follow(GAME)
    play(talk)
    assert said(talk) == []


def test_what_was_asked_before_is_said_once_when_the_socket_opens() -> None:
    talk = Conversation("t", now=lambda: 0)
    play(talk)
    talk.follow(GAME)
    talk.opened()
    assert kinds(talk) == ["subscribe", "play"]
    assert said(talk) == []


def test_an_answer_reaches_its_request_and_the_session(talk: Conversation) -> None:
    id = play(talk)
    heard = talk.receive(frame(PLAYED, command=id))
    assert [type(one) for one in heard] == [Told, Answered]
    assert talk.sessions[GAME].version == 5


def test_a_command_not_answered_is_sent_again_under_its_id_after_the_subscription(talk: Conversation) -> None:
    id = play(talk)
    before = said(talk)
    talk.closed()
    talk.opened()
    subscribed, again = said(talk)
    assert [again] == before
    assert again["id"] == id
    assert (subscribed["type"], subscribed["since"]) == ("subscribe", 4)


def test_an_answer_that_comes_twice_is_given_once(talk: Conversation) -> None:
    id = play(talk)
    talk.receive(frame(PLAYED, command=id))
    assert [type(one) for one in talk.receive(frame(PLAYED, command=id))] == [Told]
    talk.opened()
    assert kinds(talk) == ["subscribe"]


def test_a_refusal_is_the_exception_of_its_code(talk: Conversation) -> None:
    id = play(talk)
    (heard,) = talk.receive(refusal(id, "illegal_move"))
    assert isinstance(heard, Refused)
    assert isinstance(heard.error, IllegalMove)


def test_what_the_server_puts_off_is_sent_again_under_the_same_id(talk: Conversation) -> None:
    id = play(talk)
    first = said(talk)
    assert talk.receive(refusal(id, "rate_limited", retry_after=0.5)) == [Delayed(id, 0.5)]
    assert said(talk) == []
    talk.again(id)
    assert said(talk) == first
    talk.again(id)
    assert said(talk) == []


def test_a_game_that_has_moved_on_is_asked_for_whole(talk: Conversation) -> None:
    id = play(talk)
    said(talk)
    (heard,) = talk.receive(refusal(id, "stale_version", version=9))
    assert isinstance(heard, Refused)
    assert isinstance(heard.error, StaleVersion)
    (subscribed,) = said(talk)
    assert (subscribed["type"], "since" in subscribed) == ("subscribe", False)


def test_a_gap_is_mended_by_a_fresh_view_asked_for_once(talk: Conversation) -> None:
    talk.receive(frame(PLAYED, version=6))
    talk.receive(frame(PLAYED, version=7))
    (subscribed,) = said(talk)
    assert "since" not in subscribed
    talk.receive(frame(VIEW, version=7, id=subscribed["id"]))
    assert (talk.sessions[GAME].version, talk.sessions[GAME].lost) == (7, False)


def test_a_game_that_may_not_be_followed_is_refused_by_its_topic() -> None:
    talk = Conversation("t", now=lambda: 0)
    talk.follow(GAME)
    talk.opened()
    (subscribed,) = said(talk)
    (heard,) = talk.receive(refusal(subscribed["id"], "not_found"))
    assert isinstance(heard, Refused)
    assert heard.topic == f"game/{GAME}"
    assert isinstance(heard.error, NotFound)


def test_days_races_and_boards_are_watched_again_on_a_new_socket(talk: Conversation) -> None:
    talk.watch(wire.WatchDay(id="-", day="2026-11-20"))
    talk.watch(wire.WatchRace(id="-", race="r"))
    topic = talk.watch(wire.WatchBoard(id="-", board="all"))
    assert kinds(talk) == ["watch_day", "watch_race", "watch_board"]
    talk.unwatch(topic)
    assert kinds(talk) == ["unwatch_board"]
    talk.opened()
    assert kinds(talk) == ["subscribe", "watch_day", "watch_race"]


def test_news_of_a_topic_comes_under_its_name(talk: Conversation) -> None:
    topic = talk.watch(wire.WatchDay(id="-", day="2026-11-20"))
    progress = wire.DayProgress(day="2026-11-20", games=[])
    assert talk.receive(frame(progress)) == [Told(topic, progress)]
    talk.unwatch(topic)
    assert talk.receive(frame(progress)) == []


def test_nothing_is_heard_of_a_game_that_is_followed_no_more(talk: Conversation) -> None:
    talk.unfollow(GAME)
    assert kinds(talk) == ["unsubscribe"]
    assert talk.receive(frame(PLAYED)) == []


def test_a_message_nobody_knows_yet_counts_as_a_version(talk: Conversation) -> None:
    talk.receive(json.encode({"type": "from_the_future", "game": GAME, "version": 5, "news": [1]}))
    assert (talk.sessions[GAME].version, talk.sessions[GAME].lost) == (5, False)
    assert talk.receive(json.encode({"type": "weather", "sunny": True})) == []


@pytest.mark.parametrize("text", [b"", b"{", b"[]", b'{"type":"pong"}', b'{"type":"pong","id":7,"at":1}'])
def test_what_is_no_message_is_an_error(talk: Conversation, text: bytes) -> None:
    with pytest.raises(UnreadableMessage):
        talk.receive(text)
