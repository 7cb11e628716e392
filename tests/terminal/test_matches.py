"""Duplicate matches in the terminal, on a real server: challenged, accepted, declined, withdrawn, paired and played."""

from collections.abc import AsyncIterator

import pytest
from textual.pilot import Pilot

from cadogan.sdk import Client, connect
from cadogan.terminal.lobby.evening_screen import EveningScreen
from cadogan.terminal.lobby.matches import MatchesScreen
from cadogan.wire.matches import NewMatch
from tests.harness.hosts import PASSWORD, player
from tests.harness.people import Person
from tests.harness.running_server import RunningServer
from tests.terminal.offline_games import screen_text, sees, until, write
from tests.terminal.test_app import choose, opened
from tests.terminal.test_arenas import give_up

pytestmark = pytest.mark.slow
SECOND = 1000
BEGINS = 20 * SECOND


@pytest.fixture
async def client(sqlite_server: RunningServer) -> AsyncIterator[Client]:
    """Ada, who has an account."""
    async with connect(sqlite_server.url) as client:
        await client.claim_name("Ada", PASSWORD)
        yield client


@pytest.fixture
async def bob(sqlite_server: RunningServer) -> Person:
    """Bob, who plays without the terminal."""
    return await player(sqlite_server, "Bob")


async def challenge(bob: Person, **wanted: object) -> str:
    """Let Bob make a match of one deal, against Ada unless the test wants something else; return its id."""
    status, made = await bob.post("/matches", {"against": "player", "opponent": "Ada", "deals": 1, **wanted})
    assert status == 200, made
    return str(made["id"])


async def play_and_give_up(bob: Person, match: str) -> None:
    """Let Bob open the deal of the open round, and give up."""
    status, opened = await bob.post(f"/evenings/{match}/games")
    assert status == 200, opened
    async with bob.connect() as socket:
        seen = await socket.request("subscribe", game=opened["game"])
        ended = await socket.request("resign", game=opened["game"], version=seen["version"])
        assert ended["type"] == "game_finished", ended


async def open_list(pilot: Pilot[None]) -> None:
    """Open the list of matches."""
    await pilot.press("7")
    await choose(pilot, "Matches of two")
    await until(pilot, lambda: isinstance(pilot.app.screen, MatchesScreen))


async def play_me(pilot: Pilot[None], against: str) -> None:
    """Make a match from the list, against whom this answer names."""
    await open_list(pilot)
    await choose(pilot, "Challenge")
    await choose(pilot, against)


async def test_a_challenge_is_accepted_played_scored_and_answered_by_another_one(
    sqlite_server: RunningServer, client: Client, bob: Person
) -> None:
    match = await challenge(bob)
    async with opened(sqlite_server, client) as pilot:
        await sees(pilot, "Earlier days", "challenges you, until 20 Nov")
        await pilot.press("7")
        await sees(pilot, "The code on the screen", "challenges you, until 20 Nov")
        await choose(pilot, "Bob – Ada")
        await sees(pilot, "Bob – Ada", "Waiting for you: 15:00 left", "Decline")
        await choose(pilot, "Accept")
        await sees(pilot, "Round 1 of 1 begins in 0:20", "Withdraw")
        sqlite_server.clock.at += BEGINS
        await pilot.press("f5")
        await choose(pilot, "Play round 1")
        await give_up(pilot)
        await sees(pilot, "You have finished this deal.", "Leave")
        await play_and_give_up(bob, match)
        await sqlite_server.server.wait_until_idle()
        sqlite_server.clock.at += 1
        await pilot.press("f5")
        await sees(pilot, "The standing is final.", "  1. Ada", "  1. Bob", "50.00")
        await choose(pilot, "Rematch")
        await sees(pilot, "Ada – Bob", "Waiting for Bob: 15:00 left")
        assert "Accept" not in screen_text(pilot.app)
        (again, *_) = (await client.list_matches()).matches
        assert len((await client.show_evening(again.id)).rounds) == 1
        await choose(pilot, "Withdraw")
        await sees(pilot, "This evening counts for nobody: it was withdrawn")


