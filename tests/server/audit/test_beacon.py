"""Cards that follow from a beacon, too: both verifiers check the round offline, and find what is wrong with it."""

import copy
from collections.abc import Callable
from typing import Any

import pytest
from click.testing import CliRunner
from msgspec import json
from msgspec.structs import replace

from cadogan.server.cli.verify import verify_command
from cadogan.server.core.fairness.commit_reveal import chain_hash, round_at
from cadogan.server.subjects.audit import game_audit
from cadogan.server.subjects.daily.day_record import DayBroken, verify_day
from cadogan.wire.beacon import SignedRound
from tests.harness import game_steps, sample_days, sample_records
from tests.harness.drand_chain import DrandChain, recorded_round
from tests.harness.sample_days import BEFORE, signed_round
from tests.harness.sample_records import Record, rules_of
from tests.harness.web_verifier import Verdict, WebVerifier
from tests.server.audit.test_game_audit import chained

pytestmark = pytest.mark.usefixtures("beacon_library")

STRANGER = DrandChain(7)


def theirs(web_verifier: WebVerifier, record: Record, slug: str) -> Verdict:
    """What the web client's verifier says."""
    return web_verifier.verdict(json.encode(record), rules_of(slug))


def test_both_verifiers_accept_a_game_with_its_round(web_verifier: WebVerifier) -> None:
    record = sample_records.beacon()
    verdict = game_audit.verify(json.encode(record))
    assert verdict.consistent, verdict.reason
    assert verdict.beacon == signed_round()
    said = theirs(web_verifier, record, "quatorze")
    assert said.consistent
    assert said.checks["beacon"] == "holds"


def without_the_round(record: Record) -> None:
    del record["beacon"]


def with_the_signature_of_another_round(record: Record) -> None:
    record["beacon"]["signature"] = DrandChain().signature(record["beacon"]["round"] + 1)


def with_a_recorded_round_of_quicknet(record: Record) -> None:
    record["beacon"] = json.decode(json.encode(recorded_round(1000)))


def with_the_round_of_a_chain_of_ones_own(record: Record) -> None:
    dealt_with(record, STRANGER.sign(signed_round_of(STRANGER)), is_announced=False)


def with_a_later_round(record: Record) -> None:
    own = DrandChain()
    dealt_with(record, own.sign(replace(signed_round_of(own), round=signed_round().round + 1)))


def with_fewer_digits(record: Record) -> None:
    for place in (record, record["events"][0]["data"]):
        place["nonce"] = place["nonce"][:-1]


def with_a_round_and_the_secret_alone(record: Record) -> None:
    other = sample_records.recorded(game_steps.begin("quatorze", game_steps.DAY))
    record["nonce"], record["events"] = other["nonce"], other["events"]


def as_a_casual_game(record: Record) -> None:
    record["events"][0]["data"] |= {"day": None, "slot": None, "ranked": False}


def on_no_day(record: Record) -> None:
    nonce = record["nonce"].replace(game_steps.DAY, "2026-02-30")
    record["nonce"] = nonce
    record["events"][0]["data"] |= {"nonce": nonce, "day": "2026-02-30", "deal": "2026-02-30.1"}


def signed_round_of(chain: DrandChain) -> Any:
    """The round of a chain with which the day begins."""
    return round_at(chain.chain, BEFORE + 86_400_000)


def dealt_with(record: Record, signed: SignedRound, is_announced: bool = True) -> None:
    """Deal the cards again with another round; not told, the nonce stays that of the first one."""
    record["beacon"] = json.decode(json.encode(signed))
    if is_announced:
        end = sample_days.nonce_end(2, signed)
        other = sample_records.recorded(game_steps.begin("quatorze", game_steps.DAY, end))
        record["nonce"], record["events"] = other["nonce"], other["events"]


WRONG: dict[Callable[[Record], None], int] = {
    without_the_round: 1,
    with_the_signature_of_another_round: 0,
    with_a_recorded_round_of_quicknet: 0,
    with_the_round_of_a_chain_of_ones_own: 0,
    with_a_later_round: 1,
    with_fewer_digits: 0,
    with_a_round_and_the_secret_alone: 0,
    as_a_casual_game: 1,
    on_no_day: 1,
}


@pytest.mark.parametrize("change", WRONG, ids=lambda one: one.__name__)
def test_a_wrong_round_is_found_by_both_where_it_is_wrong(
    web_verifier: WebVerifier, change: Callable[[Record], None]
) -> None:
    record = copy.deepcopy(sample_records.beacon())
    change(record)
    record = chained(record)
    verdict = game_audit.verify(json.encode(record))
    assert (verdict.consistent, verdict.broken_at) == (False, WRONG[change]), verdict.reason
    said = theirs(web_verifier, record, "quatorze")
    assert (said.consistent, said.broken_at) == (False, WRONG[change])


