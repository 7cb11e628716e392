"""Coming back to the run that somebody else plays of a day's deal: what was missed, or a fresh view, as one may see."""

import pytest

from server.games.visibility import Sight
from tests.harness.daily_actions import give_up
from tests.harness.running_server import House
from tests.server.competitions.daily.test_embargo import Standing, finished, not_begun


@pytest.mark.parametrize(("standing", "seen"), [(not_begun, Sight.METER), (finished, Sight.BOARD)])
async def test_who_has_seen_a_run_as_it_may_be_seen_now_is_told_what_was_missed(
    small_house: House, standing: Standing, seen: Sight
) -> None:
    owner, viewer = await small_house.guest(), await standing(small_house)
    game = await owner.enter()
    async with owner.talk() as playing:
        await playing.play(await playing.ask("subscribe", game=game))
    async with viewer.talk() as watching:
        asked = await watching.say("subscribe", game=game, since=1, sight=seen)
        told = [await watching.hear(), await watching.hear()]
    missed = "advanced" if seen is Sight.METER else "move_played"
    assert [message["type"] for message in told] == [missed, "done"]
    assert (told[0]["version"], told[1]["id"]) == (2, asked)
    assert ("effects" in told[0]) == (seen is Sight.BOARD)


@pytest.mark.parametrize("claimed", [None, Sight.METER, Sight.SEAT])
async def test_who_may_see_more_than_before_gets_a_fresh_view(small_house: House, claimed: Sight | None) -> None:
    owner, viewer = await small_house.guest(), await small_house.guest()
    game = await owner.enter()
    async with viewer.talk() as watching:
        assert (await watching.ask("subscribe", game=game))["sight"] == "meter"
    await give_up(viewer, await viewer.enter())
    async with viewer.talk() as watching:
        view = await watching.ask("subscribe", game=game, since=1, **({"sight": claimed} if claimed else {}))
    assert (view["type"], view["sight"]) == ("view", "board")


@pytest.mark.parametrize("claimed", [Sight.BOARD, Sight.SEAT])
async def test_who_claims_to_have_seen_more_than_there_is_to_see_gets_the_meter(
    small_house: House, claimed: Sight
) -> None:
    owner, viewer = await small_house.guest(), await small_house.guest()
    game = await owner.enter()
    async with owner.talk() as playing:
        await playing.play(await playing.ask("subscribe", game=game))
    async with viewer.talk() as watching:
        view = await watching.ask("subscribe", game=game, since=1, sight=claimed)
    assert (view["type"], view["sight"], "piles" in view) == ("view", "meter", False)


async def test_who_is_no_longer_who_plays_is_shown_the_game_as_others_see_it(small_house: House) -> None:
    owner, stranger = await small_house.guest(), await small_house.guest()
    game = await owner.deal()
    async with stranger.talk() as talk:
        view = await talk.ask("subscribe", game=game, since=1, sight=Sight.SEAT)
    assert (view["type"], view["sight"]) == ("view", "board")
    async with owner.talk() as talk:
        assert (await talk.ask("subscribe", game=game, since=1, sight=Sight.SEAT))["type"] == "done"
