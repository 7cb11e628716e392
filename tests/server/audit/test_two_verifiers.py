"""Two verifiers, the command's and the web client's, say the same of the same files."""

import copy
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from msgspec import json

import engine
from server.audit import game_audit
from tests.harness import game_steps, odd_records
from tests.harness.sample_records import FOLDER, KINDS, Record, files, recorded, rules_of
from tests.server.audit.test_game_audit import FORGERIES, chained, resigned

FOR_THE_RULES = {"another_move", "a_move_left_out", "another_score", "a_win_that_was_none"}
"""Forgeries with fitting hashes that only who knows the rules can find, or find at their event."""


class Verdict(NamedTuple):
    """What the web client's verifier found."""

    consistent: bool
    broken_at: int | None
    checks: dict[str, str]


def node() -> str:
    """Where Node is; skips the test where there is none, or fails it where CADOGAN_REQUIRE_SERVICES is set."""
    found = shutil.which("node")
    if found is None:
        leave_out = pytest.fail if os.environ.get("CADOGAN_REQUIRE_SERVICES") else pytest.skip
        leave_out("needs Node for the web client's verifier")
    return found


def elsewhere(texts: list[bytes], slug: str) -> list[Verdict]:
    """The web client's verdicts on files about one set of rules."""
    rules = rules_of(slug)
    return elsewhere_by([(text, rules) for text in texts])


def elsewhere_by(texts: list[tuple[bytes, Any]]) -> list[Verdict]:
    """The web client's verdicts on files, each with the rules it is about."""
    asked = b"\n".join(json.encode({"record": text.decode(), "rules": rules}) for text, rules in texts)
    answered = subprocess.run([node(), FOLDER.parent / "verdicts.mjs"], input=asked, capture_output=True, check=True)
    return [json.decode(line, type=Verdict, strict=False) for line in map(as_row, answered.stdout.splitlines())]


def as_row(line: bytes) -> bytes:
    """A verdict's values in the order of a Verdict."""
    said = json.decode(line)
    return json.encode([said["consistent"], said["broken_at"], said["checks"]])


def slug_of(record: Record) -> str:
    """The rules of a record."""
    slug: str = record["events"][0]["data"]["game"]
    return slug


def changes(record: Record) -> Iterator[tuple[str, Record]]:
    """The record with each of its values changed in turn, and where."""
    for path in leaves(record):
        changed = copy.deepcopy(record)
        place: Any = changed
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = another(place[path[-1]])
        yield "/".join(map(str, path)), changed


