"""Every HTTP endpoint, called through the SDK on a real server."""

import asyncio
import inspect
import re
from pathlib import Path

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from cadogan import engine
from cadogan.sdk import Client
from cadogan.sdk.api import Api
from cadogan.sdk.errors import (
    BadCredentials,
    Conflict,
    Forbidden,
    NameTaken,
    NotFound,
    SpoilerEmbargo,
    Unauthorized,
    Unreachable,
)
from cadogan.sdk.http import HttpClient
from cadogan.sdk.receipts import list_keys
from cadogan.wire.chat import Talk
from cadogan.wire.endpoints import ENDPOINTS
from cadogan.wire.races import NewRace
from cadogan.wire.settings import Settings
from tests.harness.daily_actions import play_and_resign
from tests.harness.patience import soon
from tests.harness.running_server import RunningServer

CONSOLE = {
    "become_host",
    "confirm_password",
    "show_ways_to_confirm",
    "erase_account",
    "regain_access",
    "recover_account",
    "show_entry",
    "show_profile",
    "count_recovery_codes",
    "renew_recovery_codes",
}
"""What only the pages of hosts ask for, and the pages behind their links, beside what needs the role of one."""
FOR_PROGRAMS = [
    one
    for one in ENDPOINTS
    if (one.response or one.lines)
    and not one.is_for_staff
    and one.name not in CONSOLE
    and not re.search("passkey|mail|oidc|notifications", one.name)
]


def test_every_endpoint_has_a_method_of_its_name() -> None:
    methods = {endpoint: getattr(Api, endpoint.name, None) for endpoint in FOR_PROGRAMS}
    assert [one.name for one, method in methods.items() if method is None or not method.__doc__] == []
    assert [one.name for one, method in methods.items() if not (inspect.iscoroutinefunction(method) or one.lines)] == []


async def test_a_guest_claims_a_name_and_signs_in_with_it(sqlite_server: RunningServer, either: Client) -> None:
    claimed = await either.claim_name("Ada Byron", "correct horse")
    assert (claimed.player.name, claimed.player.guest) == ("Ada Byron", False)
    with pytest.raises(Conflict):
        await either.claim_name("Ada Lovelace", "correct horse")
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


async def test_other_sessions_are_listed_and_ended(sqlite_server: RunningServer, either: Client) -> None:
    made = await either.claim_name("Ada Byron", "correct horse")
    assert len(made.recovery_codes) == 10
    other = Api(HttpClient(sqlite_server.url))
    for end in (None, "others"):
        await other.sign_in("Ada Byron", "correct horse")
        (theirs,) = [one for one in (await either.list_sessions()).sessions if not one.current]
        ended = await (either.end_other_sessions() if end else either.end_session(theirs.id))
        assert [one.current for one in ended.sessions] == [True]
        with pytest.raises(Unauthorized):
            await other.list_friends()
        other.http.token = None
    await other.http.close()


async def test_a_player_takes_everything_along(either: Client) -> None:
    claimed = await either.claim_name("Ada Byron", "correct horse")
    own = await either.download_own_data()
    assert (own.player, own.records) == (claimed.player, [])
    assert "players" in own.tables


async def test_changing_the_password_and_signing_out_everywhere_end_other_sessions(
    sqlite_server: RunningServer, either: Client
) -> None:
    await either.claim_name("Ada Byron", "correct horse")
    other = Api(HttpClient(sqlite_server.url))
    await other.sign_in("Ada Byron", "correct horse")
    with pytest.raises(BadCredentials):
        await either.change_password("wrong horse", "battery staple")
    changed = await either.change_password("correct horse", "battery staple")
    assert (await either.who_am_i()).player == changed.player
    with pytest.raises(Unauthorized):
        await other.who_am_i()
    await either.sign_in("Ada Byron", "battery staple")
    await either.sign_out_everywhere()
    assert either.token is None
    assert (await either.begin_as_guest()).player.guest
    await either.sign_out()
    assert (await either.who_am_i()).player is None
    await other.http.close()


async def test_a_finished_game_has_a_replay_a_record_and_a_receipt(either: Client, tmp_path: Path) -> None:
    sealed = await either.seal_deal("klondike")
    begun = await either.begin_game(sealed.deal, "mine")
    game = await either.game(begun.game.id)
    with pytest.raises(Conflict):
        await either.download_record(game.id)
    assert (await either.list_unfinished_games()).games == []
    await game.play("deal")
    assert [one.game for one in (await either.list_unfinished_games()).games] == [game.id]
    await game.resign()
    assert (await either.list_unfinished_games()).games == []
    replay = await either.replay_game(game.id)
    assert replay.dealt.moves == 0
    assert [type(message).__name__ for message in replay.messages] == ["MovePlayed", "GameFinished", "DealRevealed"]
    assert (await either.download_record(game.id)).game == game.id
    assert (await either.show_pace(game.id)).game.id == game.id
    assert (await either.show_game(game.id)).status == "resigned"
    result = await either.show_result(game.id)
    assert (result.moves, result.maximum, result.past) == (1, engine.game("klondike").maximum, None)
    assert (await either.show_attestation(game.id)).game == game.id
    given = await either.give_receipt(game.id)
    assert (given.game, given.receipt.split("\n")[1]) == (game.id, f"game/{game.id}")
    file = await either.keep_receipt(game.id, tmp_path)
    assert (file.name, file.read_text("utf-8")) == (f"{game.id}.receipt", given.receipt)
    assert list_keys(file.parent) == [given.key]
    assert [run.game.id for run in (await either.list_own_runs()).runs] == [game.id]


