"""Facts as they are written and read, and the chain over them."""

from hashlib import sha256
from typing import Any

import pytest
from msgspec import json

from server.eventlog import events, hash_chain
from server.eventlog.events import (
    AnnouncedDeal,
    ChallengeSpoiled,
    DailyAnnounced,
    DailyClosed,
    GameFinished,
    GameWatched,
    MovePlayed,
    MoveTakenBack,
    UnreadableEvent,
)
from tests.harness.game_steps import dealt


@pytest.mark.parametrize(
    "event",
    [
        dealt("klondike"),
        MovePlayed("stock/waste", ("moved stock waste 1",)),
        MoveTakenBack(),
        GameFinished("won", 52, 1250, 40, 61_000, 60_000),
        ChallengeSpoiled("ann", "2026-11-20.1"),
        GameWatched("ann", "bobs-game", "2026-11-20.1"),
        DailyAnnounced("2026-11-20", "ab" * 32, (AnnouncedDeal(1, "gentle", "louis", "2026-11-20.1"),)),
        DailyClosed("00" * 32, {"2026-11-20.1": "ab" * 32, "day": "cd" * 32}),
    ],
    ids=lambda event: type(event).__name__,
)
def test_what_is_written_is_read_back(event: events.Event) -> None:
    assert events.read(*events.written(event)) == event


def test_data_is_canonical_with_sorted_keys_and_no_spaces() -> None:
    assert events.written(MovePlayed("deal", ("a", "b"))) == ("move_played", 1, '{"effects":["a","b"],"move":"deal"}')


@pytest.mark.parametrize(
    ("name", "schema", "data"),
    [
        ("move_played", 2, '{"effects":[],"move":"deal"}'),
        ("move_played", 0, '{"effects":[],"move":"deal"}'),
        ("game_dreamt", 1, "{}"),
        ("move_played", 1, '{"effects":[]}'),
        ("move_played", 1, "{"),
    ],
)
def test_what_cannot_be_read_is_refused(name: str, schema: int, data: str) -> None:
    with pytest.raises(UnreadableEvent):
        events.read(name, schema, data)


def test_an_older_shape_is_brought_up_to_date_when_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def named(data: dict[str, Any]) -> dict[str, Any]:
        return {"move": data["text"], "effects": data["effects"]}

    monkeypatch.setitem(events._UPCASTS, "move_played", (named,))
    assert events.read("move_played", 1, '{"effects":["a"],"text":"deal"}') == MovePlayed("deal", ("a",))
    assert events.written(MovePlayed("deal", ("a",)))[1] == 2


def test_the_bytes_that_are_hashed_are_one_canonical_json_object() -> None:
    kind, schema, data = events.written(MovePlayed("deal", ()))
    text = hash_chain.canonical("game/abc", 7, kind, schema, data, 123)
    everything = {
        "stream": "game/abc",
        "version": 7,
        "type": kind,
        "schema": schema,
        "data": json.decode(data),
        "recorded_at": 123,
    }
    assert text == json.encode(everything, order="sorted")


def test_a_hash_covers_the_one_before_it() -> None:
    first = hash_chain.seal(hash_chain.START, "game/abc", 1, MoveTakenBack(), 1)
    second = hash_chain.seal(first.hash, "game/abc", 2, MoveTakenBack(), 2)
    assert (
        second.hash == sha256(first.hash + hash_chain.canonical("game/abc", 2, "move_taken_back", 1, "{}", 2)).digest()
    )
    assert second.hash != hash_chain.seal(hash_chain.START, "game/abc", 2, MoveTakenBack(), 2).hash