def leaves(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The way to each value that holds no other."""
    if isinstance(value, dict | list) and value:
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(inner, (*path, key))
    else:
        yield path


def another(value: Any) -> Any:
    """A value of the same kind, one bit or byte away."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str() if value:
            return value[:-1] + chr(ord(value[-1]) ^ 1)
        case None:
            return "x"
        case _:
            return ["x"] if isinstance(value, list) else {"x": 1} if isinstance(value, dict) else "x"


def test_the_records_that_the_web_clients_tests_read_are_those_the_server_makes() -> None:
    assert {path.name: path.read_bytes() for path in FOLDER.iterdir()} == files()


def test_the_odd_records_that_both_verifiers_are_tested_with_are_those_of_today() -> None:
    assert odd_records.FILE.read_bytes() == odd_records.file_content()


def test_every_odd_record_is_refused_where_it_is_odd() -> None:
    """`tests/web/proof/odd_records.test.mjs` says the same of the same list."""
    said = {one.name: game_audit.verify(one.content()).broken_at for one in odd_records.odd_records()}
    assert said == {one.name: one.broken_at for one in odd_records.odd_records()}
    assert len(said) == len(odd_records.odd_records())


@pytest.mark.parametrize("depth", [17, 1000, 100_000, 3_000_000])
def test_a_record_that_is_nested_deep_is_refused_and_not_a_crash(depth: int) -> None:
    verdict = game_audit.verify(odd_records.nested(depth))
    assert (verdict.broken_at, "nested" in verdict.reason) == (0, True)


def test_where_the_steps_of_a_deal_end_early_the_redeals_that_are_left_follow_from_them() -> None:
    """`docs/record.md` says so, and the web client's verifier compares them."""
    for slug in engine.slugs():
        plan = rules_of(slug)["deal"]
        counters = dict(plan["counters"])
        for step in plan["steps"]:
            verb, *words = step.split(" ")
            if verb == "counted":
                counters[words[0]] = int(words[1])
        dealt = game_steps.dealt(slug)
        assert counters.keys() == dealt.counters.keys(), slug
        assert counters.get("redeals") == dealt.counters.get("redeals"), slug


def test_a_redeal_too_many_is_found_by_both_in_every_game_that_has_them() -> None:
    texts = []
    for slug in engine.slugs():
        record = recorded(game_steps.begin(slug, game_steps.DAY)[:1])
        counters = record["events"][0]["data"]["counters"]
        if "redeals" in counters:
            counters["redeals"] += 1
            texts.append((json.encode(chained(record)), rules_of(slug)))
    assert len(texts) > 10
    assert {game_audit.verify(text).broken_at for text, _ in texts} == {1}
    assert {(one.broken_at, one.checks["deal"]) for one in elsewhere_by(texts)} == {(1, "broken")}


@pytest.mark.slow
@pytest.mark.parametrize("slug", engine.slugs())
def test_both_verifiers_accept_a_game_played_by_the_rules(slug: str) -> None:
    texts = [json.encode(resigned(slug, day, 30)) for day in (None, game_steps.DAY)]
    assert [game_audit.verify(text).consistent for text in texts] == [True, True]
    whole = "holds" if rules_of(slug)["deal"]["whole"] else "partly"
    for verdict in elsewhere(texts, slug):
        assert verdict.consistent, verdict.checks
        assert verdict.checks == {
            "seal": "holds",
            "chain": "holds",
            "deal": whole,
            "shuffles": "holds",
            "effects": "holds",
            "end": "partly",
        }


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_both_verifiers_find_each_changed_value_where_it_was_changed(kind: str) -> None:
    record = KINDS[kind]()
    assert game_audit.verify(json.encode(record)).consistent
    changed = dict(changes(record))
    texts = {place: json.encode(one) for place, one in changed.items()}
    for (place, text), theirs in zip(texts.items(), elsewhere(list(texts.values()), slug_of(record)), strict=True):
        ours = game_audit.verify(text)
        assert (ours.consistent, theirs.consistent) == (False, False), place
        assert theirs.broken_at == ours.broken_at, (place, ours)


@pytest.mark.parametrize("forge", FORGERIES, ids=lambda forge: forge.__name__.replace("_", " "))
def test_both_verifiers_find_a_forgery_with_fitting_hashes_unless_only_the_rules_show_it(forge: Any) -> None:
    changed = resigned("red-and-black")
    broken_at = forge(changed)
    text = json.encode(chained(changed))
    ours, (theirs,) = game_audit.verify(text), elsewhere([text], "red-and-black")
    assert (ours.consistent, ours.broken_at) == (False, broken_at)
    if forge.__name__ not in FOR_THE_RULES:
        assert (theirs.consistent, theirs.broken_at) == (False, broken_at)


def test_a_shuffle_that_the_seed_did_not_draw_is_found_by_both_though_the_hashes_fit() -> None:
    changed = KINDS["shuffled-again"]()
    event = next(one for one in changed["events"] if one["data"].get("move") == "redeal")
    words = event["data"]["effects"][0].split(" ")
    places = words[-1].split(",")
    words[-1] = ",".join([places[-1], *places[1:-1], places[0]])
    event["data"]["effects"][0] = " ".join(words)
    text = json.encode(chained(changed))
    (theirs,) = elsewhere([text], "carpet")
    assert game_audit.verify(text).broken_at == theirs.broken_at == event["version"]
    assert theirs.checks["shuffles"] == "broken"


def test_every_order_that_is_no_shuffle_moves_one_card_alone() -> None:
    """The web client takes an order for a shuffle where it does more."""
    for slug in ("great-thirteen", "napoleons-square", "napoleons-square-single", "la-belle-lucie"):
        steps = game_steps.at_random(slug, 5, 120)
        (theirs,) = elsewhere([json.encode(recorded(steps))], slug)
        assert theirs.consistent, slug


def test_the_command_line_of_the_web_clients_verifier_says_what_it_found(tmp_path: Path) -> None:
    def verify(*files: Path) -> tuple[int, str]:
        program = FOLDER.parents[2] / "clients" / "web" / "js" / "proof" / "verify.mjs"
        done = subprocess.run([node(), program, *files], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout

    changed = tmp_path / "changed.json"
    changed.write_bytes((FOLDER / "casual.json").read_bytes().replace(b"resigned", b"won_____"))
    assert verify(FOLDER / "casual.json", FOLDER / "klondike.rules.json")[0] == 0
    code, said = verify(changed, FOLDER / "klondike.rules.json")
    assert (code, json.decode(said)["checks"]["chain"]) == (1, "broken")
    cut = tmp_path / "cut.json"
    cut.write_bytes(json.encode({**KINDS["daily"](), "events": KINDS["daily"]()["events"][:-1]}))
    kept = (FOLDER / "quatorze.rules.json", FOLDER / "daily.json")
    assert verify(FOLDER / "daily.json", *kept)[0] == 0
    code, said = verify(cut, kept[0])
    assert (code, "end" in json.decode(said)["not_shown"]) == (0, True)
    assert json.decode(said)["not_checked"] == ["legality", "result", "score", "points"]
    assert verify(cut, *kept)[0] == 1
    odd = tmp_path / "odd.json"
    odd.write_bytes((FOLDER / "casual.json").read_bytes().replace(b"game_dealt", b"\x7f\xc2\x9b\xe2\x80\xae"))
    code, said = verify(odd)
    assert (code, said.isascii(), "\x7f" in said) == (1, True, False)
    assert verify(FOLDER / "klondike.rules.json")[0] == 1
    assert [verify()[0], verify(tmp_path / "nothing")[0], verify(tmp_path)[0]] == [2, 2, 2]
