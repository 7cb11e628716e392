"""Casual games with a deal that can be won: asked for, found, refused, and checked by others."""

from pathlib import Path
from typing import Any

import pytest
from msgspec import json

from cadogan.engine.solver import SOLVER_VERSION
from cadogan.server.subjects.audit import game_audit
from tests.harness.command_line import run
from tests.harness.daily_actions import play_and_resign
from tests.harness.people import Person
from tests.harness.running_server import RunningServer
from tests.harness.sample_records import winnable
from tests.harness.web_verifier import WebVerifier

EASY = "quatorze"
"""A game of which nearly every deal is won at once."""
HARD = "queens"
"""A game of which no deal is won within the budget."""


async def seal(person: Person, rules: str) -> str:
    """Ask for a sealed deal; its id."""
    deal: str = (await person.post("/deals", {"rules": rules}))[1]["deal"]
    return deal


async def begin(person: Person, deal: str, **wanted: Any) -> tuple[int, dict[str, Any]]:
    """Begin a game with a sealed deal that is to be winnable; the status, and the answer."""
    return await person.post("/games", {"deal": deal, "nonce": "mine", "winnable": True, **wanted})


@pytest.mark.slow
async def test_a_winnable_deal_is_dealt_and_its_record_says_which_candidate_it_is(
    sqlite_server: RunningServer,
) -> None:
    ann = await sqlite_server.guest()
    status, begun = await begin(ann, await seal(ann, EASY))
    card = begun["game"]
    assert (status, card["mode"], card["winnable"]) == (200, "casual", True)
    await play_and_resign(ann, card["id"], 1)
    async with sqlite_server.session.get(f"{sqlite_server.url}/api/v1/games/{card['id']}/record") as response:
        record = await response.read()
    verdict = game_audit.verify(record)
    assert verdict.consistent
    assert verdict.winnable is not None
    assert verdict.winnable.solver == SOLVER_VERSION
    assert game_audit.search_again(game_audit.read_record(record))
    verifier = WebVerifier()
    with verifier.process:
        (checked,) = verifier.verdicts([record], EASY)
        assert checked.consistent, checked
        verifier.process.terminate()


@pytest.mark.slow
async def test_a_winnable_deal_that_is_played_again_has_the_same_cards(sqlite_server: RunningServer) -> None:
    ann, bob = await sqlite_server.guest(), await sqlite_server.guest()
    _, first = await begin(ann, await seal(ann, EASY))
    await play_and_resign(ann, first["game"]["id"], 1)
    _, again = await bob.post(f"/deals/{first['game']['deal']}/games")
    card = again["game"]
    assert (card["winnable"], card["origin"]["game"]) == (True, first["game"]["id"])
    await play_and_resign(bob, card["id"], 1)
    dealt = [(await ann.get(f"/games/{one['game']['id']}/replay"))[1]["dealt"]["piles"] for one in (first, again)]
    assert dealt[0] == dealt[1]
    async with sqlite_server.session.get(f"{sqlite_server.url}/api/v1/games/{card['id']}/record") as response:
        assert game_audit.verify(await response.read()).consistent


@pytest.mark.slow
async def test_a_request_that_is_sent_again_begins_one_game_and_another_one_is_refused(
    sqlite_server: RunningServer,
) -> None:
    ann = await sqlite_server.guest()
    deal, ordinary = await seal(ann, EASY), await seal(ann, EASY)
    first, again = await begin(ann, deal), await begin(ann, deal)
    assert first == again
    await begin(ann, ordinary, winnable=False)
    for refused in (await begin(ann, deal, winnable=False), await begin(ann, ordinary)):
        assert (refused[0], refused[1]["code"]) == (409, "conflict")


@pytest.mark.slow
async def test_where_no_winnable_deal_is_found_any_deal_can_be_played(sqlite_server: RunningServer) -> None:
    ann = await sqlite_server.guest()
    deal = await seal(ann, HARD)
    status, refusal = await begin(ann, deal)
    assert (status, refusal["code"]) == (409, "no_winnable_deal")
    status, begun = await begin(ann, deal, winnable=False)
    assert (status, "winnable" in begun["game"]) == (200, False)


async def test_a_numbered_deal_cannot_be_asked_for_as_a_winnable_one(sqlite_server: RunningServer) -> None:
    ann = await sqlite_server.guest()
    status, refusal = await begin(ann, await seal(ann, "freecell"), number=617)
    assert (status, refusal["code"]) == (400, "bad_message")


def test_verify_searches_again_and_refuses_a_candidate_that_the_host_has_chosen(tmp_path: Path) -> None:
    honest, chosen = tmp_path / "honest.json", tmp_path / "chosen.json"
    honest.write_bytes(json.encode(winnable(4, SOLVER_VERSION)))
    chosen.write_bytes(json.encode(winnable(2, SOLVER_VERSION)))
    for file in (honest, chosen):
        assert "winnable" in json.decode(run("verify", str(file), "--json").output)["not_shown"]
    searched = run("verify", str(honest), "--resolve")
    assert (searched.exit_code, "winnable: candidate 4; the search wins it first" in searched.output) == (0, True)
    assert "winnable" not in json.decode(run("verify", str(honest), "--resolve", "--json").output)["not_shown"]
    refused = run("verify", str(chosen), "--resolve")
    assert (refused.exit_code, "candidate 4 first, and candidate 2 was dealt" in refused.output) == (1, True)
