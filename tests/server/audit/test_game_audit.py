"""The audit: what happened is consistent, and whatever is changed is found where it was changed."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import json

from cadogan import engine
from cadogan.server.core import dates
from cadogan.server.core.eventlog import hash_chain
from cadogan.server.core.eventlog.events import canonical_json
from cadogan.server.core.fairness import commit_reveal
from cadogan.server.core.games import game_record, game_state
from cadogan.server.core.games.game_state import Step
from cadogan.server.subjects.audit import game_audit
from cadogan.wire.codec import encode
from tests.harness import game_steps, sample_records
from tests.harness.command_line import run
from tests.harness.game_steps import DAY, GAME, SECRET, at_random, resign

Record = dict[str, Any]


def recorded(steps: list[Step]) -> Record:
    read: Record = json.decode(encode(game_record.build_record(GAME, SECRET, [step.sealed for step in steps])))
    return read


def chained(changed: Record) -> Record:
    """The record with hashes that fit, as somebody who has read the contract would forge it."""
    before = hash_chain.START_HASH
    for event in changed["events"]:
        before = hash_chain.event_hash(
            before,
            changed["stream"],
            event["version"],
            event["type"],
            event["schema"],
            canonical_json(event["data"]),
            event["recorded_at"],
        )
        event["hash"] = before.hex()
    return changed


def verify(changed: Record) -> game_audit.Verdict:
    return game_audit.verify(json.encode(changed))


def resigned(slug: str, day: str | None = None, moves: int = 12) -> Record:
    steps = at_random(slug, 4, moves, day)
    return recorded(steps if steps[-1].after.over else [*steps, *resign(steps[-1].after)])


def test_a_record_from_before_there_was_a_limit_of_moves_is_consistent(monkeypatch: pytest.MonkeyPatch) -> None:
    record = resigned("klondike")
    monkeypatch.setattr(game_state, "MAX_VERSION", 5)
    assert len(record["events"]) > game_state.MAX_VERSION
    assert verify(record).consistent


GAMES = ("besieged-city", "carpet", "klondike", "maze", "maze-wraparound", "olga", "quatorze", "red-and-black")


@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.parametrize("day", [None, DAY])
def test_a_game_played_by_the_rules_is_consistent(slug: str, day: str | None) -> None:
    verdict = verify(resigned(slug, day, 40))
    assert verdict.consistent, verdict.reason


def test_a_won_game_is_consistent_and_the_verdict_says_so() -> None:
    verdict = verify(recorded(game_steps.won()))
    assert verdict.consistent
    assert "won with score" in verdict.reason


def test_a_game_ended_where_no_move_was_left_is_consistent_as_lost_and_as_resigned() -> None:
    steps = game_steps.stuck()
    last = steps[-1].after
    for end in (game_state.end_at_dead_end(last), game_state.resign(last, last.changed_at + 5000)):
        verdict = verify(recorded([*steps, *end]))
        assert verdict.consistent, verdict.reason


def test_a_run_without_a_move_is_consistent_as_one_that_counts_and_as_one_that_does_not() -> None:
    record = resigned("klondike", DAY, moves=0)
    assert record["events"][-1]["data"]["counts"] is False
    assert verify(record).consistent
    del record["events"][-1]["data"]["counts"]  # as earlier versions wrote it
    assert verify(chained(record)).consistent


@pytest.mark.parametrize(("day", "moves"), [(DAY, 3), (None, 0)], ids=["played", "casual"])
def test_another_game_that_says_that_it_does_not_count_is_broken(day: str | None, moves: int) -> None:
    record = resigned("klondike", day, moves)
    (end,) = (event for event in record["events"] if event["type"] == "game_finished")
    end["data"]["counts"] = False
    assert verify(chained(record)).broken_at == end["version"]


def test_only_a_run_of_a_day_that_is_over_is_ended_by_its_close_and_counts_nowhere() -> None:
    record = sample_records.left()
    end = record["events"][-1]
    assert (end["data"]["result"], end["data"]["counts"]) == ("out_of_time", False)
    assert verify(record).consistent
    del end["data"]["counts"]
    assert verify(chained(record)).broken_at == end["version"]
    for spoiling in (False, True):
        steps = game_steps.at_random("maze", 4, 9, DAY)
        if spoiling:
            steps.append(game_state.spoil(steps[-1].after, steps[-1].after.changed_at))
        assert bool(game_state.end_on_time(steps[-1].after, game_steps.START + 300_000)) is not spoiling
    assert not game_state.end_on_time(steps[0].after, dates.day_times(DAY, 0).ends_at - 1)
    assert not game_state.end_on_time(game_steps.begin("maze")[-1].after, game_steps.START + 300_000)


def test_what_is_wrong_with_the_header_is_not_said_of_an_event() -> None:
    record = resigned("klondike")
    verdict = verify({**record, "secret": "00"})
    assert (verdict.broken_at, verdict.reason) == (0, "the secret has 1 bytes, not 32")


def test_a_key_that_is_twice_is_named() -> None:
    verdict = game_audit.verify(b'{"format": "x", "game": "a", "game": "b"}')
    assert "the key 'game' is twice" in verdict.reason


def test_a_game_that_says_it_was_lost_while_a_move_was_left_is_broken() -> None:
    steps = game_steps.stuck()
    end = game_state.end_at_dead_end(steps[-1].after)
    cut = game_state.resign(steps[-2].after, steps[-2].after.changed_at)
    record = recorded([*steps[:-1], *cut])
    record["events"][-2]["data"]["result"] = "lost"
    assert verify(chained(record)).broken_at == steps[-1].sealed.version
    record = recorded([*steps, *end])
    record["events"][-2]["recorded_at"] += 1000
    record["events"][-1]["recorded_at"] += 1000
    assert verify(chained(record)).broken_at == end[0].sealed.version


def test_an_unfinished_run_of_a_closed_day_is_consistent_as_unfinished() -> None:
    verdict = verify(recorded(at_random("maze", 4, 9, DAY)))
    assert verdict.consistent
    assert "no end" in verdict.reason


def move_at(changed: Record, version: int) -> Record:
    event: Record = changed["events"][version - 1]
    assert event["type"] == "move_played"
    return event


def another_secret(changed: Record) -> int:
    changed["secret"] = "ff" * 32
    return 0


def another_commitment_too(changed: Record) -> int:
    changed["secret"] = "ff" * 32
    changed["commitment"] = commit_reveal.commitment(b"\xff" * 32)
    return 1


def another_nonce(changed: Record) -> int:
    changed["nonce"] = changed["events"][0]["data"]["nonce"] = "mine"
    return 1


def another_card(changed: Record) -> int:
    piles = changed["events"][0]["data"]["piles"]
    name = next(name for name, cards in piles.items() if len(cards) > 1)
    piles[name] = piles[name][::-1]
    return 1


def another_move(changed: Record) -> int:
    move_at(changed, 3)["data"]["move"] = move_at(changed, 2)["data"]["move"]
    return 3


def another_effect(changed: Record) -> int:
    move_at(changed, 3)["data"]["effects"].append("moved tableau.0 foundation.0 1")
    return 3


def an_impossible_effect(changed: Record) -> int:
    move_at(changed, 3)["data"]["effects"] = ["moved nowhere foundation.0 1"]
    return 3


def a_move_left_out(changed: Record) -> int:
    del changed["events"][2]
    for place, event in enumerate(changed["events"], 1):
        event["version"] = place
    return 3


def a_version_left_out(changed: Record) -> int:
    changed["events"][3]["version"] = 9
    return 4


def another_score(changed: Record) -> int:
    event = next(event for event in changed["events"] if event["type"] == "game_finished")
    event["data"]["score"] += 1
    version: int = event["version"]
    return version


def a_win_that_was_none(changed: Record) -> int:
    event = next(event for event in changed["events"] if event["type"] == "game_finished")
    event["data"]["result"] = "won"
    version: int = event["version"]
    return version


def a_faster_clock(changed: Record) -> int:
    changed["events"][4]["recorded_at"] = changed["events"][3]["recorded_at"] - 1
    return 5


def a_missing_end(changed: Record) -> int:
    del changed["events"][-1]
    return len(changed["events"]) + 1


def other_rules(changed: Record) -> int:
    changed["events"][0]["data"]["rules_version"] = 99
    return 1


def an_unknown_game(changed: Record) -> int:
    changed["events"][0]["data"]["game"] = "snap"
    return 1


def a_newer_schema(changed: Record) -> int:
    changed["events"][1]["schema"] = 99
    return 2


def another_stream(changed: Record) -> int:
    changed["stream"] = "game/other"
    return 0


FORGERIES: tuple[Callable[[Record], int], ...] = (
    another_secret,
    another_commitment_too,
    another_nonce,
    another_card,
    another_move,
    another_effect,
    an_impossible_effect,
    a_move_left_out,
    a_version_left_out,
    another_score,
    a_win_that_was_none,
    a_faster_clock,
    a_missing_end,
    other_rules,
    an_unknown_game,
    a_newer_schema,
    another_stream,
)


@pytest.mark.parametrize("forge", FORGERIES, ids=lambda forge: forge.__name__.replace("_", " "))
def test_a_forgery_with_fitting_hashes_is_found_at_its_event(forge: Callable[[Record], int]) -> None:
    changed = resigned("red-and-black")
    broken_at = forge(changed)
    verdict = verify(chained(changed))
    assert (verdict.consistent, verdict.broken_at) == (False, broken_at), verdict.reason


@pytest.mark.parametrize("forge", FORGERIES, ids=lambda forge: forge.__name__.replace("_", " "))
def test_a_forgery_that_leaves_the_hashes_alone_is_found_no_later(forge: Callable[[Record], int]) -> None:
    changed = resigned("red-and-black")
    broken_at = forge(changed)
    verdict = verify(changed)
    assert not verdict.consistent
    assert verdict.broken_at is not None
    assert verdict.broken_at <= broken_at


def test_the_record_of_a_game_without_events_is_refused() -> None:
    changed = resigned("maze")
    changed["events"] = []
    assert verify(changed) == game_audit.Verdict(False, "the record has no events", 0)


@settings(derandomize=True, deadline=None, max_examples=300)
@given(st.data())
def test_a_record_with_a_changed_byte_is_refuted_unless_its_meaning_is_the_same(data: st.DataObject) -> None:
    text = bytearray(json.encode(resigned("quatorze", moves=6)))
    place = data.draw(st.integers(0, len(text) - 1))
    text[place] = data.draw(st.integers(0, 255))
    verdict = game_audit.verify(bytes(text))
    if verdict.consistent:
        assert same(bytes(text))


def same(text: bytes) -> bool:
    """Whether the text is the untouched record but for keys that nobody reads, or a key's spelling."""
    original = resigned("quatorze", moves=6)
    changed: Record = json.decode(text)
    return all(changed.get(key) == value for key, value in original.items())


