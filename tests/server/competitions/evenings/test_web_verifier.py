"""The web client's verifier of evenings: it agrees with ours on a real one, and names the same lies."""

from collections.abc import Callable, Iterator

import pytest
from msgspec import json

from cadogan.server.subjects.audit.recompute_evening import recompute_evening
from cadogan.server.subjects.evenings.evening_record import EveningBroken
from tests.harness.web_verifier import Verdict, WebVerifier, verify_in_node
from tests.server.competitions.evenings import test_certified_evenings, test_recomputed_evenings
from tests.server.competitions.evenings.test_certified_evenings import drand, exported
from tests.server.competitions.evenings.test_recomputed_evenings import Exported, Record, event_of

__all__ = ["drand", "exported"]


@pytest.fixture
def web_verifier() -> Iterator[WebVerifier]:
    """The web client's verifier, started once for each test."""
    verifier = WebVerifier()
    with verifier.process:
        yield verifier


def judge(web_verifier: WebVerifier, exported: Exported) -> Verdict:
    """What the web client's verifier says of the evening with its runs."""
    runs = [file.read_bytes() for file in exported.games]
    return web_verifier.verdict(exported.file.read_bytes(), None, json.decode(exported.host.read_bytes()), runs)


async def test_an_evening_with_its_runs_is_in_order_and_its_digest_is_in_the_log(
    exported: Exported, web_verifier: WebVerifier
) -> None:
    found = judge(web_verifier, exported)
    assert (found.consistent, found.attested) == (True, True), found
    assert {name: found.checks[name] for name in ("seal", "chain", "runs", "end", "log")} == dict.fromkeys(
        ("seal", "chain", "runs", "end", "log"), "holds"
    )
    assert found.checks["certificates"] == "partly", "whether its lines win needs the rules"
    code, said = verify_in_node("--trust", exported.host, exported.file, *exported.games[1:])
    assert (code, said["checks"]["runs"], said["missing"]) == (0, "partly", [exported.games[0].stem])
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
    *(change for change, why in test_certified_evenings.FORGED if why not in BY_OURS),
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


async def test_both_verifiers_name_every_lie(exported: Exported, web_verifier: WebVerifier) -> None:
    whole = exported.file.read_bytes()
    for change in FORGED:
        exported.file.write_bytes(whole)
        exported.change(change, sealed=False)
        exported.change(lambda record: record.pop("proof"))
        try:
            agrees = recompute_evening(exported.evening, exported.folder, exported.trust).agrees
        except EveningBroken:
            agrees = False
        found = judge(web_verifier, exported)
        assert (agrees, found.consistent) == (False, False), change.__name__


async def test_a_run_that_was_changed_or_exchanged_is_named(exported: Exported, web_verifier: WebVerifier) -> None:
    one, other = exported.games[:2]
    text = one.read_bytes()
    one.write_bytes(text.replace(b'"result":"resigned"', b'"result":"lost"'))
    assert judge(web_verifier, exported).checks["runs"] == "broken"
    changed = json.decode(text)
    changed["game"], changed["stream"] = "aaaabbbbccccdddd", "game/aaaabbbbccccdddd"
    one.write_bytes(json.encode(changed))
    assert judge(web_verifier, exported).checks["runs"] == "broken"
    one.write_bytes(other.read_bytes())
    code, said = verify_in_node(exported.file, *exported.games)
    assert (code, said["missing"]) == (0, [one.stem]), "given twice, and one is missing"
