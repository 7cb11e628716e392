"""A casual game with the cards of a numbered deal of FreeCell."""

from typing import Any

from cadogan.server.subjects.audit import game_audit
from tests.harness.daily_actions import play_and_resign
from tests.harness.people import Person
from tests.harness.running_server import RunningServer
from tests.harness.web_verifier import WebVerifier

FIRST = ["7D", "AD", "5C", "3S", "5S", "8C", "2D", "AH"]
"""The first row of deal number 617."""


async def begin(person: Person, rules: str, number: int) -> tuple[int, dict[str, Any]]:
    """Ask for a game with this number; the status, and the answer."""
    _, sealed = await person.post("/deals", {"rules": rules})
    return await person.post("/games", {"deal": sealed["deal"], "nonce": "mine", "number": number})


async def test_a_game_of_a_numbered_deal_is_casual_and_has_its_cards(sqlite_server: RunningServer) -> None:
    ann = await sqlite_server.guest()
    status, begun = await begin(ann, "freecell", 617)
    assert (status, begun["game"]["mode"], begun["game"]["number"]) == (200, "casual", 617)
    async with ann.connect() as socket:
        seen = await socket.request("subscribe", game=begun["game"]["id"])
    assert [seen["piles"][f"tableau.{column}"][0] for column in range(8)] == FIRST


async def test_the_record_of_a_numbered_deal_is_consistent_for_both_verifiers(sqlite_server: RunningServer) -> None:
    ann = await sqlite_server.guest()
    _, begun = await begin(ann, "freecell", 2**33 - 1)
    game = begun["game"]["id"]
    await play_and_resign(ann, game, 2)
    async with sqlite_server.session.get(f"{sqlite_server.url}/api/v1/games/{game}/record") as response:
        record = await response.read()
    assert game_audit.verify(record).consistent
    verifier = WebVerifier()
    with verifier.process:
        (verdict,) = verifier.verdicts([record], "freecell")
        assert verdict.consistent, verdict
        verifier.process.terminate()


async def test_a_sealed_deal_is_used_for_one_number_only(sqlite_server: RunningServer) -> None:
    ann = await sqlite_server.guest()
    _, sealed = await ann.post("/deals", {"rules": "freecell"})
    wanted = {"deal": sealed["deal"], "nonce": "mine", "number": 1}
    first, again = await ann.post("/games", wanted), await ann.post("/games", wanted)
    assert first[1]["game"]["id"] == again[1]["game"]["id"]
    status, refusal = await ann.post("/games", {**wanted, "number": 2})
    assert (status, refusal["code"]) == (409, "conflict")


async def test_a_number_that_no_deal_has_is_refused(sqlite_server: RunningServer) -> None:
    ann = await sqlite_server.guest()
    for rules, number in (("freecell", 0), ("freecell", 2**33), ("klondike", 617)):
        status, refusal = await begin(ann, rules, number)
        assert (status, refusal["code"]) == (400, "bad_message"), (rules, number)