async def test_a_challenge_is_declined(sqlite_server: RunningServer, client: Client, bob: Person) -> None:
    await challenge(bob)
    async with opened(sqlite_server, client) as pilot:
        await open_list(pilot)
        await sees(pilot, "Your matches", "challenges you")
        await choose(pilot, "Bob – Ada")
        await choose(pilot, "Decline")
        await sees(pilot, "This evening counts for nobody: the challenge was declined")
        await pilot.press("escape", "escape")
        await sees(pilot, "The code on the screen")
        assert "challenges you" not in screen_text(pilot.app)


async def test_a_player_is_challenged_by_name_and_an_unknown_one_is_refused_with_a_sentence(
    sqlite_server: RunningServer, client: Client, bob: Person
) -> None:
    async with opened(sqlite_server, client) as pilot:
        await play_me(pilot, "A player by name")
        await write(pilot, "Eve", "enter")
        await sees(pilot, "No other player has this name.")
        await choose(pilot, "Challenge")
        await choose(pilot, "A player by name")
        await write(pilot, "Bob", "enter")
        await sees(pilot, "Ada – Bob", "Waiting for Bob: 15:00 left", "Withdraw")
        await pilot.press("escape")
        await sees(pilot, "Your matches", "not accepted yet")
    _, listed = await bob.get("/matches")
    assert [one["challenger"]["name"] for one in listed["matches"]] == ["Ada"]


async def test_who_waits_is_taken_from_the_list_and_two_who_wait_are_paired(
    sqlite_server: RunningServer, client: Client, bob: Person
) -> None:
    await challenge(bob, against="anyone", opponent=None)
    async with opened(sqlite_server, client) as pilot:
        await open_list(pilot)
        await sees(pilot, "They wait for somebody", "waits for somebody")
        await choose(pilot, "Bob – …")
        await choose(pilot, "Accept")
        await sees(pilot, "Bob – Ada", "Round 1 of 1 begins in 0:20")
        await choose(pilot, "Withdraw")
        await sees(pilot, "it was withdrawn")
        await pilot.press("escape")
        await choose(pilot, "Challenge")
        await choose(pilot, "Whoever waits")
        await sees(pilot, "Ada – …", "Waiting for somebody: 15:00 left")
        await challenge(bob, against="anyone", opponent=None)
        await pilot.press("f5")
        await sees(pilot, "Ada – Bob", "Round 1 of 3 begins in 0:20")


async def test_whoever_has_the_link_of_a_match_opens_it_with_the_link(
    sqlite_server: RunningServer, client: Client, bob: Person
) -> None:
    async with opened(sqlite_server, client) as pilot:
        await play_me(pilot, "Whoever has the link")
        await sees(pilot, "Waiting for somebody: 15:00 left", "Send others this link")
        (own,) = (await client.list_matches()).matches
        code = (await client.show_evening(own.id)).code
        assert f"{sqlite_server.url}/e/{code}" in screen_text(pilot.app)
    theirs = await challenge(bob, against="link", opponent=None)
    link = f"{sqlite_server.url}/e/{theirs[:6].upper()}"
    async with opened(sqlite_server, client) as pilot:
        await pilot.press("7")
        await choose(pilot, "The code on the screen")
        await pilot.press(*link, "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, EveningScreen))
        await sees(pilot, "Bob – …", "Accept")


async def test_a_match_that_nobody_accepted_says_so(sqlite_server: RunningServer, client: Client) -> None:
    made = await client.make_match(NewMatch(against="link"))
    sqlite_server.clock.at += 15 * 60 * SECOND
    async with opened(sqlite_server, client) as pilot:
        await pilot.press("7")
        await choose(pilot, "The code on the screen")
        await pilot.press(*made.code, "enter")
        await sees(pilot, "This evening counts for nobody: nobody has accepted it")
