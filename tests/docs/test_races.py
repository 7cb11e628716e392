"""What the page about races says is so."""

import json
import re
from pathlib import Path

from msgspec.structs import fields

from cadogan.server.core.eventlog import events, race_events
from cadogan.server.core.fairness import commit_reveal
from cadogan.server.core.ranking import race_rank_key, ranks
from cadogan.server.subjects.races import race_state

FACTS = (
    race_events.RaceOpened,
    race_events.PlayerJoined,
    race_events.PlayerLeft,
    race_events.RaceStarted,
    race_events.RaceFinished,
    race_events.RematchOpened,
)
PAGE = (Path(__file__).parents[2] / "docs" / "races.md").read_text("utf-8")


def test_the_nonce_of_a_race_is_that_of_the_page() -> None:
    (block,) = re.findall(r"```json nonce\n(.*?)```", PAGE, re.DOTALL)
    shown = json.loads(block)
    assert commit_reveal.shared_nonce(shown["nonces"]) == shown["nonce"]


def test_the_order_of_a_race_is_that_of_the_page() -> None:
    (block,) = re.findall(r"```json order\n(.*?)```", PAGE, re.DOTALL)
    shown = json.loads(block)
    expected = [row.pop("rank") for row in shown]
    keys = [race_rank_key(race_events.RaceResult(game="g", score=0, **row)) for row in shown]
    assert keys == sorted(keys)
    assert ranks(keys) == expected


def test_the_page_tells_every_event_of_a_race_and_every_key_of_it() -> None:
    documented = dict(re.findall(r"^\| `([a-z_]+)` \| (.*) \|$", PAGE, re.MULTILINE))
    for kind in FACTS:
        keys = documented[events.EVENT_NAMES[kind]]
        assert [field.encode_name for field in fields(kind) if f"`{field.encode_name}`" not in keys] == []
    assert all(f"`{field.name}`" in documented["match_finished"] for field in fields(race_events.RaceResult))


def test_the_page_names_the_patience_with_a_race_that_nobody_starts() -> None:
    assert race_state.START_TIMEOUT_MILLISECONDS == 3_600_000
    assert "not started within an hour" in PAGE
