"""A deal that was played: the same cards for everybody, on a board of its own, once this helps no ranked run."""

from typing import Any

from cadogan.server.subjects.audit import game_audit
from tests.harness.daily_actions import CLOSED, DAY, play_and_resign
from tests.harness.people import Person
from tests.harness.race_actions import game_in_race, let_race_start, make_race
from tests.harness.running_server import RunningServer
from tests.harness.statements import asked, sqlite_steps

RULES = "fifteen"


async def play_again(person: Person, deal: str) -> dict[str, Any]:
    """Begin a game with the cards of a deal; its card."""
    status, begun = await person.post(f"/deals/{deal}/games", {})
    assert status == 200, begun
    card: dict[str, Any] = begun["game"]
    return card


async def cards_of(person: Person, game: str) -> dict[str, Any]:
    """The piles of a game as they were dealt."""
    piles: dict[str, Any] = (await person.get(f"/games/{game}/replay"))[1]["dealt"]["piles"]
    return piles


async def test_a_friend_plays_the_same_cards_and_both_are_on_the_board_of_the_deal(
    running_server: RunningServer,
) -> None:
    ann, bob = await running_server.guest(), await running_server.guest()
    deal = await ann.deal(RULES)
    await play_and_resign(ann, deal, 3)
    card = await play_again(bob, deal)
    assert (card["mode"], card["ranked"], card["deal"]) == ("casual", False, deal)
    assert card["origin"] == {"game": deal, "version": 1}
    await play_and_resign(bob, card["id"], 2)
    assert await cards_of(bob, card["id"]) == await cards_of(ann, deal)
    status, shown = await ann.get(f"/deals/{deal}")
    assert (status, shown["deal"], shown["rules"], shown["players"]) == (200, deal, RULES, 2)
    runs = {run["player"]["id"]: run for run in shown["runs"]}
    assert {player: (run["game"], run["result"], run["moves"]) for player, run in runs.items()} == {
        ann.id: (deal, "resigned", 3),
        bob.id: (card["id"], "resigned", 2),
    }
    order = [(-run["score"], run["moves"], run["milliseconds"]) for run in shown["runs"]]
    assert order == sorted(order)


async def test_of_each_player_the_best_game_counts_and_none_that_began_in_the_middle(
    running_server: RunningServer,
) -> None:
    ann, bob = await running_server.guest(), await running_server.guest()
    deal = await ann.deal(RULES)
    await play_and_resign(ann, deal, 4)
    for moves in (2, 1, 3):
        await play_and_resign(ann, (await play_again(ann, deal))["id"], moves)
    _, later = await bob.post(f"/games/{deal}/continuations", {"version": 3})
    await play_and_resign(bob, later["game"]["id"], 1)
    shown = (await ann.get(f"/deals/{deal}"))[1]
    assert (shown["players"], [run["player"]["id"] for run in shown["runs"]]) == (1, [ann.id])
    games = (await ann.get(f"/players/{ann.id}"))[1]["by_game"]
    assert [tally["played"] for tally in games] == [1], "games of known cards are in no statistics"


async def test_a_deal_that_somebody_may_still_play_ranked_is_not_played_again(sqlite_server: RunningServer) -> None:
    ann, bob = await sqlite_server.guest(), await sqlite_server.guest()
    ranked = await ann.enter()
    await play_and_resign(ann, ranked, 3)
    race = await let_race_start(sqlite_server, ann, await make_race(ann, bob))
    raced = [game_in_race(race, person) for person in (ann, bob)]
    await play_and_resign(ann, raced[0], 2)
    of_day, of_race = f"{DAY}.1", f"race-{race['race']}"
    for deal in (of_day, of_race):
        for status, answer in (await ann.post(f"/deals/{deal}/games", {}), await ann.get(f"/deals/{deal}")):
            assert (status, answer["code"]) == (403, "spoiler_embargo")
    await play_and_resign(bob, raced[1], 0)
    casual = await play_again(bob, of_race)
    assert (casual["mode"], casual["deal"]) == ("casual", of_race)
    sqlite_server.clock.at = CLOSED
    await bob.get(f"/dailies/{DAY}")
    practice = await play_again(bob, of_day)
    assert (practice["mode"], practice["day"]) == ("practice", DAY)
    for card in (casual, practice):
        await play_and_resign(bob, card["id"], 1)
        async with sqlite_server.session.get(f"{sqlite_server.url}/api/v1/games/{card['id']}/record") as response:
            assert game_audit.verify(await response.read()).consistent
    assert (await ann.get(f"/deals/{of_day}"))[1]["players"] == 2


