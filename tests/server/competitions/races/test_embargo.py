"""While a race is on its cards are for those alone who play it, each their own; then they are everybody's."""

from typing import Any

from msgspec import json

from tests.harness.people import Person
from tests.harness.race_actions import game_in_race, get_race, let_race_start, make_race, resign_in_race
from tests.harness.running_server import RunningServer


async def test_other_racers_are_shown_as_meters_while_the_race_is_on(sqlite_server: RunningServer) -> None:
    ann, bob, eve = [await sqlite_server.guest() for _ in range(3)]
    running = await let_race_start(sqlite_server, ann, await make_race(ann, bob))
    game = game_in_race(running, ann)
    async with (
        ann.connect() as playing,
        bob.connect() as rival,
        sqlite_server.stranger().connect() as watching,
    ):
        for socket in (rival, watching):
            view = await socket.request("subscribe", game=game)
            assert (view["sight"], "piles" in view) == ("meter", False)
        await playing.play(await playing.request("subscribe", game=game))
        for socket in (rival, watching):
            assert await socket.receive() == {"type": "advanced", "game": game, "version": 2}
            assert (await socket.request("subscribe", game=game, since=1))["sight"] == "meter"
    for person in (bob, eve, sqlite_server.stranger()):
        assert (await person.get(f"/games/{game}"))[1]["sight"] == "meter"
        for path in ("replay", "record", "pace"):
            status, refused = await person.get(f"/games/{game}/{path}")
            assert (status, refused["code"]) == (403, "spoiler_embargo")


async def test_a_racer_whose_run_is_over_sees_boards_and_after_the_race_everybody_does(
    sqlite_server: RunningServer,
) -> None:
    ann, bob, cat = [await sqlite_server.guest() for _ in range(3)]
    running = await let_race_start(sqlite_server, ann, await make_race(ann, bob, cat))
    game = game_in_race(running, ann)
    async with (
        ann.connect() as one,
        bob.connect() as two,
        cat.connect() as three,
        sqlite_server.stranger().connect() as watching,
    ):
        assert (await watching.request("subscribe", game=game))["sight"] == "meter"
        assert (await two.request("subscribe", game=game))["sight"] == "meter"
        assert (await resign_in_race(two, running, bob))["result"] == "resigned"
        upgraded = await two.receive("view")
        assert (upgraded["game"]["id"], upgraded["sight"]) == (game, "board")
        assert (await bob.get(f"/games/{game}/replay"))[0] == 200
        assert (await cat.get(f"/games/{game}/replay"))[0] == 403
        assert (await watching.request("subscribe", game=game))["sight"] == "meter"
        await resign_in_race(three, running, cat)
        await resign_in_race(one, running, ann)
        assert (await watching.receive("advanced"))["game"] == game
        upgraded = await watching.receive("view")
        assert (upgraded["game"]["id"], upgraded["sight"]) == (game, "board")
    assert (await get_race(sqlite_server.stranger(), running))["state"] == "over"
    assert (await sqlite_server.stranger().get(f"/games/{game}/replay"))[0] == 200


async def test_the_shared_secret_is_revealed_when_the_race_is_over_and_not_before(
    sqlite_server: RunningServer,
) -> None:
    ann, bob = await sqlite_server.guest(), await sqlite_server.guest()
    running = await let_race_start(sqlite_server, ann, await make_race(ann, bob))
    secret = (await sqlite_server.server.race_repository.deal(running["race"])).secret.hex()
    async with bob.connect() as playing:
        finished = await resign_in_race(playing, running, bob)
        shown = [finished, running, await playing.request("ping")]
    for person in (ann, bob, sqlite_server.stranger()):
        shown += await everything(person, running)
    assert secret not in json.encode(shown).decode()
    status, refused = await bob.get(f"/games/{game_in_race(running, bob)}/record")
    assert (status, refused["code"]) == (403, "spoiler_embargo")
    sqlite_server.clock.at = running["ends_at"]
    assert (await get_race(bob, running))["secret"] == secret
    assert (await bob.get(f"/games/{game_in_race(running, bob)}/record"))[1]["secret"] == secret


async def test_a_second_account_that_is_not_in_the_race_sees_no_card_of_it(sqlite_server: RunningServer) -> None:
    ann, bob = await sqlite_server.guest(), await sqlite_server.guest()
    running = await let_race_start(sqlite_server, ann, await make_race(ann, bob))
    views = [one for one in await everything(await sqlite_server.guest(), running) if "sight" in one]
    assert {view["sight"] for view in views} == {"meter"}
    assert not any("piles" in view or "counters" in view or "legal" in view for view in views)


async def everything(person: Person, race: dict[str, Any]) -> list[dict[str, Any]]:
    """Whatever HTTP answers about a race and its games."""
    games = [one["meter"]["game"] for one in race["racers"]]
    paths = [f"/games/{game}{more}" for game in games for more in ("", "/replay", "/record", "/pace")]
    return [(await person.get(path))[1] for path in (f"/races/{race['race']}", "/races", "/games/live", *paths)]
