"""A deal that was played: the same cards for everybody, on a board of its own, once this helps no ranked run."""

from typing import Any

from cadogan.server.subjects.audit import game_audit
from tests.harness.daily_actions import CLOSED, DAY, play_and_resign
from tests.harness.people import Person
from tests.harness.race_actions import game_in_race, let_race_start, make_race
from tests.harness.running_server import RunningServer

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
    for unknown in ("aaaabbbbccccdddd", "2026-01-01.1", "freecell-617", again["id"]):
        assert (await ann.post(f"/deals/{unknown}/games", {}))[1]["code"] == "not_found"
    assert (await sqlite_server.stranger().post(f"/deals/{unfinished}/games", {}))[0] == 401
    assert (await sqlite_server.stranger().get(f"/deals/{unfinished}"))[0] == 200
