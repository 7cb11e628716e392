"""Two verifiers, the command's and the web client's, say the same of the same files."""

import copy
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec import json

from cadogan import engine
from cadogan.server.core.fairness import commit_reveal
from cadogan.server.core.games import game_state
from cadogan.server.subjects.audit import game_audit
from tests.harness import game_steps, odd_records
from tests.harness.sample_records import FOLDER, KINDS, Record, files, recorded, rules_of
from tests.harness.web_verifier import WebVerifier
from tests.server.audit.test_game_audit import FORGERIES, chained, resigned

FOR_THE_RULES = {"another_move", "a_move_left_out", "another_score", "a_win_that_was_none"}
"""Forgeries with fitting hashes that only who knows the rules can find, or find at their event."""


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


POSITION = {"game": "aaaabbbbccccdddd", "version": 1, "moves": 0}
OF_ANOTHER_KIND: list[tuple[str, dict[str, Any]]] = [
    ("casual", {"ranked": True}),
    ("casual", {"slot": 1}),
    ("casual", {"about": "2026-11-20"}),
    ("daily", {"match": "aaaabbbbccccdddd"}),
    ("daily", {"competition": "puzzle", "about": "2026-11-20", "origin": POSITION}),
    ("race", {"slot": 1}),
    ("race", {"competition": "evening", "about": "aaaabbbbccccdddd/1"}),
    ("casual", {"competition": "puzzle", "about": "2026-11-20"}),
    ("casual", {"competition": "puzzle", "about": "today", "origin": POSITION}),
    ("casual", {"competition": "puzzle", "about": "2026-11-20", "origin": {"game": "aaaabbbbccccdddd", "version": 1}}),
]


@pytest.mark.parametrize(("kind", "said"), OF_ANOTHER_KIND)
def test_a_deal_that_says_what_only_another_kind_of_game_has_is_refused_by_both(
    web_verifier: WebVerifier, kind: str, said: dict[str, Any]
) -> None:
    record = KINDS[kind]()
    record["events"][0]["data"] |= said
    text = json.encode(chained(record))
    assert game_audit.verify(text).broken_at == 1
    theirs = web_verifier.verdict(text, rules_of(slug_of(record)))
    assert (theirs.broken_at, theirs.checks["seal"]) == (1, "broken")


OF_NO_CONTEST: list[dict[str, Any]] = [
    {"day": "2026-02-30", "slot": 1, "deal": "2026-02-30.1"},
    {"day": "0000-01-01", "slot": 1, "deal": "0000-01-01.1"},
    {"day": "2026-11", "slot": 1, "deal": "2026-11.1"},
    {"competition": "evening", "about": "aaaa/bbbb/1", "deal": "evening-aaaa-bbbb-1"},
    {"competition": "evening", "about": "aaaa/x", "deal": "evening-aaaa-x"},
    {"competition": "virtual", "about": "aaaa/1", "deal": "evening-aaaa-1"},
    {"competition": "virtual", "about": "aaaa/1", "deal": "evening-aaaa-1", "origin": {"game": "bbbb", "version": 2}},
    {"competition": "virtual", "about": "aaaa", "deal": "evening-aaaa", "origin": {"game": "bbbb", "version": 1}},
    {"competition": "Quiz", "about": "aaaa/1", "deal": "Quiz-aaaa-1"},
    {"competition": "daily", "about": "2026-11-20", "deal": "daily-2026-11-20"},
    {"competition": "puzzle", "about": "2026-02-30", "deal": "aaaa", "origin": POSITION},
]


@pytest.mark.parametrize("said", OF_NO_CONTEST)
def test_a_deal_with_its_own_cards_that_is_played_for_nothing_there_is_is_refused_by_both(
    web_verifier: WebVerifier, said: dict[str, Any]
) -> None:
    record = recorded(game_steps.begin("maze")[:1])
    nonce = said["deal"]
    state = engine.game("maze").deal(commit_reveal.seed("maze", nonce, game_steps.SECRET))
    record["nonce"] = nonce
    record["events"][0]["data"] |= {"nonce": nonce, "piles": engine.game("maze").write_piles(state), **said}
    text = json.encode(chained(record))
    assert game_audit.verify(text).broken_at == 1
    theirs = web_verifier.verdict(text, rules_of("maze"))
    assert (theirs.broken_at, theirs.checks["seal"]) == (1, "broken")


