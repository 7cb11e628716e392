"""Coming back to the run that somebody else plays of a day's deal: what was missed, or a fresh view, as one may see."""

from cadogan.server.core.games.visibility import AccessLevel
from tests.harness.daily_actions import play_and_resign
from tests.harness.running_server import RunningServer
from tests.server.competitions.daily.test_embargo import finished, not_begun


async def test_a_viewer_whose_sight_has_not_changed_gets_the_missed_messages(sqlite_server: RunningServer) -> None:
    for standing, seen in ((not_begun, AccessLevel.PROGRESS), (finished, AccessLevel.BOARD)):
        owner, viewer = await sqlite_server.guest(), await standing(sqlite_server)
        game = await owner.enter()
        async with owner.connect() as playing:
            await playing.play(await playing.request("subscribe", game=game))
        async with viewer.connect() as watching:
            asked = await watching.send("subscribe", game=game, since=1, sight=seen)
            received = [await watching.receive(), await watching.receive()]
        missed = "advanced" if seen is AccessLevel.PROGRESS else "move_played"
        assert [message["type"] for message in received] == [missed, "done"]
        assert (received[0]["version"], received[1]["id"]) == (2, asked)
        assert ("effects" in received[0]) == (seen is AccessLevel.BOARD)


async def test_a_viewer_who_may_see_more_than_before_gets_a_fresh_view(sqlite_server: RunningServer) -> None:
    owner, viewer = await sqlite_server.guest(), await sqlite_server.guest()
    game = await owner.enter()
    async with viewer.connect() as watching:
        assert (await watching.request("subscribe", game=game))["sight"] == "meter"
    await play_and_resign(viewer, await viewer.enter())
    for claimed in (None, AccessLevel.PROGRESS, AccessLevel.SEAT):
        async with viewer.connect() as watching:
            view = await watching.request("subscribe", game=game, since=1, **({"sight": claimed} if claimed else {}))
        assert (view["type"], view["sight"]) == ("view", "board"), claimed


async def test_a_viewer_who_claims_a_wider_sight_gets_the_meter(sqlite_server: RunningServer) -> None:
    owner, viewer = await sqlite_server.guest(), await sqlite_server.guest()
    game = await owner.enter()
    async with owner.connect() as playing:
        await playing.play(await playing.request("subscribe", game=game))
    for claimed in (AccessLevel.BOARD, AccessLevel.SEAT):
        async with viewer.connect() as watching:
            view = await watching.request("subscribe", game=game, since=1, sight=claimed)
        assert (view["type"], view["sight"], "piles" in view) == ("view", "meter", False), claimed


async def test_a_client_signed_in_as_another_player_sees_the_game_as_others_do(sqlite_server: RunningServer) -> None:
    owner, stranger = await sqlite_server.guest(), await sqlite_server.guest()
    game = await owner.deal()
    async with stranger.connect() as socket:
        view = await socket.request("subscribe", game=game, since=1, sight=AccessLevel.SEAT)
    assert (view["type"], view["sight"]) == ("view", "board")
    async with owner.connect() as socket:
        assert (await socket.request("subscribe", game=game, since=1, sight=AccessLevel.SEAT))["type"] == "done"
