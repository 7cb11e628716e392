"""The web client's verifier of evenings: it agrees with ours on real ones of every kind, and names the same lies."""

from collections.abc import Callable

import pytest
from msgspec import json

from cadogan.server.subjects.evenings.evening_record import EveningBroken
from tests.harness.exported_evenings import Exported, Record, event_of
from tests.harness.web_verifier import Verdict, WebVerifier, verify_in_node
from tests.server.competitions.evenings.exports import (
    test_certified_records,
    test_recomputed_arenas,
    test_recomputed_evenings,
)


def judge(web_verifier: WebVerifier, evening: Exported) -> Verdict:
    """What the web client's verifier says of the evening with its runs."""
    runs = [file.read_bytes() for file in evening.games]
    return web_verifier.verdict(evening.file.read_bytes(), None, json.decode(evening.host.read_bytes()), runs)


def test_an_evening_of_every_kind_is_in_order_with_its_runs_and_its_digest_is_in_the_log(
    certified: Exported, arena: Exported, match: Exported, teams: Exported, web_verifier: WebVerifier
) -> None:
    for one in (certified, arena, match, teams):
        found = judge(web_verifier, one)
        assert (found.consistent, found.attested) == (True, True), found
        assert {found.checks[name] for name in ("seal", "chain", "runs", "end", "log")} == {"holds"}, found


def test_without_the_rules_or_a_run_the_command_says_what_it_could_not_check(
    certified: Exported, web_verifier: WebVerifier
) -> None:
    found = judge(web_verifier, certified)
    assert found.checks["certificates"] == "partly", "whether its lines win needs the rules"
    code, said = verify_in_node("--trust", certified.host, certified.file, *certified.games[1:])
    assert (code, said["checks"]["runs"], said["missing"]) == (0, "partly", [certified.games[0].stem])
    assert "standing" in said["not_checked"]


def exchange_the_digest(record: Record) -> None:
    event_of(record, "finalised")["data"]["digest"] = "ab" * 32


def name_a_stranger(record: Record) -> None:
    record["runs"].append("aaaabbbbccccdddd")


def object_as_nobody(record: Record) -> None:
    event_of(record, "ended")["type"] = "evening_objection_raised"
    event_of(record, "objection_raised")["data"] = {"objection": "x", "player": "nobody", "round": 1}


def extend_no_round(record: Record) -> None:
    record["events"].insert(
        record["events"].index(event_of(record, "round_closed")),
        {
            **event_of(record, "round_closed"),
            "type": "evening_round_extended",
            "data": {"round": 9, "seconds": 1, "by": "x"},
            "recorded_at": event_of(record, "round_opened")["recorded_at"],
        },
    )


def enter_by_magic(record: Record) -> None:
    event_of(record, "announced")["data"]["entry"] = "magic"


def score_by_magic(record: Record) -> None:
    event_of(record, "announced")["data"]["settings"]["scoring"] = "magic"


BY_OURS = ("the certificate of round 1: ", "it is no run")
FORGED: list[Callable[[Record], None]] = [
    *(change for change, why in test_certified_records.FORGED if why not in BY_OURS),
    test_recomputed_evenings.change_a_secret,
    test_recomputed_evenings.close_early,
    test_recomputed_evenings.change_a_total,
    test_recomputed_evenings.leave_out_a_row,
    test_recomputed_evenings.leave_out_an_entrant,
    exchange_the_digest,
    name_a_stranger,
    object_as_nobody,
    extend_no_round,
    enter_by_magic,
    score_by_magic,
]


def test_both_verifiers_name_every_lie(certified: Exported, web_verifier: WebVerifier) -> None:
    whole = certified.file.read_bytes()
    for change in FORGED:
        certified.file.write_bytes(whole)
        certified.forge(change)
        try:
            agrees = certified.recompute().agrees
        except EveningBroken:
            agrees = False
        found = judge(web_verifier, certified)
        assert (agrees, found.consistent) == (False, False), change.__name__


def test_a_wrong_closing_of_an_arena_is_named(arena: Exported, web_verifier: WebVerifier) -> None:
    whole = arena.file.read_bytes()
    for change, why in test_recomputed_arenas.WRONG_CLOSINGS:
        arena.file.write_bytes(whole)
        arena.forge(change)
        check = "seal" if "secret" in why else "chain"
        assert judge(web_verifier, arena).checks[check] == "broken", change.__name__


def shorten_another_round(record: Record) -> None:
    """Let a round close early that is not open."""
    event_of(record, "round_shortened")["data"]["round"] = 2


def make_it_no_match(record: Record) -> None:
    """Leave out what lets its round close early."""
    del event_of(record, "announced")["data"]["match"]


def test_a_round_closes_early_only_in_a_match_and_while_it_is_open(match: Exported, web_verifier: WebVerifier) -> None:
    whole = match.file.read_bytes()
    for change in (shorten_another_round, make_it_no_match):
        match.file.write_bytes(whole)
        match.forge(change)
        assert judge(web_verifier, match).checks["chain"] == "broken", change.__name__


def test_the_id_of_a_team_is_written_in_one_way(teams: Exported, web_verifier: WebVerifier) -> None:
    whole = teams.file.read_bytes()
    for odd in ("01", " 1", "1.0", "+1", "0", "3"):

        def change(record: Record, team: str = odd) -> None:
            event_of(record, "team_assigned")["data"]["team"] = team

        teams.file.write_bytes(whole)
        teams.forge(change)
        assert judge(web_verifier, teams).checks["chain"] == "broken", odd
        with pytest.raises(EveningBroken, match="no team"):
            teams.recompute()


def test_a_run_that_was_changed_or_exchanged_is_named(certified: Exported, web_verifier: WebVerifier) -> None:
    one, other = certified.games[:2]
    text = one.read_bytes()
    one.write_bytes(text.replace(b'"result":"resigned"', b'"result":"lost"'))
    assert judge(web_verifier, certified).checks["runs"] == "broken"
    changed = json.decode(text)
    changed["game"], changed["stream"] = "aaaabbbbccccdddd", "game/aaaabbbbccccdddd"
    one.write_bytes(json.encode(changed))
    assert judge(web_verifier, certified).checks["runs"] == "broken"
    one.write_bytes(other.read_bytes())
    code, said = verify_in_node(certified.file, *certified.games)
    assert (code, said["missing"]) == (0, [one.stem]), "given twice, and one is missing"
