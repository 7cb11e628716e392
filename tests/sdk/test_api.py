"""Every HTTP endpoint, called through the SDK on a real server."""

import inspect

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

import engine
from clients.sdk import Client
from clients.sdk.api import Api
from clients.sdk.errors import BadCredentials, Conflict, NameTaken, NotFound, Unreachable
from clients.sdk.http import HttpClient
from clients.wire.endpoint import Endpoint
from clients.wire.endpoints import ENDPOINTS
from clients.wire.races import NewRace
from tests.harness.running_server import RunningServer


@pytest.mark.parametrize("endpoint", [one for one in ENDPOINTS if one.response], ids=lambda one: one.name)
def test_every_endpoint_has_a_method_of_its_name(endpoint: Endpoint) -> None:
    method = getattr(Api, endpoint.name)
    assert inspect.iscoroutinefunction(method)
    assert method.__doc__


async def test_a_guest_claims_a_name_and_signs_in_with_it(sqlite_server: RunningServer, client: Client) -> None:
    claimed = await client.claim_name("Ada Byron", "correct horse")
    assert (claimed.player.name, claimed.player.guest) == ("Ada Byron", False)
    with pytest.raises(Conflict):
        await client.claim_name("Ada Lovelace", "correct horse")
    other = Api(HttpClient(sqlite_server.url))
    await other.begin_as_guest()
    with pytest.raises(NameTaken):
        await other.claim_name("ada byron", "correct horse")
    with pytest.raises(BadCredentials):
        await other.sign_in("Ada Byron", "wrong horse")
    await other.sign_in("Ada Byron", "correct horse")
    assert (await other.who_am_i()).player == claimed.player
    await other.sign_out()
    assert (await other.who_am_i()).player is None
    await other.http.close()


async def test_changing_the_password_and_signing_out_everywhere_end_other_sessions(
    sqlite_server: RunningServer, client: Client
) -> None:
    await client.claim_name("Ada Byron", "correct horse")
    other = Api(HttpClient(sqlite_server.url))
    await other.sign_in("Ada Byron", "correct horse")
    with pytest.raises(BadCredentials):
        await other.change_password("wrong horse", "battery staple")
    changed = await other.change_password("correct horse", "battery staple")
    assert (await other.who_am_i()).player == changed.player
    assert (await client.who_am_i()).player is None
    await client.sign_in("Ada Byron", "battery staple")
    await client.sign_out_everywhere()
    assert (await other.who_am_i()).player is None
    await other.http.close()


async def test_a_finished_game_has_a_replay_and_a_record(client: Client) -> None:
    game = await client.deal("klondike")
    with pytest.raises(Conflict):
        await client.download_record(game.id)
    await game.play("deal")
    await game.resign()
    replay = await client.replay_game(game.id)
    assert replay.dealt.moves == 0
    assert [type(message).__name__ for message in replay.messages] == ["MovePlayed", "GameFinished", "DealRevealed"]
    assert (await client.download_record(game.id)).game == game.id
    assert (await client.show_pace(game.id)).game.id == game.id
    assert (await client.show_game(game.id)).status == "resigned"


async def test_days_leaderboards_and_results_are_read(client: Client) -> None:
    today = await client.show_daily()
    assert today.day in [daily.day for daily in (await client.list_dailies(limit=31)).dailies]
    game = await client.enter(today.day, 1)
    await game.play(game.moves[0])
    await game.resign()
    board = await client.show_board(f"day:{today.day}", around="me", limit=10)
    assert board.you is not None
    assert board.entries == [board.you]
    assert today.day[:4] in (await client.share_day(today.day)).text
    assert (await client.spoil_deal(today.day, 2)).deal.spoiled
    player = (await client.who_am_i()).player
    assert player is not None
    assert (await client.show_player(player.id)).played == 1


async def test_friends_groups_and_bots_are_created_and_removed(sqlite_server: RunningServer, client: Client) -> None:
    await client.claim_name("Ada/Byron é", "correct horse")
    other = Api(HttpClient(sqlite_server.url))
    await other.begin_as_guest()
    assert [player.name for player in (await other.follow_player("Ada/Byron é")).friends] == ["Ada/Byron é"]
    assert (await other.unfollow_player("Ada/Byron é")).friends == []
    assert (await other.list_friends()).friends == []
    group = await client.make_group("The club")
    assert len((await other.join_group(group.token)).members) == 2
    assert [one.id for one in (await other.list_groups()).groups] == [group.id]
    assert (await other.leave_group(group.id)).groups == []
    bot = (await client.make_bot("Ada's engine")).player
    assert (await client.list_bots()).bots == [bot]
    assert (await client.retire_bot(bot.id)).bots == []
    await other.http.close()


async def test_a_race_is_opened_joined_left_and_started(sqlite_server: RunningServer, client: Client) -> None:
    race = await client.open_race(NewRace(rules="quatorze", nonce="mine", open=True))
    assert [one.race for one in (await client.list_races()).races] == [race.race]
    other = Api(HttpClient(sqlite_server.url))
    await other.begin_as_guest()
    assert len((await other.join_race(race.race, "yours")).racers) == 2
    assert len((await other.leave_race(race.race)).racers) == 1
    await other.join_race(race.race, "yours", race.token)
    assert (await client.start_race(race.race)).state == "countdown"
    assert (await client.show_race(race.race)).racers[1].nonce == "yours"
    with pytest.raises(Conflict):
        await client.open_rematch(race.race, "again")
    await other.http.close()


async def test_rules_are_listed_with_their_layouts(client: Client) -> None:
    listed = (await client.list_rules()).rules
    assert [card.slug for card in listed] == list(engine.slugs())
    assert (await client.rules("klondike")).layout.piles
    assert await client.rules("klondike") is await client.rules("klondike")
    with pytest.raises(NotFound):
        await client.rules("bridge")
    assert (await client.list_live_games()).games == []


async def test_a_server_that_is_not_cadogan_is_unreachable() -> None:
    app = web.Application()
    async with TestServer(app) as server:
        api = Api(HttpClient(str(server.make_url("/"))))
        with pytest.raises(Unreachable, match="404"):
            await api.list_rules()
        await api.http.close()