async def test_every_finished_game_of_a_player_is_exported(either: Client, sqlite_server: RunningServer) -> None:
    player = (await either.who_am_i()).player
    assert player is not None
    ids = []
    for _ in range(3):
        game = await either.deal("klondike")
        await (await game.play("deal")).resign()
        ids.append(game.id)
        sqlite_server.clock.at += 1
    assert [(one.game.id, one.moves) async for one in either.export_games(player.id)] == [(id, 1) for id in ids]
    day = (await either.show_daily()).day
    assert len([one async for one in either.export_games(player.id, since=day)]) == 3
    assert [one async for one in either.export_games(player.id, until=day)] == []
    with pytest.raises(NotFound):
        async for _ in either.export_games("a" * 16):
            pass


async def test_days_leaderboards_and_results_are_read(either: Client) -> None:
    today = await either.show_daily()
    assert today.day in [daily.day for daily in (await either.list_dailies(limit=31)).dailies]
    game = await either.enter(today.day, 1)
    await game.play(game.moves[0])
    await game.resign()
    board = await either.show_board(f"day:{today.day}", around="me", limit=10)
    assert board.you is not None
    assert board.entries == [board.you]
    assert today.day[:4] in (await either.share_day(today.day)).text
    assert "aufgegeben" in (await either.share_day(today.day, "de")).text
    with pytest.raises(SpoilerEmbargo):
        await either.day_record(today.day)
    assert (await either.spoil_deal(today.day, 2)).deal.spoiled
    player = (await either.who_am_i()).player
    assert player is not None
    assert (await either.show_player(player.id)).played == 1
    assert [(game.played, game.first_win) for game in (await either.show_collection(player.id)).games] == [(1, None)]
    assert [deal.deal for deal in (await either.show_yesterday()).today] == [deal.deal for deal in today.deals]
    practice = (await either.enter_daily(today.day, 1, practice=True)).game
    assert (practice.mode, practice.ranked) == ("practice", False)
    assert (await either.show_root()).day == today.day


async def test_a_run_and_a_name_are_reported(sqlite_server: RunningServer, either: Client) -> None:
    other = await sqlite_server.guest()
    with pytest.raises(Forbidden):
        await either.report_player(other.id, "name")
    await either.claim_name("Ada Byron", "correct horse")
    assert (await either.my_reports()).reports == []
    game = await other.enter()
    await play_and_resign(other, game, moves=1)
    assert [one.game for one in (await either.report_run(game, "cheating", "Too fast.")).reports] == [game]
    reported = (await either.report_player(other.id, "name")).reports
    assert sorted((one.player.id, one.reason) for one in reported) == [(other.id, "cheating"), (other.id, "name")]
    assert (await either.my_reports()).reports == reported


async def test_settings_are_stored_with_the_account(either: Client) -> None:
    await either.keep_settings(Settings(theme="dark"))
    stored = (await either.show_settings()).settings
    assert stored is not None
    assert stored.theme == "dark"


async def test_signs_are_given_at_games_and_races(either: Client) -> None:
    game = await either.deal("klondike")
    await (await game.play("deal")).resign()
    assert [one.sign for one in (await either.give_game_sign(game.id, "thanks")).signs] == ["thanks"]
    assert len((await either.show_game_signs(game.id)).signs) == 1
    race = (await either.open_race(NewRace(rules="quatorze", nonce="mine", open=True))).race
    assert [one.sign for one in (await either.give_race_sign(race, "hello")).signs] == ["hello"]
    assert len((await either.show_race_signs(race)).signs) == 1


