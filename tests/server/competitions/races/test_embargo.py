"""While a race is on its cards are for those alone who play it, each their own; then they are everybody's."""

from typing import Any

from msgspec import json

from tests.harness.people import Person
from tests.harness.race_actions import game_of, logged, race_of, resign, seen, under_way
from tests.harness.running_server import House


async def test_others_are_meters_for_everybody_while_the_race_is_on(small_house: House) -> None:
    ann, bob, eve = [await small_house.guest() for _ in range(3)]
    running = await under_way(small_house, ann, await race_of(ann, bob))
    game = game_of(running, ann)
    async with ann.talk() as playing, bob.talk() as rival, small_house.stranger().talk() as watching:
        for talk in (rival, watching):
            view = await talk.ask("subscribe", game=game)
            assert (view["sight"], "piles" in view) == ("meter", False)
        await playing.play(await playing.ask("subscribe", game=game))
        for talk in (rival, watching):
            assert await talk.hear() == {"type": "advanced", "game": game, "version": 2}
            assert (await talk.ask("subscribe", game=game, since=1))["sight"] == "meter"
    for person in (bob, eve, small_house.stranger()):
        assert (await person.get(f"/games/{game}"))[1]["sight"] == "meter"
        for path in ("replay", "record", "pace"):
            status, refused = await person.get(f"/games/{game}/{path}")
            assert (status, refused["code"]) == (403, "spoiler_embargo")


async def test_whose_own_run_is_over_sees_boards_and_when_all_are_everybody_does(small_house: House) -> None:
    ann, bob, cat = [await small_house.guest() for _ in range(3)]
    running = await under_way(small_house, ann, await race_of(ann, bob, cat))
    game = game_of(running, ann)
    async with ann.talk() as one, bob.talk() as two, cat.talk() as three, small_house.stranger().talk() as watching:
        assert (await watching.ask("subscribe", game=game))["sight"] == "meter"
        assert (await two.ask("subscribe", game=game))["sight"] == "meter"
        assert (await resign(two, running, bob))["result"] == "resigned"
        upgraded = await two.hear("view")
        assert (upgraded["game"]["id"], upgraded["sight"]) == (game, "board")
        assert (await bob.get(f"/games/{game}/replay"))[0] == 200
        assert (await cat.get(f"/games/{game}/replay"))[0] == 403
        assert (await watching.ask("subscribe", game=game))["sight"] == "meter"
        await resign(three, running, cat)
        await resign(one, running, ann)
        assert (await watching.hear("advanced"))["game"] == game
        upgraded = await watching.hear("view")
        assert (upgraded["game"]["id"], upgraded["sight"]) == (game, "board")
    assert (await seen(small_house.stranger(), running))["state"] == "over"
    assert (await small_house.stranger().get(f"/games/{game}/replay"))[0] == 200


async def test_the_secret_that_all_share_is_told_when_the_race_is_over_and_not_before(small_house: House) -> None:
    ann, bob = await small_house.guest(), await small_house.guest()
    running = await under_way(small_house, ann, await race_of(ann, bob))
    secret = (await small_house.service.race_keeper.secret(await logged(small_house, running))).hex()
    async with bob.talk() as playing:
        finished = await resign(playing, running, bob)
        shown = [finished, running, await playing.ask("ping")]
    for person in (ann, bob, small_house.stranger()):
        shown += await everything(person, running)
    assert secret not in json.encode(shown).decode()
    status, refused = await bob.get(f"/games/{game_of(running, bob)}/record")
    assert (status, refused["code"]) == (403, "spoiler_embargo")
    small_house.clock.at = running["ends_at"]
    assert (await seen(bob, running))["secret"] == secret
    assert (await bob.get(f"/games/{game_of(running, bob)}/record"))[1]["secret"] == secret


async def test_a_second_account_that_is_not_in_the_race_sees_no_card_of_it(small_house: House) -> None:
    ann, bob = await small_house.guest(), await small_house.guest()
    running = await under_way(small_house, ann, await race_of(ann, bob))
    views = [one for one in await everything(await small_house.guest(), running) if "sight" in one]
    assert {view["sight"] for view in views} == {"meter"}
    assert not any("piles" in view or "counters" in view or "legal" in view for view in views)


async def everything(person: Person, race: dict[str, Any]) -> list[dict[str, Any]]:
    """Whatever HTTP answers about a race and its games."""
    games = [one["meter"]["game"] for one in race["racers"]]
    paths = [f"/games/{game}{more}" for game in games for more in ("", "/replay", "/record", "/pace")]
    return [(await person.get(path))[1] for path in (f"/races/{race['race']}", "/races", "/games/live", *paths)]