def test_both_verifiers_accept_a_day_with_its_round_and_one_whose_beacon_was_away(web_verifier: WebVerifier) -> None:
    day = verify_day(json.encode(sample_days.beacon_day()))
    assert day.beacon == signed_round()
    assert [day.nonce(deal) for deal in day.deals] == [
        f"{game_steps.DAY}.1{sample_days.nonce_end(3)}",
        f"{game_steps.DAY}.2{sample_days.nonce_end(0)}",
    ]
    assert theirs(web_verifier, sample_days.beacon_day(), "caesar").checks["beacon"] == "holds"
    away = verify_day(json.encode(sample_days.beaconless_day()))
    assert (away.beacon, away.nonce(away.deals[0])) == (None, away.deals[0])
    said = theirs(web_verifier, sample_days.beaconless_day(), "caesar")
    assert (said.consistent, said.checks["beacon"]) == (True, "partly")


@pytest.mark.parametrize("left_out", [True, False])
def test_a_certified_day_without_its_signature_or_by_another_name_of_the_chain_has_a_line_that_does_not_win(
    left_out: bool,
) -> None:
    record = copy.deepcopy(sample_days.beacon_day())
    announced, drawn = (event["data"] for event in record["events"][:2])
    if left_out:
        drawn["signature"] = None
    else:
        announced["beacon"]["chain"]["beacon_id"] = "quicknet"
    with pytest.raises(DayBroken, match=r"certificate of 2026-11-20\.1"):
        verify_day(json.encode(sample_days.chained_again(record)))


def said(text: bytes) -> tuple[list[str], Any]:
    """What `cadogan verify` says to people and to programs of the beacon."""
    runner = CliRunner()
    people = runner.invoke(verify_command, ["-"], input=text)
    programs = runner.invoke(verify_command, ["-", "--json"], input=text)
    assert (people.exit_code, programs.exit_code) == (0, 0), people.output
    return [line for line in people.output.splitlines() if line.startswith("cards:")], json.decode(programs.output)[
        "beacon"
    ]


def test_the_command_says_from_what_the_cards_follow() -> None:
    chain, number = chain_hash(signed_round().chain), signed_round().round
    from_both = [f"cards: from the secret and round {number} of the beacon {chain}, due at 2026-11-20 00:00:01+00:00"]
    announced_beacon = {"chain": chain, "round": number, "away": False}
    for record in (sample_records.beacon(), sample_days.beacon_day()):
        assert said(json.encode(record)) == (from_both, announced_beacon)
    alone = f"cards: from the secret alone; round {number} of the beacon {chain} was announced, and the beacon was away"
    assert said(json.encode(sample_days.beaconless_day())) == ([alone], {**announced_beacon, "away": True})
    for record in (sample_records.daily(), sample_days.certified_day()):
        assert said(json.encode(record)) == ([], None)


def another_signature(events: list[Any]) -> None:
    events[1]["data"]["signature"] = DrandChain().signature(1)


def no_draw(events: list[Any]) -> None:
    del events[1]


def a_draw_that_was_not_announced(events: list[Any]) -> None:
    del events[0]["data"]["beacon"]


def a_later_round(events: list[Any]) -> None:
    events[0]["data"]["beacon"]["round"] += 1
    events[1]["data"]["signature"] = DrandChain().signature(events[0]["data"]["beacon"]["round"])


def another_chain(events: list[Any]) -> None:
    events[0]["data"]["beacon"]["chain"] = json.decode(json.encode(STRANGER.chain))


def announced_when_it_was_known(events: list[Any]) -> None:
    events[0]["recorded_at"] = BEFORE + 86_400_000 + 1000


def a_key_more(events: list[Any]) -> None:
    events[0]["data"]["beacon"]["chain"]["more"] = 1


def a_period_of_nothing(events: list[Any]) -> None:
    events[0]["data"]["beacon"]["chain"]["period"] = 0


def two_draws(events: list[Any]) -> None:
    events.insert(1, {**events[1]})


DAYS_BROKEN = [
    another_signature,
    no_draw,
    a_draw_that_was_not_announced,
    a_later_round,
    another_chain,
    announced_when_it_was_known,
    a_key_more,
    a_period_of_nothing,
    two_draws,
]


@pytest.mark.parametrize("change", DAYS_BROKEN, ids=lambda one: one.__name__)
def test_a_day_with_a_wrong_round_is_refused_by_both(
    web_verifier: WebVerifier, change: Callable[[list[Any]], None]
) -> None:
    record = copy.deepcopy(sample_days.beacon_day())
    change(record["events"])
    record = sample_days.chained_again(record)
    with pytest.raises(DayBroken):
        verify_day(json.encode(record))
    assert not theirs(web_verifier, record, "caesar").consistent