async def test_the_members_of_a_group_write_to_each_other(sqlite_server: RunningServer, either: Client) -> None:
    other = await sqlite_server.guest()
    await other.post("/account", {"name": "Other", "password": "eight red queens"})
    await either.claim_name("Ada Byron", "correct horse")
    group = await either.make_group("The club")
    await other.post("/groups/join", {"token": group.token})
    assert (await either.switch_talk(group.id, on=True)).talk
    received: asyncio.Queue[object] = asyncio.Queue()
    stop = either.watch_talk(group.id, received.put_nowait)
    own, heard = await either.write_message(group.id, "Hello!"), set[str]()
    async with asyncio.timeout(soon()):
        while "Hello!" not in heard:
            talk = await received.get()
            assert isinstance(talk, Talk)
            heard.update(one.text for one in talk.messages)
        stop()
        either.watch_talk("nothing", received.put_nowait)
        assert isinstance(await received.get(), NotFound)
    _, answer = await other.post(f"/groups/{group.id}/messages", {"text": "Go away!"})
    found = (await either.list_messages(group.id)).messages
    assert sorted(one.text for one in found) == ["Go away!", "Hello!"]
    assert [one.id for one in (await either.list_messages(group.id, before=found[1].id, limit=1)).messages] == [
        found[0].id
    ]
    assert [one.quoted for one in (await either.report_message(answer["id"], "conduct")).reports] == ["Go away!"]
    assert (await either.remove_message(group.id, own.id)).removed


async def test_friends_groups_and_bots_are_created_and_removed(sqlite_server: RunningServer, either: Client) -> None:
    await either.claim_name("Ada/Byron é", "correct horse")
    other = Api(HttpClient(sqlite_server.url))
    await other.begin_as_guest()
    assert [player.name for player in (await other.follow_player("Ada/Byron é")).friends] == ["Ada/Byron é"]
    assert (await other.unfollow_player("Ada/Byron é")).friends == []
    assert (await other.list_friends()).friends == []
    group = await either.make_group("The club")
    assert (await either.find_group(group.token)).name == group.name
    assert len((await other.join_group(group.token)).members) == 2
    assert [one.id for one in (await other.list_groups()).groups] == [group.id]
    assert (await other.leave_group(group.id)).groups == []
    renewed = await either.renew_group_link(group.id)
    joined = await other.join_group(renewed.token)
    assert len((await either.put_out_of_group(group.id, joined.members[1].id)).members) == 1
    (other_player,) = {(await other.begin_as_guest()).player}
    with pytest.raises(NotFound):
        await either.follow_player(other_player.name)
    own = await either.join_group((await other.make_group("Another club")).token)
    assert own.id in [one.id for one in (await either.list_groups()).groups]
    assert own.id not in [one.id for one in (await either.leave_group(own.id)).groups]
    assert (await either.unfollow_player("Nobody")).friends == (await either.list_friends()).friends == []
    bot = (await either.make_bot("Ada's engine")).player
    assert (await either.list_bots()).bots == [bot]
    assert (await either.retire_bot(bot.id)).bots == []
    made = await either.make_token("A page", ["read"])
    assert [one.name for one in (await either.list_tokens()).tokens] == ["A page"]
    assert (await either.revoke_token(made.id)).tokens == []
    await other.http.close()


async def test_a_race_is_opened_joined_left_and_started(sqlite_server: RunningServer, either: Client) -> None:
    race = await either.open_race(NewRace(rules="quatorze", nonce="mine", open=True))
    assert [one.race for one in (await either.list_races()).races] == [race.race]
    other = Api(HttpClient(sqlite_server.url))
    await other.begin_as_guest()
    assert len((await other.join_race(race.race, "yours")).racers) == 2
    assert len((await other.leave_race(race.race)).racers) == 1
    await other.join_race(race.race, "yours", race.token)
    assert (await either.start_race(race.race)).state == "countdown"
    assert (await either.show_race(race.race)).racers[1].nonce == "yours"
    with pytest.raises(SpoilerEmbargo):
        await either.race_record(race.race)
    with pytest.raises(Conflict):
        await either.open_rematch(race.race, "again")
    theirs = await other.open_race(NewRace(rules="quatorze", nonce="theirs", open=True))
    await either.join_race(theirs.race, "mine")
    assert len((await either.leave_race(theirs.race)).racers) == 1
    await other.http.close()


async def test_rules_are_listed_with_their_layouts(either: Client) -> None:
    listed = (await either.list_rules()).rules
    assert (await either.show_home()).rules == listed
    assert [card.slug for card in (await either.show_shelf()).games] == [card.slug for card in listed]
    assert {game.slug for game in (await either.show_winnability("de")).games} <= {card.slug for card in listed}
    assert [card.slug for card in listed] == list(engine.slugs())
    assert (await either.rules("klondike")).layout.piles
    assert await either.rules("klondike") is await either.rules("klondike")
    assert (await either.show_rules("klondike", language="de")).slug == "klondike"
    with pytest.raises(NotFound):
        await either.rules("bridge")
    assert (await either.list_live_games()).games == []


async def test_a_server_that_is_not_cadogan_is_unreachable() -> None:
    app = web.Application()
    async with TestServer(app) as server:
        api = Api(HttpClient(str(server.make_url("/"))))
        with pytest.raises(Unreachable, match="404"):
            await api.list_rules()
        await api.http.close()
