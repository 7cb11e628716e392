"""A day's record alone shows that its certified deals can be won, to both verifiers; what was forged is refused."""

import copy
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from msgspec import json, structs

from cadogan.engine.solver import SOLVER_VERSION
from cadogan.server.cli.verify import verify_command
from cadogan.server.core.eventlog.events import DealSearch, LineMove
from cadogan.server.core.fairness.certificates import search_candidate
from cadogan.server.core.fairness.commit_reveal import MAX_CANDIDATES
from cadogan.server.subjects.daily.day_record import DayBroken, VerifiedDay, search_again, verify_day
from tests.harness import sample_days
from tests.harness.game_steps import DAY, SECRET
from tests.harness.sample_days import (
    BEFORE,
    CERTIFIED,
    SPAN,
    Record,
    certificate,
    certified_day,
    day_with,
    forged,
    old_day,
)
from tests.harness.sample_records import rules_of
from tests.harness.web_verifier import Verdict, WebVerifier, verify_in_node


def verified(record: Record) -> VerifiedDay:
    """What a record of a day says; raises DayBroken."""
    return verify_day(json.encode(record))


def theirs(web_verifier: WebVerifier, record: Record) -> Verdict:
    """What the web client's verifier says, with the rules of the certified game."""
    return web_verifier.verdict(json.encode(record), rules_of(CERTIFIED.game))


def test_both_verifiers_accept_a_certified_day_from_its_record_alone(web_verifier: WebVerifier) -> None:
    day = verified(certified_day())
    assert day.closed.certificates == (certificate(),)
    assert [day.nonce(deal) for deal in day.deals] == [f"{DAY}.1/{certificate().candidate}", f"{DAY}.2"]
    said = theirs(web_verifier, certified_day())
    assert said.consistent
    assert said.checks == {
        "seal": "holds",
        "chain": "holds",
        "certificates": "holds",
        "effects": "partly",
        "shuffles": "holds",
    }


def announce_nothing(record: Record) -> None:
    record["events"][0]["data"]["deals"] = ""


def search_in_the_first_schema(record: Record) -> None:
    record["events"][0]["data"]["deals"][0]["search"] = None


def name_struck_runs_in_the_first_schema(record: Record) -> None:
    record["events"][-1]["data"]["struck"] = {}


def seal_in_the_first_schema(record: Record) -> None:
    record["events"][1]["data"]["certificates"] = {}


def write_the_opening_in_the_first_schema(record: Record) -> None:
    record["events"][1]["schema"] = 1


def write_the_announcement_in_the_first_schema(record: Record) -> None:
    record["events"][0]["schema"] = 1


@pytest.mark.parametrize(
    ("make", "change"),
    [
        (sample_days.old_day, announce_nothing),
        (sample_days.old_day, search_in_the_first_schema),
        (sample_days.old_day, name_struck_runs_in_the_first_schema),
        (sample_days.old_day, seal_in_the_first_schema),
        (sample_days.certified_day, write_the_opening_in_the_first_schema),
        (sample_days.certified_day, write_the_announcement_in_the_first_schema),
    ],
)
def test_an_event_of_a_day_has_what_its_schema_has_for_both_verifiers(
    web_verifier: WebVerifier, make: Callable[[], Record], change: Callable[[Record], None]
) -> None:
    record = make()
    assert theirs(web_verifier, record).consistent
    change(record)
    record = sample_days.chained_again(record)
    with pytest.raises(DayBroken):
        verified(record)
    assert not theirs(web_verifier, record).consistent


@pytest.mark.parametrize("wrong", [["bobs-game"], {"bobs-game": 1}, None, "bobs-game"])
def test_what_a_day_says_of_struck_runs_is_reasons_by_game_for_both_verifiers(
    web_verifier: WebVerifier, wrong: object
) -> None:
    record = sample_days.struck_day()
    assert verified(record).closed.struck == {"bobs-game": "cheating"}
    assert web_verifier.verdict(json.encode(record), None).consistent
    record["events"][-1]["data"]["struck"] = wrong
    record = sample_days.chained_again(record)
    with pytest.raises(DayBroken):
        verified(record)
    assert not web_verifier.verdict(json.encode(record), None).consistent


def test_a_day_that_announces_two_games_under_one_deal_is_refused_by_both(web_verifier: WebVerifier) -> None:
    record = certified_day()
    deals = record["events"][0]["data"]["deals"]
    deals.append(deals[0] | {"game": "freecell", "search": None})
    record = sample_days.chained_again(record)
    with pytest.raises(DayBroken, match="the announcement names a deal twice"):
        verified(record)
    said = theirs(web_verifier, record)
    assert (said.consistent, said.checks["seal"]) == (False, "broken")