@settings(derandomize=True, deadline=None, max_examples=200)
@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_the_audit_gives_a_verdict_on_any_input(text: bytes) -> None:
    assert not game_audit.verify(text).consistent


def test_the_audit_knows_every_game_of_the_registry() -> None:
    assert set(GAMES) <= set(engine.slugs())


def test_what_a_record_does_not_show_is_less_with_an_end_and_beside_all_that_was_kept() -> None:
    whole = verify(resigned("quatorze", moves=6))
    stored = len(whole.hashes)
    assert game_audit.not_proven(whole) == ["player", "times", "kept", "alone"]
    assert game_audit.not_proven(whole, stored) == ["player", "times", "alone"]
    assert game_audit.not_proven(whole, stored - 1) == ["player", "times", "kept", "alone"]
    cut = resigned("quatorze", moves=6)
    cut["events"] = cut["events"][:3]
    assert game_audit.not_proven(verify(cut)) == ["player", "times", "kept", "end", "alone"]


def test_a_search_with_a_budget_that_no_server_gives_is_not_repeated(tmp_path: Path) -> None:
    record, file = sample_records.KINDS["winnable"](), tmp_path / "endless.json"
    record["events"][0]["data"]["winnable"]["budget"] = 2**53 - 1
    file.write_bytes(json.encode(chained(record)))
    assert not game_audit.search_again(game_audit.read_record(file.read_bytes()))
    said = run("verify", str(file), "--resolve")
    assert (said.exit_code, "the search was not repeated" in said.output) == (0, True)
