"""Records of matches and teams that a dishonest host could have written: both verifiers name each lie."""

from functools import partial
from typing import Any

import pytest
from msgspec import json

from cadogan.server.subjects.evenings.evening_record import EveningBroken
from tests.harness.evening_actions import MINUTE
from tests.harness.exported_evenings import Exported, Record, event_of
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
