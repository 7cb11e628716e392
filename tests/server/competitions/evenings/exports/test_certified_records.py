"""The deals of an evening are certified and follow from a beacon, and every lie about that is named."""

from collections.abc import Callable

import pytest
from msgspec import json

from cadogan.server.core.fairness.commit_reveal import COMPETITION_DIGITS, round_digest
from cadogan.server.subjects.audit import game_audit
from cadogan.server.subjects.evenings.evening_record import EveningBroken
from tests.harness.command_line import run
from tests.harness.exported_evenings import Exported, Record, event_of


def test_the_deals_follow_from_the_beacon_and_have_certificates_that_everybody_can_check(
    certified: Exported,
) -> None:
    found = certified.recompute()
    assert found.agrees, found
    state = found.evening.state
    assert state.signed is not None
    assert sorted(state.certificates) == [1, 2]
    for game in certified.games:
        verdict = game_audit.verify(game.read_bytes())
        assert (verdict.consistent, verdict.beacon) == (True, state.signed), verdict.reason
        assert json.decode(game.read_bytes())["nonce"].endswith("@" + round_digest(state.signed)[:COMPETITION_DIGITS])
    files = ("--from", str(certified.folder), "--trust", str(certified.host))
    said = run("recompute", certified.evening, *files, "--resolve")
    assert said.exit_code == 0, said.output
    assert "can be won, its line has" in said.output
    assert "cards: from the secret and round" in said.output
    assert said.output.count("the search finds the same candidate") == 2
    said = run("verify", str(certified.file), "--trust", str(certified.host))
    assert (said.exit_code, "can be won, its line has" in said.output) == (0, True), said.output


def exchange_the_round(record: Record) -> None:
    event_of(record, "announced")["data"]["beacon"]["round"] += 1


def announce_late(record: Record) -> None:
    announced = event_of(record, "announced")
    for one in record["events"][: record["events"].index(event_of(record, "drawn"))]:
        one["recorded_at"] = announced["data"]["rounds"][0]["opens_at"]


def exchange_the_signature(record: Record) -> None:
    event_of(record, "drawn")["data"]["signature"] = "ab" * 48


def leave_out_the_draw(record: Record) -> None:
    record["events"].remove(event_of(record, "drawn"))


def say_that_the_beacon_was_away(record: Record) -> None:
    del event_of(record, "drawn")["data"]["signature"]


def exchange_a_seal(record: Record) -> None:
    event_of(record, "round_opened")["data"]["seal"] = "ab" * 32


def leave_out_a_seal(record: Record) -> None:
    del event_of(record, "round_opened")["data"]["seal"]


def leave_out_a_certificate(record: Record) -> None:
    del event_of(record, "round_closed")["data"]["certificate"]


def change_a_line(record: Record) -> None:
    event_of(record, "round_closed")["data"]["certificate"]["line"].pop()


def promise_no_certificate(record: Record) -> None:
    del event_of(record, "announced")["data"]["rounds"][0]["search"]


FORGED: list[tuple[Callable[[Record], None], str]] = [
    (exchange_the_round, "is not the one from which its cards should follow"),
    (announce_late, "it was announced when round .* of the beacon was known"),
    (exchange_the_signature, "this is not the signature of round"),
    (leave_out_the_draw, "evening_round_opened: it does not follow here"),
    (say_that_the_beacon_was_away, "the certificate of round 1: "),
    (exchange_a_seal, "the certificate of round 1 does not fit its seal"),
    (leave_out_a_seal, "round 1 has a seal without a certificate, or a certificate without a seal"),
    (leave_out_a_certificate, "round 1 has a seal without a certificate, or a certificate without a seal"),
    (change_a_line, "the certificate of round 1 does not fit its seal"),
    (promise_no_certificate, "no certificate of round 1 was announced"),
]


def test_every_lie_about_beacon_and_certificates_is_named(certified: Exported) -> None:
    whole = certified.file.read_bytes()
    for change, why in FORGED:
        certified.file.write_bytes(whole)
        certified.change(change, sealed=False)
        with pytest.raises(EveningBroken, match=why):
            certified.recompute()


def test_a_run_of_another_candidate_is_named(certified: Exported) -> None:
    certified.change(lambda record: record.pop("proof"))
    record = json.decode(certified.file.read_bytes())
    for one in record["events"]:  # as if neither deal had been certified, and the beacon away
        for key in ("seal", "certificate", "signature"):
            one["data"].pop(key, None)
    certified.file.write_bytes(json.encode(record))
    certified.change(lambda _: None, sealed=False)
    faults = certified.recompute().faults
    assert any("its cards are not those of the candidate and the beacon of round" in why for why in faults.values())
