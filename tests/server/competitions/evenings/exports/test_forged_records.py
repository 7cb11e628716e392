"""Records of matches and teams that a dishonest host could have written: both verifiers name each lie."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from msgspec import json

from cadogan.server.subjects.evenings.evening_record import EveningBroken
from tests.harness.evening_actions import MINUTE, PAUSE, ROUND, Room
from tests.harness.exported_evenings import Exported, Record, event_of, play_and_export
from tests.harness.web_verifier import WebVerifier
from tests.server.competitions.evenings.exports.test_web_verifier import judge


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


def test_a_match_that_was_cut_short_or_had_somebody_else_or_no_end_is_named(
    match: Exported, web_verifier: WebVerifier
) -> None:
    whole = match.file.read_bytes()
    match.forge(lambda record: move_the_end(record, MINUTE))
    found = match.recompute()
    assert not found.agrees
    assert any("round 1 was shortened before" in one for one in found.differences), found.differences
    for change, why in (
        (let_another_join, "evening_entrant_joined: mallory has no place in this match"),
        (void_as_if_nobody_had_come, "evening_voided: it is no match that waited for an opponent"),
    ):
        match.file.write_bytes(whole)
        match.forge(change)
        with pytest.raises(EveningBroken, match=why):
            match.recompute()
        assert judge(web_verifier, match).checks["chain"] == "broken", why


def write_again(record: Record, kind: str, after: str, **data: Any) -> None:
    """Write an event once more, right after another one, as of the same moment, with some other data."""
    place = record["events"].index(event_of(record, after))
    one = event_of(record, kind)
    at = record["events"][place]["recorded_at"]
    record["events"].insert(place + 1, {**one, "recorded_at": at, "data": {**one["data"], **data}})


def test_a_decision_at_a_time_at_which_it_was_impossible_is_named(teams: Exported, web_verifier: WebVerifier) -> None:
    whole = teams.file.read_bytes()
    for kind, after, why in (
        ("round_extended", "round_closed", "round_extended: only the open round is extended"),
        ("round_voided", "entry_opened", "round_voided: round 3 had not begun"),
        ("team_assigned", "entry_opened", "team_assigned: .* had not entered"),
        ("entrant_joined", "ended", "entrant_joined: nobody enters an evening that has ended"),
    ):
        teams.file.write_bytes(whole)
        teams.forge(partial(write_again, kind=kind, after=after))
        with pytest.raises(EveningBroken, match=why):
            teams.recompute()
        assert judge(web_verifier, teams).checks["chain"] == "broken", kind


def test_the_standing_of_the_teams_is_derived_and_a_changed_team_is_named(teams: Exported) -> None:
    record = json.decode(teams.file.read_bytes())
    assert [row["team"] for row in record["standing"]["teams"]] == ["1", "2"]
    teams.change(lambda one: event_of(one, "entrant_joined")["data"].update(team="2"))
    with pytest.raises(EveningBroken, match="its hash does not fit"):
        teams.recompute()


def test_a_team_in_which_somebody_is_put_after_the_first_opening_changes_no_standing(teams: Exported) -> None:
    ann = event_of(json.decode(teams.file.read_bytes()), "entrant_joined")["data"]["player"]
    teams.forge(lambda record: write_again(record, "team_assigned", "round_voided", player=ann, team="2"))
    assert teams.recompute().agrees
    teams.change(lambda record: record["standing"]["teams"][0].update(members=9))
    assert "the standing, teams of 1: written" in teams.recompute().differences[0]


def write_in_the_round(record: Record, kind: str, **data: Any) -> None:
    """Write an event right after round 1 opened."""
    opened = event_of(record, "round_opened")
    place = record["events"].index(opened) + 1
    record["events"].insert(place, {**opened, "type": f"evening_{kind}", "data": data})


def decide_as_a_player(record: Record, kind: str, **data: Any) -> None:
    """Let Ada, who plays in the match, decide something while the round is open."""
    write_in_the_round(record, kind, **data, by=event_of(record, "announced")["data"]["leader"])


def call_off_as_a_player(record: Record) -> None:
    """Let Ada void the match after its round has opened, as if she had withdrawn it before."""
    place = record["events"].index(event_of(record, "round_opened")) + 1
    secret = event_of(record, "round_closed")["data"]["secret"]
    decide_as_a_player(record, "voided", reason="withdrawn", secrets={"1": secret})
    del record["events"][place + 1 :]


def test_a_decision_of_who_plays_in_the_match_is_named(match: Exported, web_verifier: WebVerifier) -> None:
    whole = match.file.read_bytes()
    until = event_of(json.decode(whole), "round_opened")["recorded_at"] + MINUTE
    for change in (
        partial(decide_as_a_player, kind="round_extended", round=1, seconds=60),
        partial(decide_as_a_player, kind="round_voided", round=1, reason="Bob was better."),
        partial(decide_as_a_player, kind="outage_noted", **{"from": until - MINUTE, "until": until}),
        call_off_as_a_player,
    ):
        match.file.write_bytes(whole)
        match.forge(change)
        with pytest.raises(EveningBroken, match="plays in this match"):
            match.recompute()
        assert judge(web_verifier, match).checks["chain"] == "broken", change


def test_a_round_that_is_extended_by_less_than_nothing_is_named(teams: Exported, web_verifier: WebVerifier) -> None:
    teams.forge(partial(write_in_the_round, kind="round_extended", round=1, seconds=-60, by="x"))
    with pytest.raises(EveningBroken, match="round_extended: a round that is extended closes later"):
        teams.recompute()
    assert judge(web_verifier, teams).checks["chain"] == "broken"


def change_who_joined(record: Record, key: str, value: str) -> None:
    """Change what is written of the first entrant."""
    event_of(record, "entrant_joined")["data"][key] = value


def test_a_person_among_the_bots_and_a_bot_among_the_people_are_named(
    teams: Exported, web_verifier: WebVerifier
) -> None:
    whole = teams.file.read_bytes()
    for key, value, why in (("kind", "bot", " is no bot"), ("player", "bot-aaaabbbbccccdddd", " is no person")):
        teams.file.write_bytes(whole)
        teams.forge(partial(change_who_joined, key=key, value=value))
        with pytest.raises(EveningBroken, match=why):
            teams.recompute()
        assert judge(web_verifier, teams).checks["chain"] == "broken", why


async def play_with_a_final(room: Room) -> None:
    """Two rounds of three players, and a final of the two best, cat not among them."""
    await room.announce(rounds=2, games=["klondike"] * 3, final={"rounds": 1, "best": 2})
    for name in ("ann", "bob", "cat"):
        await room.guest(name)
    await room.pass_time(10 * MINUTE)
    for _ in range(2):
        for moves, name in enumerate(("ann", "bob", "cat")):
            await room.play(name, moves)
        await room.pass_time(ROUND + PAUSE)
    await room.pass_time(5 * MINUTE - PAUSE)
    for moves, name in enumerate(("ann", "bob")):
        await room.play(name, moves)
    await room.pass_time(ROUND + 30 * MINUTE)
    assert (await room.standing())["state"] == "final"


async def test_finalists_whom_the_first_stage_does_not_give_or_nobody_or_too_early_are_named(
    sqlite_url: str, tmp_path: Path, web_verifier: WebVerifier
) -> None:
    final = await play_and_export(play_with_a_final, sqlite_url, tmp_path / "final")
    assert judge(web_verifier, final).consistent
    whole = final.file.read_bytes()

    def name_cat(record: Record) -> None:
        players = [one["data"]["player"] for one in record["events"] if one["type"] == "evening_entrant_joined"]
        event_of(record, "finalists_named")["data"]["players"]["people"] = sorted(players[1:])

    def name_nobody(record: Record) -> None:
        record["events"].remove(event_of(record, "finalists_named"))

    def name_early(record: Record) -> None:
        named = event_of(record, "finalists_named")
        opened = event_of(record, "round_opened")
        name_nobody(record)
        place = record["events"].index(opened)
        record["events"].insert(place, {**named, "recorded_at": opened["recorded_at"]})

    final.forge(name_cat)
    assert any("the finalists: written" in one for one in final.recompute().differences)
    for change in (name_nobody, name_early):
        final.file.write_bytes(whole)
        final.forge(change)
        with pytest.raises(EveningBroken, match="it does not follow here"):
            final.recompute()
        assert judge(web_verifier, final).checks["chain"] == "broken", change.__name__
