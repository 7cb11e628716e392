"""Conversations of earlier days, against the AsyncAPI document, the codec and the SDK of today."""

from typing import Any, get_args

import pytest
from jsonschema import ValidationError
from msgspec import json

from clients.sdk.session import UNKNOWN, Session, apply_message
from clients.wire.codec import decode_client_message, decode_server_message
from clients.wire.messages import ClientMessage, ServerMessage, View, snake_case
from tests.harness.people import UNASKED
from tests.harness.running_server import RunningServer
from tests.harness.schema_checks import check_message
from tests.wire.record_transcripts import CONVERSATIONS, HEARD, SAID, read

NAMES = sorted(CONVERSATIONS)


def said_by(side: str, frames: list[tuple[str, Any]]) -> list[Any]:
    """The frames of one side."""
    return [frame for from_side, frame in frames if from_side == side]


def asked_for(frames: list[Any]) -> list[Any]:
    """A server's frames without those that come when they come."""
    return [frame for frame in frames if frame["type"] not in UNASKED]


@pytest.mark.parametrize("name", NAMES)
def test_what_the_server_said_keeps_to_the_asyncapi_document(name: str) -> None:
    frames = said_by(HEARD, read(name))
    assert frames
    for frame in frames:
        check_message(frame)
        decode_server_message(json.encode(frame))


@pytest.mark.parametrize("name", NAMES)
def test_what_a_client_said_keeps_to_the_document_unless_the_server_could_not_read_it(name: str) -> None:
    frames = read(name)
    unread = {frame["id"] for frame in said_by(HEARD, frames) if frame.get("code") == "bad_message"}
    for frame in said_by(SAID, frames):
        if frame["id"] in unread:
            with pytest.raises(ValidationError):
                check_message(frame)
        else:
            check_message(frame)
            decode_client_message(json.encode(frame))


def test_the_conversations_hold_every_message_there_is() -> None:
    frames = [pair for name in NAMES for pair in read(name)]
    for side, union in ((SAID, ClientMessage), (HEARD, ServerMessage)):
        kinds = {snake_case(one.__name__) for one in get_args(union)}
        assert {frame["type"] for frame in said_by(side, frames)} == kinds


@pytest.mark.parametrize("name", NAMES)
def test_a_client_of_today_follows_what_the_server_said(name: str) -> None:
    sessions: dict[str, Session] = {}
    for frame in said_by(HEARD, read(name)):
        message = decode_server_message(json.encode(frame))
        game = message.game.id if isinstance(message, View) else getattr(message, "game", None)
        if game is not None:
            sessions[game] = apply_message(sessions.get(game, UNKNOWN), message, 0)
            assert not sessions[game].lost
    assert all(session.version > 1 for session in sessions.values())


@pytest.mark.parametrize("name", NAMES)
async def test_a_server_of_today_says_all_that_was_said_then(sqlite_server: RunningServer, name: str) -> None:
    lines: list[str] = []
    await CONVERSATIONS[name](sqlite_server, lines)
    now = asked_for([json.decode(line[2:]) for line in lines if line.startswith(HEARD)])
    then = asked_for(said_by(HEARD, read(name)))
    assert [frame["type"] for frame in now] == [frame["type"] for frame in then]
    for frame, before in zip(now, then, strict=True):
        assert set(before) <= set(frame)
        assert frame.get("code") == before.get("code")