HOUR = 3_600_000
WRONG_TIMES = {
    "announced after it had opened": (0, SPAN.opens_at + HOUR),
    "announced after its end": (0, SPAN.ends_at),
    "opened a day early": (1, BEFORE + 1),
    "opened a millisecond early": (1, SPAN.opens_at - 1),
    "opened after its end": (1, SPAN.ends_at),
    "closed an hour after it had opened": (2, SPAN.opens_at + HOUR),
    "closed a millisecond before its end": (2, SPAN.ends_at - 1),
    "closed before it was announced": (2, BEFORE - 1),
}


def certified_day_at(place: int, at: int) -> Record:
    """The certified day with another time of one event."""
    record = certified_day()
    record["events"][place]["recorded_at"] = at
    return sample_days.chained_again(record)


@pytest.mark.parametrize("wrong", WRONG_TIMES)
def test_a_day_with_times_that_the_calendar_does_not_allow_is_refused_by_both(
    web_verifier: WebVerifier, wrong: str
) -> None:
    record = certified_day_at(*WRONG_TIMES[wrong])
    with pytest.raises(DayBroken, match=r"time|closed before its end"):
        verified(record)
    said = theirs(web_verifier, record)
    assert (said.consistent, said.checks["chain"]) == (False, "broken")


@pytest.mark.parametrize(
    ("place", "at", "late"),
    [
        (0, SPAN.opens_at, []),
        (0, SPAN.opens_at + 1, ["announced"]),
        (1, SPAN.ends_at - 1, []),
        (2, SPAN.ends_at, []),
        (2, SPAN.ends_at + 24 * HOUR, []),
        (2, SPAN.ends_at + 240 * HOUR, ["closed"]),
    ],
)
def test_a_moment_that_came_late_breaks_no_day_and_is_named_by_both(
    place: int, at: int, late: list[str], tmp_path: Path
) -> None:
    file = tmp_path / "day.json"
    file.write_bytes(json.encode(certified_day_at(place, at)))
    for_people, for_programs = (CliRunner().invoke(verify_command, [str(file), *more]) for more in ([], ["--json"]))
    assert (for_people.output.count("late: "), json.decode(for_programs.output)["late"]) == (len(late), late)
    code, answer = verify_in_node(file)
    assert (code, answer["late"]) == (0, late)


@pytest.mark.parametrize("digest", ["ab" * 31, "AB" * 32, "ab" * 32 + "\n", "ab" * 33, ""])
@pytest.mark.parametrize("make", [certified_day, old_day], ids=["certified", "of before certificates"])
def test_the_digest_of_a_board_has_64_lower_case_digits_for_both_verifiers(
    web_verifier: WebVerifier, make: Callable[[], Record], digest: str
) -> None:
    record = make()
    record["events"][-1]["data"]["boards"]["day"] = digest
    record = sample_days.chained_again(record)
    with pytest.raises(DayBroken, match="the digest of the board day"):
        verified(record)
    assert not theirs(web_verifier, record).consistent


@pytest.mark.parametrize("make", [sample_days.uncertified_day, old_day], ids=["not ready", "of before certificates"])
def test_both_verifiers_accept_a_day_without_certificates(
    web_verifier: WebVerifier, make: Callable[[], Record]
) -> None:
    day = verified(make())
    assert day.closed.certificates == ()
    assert day.nonce(day.deals[0]) == day.deals[0]
    assert theirs(web_verifier, make()).consistent


def without_its_certificate() -> Record:
    record = certified_day()
    record["events"][2]["data"]["certificates"] = []
    return sample_days.chained_again(record)


def without_its_seal() -> Record:
    record = certified_day()
    record["events"][1]["data"]["certificates"] = {}
    return sample_days.chained_again(record)


def never_announced() -> Record:
    record = certified_day()
    record["events"][0]["data"]["deals"][0]["search"] = None
    return sample_days.chained_again(record)


def announced_as_another_day() -> Record:
    record = certified_day()
    record["events"][0]["data"]["day"] = "2026-11-21"
    return sample_days.chained_again(record)


def with_another_key() -> Record:
    record = certified_day()
    record["events"][2]["data"]["certificates"][0]["more"] = 1
    return sample_days.chained_again(record)


def another_secret() -> Record:
    record = certified_day()
    record["events"][2]["data"]["secret"] = "00" * 32
    return sample_days.chained_again(record)


def never_closed() -> Record:
    record = certified_day()
    record["events"].pop()
    return record


def impossible_effect() -> Record:
    first, *others = certificate().line
    return forged(line=(LineMove(first.move, ("moved foundation.0 cell.0 13",)), *others))


