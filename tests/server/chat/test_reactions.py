"""Signs: at games that are over, among those who see their cards; at races, but not while they are run."""

from typing import Any

from cadogan.server.subjects.chat.reactions import REACTIONS_AT_ONCE, RETENTION_MILLISECONDS
from tests.harness.daily_actions import play_and_resign
from tests.harness.hosts import PASSWORD, WHY, player, with_role
from tests.harness.people import Person
from tests.harness.race_actions import game_in_race, get_race, make_race
from tests.harness.running_server import RunningServer
from tests.harness.two_nodes import TwoNodes


async def give(person: Person, place: str, sign: str = "well_played") -> tuple[int, Any]:
    """The answer to somebody who gives a sign at `games/…` or `races/…`."""
    return await person.ask("PUT", f"/{place}/signs/mine", {"sign": sign})


async def seen(person: Person, place: str) -> list[tuple[str, str]]:
    """Who has given which sign, as a person is shown it."""
    status, answer = await person.get(f"/{place}/signs")
    assert status == 200, answer
    return [(one["by"]["id"], one["sign"]) for one in answer["signs"]]


async def test_one_sign_of_each_player_stands_at_a_game_that_is_over(running_server: RunningServer) -> None:
    ann, bob = await player(running_server, "Ann"), await player(running_server, "Bob")
    game = await ann.deal()
    assert (await give(bob, f"games/{game}"))[1]["code"] == "conflict"
    await play_and_resign(ann, game, moves=1)
    for person, sign in ((bob, "so_close"), (ann, "thanks"), (bob, "star")):
        running_server.clock.at += 1
        status, answer = await give(person, f"games/{game}", sign)
        assert (status, answer["signs"][-1]["sign"]) == (200, sign)
    assert await seen(bob, f"games/{game}") == [(ann.id, "thanks"), (bob.id, "star")]
    assert (await give(bob, f"games/{game}", "Knave of spades!"))[1]["code"] == "bad_message"
    assert (await give(bob, "games/nothing"))[1]["code"] == "not_found"
    assert (await give(running_server.stranger(), f"games/{game}"))[1]["code"] == "unauthorized"


async def test_at_a_game_of_an_open_day_only_those_who_have_played_the_deal_give_and_see_signs(
    running_server: RunningServer,
) -> None:
    ann, bob = await player(running_server, "Ann"), await player(running_server, "Bob")
    running_server.clock.at += running_server.server.settings.fresh * 1000 + 1
    cat = await player(running_server, "Cat")
    runs = {person.id: await person.enter() for person in (ann, bob)}
    await play_and_resign(ann, runs[ann.id], moves=1)
    place = f"games/{runs[ann.id]}"
    assert (await give(ann, place, "thanks"))[0] == 200
    for early in (bob, cat):
        assert (await give(early, place))[1]["code"] == "spoiler_embargo"
        assert (await early.get(f"/{place}/signs"))[1]["code"] == "spoiler_embargo"


async def test_who_sees_the_meter_only_is_sent_no_sign(two_nodes: TwoNodes) -> None:
    ann, bob = await player(two_nodes.first, "Ann"), await player(two_nodes.first, "Bob")
    run = await ann.enter()
    await bob.enter()
    await play_and_resign(ann, run, moves=1)
    async with ann.connect() as own, two_nodes.at_second(bob).connect() as embargoed:
        for connected, sight in ((own, "seat"), (embargoed, "meter")):
            assert (await connected.request("subscribe", game=run))["sight"] == sight
        assert (await give(two_nodes.at_second(ann), f"games/{run}", "thanks"))[0] == 200
        received = await own.receive("signs_changed")
        assert (received["about"], [one["sign"] for one in received["signs"]]) == (f"game/{run}", ["thanks"])
        await two_nodes.second.server.wait_until_idle()
        await embargoed.send("ping")
        assert (await embargoed.receive("pong", "signs_changed"))["type"] == "pong"


async def test_racers_give_signs_before_the_deal_and_after_the_end_and_none_between(two_nodes: TwoNodes) -> None:
    ann, bob, cat = [await player(two_nodes.first, name) for name in ("Ann", "Bob", "Cat")]
    race = await make_race(ann, bob, start=False)
    place = f"races/{race['race']}"
    async with two_nodes.at_second(bob).connect() as watching:
        await watching.send("watch_race", race=race["race"])
        await watching.receive("race")
        assert (await give(ann, place, "good_luck"))[0] == 200
        assert [one["sign"] for one in (await watching.receive("signs_changed"))["signs"]] == ["good_luck"]
    assert (await give(cat, place))[1]["code"] == "forbidden"
    await ann.post(f"/{place}/start")
    two_nodes.first.clock.at += 5_001
    running = await get_race(ann, race)
    games = [game_in_race(running, person) for person in (ann, bob)]
    assert (await give(ann, place))[1]["code"] == "conflict"
    assert await seen(bob, place) == []
    await play_and_resign(ann, games[0], moves=1)
    assert (await give(ann, place))[1]["code"] == "conflict"
    assert (await give(ann, f"games/{games[0]}", "thanks"))[0] == 200
    assert (await bob.get(f"/games/{games[0]}/signs"))[1]["code"] == "spoiler_embargo"
    await play_and_resign(bob, games[1], moves=1)
    assert (await give(bob, place))[0] == 200
    assert await seen(ann, place) == [(bob.id, "well_played")]


async def test_the_muted_and_the_hasty_give_none(running_server: RunningServer) -> None:
    ann, mod = await player(running_server, "Ann"), await with_role(running_server, "Mo", "moderator")
    game = await ann.deal()
    await play_and_resign(ann, game, moves=1)
    statuses = [(await give(mod, f"games/{game}"))[0] for _ in range(REACTIONS_AT_ONCE + 1)]
    assert statuses == [*[200] * REACTIONS_AT_ONCE, 429]
    await mod.ask("PUT", f"/house/players/{ann.id}/mute", {"until": running_server.clock.at + 1000, **WHY})
    assert (await give(ann, f"games/{game}"))[1]["code"] == "muted"


async def test_a_sign_is_kept_for_a_week_and_goes_with_who_gave_it(running_server: RunningServer) -> None:
    ann, bob = await player(running_server, "Ann"), await player(running_server, "Bob")
    game = await ann.deal()
    await play_and_resign(ann, game, moves=1)
    await give(ann, f"games/{game}")
    running_server.clock.at += RETENTION_MILLISECONDS - 1
    await give(bob, f"games/{game}")
    assert len(await seen(ann, f"games/{game}")) == 2
    running_server.clock.at += 1
    assert await seen(ann, f"games/{game}") == [(bob.id, "well_played")]
    await running_server.server.reactions.clear_old()
    running_server.clock.at -= 1
    assert await seen(ann, f"games/{game}") == [(bob.id, "well_played")]
    await bob.ask("PUT", "/session/confirmation", {"password": PASSWORD})
    assert (await bob.ask("DELETE", "/account"))[0] == 200
    assert await seen(ann, f"games/{game}") == []