def test_a_redeal_too_many_is_found_by_both_in_every_game_that_has_them(web_verifier: WebVerifier) -> None:
    texts = []
    for slug in engine.slugs():
        record = recorded(game_steps.begin(slug, game_steps.DAY)[:1])
        counters = record["events"][0]["data"]["counters"]
        if "redeals" in counters:
            counters["redeals"] += 1
            texts.append((json.encode(chained(record)), rules_of(slug)))
    assert len(texts) > 10
    assert {game_audit.verify(text).broken_at for text, _ in texts} == {1}
    theirs = [web_verifier.verdict(*one) for one in texts]
    assert {(one.broken_at, one.checks["deal"]) for one in theirs} == {(1, "broken")}


@pytest.mark.slow
@pytest.mark.parametrize("slug", engine.slugs())
def test_both_verifiers_accept_a_game_played_by_the_rules(web_verifier: WebVerifier, slug: str) -> None:
    texts = [json.encode(resigned(slug, day, 30)) for day in (None, game_steps.DAY)]
    assert [game_audit.verify(text).consistent for text in texts] == [True, True]
    whole = "holds" if rules_of(slug)["deal"]["whole"] else "partly"
    for verdict in web_verifier.verdicts(texts, slug):
        assert verdict.consistent, verdict.checks
        assert verdict.checks == {
            "seal": "holds",
            "chain": "holds",
            "deal": whole,
            "shuffles": "holds",
            "effects": "holds",
            "end": "partly",
        }


def test_both_verifiers_accept_a_game_that_was_ended_where_no_move_was_left(web_verifier: WebVerifier) -> None:
    steps = game_steps.stuck()
    text = json.encode(recorded([*steps, *game_state.end_at_dead_end(steps[-1].after)]))
    assert game_audit.verify(text).consistent
    assert [verdict.consistent for verdict in web_verifier.verdicts([text], "klondike")] == [True]


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.usefixtures("beacon_library")
def test_both_verifiers_find_each_changed_value_where_it_was_changed(web_verifier: WebVerifier, kind: str) -> None:
    record = KINDS[kind]()
    assert game_audit.verify(json.encode(record)).consistent
    changed = dict(changes(record))
    texts = {place: json.encode(one) for place, one in changed.items()}
    for (place, text), theirs in zip(
        texts.items(), web_verifier.verdicts(list(texts.values()), slug_of(record)), strict=True
    ):
        ours = game_audit.verify(text)
        assert (ours.consistent, theirs.consistent) == (False, False), place
        assert theirs.broken_at == ours.broken_at, (place, ours)


@pytest.mark.parametrize("forge", FORGERIES, ids=lambda forge: forge.__name__.replace("_", " "))
def test_both_verifiers_find_a_forgery_with_fitting_hashes_unless_only_the_rules_show_it(
    web_verifier: WebVerifier, forge: Any
) -> None:
    changed = resigned("red-and-black")
    broken_at = forge(changed)
    text = json.encode(chained(changed))
    ours, (theirs,) = game_audit.verify(text), web_verifier.verdicts([text], "red-and-black")
    assert (ours.consistent, ours.broken_at) == (False, broken_at)
    if forge.__name__ not in FOR_THE_RULES:
        assert (theirs.consistent, theirs.broken_at) == (False, broken_at)


def test_a_shuffle_that_the_seed_did_not_draw_is_found_by_both_though_the_hashes_fit(web_verifier: WebVerifier) -> None:
    changed = KINDS["shuffled-again"]()
    event = next(one for one in changed["events"] if one["data"].get("move") == "redeal")
    words = event["data"]["effects"][0].split(" ")
    places = words[-1].split(",")
    words[-1] = ",".join([places[-1], *places[1:-1], places[0]])
    event["data"]["effects"][0] = " ".join(words)
    text = json.encode(chained(changed))
    (theirs,) = web_verifier.verdicts([text], "carpet")
    assert game_audit.verify(text).broken_at == theirs.broken_at == event["version"]
    assert theirs.checks["shuffles"] == "broken"


def test_every_order_that_is_no_shuffle_moves_one_card_alone(web_verifier: WebVerifier) -> None:
    """The web client takes an order for a shuffle where it does more."""
    for slug in ("great-thirteen", "napoleons-square", "napoleons-square-single", "la-belle-lucie"):
        steps = game_steps.at_random(slug, 5, 120)
        (theirs,) = web_verifier.verdicts([json.encode(recorded(steps))], slug)
        assert theirs.consistent, slug