async def test_a_deal_whose_first_game_goes_on_or_that_nobody_played_is_refused(sqlite_server: RunningServer) -> None:
    ann = await sqlite_server.guest()
    unfinished = await ann.deal(RULES)
    assert (await ann.post(f"/deals/{unfinished}/games", {}))[1]["code"] == "conflict"
    await play_and_resign(ann, unfinished, 1)
    again = await play_again(ann, unfinished)
    for unknown in ("aaaabbbbccccdddd", "2026-01-01.1", "klondike-617", again["id"]):
        assert (await ann.post(f"/deals/{unknown}/games", {}))[1]["code"] == "not_found"
    assert (await sqlite_server.stranger().post(f"/deals/{unfinished}/games", {}))[0] == 401
    assert (await sqlite_server.stranger().get(f"/deals/{unfinished}"))[0] == 200


async def test_a_numbered_deal_that_nobody_has_played_is_begun_by_its_link_and_has_a_board(
    running_server: RunningServer,
) -> None:
    ann, bob = await running_server.guest(), await running_server.guest()
    nobody = (await ann.get("/deals/freecell-617"))[1]
    assert nobody == {"deal": "freecell-617", "rules": "freecell", "number": 617, "players": 0, "runs": []}
    by_link = await play_again(ann, "freecell-617")
    assert (by_link["mode"], by_link["rules"], by_link["number"]) == ("casual", "freecell", 617)
    assert "origin" not in by_link
    _, sealed = await bob.post("/deals", {"rules": "freecell"})
    _, other = await bob.post("/games", {"deal": sealed["deal"], "nonce": "mine", "number": 617})
    await play_and_resign(ann, by_link["id"], 2)
    await play_and_resign(bob, other["game"]["id"], 1)
    assert await cards_of(bob, by_link["id"]) == await cards_of(ann, other["game"]["id"])
    await play_and_resign(bob, (await play_again(bob, "freecell-618"))["id"], 3)
    shown = (await bob.get("/deals/freecell-617"))[1]
    games = {run["player"]["id"]: run["game"] for run in shown["runs"]}
    assert (shown["players"], games) == (2, {ann.id: by_link["id"], bob.id: other["game"]["id"]})


async def test_the_same_key_begins_a_numbered_deal_once(sqlite_server: RunningServer) -> None:
    ann = await sqlite_server.guest()
    headers, begun = {**ann.headers, "Idempotency-Key": "one"}, []
    for deal in ("freecell-617", "freecell-617", "freecell-618"):
        address = f"{sqlite_server.url}/api/v1/deals/{deal}/games"
        async with sqlite_server.session.post(address, json={}, headers=headers) as response:
            begun.append((await response.json())["game"]["id"])
    assert begun[0] == begun[1] != begun[2]


async def test_a_link_with_a_number_that_no_deal_has_is_refused(sqlite_server: RunningServer) -> None:
    ann = await sqlite_server.guest()
    for number in ("0", "x", "-1", "0617", "8589934592", "", "6\u0661"):
        for status, refusal in (
            await ann.get(f"/deals/freecell-{number}"),
            await ann.post(f"/deals/freecell-{number}/games", {}),
        ):
            assert (status, refusal["code"]) == (400, "bad_message"), number
            assert refusal["message"] == "The deals of this game have the numbers from 1 to 8589934591.", number
    assert (await play_again(ann, "freecell-8589934591"))["number"] == 2**33 - 1


async def test_sqlite_reads_the_board_of_a_deal_in_its_order_without_sorting(sqlite_server: RunningServer) -> None:
    ann = await sqlite_server.guest()
    deal = await ann.deal(RULES)
    await play_and_resign(ann, deal, 1)
    for shown in (deal, "freecell-617"):
        with asked(sqlite_server.server.database) as statements:
            await sqlite_server.server.played_deals.show(shown)
        steps = await sqlite_steps(sqlite_server.server.database, statements)
        assert [step for step in steps if "_best (" in step], steps
        assert "USE TEMP B-TREE FOR ORDER BY" not in steps
