"""Records of matches, arenas and teams that a dishonest host could have written: each lie is named."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec import json

from cadogan.server.cli.records import export
from cadogan.server.core.eventlog import hash_chain
from cadogan.server.core.eventlog.events import canonical_json
from cadogan.server.subjects.audit.attestation import Trust
from cadogan.server.subjects.evenings.evening_record import EveningBroken
from tests.harness.arena_actions import LOSS, announce_arena, play_runs
from tests.harness.evening_actions import MINUTE, Room, open_room
from tests.harness.hosts import player
from tests.harness.web_verifier import WebVerifier
from tests.server.competitions.evenings.test_recomputed_arenas import close_a_round, close_early, leave_a_secret_out
from tests.server.competitions.evenings.test_recomputed_evenings import Exported, Record, event_of
from tests.server.competitions.evenings.test_web_verifier import judge, web_verifier

__all__ = ["web_verifier"]


async def export_room(room: Room, folder: Path) -> Exported:
    """Export everything of a room, without the proof that would give away a record with new hashes."""
    await export(room.first.server.settings, folder, room.clock)
    exported = Exported(room.evening, folder, Trust())
    exported.change(lambda record: record.pop("proof", None))
    return exported


async def settle(room: Room) -> None:
    """Let the round of a match close that both have ended."""
    await room.pass_time(0)
    await room.pass_time(1)


@pytest.fixture
async def match(sqlite_url: str, tmp_path: Path) -> AsyncIterator[Exported]:
    """A match of one deal between Ada and Bob, which Bob ended a minute after Ada, and Ada a minute after it opened."""
    async with open_room(sqlite_url, count=1) as room:
        for name in ("Ada", "Bob"):
            room.people[name] = await player(room.first, name)
        _, made = await room.people["Ada"].post("/matches", {"against": "player", "opponent": "Bob", "deals": 1})
        room.evening = made["id"]
        await room.people["Bob"].ask("PUT", f"/evenings/{room.evening}/entrants/me", {})
        await room.pass_time(20_000)
        for name in ("Ada", "Bob"):
            await room.pass_time(MINUTE)
            await room.play(name)
        await settle(room)
        assert (await room.show("Ada"))["state"] == "final"
        exported = await export_room(room, tmp_path / "records")
        assert exported.recompute().agrees
        yield exported


def move_the_end(record: Record, milliseconds: int) -> None:
    """Let the last round, and all that follows, be earlier."""
    kinds = ("round_shortened", "round_closed", "ended", "finalised")
    for kind in kinds:
        event_of(record, kind)["recorded_at"] -= milliseconds


def let_another_join(record: Record) -> None:
    """Let somebody else accept the challenge of Bob."""
    record["events"][3]["data"]["player"] = "mallory"


def void_as_if_nobody_had_come(record: Record) -> None:
    """End the match by the clock as if nobody had accepted it, when its round opens."""
    number = next(place for place, one in enumerate(record["events"]) if one["type"] == "evening_round_opened")
    secret = event_of(record, "round_closed")["data"]["secret"]
    opened = record["events"][number]
    opened["type"] = "evening_voided"
    opened["data"] = {"reason": "no_opponent", "secrets": {"1": secret}}
    del record["events"][number + 1 :]


async def test_a_round_that_was_cut_short_before_the_opponent_had_ended_is_named(match: Exported) -> None:
    match.change(lambda record: move_the_end(record, MINUTE), sealed=False)
    found = match.recompute()
    assert not found.agrees
    assert any("round 1 was shortened before" in one for one in found.differences), found.differences


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (let_another_join, "evening_entrant_joined: mallory has no place in this match"),
        (void_as_if_nobody_had_come, "evening_voided: it is no match that waited for an opponent"),
    ],
)
async def test_a_match_with_somebody_else_or_without_an_end_is_named(
    match: Exported, web_verifier: WebVerifier, change: Callable[[Record], None], why: str
) -> None:
    assert judge(web_verifier, match).consistent
    match.change(change, sealed=False)
    with pytest.raises(EveningBroken, match=why):
        match.recompute()
    assert judge(web_verifier, match).checks["chain"] == "broken"


@pytest.fixture
async def arena(sqlite_url: str, tmp_path: Path) -> AsyncIterator[Exported]:
    """An arena of which Ann has played three deals."""
    async with open_room(sqlite_url, count=1) as room:
        await announce_arena(room, minutes=10)
        await room.guest("ann")
        await room.pass_time(10 * MINUTE)
        await play_runs(room, "ann", LOSS, LOSS, LOSS)
        await room.pass_time(60 * MINUTE)
        assert (await room.standing())["state"] == "final"
        exported = await export_room(room, tmp_path / "records")
        assert exported.recompute().agrees
        yield exported


def runs_in_order(exported: Exported) -> list[Path]:
    """The records of the runs, the earliest first."""
    return sorted(exported.games, key=lambda file: int(json.decode(file.read_bytes())["events"][0]["recorded_at"]))


@pytest.mark.slow
async def test_the_web_verifier_knows_the_events_of_an_arena(arena: Exported, web_verifier: WebVerifier) -> None:
    assert judge(web_verifier, arena).consistent
    for change in (leave_a_secret_out, close_early, close_a_round):
        whole = arena.file.read_bytes()
        arena.change(change, sealed=False)
        assert judge(web_verifier, arena).checks["chain"] == "broken", change.__name__
        arena.file.write_bytes(whole)


@pytest.mark.slow
async def test_a_run_that_was_left_out_of_an_arena_is_named_by_the_next_one(arena: Exported) -> None:
    _, second, third = runs_in_order(arena)
    second.unlink()
    arena.change(lambda record: record["runs"].remove(second.stem))
    assert arena.recompute().faults == {third.name: "deal 3 was opened, and deal 2 was not"}


def shift(file: Path, milliseconds: int) -> None:
    """Let a whole run have been earlier, with new hashes."""
    record = json.decode(file.read_bytes())
    head = hash_chain.START_HASH
    for one in record["events"]:
        one["recorded_at"] -= milliseconds
        said = (one["version"], one["type"], one["schema"], canonical_json(one["data"]), one["recorded_at"])
        head = hash_chain.event_hash(head, f"game/{record['game']}", *said)
        one["hash"] = head.hex()
    file.write_bytes(json.encode(record))


@pytest.mark.slow
async def test_a_deal_of_an_arena_that_was_opened_before_the_one_before_had_ended_is_named(arena: Exported) -> None:
    _, second, _ = runs_in_order(arena)
    shift(second, MINUTE + 1)
    assert arena.recompute().faults == {second.name: "deal 2 was opened before deal 1 had ended"}


@pytest.fixture
async def evening(sqlite_url: str, tmp_path: Path) -> AsyncIterator[Exported]:
    """An evening of two rounds; ann is in a team, the first round is extended, and the second one is void."""
    async with open_room(sqlite_url, count=1) as room:
        await room.announce(rounds=2, games=["klondike"] * 2, teams={"best": 1, "names": ["Reds", "Blues"]})
        for name, team in (("ann", "1"), ("bob", "2")):
            person = await room.guest(name)
            await person.ask("PUT", f"/evenings/{room.evening}/entrants/me", {"team": team})
        await room.pass_time(10 * MINUTE)
        await room.play("ann")
        await room.play("bob", 2)
        assert (await room.rule(kind="extend", seconds=60))[0] == 200
        await room.pass_time(12 * MINUTE)
        assert (await room.rule(kind="void_round", round=2, reason="No light."))[0] == 200
        await room.pass_time(60 * MINUTE)
        assert (await room.standing())["state"] == "final"
        exported = await export_room(room, tmp_path / "records")
        assert exported.recompute().agrees
        yield exported


def write_again(record: Record, kind: str, after: str, **data: Any) -> None:
    """Write an event once more, right after another one, as of the same moment, with some other data."""
    place = record["events"].index(event_of(record, after))
    one = event_of(record, kind)
    at = record["events"][place]["recorded_at"]
    record["events"].insert(place + 1, {**one, "recorded_at": at, "data": {**one["data"], **data}})


@pytest.mark.parametrize(
    ("kind", "after", "why"),
    [
        ("round_extended", "round_closed", "round_extended: only the open round is extended"),
        ("round_voided", "entry_opened", "round_voided: round 2 had not begun"),
        ("team_assigned", "entry_opened", "team_assigned: .* had not entered"),
        ("entrant_joined", "ended", "entrant_joined: nobody enters an evening that has ended"),
    ],
)
async def test_a_decision_at_a_time_at_which_it_was_impossible_is_named(
    evening: Exported, web_verifier: WebVerifier, kind: str, after: str, why: str
) -> None:
    assert judge(web_verifier, evening).consistent
    evening.change(lambda record: write_again(record, kind, after), sealed=False)
    with pytest.raises(EveningBroken, match=why):
        evening.recompute()
    assert judge(web_verifier, evening).checks["chain"] == "broken"


async def test_a_team_in_which_somebody_is_put_after_the_first_opening_changes_no_standing(evening: Exported) -> None:
    evening.change(lambda record: write_again(record, "team_assigned", "round_voided", team="2"), sealed=False)
    assert evening.recompute().agrees
    evening.change(lambda record: record["standing"]["teams"][0].update(members=9))
    assert "the standing, teams of 1: written" in evening.recompute().differences[0]