FOUND_BY_BOTH: dict[str, Callable[[], Record]] = {
    "does not fit its seal": lambda: day_with(certificate(), "00" * 32),
    r"and certificates of \[\] followed": without_its_certificate,
    r"began with the seals of \[\]": without_its_seal,
    "no certificate of 2026-11-20.1 was announced": never_announced,
    "the announcement is that of another day": announced_as_another_day,
    "has keys that such an event does not have": with_another_key,
    "the secret does not fit the commitment": another_secret,
    "from the announcement of the day to its close": never_closed,
    "there is no candidate 50": lambda: forged(candidate=50),
    "move 1 of the line has other effects": impossible_effect,
}
FOR_THE_RULES: dict[str, Callable[[], Record]] = {
    "the game is not won after": lambda: forged(line=certificate().line[:-1]),
    "version 99 of the rules": lambda: forged(rules_version=99),
}
"""Forgeries with a fitting seal that only who knows the rules can find."""


@pytest.mark.parametrize("why", [*FOUND_BY_BOTH, *FOR_THE_RULES])
def test_a_forged_day_with_fitting_hashes_is_refused(web_verifier: WebVerifier, why: str) -> None:
    record = {**FOUND_BY_BOTH, **FOR_THE_RULES}[why]()
    with pytest.raises(DayBroken, match=why):
        verified(record)
    assert theirs(web_verifier, record).consistent == (why in FOR_THE_RULES)


def changes(value: Any) -> Iterator[Any]:
    """The value with each text, number and list in it changed in turn."""
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        options = list(changes(inner)) if isinstance(inner, dict | list) and inner else [another(inner)]
        for option in options:
            changed = copy.copy(value)
            changed[key] = option
            yield changed


def another(value: Any) -> Any:
    """A value of the same kind."""
    return value + 1 if isinstance(value, int) else f"{value}x" if isinstance(value, str) else ["x"]


def test_both_verifiers_find_whatever_is_changed_in_a_certified_day(web_verifier: WebVerifier) -> None:
    accepted = []
    for number, record in enumerate(changes(certified_day())):
        try:
            verified(record)
        except DayBroken:
            pass
        else:
            accepted.append(number)
        assert not theirs(web_verifier, record).consistent
    assert accepted == []


def test_another_certificate_than_the_sealed_one_is_refused_by_both_whatever_was_changed(
    web_verifier: WebVerifier,
) -> None:
    record = certified_day()
    shown = record["events"][2]["data"]["certificates"]
    for changed in changes(shown[0]):
        shown[0] = changed
        again = sample_days.chained_again(record)
        with pytest.raises(DayBroken):
            verified(again)
        assert not theirs(web_verifier, again).consistent


@pytest.mark.heavy
def test_searching_again_confirms_the_candidate_and_finds_an_earlier_one() -> None:
    deal = structs.replace(CERTIFIED, search=DealSearch(SOLVER_VERSION, 60))
    found = [one for number in range(MAX_CANDIDATES) if (one := search_candidate(deal, SECRET, number))]
    ((name, said, wrong),) = search_again(verified(day_with(found[0], announced=deal)))
    assert (name, said, wrong) == (deal.deal, "the search finds the same candidate and the same line again", False)
    ((_, said, wrong),) = search_again(verified(day_with(found[1], announced=deal)))
    assert (f"wins candidate {found[0].candidate} first" in said, wrong) == (True, True)


def test_a_day_that_another_solver_searched_is_not_searched_again_and_says_so() -> None:
    record = certified_day()
    record["events"][0]["data"]["deals"][0]["search"]["solver"] = 99
    ((_, said, wrong),) = search_again(verified(sample_days.chained_again(record)))
    assert ("found by version 99 of the solver" in said, wrong) == (True, False)


def test_the_command_verifies_the_record_of_a_day() -> None:
    said = CliRunner().invoke(verify_command, ["-"], input=json.encode(certified_day()))
    assert said.exit_code == 0
    assert f"{DAY}.1: candidate {certificate().candidate} can be won" in said.output
    assert SECRET.hex() not in said.output
    as_json = CliRunner().invoke(verify_command, ["-", "--json"], input=json.encode(certified_day()))
    assert json.decode(as_json.output) == {
        "consistent": True,
        "day": DAY,
        "certified": [CERTIFIED.deal],
        "late": [],
        "attested": None,
        "witnessed": [],
        "dated": [],
        "beacon": None,
    }
    broken = CliRunner().invoke(verify_command, ["-"], input=json.encode(without_its_seal()))
    assert (broken.exit_code, broken.output.startswith("broken: ")) == (1, True)
    for option in (["--against", "."], ["--resolve"]):
        refused = CliRunner().invoke(verify_command, ["-", *option], input=json.encode(certified_day()))
        assert (refused.exit_code, f"{option[0]} " in refused.output) == (2, True)
