"""Events as they are stored and read back, and the hash chain over them."""

from hashlib import sha256
from typing import Any

import pytest
from msgspec import json, structs

from cadogan.server.core.eventlog import events, hash_chain, race_events
from cadogan.server.core.eventlog.events import (
    AnnouncedDeal,
    Certificate,
    ChallengeSpoiled,
    CompetitionEvent,
    DailyAnnounced,
    DailyClosed,
    DailyOpened,
    GameFinished,
    GameWatched,
    HouseActed,
    LineMove,
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
        DailyOpened({"2026-11-20.1": "ab" * 32}),
        DailyClosed(
            "00" * 32,
            {"2026-11-20.1": "ab" * 32, "day": "cd" * 32},
            (Certificate("2026-11-20.1", 7, 1, 41, (LineMove("a/b", ("moved a b 1",)),)),),
        ),
        DailyClosed("00" * 32, {"day": "cd" * 32}, struck={"bobs-game": "cheating"}),
        HouseActed("run_struck", player="bob", game="bobs-game", reason="cheating"),
    ],
    ids=lambda event: type(event).__name__,
)
def test_an_event_is_read_back_as_it_was_written(event: events.Event) -> None:
    assert events.decode_event(*events.encode_event(event)) == event


def test_a_day_off_whose_boards_nothing_was_struck_is_stored_as_before_there_were_strikes() -> None:
    stored = events.encode_event(DailyClosed("00", {}))
    assert stored == ("daily_closed", 2, '{"boards":{},"certificates":[],"secret":"00"}')


def test_the_race_of_a_game_is_stored_as_its_match() -> None:
    event = structs.replace(
        dealt("klondike"), rules_version=1, commitment="ab", nonce="words", race="r", piles={}, counters={}
    )
    data = (
        '{"commitment":"ab","counters":{},"day":null,"deal":"deal","game":"klondike","match":"r","nonce":"words",'
        '"piles":{},"player":"ann","ranked":false,"rules_version":1,"slot":null}'
    )
    assert events.encode_event(event) == ("game_dealt", 1, data)
    assert events.decode_event("game_dealt", 1, data) == event


def test_the_competition_of_a_game_is_stored_only_where_there_is_one() -> None:
    event = structs.replace(dealt("klondike"), competition="duplicate", about="m/1")
    assert events.decode_event(*events.encode_event(event)) == event
    stored, before = (json.decode(events.encode_event(one)[2]) for one in (event, dealt("klondike")))
    assert stored == before | {"competition": "duplicate", "about": "m/1"}
    assert not {"competition", "about"} & before.keys()


class Opened(CompetitionEvent, frozen=True):
    name = "tombola_opened"
    ends = True
    size: int


def test_the_event_of_an_extension_is_read_once_it_is_registered_however_often() -> None:
    for _ in range(2):
        events.register_events("tombola", (Opened,))
    assert events.encode_event(Opened(7)) == ("tombola_opened", 1, '{"size":7}')
    assert events.decode_event("tombola_opened", 1, '{"size":7}') == Opened(7)
    assert "tombola_opened" in events.ENDING_EVENTS


@pytest.mark.parametrize("key", ["tombol", "lottery", ""])
def test_an_event_whose_name_another_competition_may_have_is_not_registered(key: str) -> None:
    with pytest.raises(ValueError, match="no other event has"):
        events.register_events(key, (Opened,))


def test_an_event_with_the_name_of_another_one_is_not_registered() -> None:
    class Other(CompetitionEvent, frozen=True):
        name = "tombola_opened"

    events.register_events("tombola", (Opened,))
    with pytest.raises(ValueError, match="no other event has"):
        events.register_events("tombola", (Other,))


def test_the_events_of_a_race_are_stored_as_those_of_a_match() -> None:
    names = [
        events.EVENT_NAMES[kind] for kind in (race_events.RaceOpened, race_events.RaceStarted, race_events.RaceFinished)
    ]
    assert names == ["match_opened", "match_started", "match_finished"]
    assert events.encode_event(race_events.RematchOpened("next")) == ("rematch_opened", 1, '{"match":"next"}')


def test_data_is_canonical_with_sorted_keys_and_no_spaces() -> None:
    assert events.encode_event(MovePlayed("deal", ("a", "b"))) == (
        "move_played",
        1,
        '{"effects":["a","b"],"move":"deal"}',
    )


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
def test_unreadable_event_data_is_refused(name: str, schema: int, data: str) -> None:
    with pytest.raises(UnreadableEvent):
        events.decode_event(name, schema, data)


def test_an_older_shape_is_brought_up_to_date_when_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def named(data: dict[str, Any]) -> dict[str, Any]:
        return {"move": data["text"], "effects": data["effects"]}

    monkeypatch.setitem(events.UPCASTS, "move_played", (named,))
    assert events.decode_event("move_played", 1, '{"effects":["a"],"text":"deal"}') == MovePlayed("deal", ("a",))
    assert events.encode_event(MovePlayed("deal", ("a",)))[1] == 2


def test_the_days_of_before_certificates_are_read_as_uncertified() -> None:
    deal = '{"deal":"2026-11-20.1","game":"louis","level":"gentle","slot":1}'
    announced = f'{{"commitment":"ab","day":"2026-11-20","deals":[{deal}]}}'
    assert events.decode_event("daily_announced", 1, announced) == DailyAnnounced(
        "2026-11-20", "ab", (AnnouncedDeal(1, "gentle", "louis", "2026-11-20.1", None),)
    )
    assert events.decode_event("daily_opened", 1, "{}") == DailyOpened({})
    assert events.decode_event("daily_closed", 1, '{"boards":{},"secret":"ab"}') == DailyClosed("ab", {}, ())


def test_the_bytes_that_are_hashed_are_one_canonical_json_object() -> None:
    kind, schema, data = events.encode_event(MovePlayed("deal", ()))
    text = hash_chain.canonical_bytes("game/abc", 7, kind, schema, data, 123)
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
    first = hash_chain.chain_event(hash_chain.START_HASH, "game/abc", 1, MoveTakenBack(), 1)
    second = hash_chain.chain_event(first.hash, "game/abc", 2, MoveTakenBack(), 2)
    assert (
        second.hash
        == sha256(first.hash + hash_chain.canonical_bytes("game/abc", 2, "move_taken_back", 1, "{}", 2)).digest()
    )
    assert second.hash != hash_chain.chain_event(hash_chain.START_HASH, "game/abc", 2, MoveTakenBack(), 2).hash
