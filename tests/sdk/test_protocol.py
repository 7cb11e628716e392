"""The client side of the socket protocol, without a socket."""

from typing import Any

import pytest
from msgspec import json

from cadogan.sdk.errors import IllegalMove, NotFound, OtherRefusal, RateLimited, StaleVersion
from cadogan.sdk.protocol import Answered, ClientProtocol, Delayed, Refused, TopicMessage
from cadogan.wire import boards
from cadogan.wire import messages as wire
from cadogan.wire.analysis import AnalysisChanged, AskIfWinnable, WatchAnalysis, Winnability
from cadogan.wire.analysis_examples import ANALYSIS
from cadogan.wire.codec import UnreadableMessage
from tests.sdk.server_messages import GAME, PLAYED, VIEW, frame


def sent_messages(protocol: ClientProtocol) -> list[dict[str, Any]]:
    """Return the messages to send now."""
    return [json.decode(text) for text in protocol.frames_to_send()]


def sent_types(protocol: ClientProtocol) -> list[str]:
    """Return the types of the messages to send now."""
    return [message["type"] for message in sent_messages(protocol)]


def refusal(id: str, code: str, **keys: Any) -> bytes:
    return json.encode({"type": "refused", "code": code, "message": "No.", "id": id, **keys})


@pytest.fixture
def protocol() -> ClientProtocol:
    """A client that is subscribed to a game and has its first view."""
    protocol = ClientProtocol("t", now=lambda: 0)
    protocol.subscribe(GAME)
    protocol.connection_made()
    (subscribed,) = sent_messages(protocol)
    protocol.receive_frame(frame(VIEW, id=subscribed["id"]))
    return protocol


def play(protocol: ClientProtocol) -> str:
    id = protocol.new_id()
    protocol.send_request(wire.Play(id=id, game=GAME, version=4, move="waste/tableau.0"))
    return id


def test_nothing_is_sent_before_a_socket_is_open() -> None:
    protocol = ClientProtocol("t", now=lambda: 0)
    protocol.subscribe(GAME)
    play(protocol)
    assert sent_messages(protocol) == []


def test_requests_made_before_the_socket_opens_are_sent_once_when_it_opens() -> None:
    protocol = ClientProtocol("t", now=lambda: 0)
    play(protocol)
    protocol.subscribe(GAME)
    protocol.connection_made()
    assert sent_types(protocol) == ["subscribe", "play"]
    assert sent_messages(protocol) == []


def test_an_answer_completes_its_request_and_updates_the_session(protocol: ClientProtocol) -> None:
    id = play(protocol)
    events = protocol.receive_frame(frame(PLAYED, command=id))
    assert [type(event) for event in events] == [TopicMessage, Answered]
    assert protocol.sessions[GAME].version == 5


def test_an_unanswered_command_is_sent_again_with_its_id_after_the_subscription(protocol: ClientProtocol) -> None:
    id = play(protocol)
    before = sent_messages(protocol)
    protocol.connection_lost()
    protocol.connection_made()
    subscribed, again = sent_messages(protocol)
    assert [again] == before
    assert again["id"] == id
    assert (subscribed["type"], subscribed["since"]) == ("subscribe", 4)


def test_an_answer_that_arrives_twice_is_reported_once(protocol: ClientProtocol) -> None:
    id = play(protocol)
    protocol.receive_frame(frame(PLAYED, command=id))
    assert [type(event) for event in protocol.receive_frame(frame(PLAYED, command=id))] == [TopicMessage]
    protocol.connection_made()
    assert sent_types(protocol) == ["subscribe"]


def test_a_refusal_is_the_exception_of_its_code(protocol: ClientProtocol) -> None:
    id = play(protocol)
    (event,) = protocol.receive_frame(refusal(id, "illegal_move"))
    assert isinstance(event, Refused)
    assert isinstance(event.error, IllegalMove)


def test_a_refusal_with_a_code_of_a_newer_server_is_a_refusal_like_any_other(protocol: ClientProtocol) -> None:
    id = play(protocol)
    (event,) = protocol.receive_frame(refusal(id, "from_the_future", details=[1]))
    assert isinstance(event, Refused)
    assert (type(event.error), event.error.code, str(event.error)) == (OtherRefusal, "from_the_future", "No.")
    (delayed,) = protocol.receive_frame(refusal(play(protocol), "from_the_future", retry_after=0.5))
    assert isinstance(delayed, Delayed)
    assert protocol.receive_frame(refusal("nobody's", "from_the_future")) == []


def test_a_delayed_request_is_sent_again_with_the_same_id(protocol: ClientProtocol) -> None:
    id = play(protocol)
    first = sent_messages(protocol)
    (delayed,) = protocol.receive_frame(refusal(id, "rate_limited", retry_after=0.5))
    assert isinstance(delayed, Delayed)
    assert (delayed.id, delayed.seconds, type(delayed.error)) == (id, 0.5, RateLimited)
    assert sent_messages(protocol) == []
    protocol.resend_request(id)
    assert sent_messages(protocol) == first
    protocol.resend_request(id)
    assert sent_messages(protocol) == []


