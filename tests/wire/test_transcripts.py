"""Recorded transcripts of the socket, compared with the AsyncAPI document, the codec and the SDK of today."""

from typing import Any, get_args

import pytest
from jsonschema import ValidationError
from msgspec import json

from cadogan.sdk.session import UNKNOWN, Session, apply_message
from cadogan.wire.codec import decode_client_message, decode_server_message
from cadogan.wire.message import snake_case
from cadogan.wire.messages import ANSWERS, ClientMessage, ServerMessage, View
from tests.harness.people import UNASKED
from tests.harness.running_server import RunningServer
from tests.harness.schema_checks import check_message
from tests.wire.record_transcripts import RECEIVED, SCENARIOS, SENT, read_transcript

NAMES = sorted(SCENARIOS)


def frames_of(side: str, frames: list[tuple[str, Any]]) -> list[Any]:
    """Return the frames of one side."""
    return [frame for from_side, frame in frames if from_side == side]


def without_unrequested(frames: list[Any]) -> list[Any]:
    """Return frames of the server without those that come at any time, whatever the client does."""
    return [frame for frame in frames if frame["type"] not in UNASKED]


@pytest.mark.parametrize("name", NAMES)
def test_recorded_messages_of_the_server_are_still_valid(name: str) -> None:
    frames = frames_of(RECEIVED, read_transcript(name))
    assert frames
    for frame in frames:
        check_message(frame)
        decode_server_message(json.encode(frame))


@pytest.mark.parametrize("name", NAMES)
def test_recorded_messages_of_clients_are_valid_unless_the_server_refused_them_as_unreadable(name: str) -> None:
    frames = read_transcript(name)
    unread = {frame["id"] for frame in frames_of(RECEIVED, frames) if frame.get("code") == "bad_message"}
    for frame in frames_of(SENT, frames):
        if frame["id"] in unread:
            with pytest.raises(ValidationError):
                check_message(frame)
        else:
            check_message(frame)
            decode_client_message(json.encode(frame))


@pytest.mark.parametrize("name", NAMES)
def test_every_recorded_answer_is_one_that_the_document_names(name: str) -> None:
    frames = read_transcript(name)
    asked = {frame["id"]: frame["type"] for frame in frames_of(SENT, frames)}
    expected = {snake_case(kind.__name__): answers for kind, answers in ANSWERS.items()}
    for frame in frames_of(RECEIVED, frames):
        if (request := frame.get("id", frame.get("command"))) in asked and frame["type"] != "refused":
            assert frame["type"] in {snake_case(one.__name__) for one in expected[asked[request]]}


def test_the_transcripts_contain_every_type_of_message() -> None:
    frames = [pair for name in NAMES for pair in read_transcript(name)]
    for side, union in ((SENT, ClientMessage), (RECEIVED, ServerMessage)):
        kinds = {snake_case(one.__name__) for one in get_args(union)}
        assert {frame["type"] for frame in frames_of(side, frames)} == kinds


@pytest.mark.parametrize("name", NAMES)
def test_the_sdk_of_today_understands_the_recorded_messages(name: str) -> None:
    sessions: dict[str, Session] = {}
    for frame in frames_of(RECEIVED, read_transcript(name)):
        message = decode_server_message(json.encode(frame))
        game = message.game.id if isinstance(message, View) else getattr(message, "game", None)
        if game is not None:
            sessions[game] = apply_message(sessions.get(game, UNKNOWN), message, 0)
            assert not sessions[game].lost
    assert all(session.version > 1 for session in sessions.values())


@pytest.mark.parametrize("name", NAMES)
async def test_the_server_of_today_sends_everything_that_was_recorded(sqlite_server: RunningServer, name: str) -> None:
    lines: list[str] = []
    await SCENARIOS[name](sqlite_server, lines)
    now = without_unrequested([json.decode(line[2:]) for line in lines if line.startswith(RECEIVED)])
    then = without_unrequested(frames_of(RECEIVED, read_transcript(name)))
    assert [frame["type"] for frame in now] == [frame["type"] for frame in then]
    for frame, before in zip(now, then, strict=True):
        assert set(before) <= set(frame)
        assert frame.get("code") == before.get("code")
