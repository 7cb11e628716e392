"""Encode and decode messages and bodies, and refuse what is out of bounds."""

import json
from collections.abc import Callable
from functools import partial

import msgspec
import pytest

from cadogan.wire import messages
from cadogan.wire.account import Credentials
from cadogan.wire.bodies import NewGame
from cadogan.wire.codec import (
    MAX_CLIENT_FRAME_BYTES,
    MAX_REASON,
    UnreadableMessage,
    decode_body,
    decode_client_message,
    decode_server_message,
    encode,
)
from cadogan.wire.examples import BODY_EXAMPLES, CLIENT_EXAMPLES, SERVER_EXAMPLES
from cadogan.wire.game_examples import VIEW
from cadogan.wire.message import Message
from tests.harness.costly_inputs import MAX_MILLISECONDS, costly_json, milliseconds


def test_messages_of_either_side_survive_encoding_and_decoding() -> None:
    assert [one for one in CLIENT_EXAMPLES if decode_client_message(encode(one)) != one] == []
    assert [one for one in SERVER_EXAMPLES if decode_server_message(encode(one)) != one] == []


def test_bodies_survive_encoding_and_decoding() -> None:
    assert [body for body in BODY_EXAMPLES if decode_body(type(body), encode(body)) != body] == []


def with_an_unknown_key(message: Message) -> str:
    """The frame of a message, as a later version could send it."""
    return json.dumps({**json.loads(encode(message)), "from_the_future": {"deep": [1]}})


def test_unknown_keys_are_ignored() -> None:
    assert [one for one in CLIENT_EXAMPLES if decode_client_message(with_an_unknown_key(one)) != one] == []
    assert [one for one in SERVER_EXAMPLES if decode_server_message(with_an_unknown_key(one)) != one] == []


def test_keys_with_their_default_value_are_left_out() -> None:
    assert encode(messages.Subscribe(id="1", game="g")) == b'{"type":"subscribe","id":"1","game":"g"}'


def test_messages_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        VIEW.score = 52  # type: ignore[misc]


PLAY = {"type": "play", "id": "1", "game": "g", "version": 1, "move": "deal"}


@pytest.mark.parametrize(
    "change",
    [
        {"move": ""},
        {"move": "tableau 1"},
        {"move": "deal\n"},
        {"move": "d" * 513},
        {"move": "<b>"},
        {"id": ""},
        {"id": "1" * 65},
        {"id": "a b"},
        {"id": "a\u0000"},
        {"id": 7},
        {"version": -1},
        {"version": 2**31},
        {"version": 1e300},
        {"version": 1.5},
        {"version": "1"},
        {"version": True},
        {"game": ""},
        {"game": "g" * 65},
        {"game": None},
    ],
    ids=repr,
)
def test_a_play_out_of_bounds_is_unreadable(change: dict[str, object]) -> None:
    assert decode_client_message(json.dumps(PLAY))
    with pytest.raises(UnreadableMessage):
        decode_client_message(json.dumps(PLAY | change))


@pytest.mark.parametrize("version", ["1", "1.0", "1e0", "10e-1"])
def test_a_whole_number_may_be_written_in_any_form(version: str) -> None:
    frame = json.dumps(PLAY).replace('"version": 1', f'"version": {version}')
    assert decode_client_message(frame) == decode_client_message(json.dumps(PLAY))


@pytest.mark.parametrize(
    "frame",
    [
        "",
        "{",
        "null",
        "[]",
        "{}",
        '{"type":"view"}',
        '{"type":"play"}',
        b"\xff\xfe",
        '{"type":"ping","id":"1","deep":' + "[" * 4000 + "]" * 4000 + "}",
        '{"type":"ping","id":"\ud800"}',
        '{"type":"ping","id":NaN}',
    ],
    ids=lambda frame: repr(frame[:30]),
)
def test_a_frame_that_is_not_a_message_is_unreadable(frame: str | bytes) -> None:
    with pytest.raises(UnreadableMessage):
        decode_client_message(frame)


def test_the_error_for_an_unreadable_message_has_its_id() -> None:
    with pytest.raises(UnreadableMessage) as caught:
        decode_client_message('{"type":"play","id":"mine","version":"one"}')
    assert caught.value.id == "mine"


def test_the_error_for_an_unreadable_message_says_where_it_is_wrong() -> None:
    with pytest.raises(UnreadableMessage, match=r"\$\.version"):
        decode_client_message(json.dumps(PLAY | {"version": "one"}))


@pytest.mark.parametrize("nonce", ["", "x" * 65, "a\nb", "a\n", "nul\u0000", "\u007f"])
def test_a_nonce_is_one_short_line(nonce: str) -> None:
    assert decode_body(NewGame, json.dumps({"deal": "d", "nonce": "a rainy Friday, café"}).encode())
    with pytest.raises(UnreadableMessage):
        decode_body(NewGame, json.dumps({"deal": "d", "nonce": nonce}).encode())


@pytest.mark.parametrize(("name", "password"), [("A", "long enough"), ("A" * 25, "long enough"), ("Ada", "short")])
def test_names_and_passwords_have_length_limits(name: str, password: str) -> None:
    with pytest.raises(UnreadableMessage):
        decode_body(Credentials, msgspec.json.encode({"name": name, "password": password}))


def test_the_error_for_an_unreadable_body_does_not_contain_the_password() -> None:
    with pytest.raises(UnreadableMessage) as caught:
        decode_body(Credentials, b'{"name":"Ada","password":"hunter2"}')
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize("kind", costly_json())
@pytest.mark.parametrize("around", ["{}", '{{"name":2.0,"type":"play","more":{}}}'], ids=["alone", "within"])
def test_what_does_not_fit_its_type_is_refused_within_milliseconds(kind: str, around: str) -> None:
    def refuse(decode: Callable[[bytes], object], text: bytes) -> None:
        with pytest.raises(UnreadableMessage):
            decode(text)

    body, frame = (around.format(costly_json(size)[kind]).encode() for size in (64_000, MAX_CLIENT_FRAME_BYTES - 60))
    assert milliseconds(partial(refuse, partial(decode_body, Credentials), body)) <= MAX_MILLISECONDS
    assert milliseconds(partial(refuse, decode_client_message, frame)) <= MAX_MILLISECONDS


def test_a_long_value_that_does_not_fit_is_not_sent_back_whole() -> None:
    with pytest.raises(UnreadableMessage) as caught:
        decode_client_message(json.dumps({"type": "x" * 8000, "id": "1"}))
    assert len(str(caught.value)) <= MAX_REASON + 3