def test_a_refusal_for_a_stale_version_requests_a_fresh_view(protocol: ClientProtocol) -> None:
    id = play(protocol)
    sent_messages(protocol)
    (event,) = protocol.receive_frame(refusal(id, "stale_version", version=9))
    assert isinstance(event, Refused)
    assert isinstance(event.error, StaleVersion)
    (subscribed,) = sent_messages(protocol)
    assert (subscribed["type"], "since" in subscribed) == ("subscribe", False)


def test_a_missing_version_requests_a_fresh_view_once(protocol: ClientProtocol) -> None:
    protocol.receive_frame(frame(PLAYED, version=6))
    protocol.receive_frame(frame(PLAYED, version=7))
    (subscribed,) = sent_messages(protocol)
    assert "since" not in subscribed
    protocol.receive_frame(frame(VIEW, version=7, id=subscribed["id"]))
    assert (protocol.sessions[GAME].version, protocol.sessions[GAME].lost) == (7, False)


def test_a_refused_subscription_names_its_topic() -> None:
    protocol = ClientProtocol("t", now=lambda: 0)
    protocol.subscribe(GAME)
    protocol.connection_made()
    (subscribed,) = sent_messages(protocol)
    (event,) = protocol.receive_frame(refusal(subscribed["id"], "not_found"))
    assert isinstance(event, Refused)
    assert event.topic == f"game/{GAME}"
    assert isinstance(event.error, NotFound)


def test_days_races_and_boards_are_watched_again_on_a_new_socket(protocol: ClientProtocol) -> None:
    protocol.watch(wire.WatchDay(id="-", day="2026-11-20"))
    protocol.watch(wire.WatchRace(id="-", race="r"))
    topic = protocol.watch(boards.WatchBoard(id="-", board="all"))
    assert sent_types(protocol) == ["watch_day", "watch_race", "watch_board"]
    protocol.unwatch(topic)
    assert sent_types(protocol) == ["unwatch_board"]
    protocol.connection_made()
    assert sent_types(protocol) == ["subscribe", "watch_day", "watch_race"]


def test_a_message_about_a_watched_topic_is_reported_with_the_topic(protocol: ClientProtocol) -> None:
    topic = protocol.watch(wire.WatchDay(id="-", day="2026-11-20"))
    progress = wire.DayProgress(day="2026-11-20", games=[])
    assert protocol.receive_frame(frame(progress)) == [TopicMessage(topic, progress)]
    protocol.unwatch(topic)
    assert protocol.receive_frame(frame(progress)) == []


def test_an_analysis_is_a_topic_of_its_own_beside_its_game(protocol: ClientProtocol) -> None:
    topic = protocol.watch(WatchAnalysis(id="-", game=GAME))
    changed = AnalysisChanged(analysis=ANALYSIS, version=3)
    assert topic == f"analysis/{GAME}"
    assert protocol.receive_frame(frame(changed)) == [TopicMessage(topic, changed)]
    protocol.connection_made()
    assert sent_types(protocol) == ["subscribe", "watch_analysis"]
    protocol.unwatch(topic)
    assert sent_types(protocol) == ["unwatch_analysis"]


def test_only_a_verdict_answers_the_question_whether_a_position_can_be_won(protocol: ClientProtocol) -> None:
    asked = [AskIfWinnable(id=protocol.new_id(), game=GAME, version=version) for version in (4, 4, 3)]
    for request in asked:
        protocol.send_request(request)
    waiting = Winnability(id=asked[0].id, game=GAME, version=4, ahead=2)
    assert protocol.receive_frame(frame(waiting)) == [TopicMessage(f"game/{GAME}", waiting)]
    sent_messages(protocol)
    protocol.connection_made()
    assert sent_types(protocol) == ["subscribe", *["ask_if_winnable"] * 3]
    decided = Winnability(game=GAME, version=4, verdict="lost")
    about, *answers = protocol.receive_frame(frame(decided))
    assert about == TopicMessage(f"game/{GAME}", decided)
    assert answers == [Answered(request.id, decided) for request in asked[:2]]
    assert [one for one in protocol.unanswered if isinstance(one, AskIfWinnable)] == asked[2:]


def test_messages_about_a_game_are_ignored_after_unsubscribing(protocol: ClientProtocol) -> None:
    protocol.unsubscribe(GAME)
    assert sent_types(protocol) == ["unsubscribe"]
    assert protocol.receive_frame(frame(PLAYED)) == []


def test_a_message_of_an_unknown_type_counts_only_as_a_version(protocol: ClientProtocol) -> None:
    protocol.receive_frame(json.encode({"type": "from_the_future", "game": GAME, "version": 5, "news": [1]}))
    assert (protocol.sessions[GAME].version, protocol.sessions[GAME].lost) == (5, False)
    assert protocol.receive_frame(json.encode({"type": "weather", "sunny": True})) == []


@pytest.mark.parametrize(
    "text", [b"", b"{", b"[]", b'{"type":"pong"}', b'{"type":"pong","id":7,"at":1}', b'{"type":"refused","code":"x"}']
)
def test_a_frame_that_is_not_a_message_is_unreadable(protocol: ClientProtocol, text: bytes) -> None:
    with pytest.raises(UnreadableMessage):
        protocol.receive_frame(text)
