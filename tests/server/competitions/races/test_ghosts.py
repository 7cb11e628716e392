"""Ghosts: the pace of a finished run, for whoever may see its replay."""

from tests.harness.race_actions import game_in_race, let_race_start, make_race, resign_in_race
from tests.harness.running_server import RunningServer
from tests.harness.schema_checks import check_body


async def test_a_player_gets_the_pace_of_the_own_finished_run(sqlite_server: RunningServer) -> None:
    ann = await sqlite_server.guest()
    game = await ann.deal("quatorze")
    async with ann.connect() as socket:
        view = await socket.request("subscribe", game=game)
        sqlite_server.clock.at += 2000
        view = await socket.play(view)
        sqlite_server.clock.at += 3000
        await socket.request("resign", game=game, version=view["version"])
    status, pace = await ann.get(f"/games/{game}/pace")
    check_body("Pace", pace)
    assert (status, pace["game"]["id"]) == (200, game)
    assert pace["points"][0][0] == 0
    assert pace["points"][-1] == [5000, view["home"], view["score"]]
    assert (await sqlite_server.stranger().get(f"/games/{game}/pace"))[1] == pace


async def test_a_game_under_way_has_no_pace_yet(sqlite_server: RunningServer) -> None:
    ann = await sqlite_server.guest()
    status, refused = await ann.get(f"/games/{await ann.deal()}/pace")
    assert (status, refused["code"]) == (409, "conflict")
    assert (await ann.get("/games/aaaabbbbccccdddd/pace"))[0] == 404


async def test_of_a_race_each_has_the_pace_of_their_own_run_and_at_the_end_everybody_of_all(
    sqlite_server: RunningServer,
) -> None:
    ann, bob = await sqlite_server.guest(), await sqlite_server.guest()
    running = await let_race_start(sqlite_server, ann, await make_race(ann, bob))
    game = game_in_race(running, ann)
    async with ann.connect() as one, bob.connect() as two:
        await resign_in_race(one, running, ann)
        assert (await ann.get(f"/games/{game}/pace"))[0] == 200
        assert (await bob.get(f"/games/{game}/pace"))[1]["code"] == "spoiler_embargo"
        await resign_in_race(two, running, bob)
    assert (await bob.get(f"/games/{game}/pace"))[0] == 200
