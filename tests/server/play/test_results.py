"""Results: a finished game is compared with the other runs of its deal and with earlier games, and names no card."""

from typing import Any

from cadogan import engine
from tests.harness.daily_actions import DAY, close_day, play_and_resign
from tests.harness.people import Person
from tests.harness.running_server import RunningServer


async def named(server: RunningServer, name: str) -> Person:
    """Somebody with a name."""
    person = await server.guest()
    status, answer = await person.post("/account", {"name": name, "password": "eight red queens"})
    assert status == 200, answer
    return person


async def result(person: Person, game: str) -> dict[str, Any]:
    """The result of a game, as this person is told it."""
    status, answer = await person.get(f"/games/{game}/result")
    assert status == 200, answer
    found: dict[str, Any] = answer
    return found


async def ranked_run(server: RunningServer, person: Person, moves: int, seconds: int = 60) -> str:
    """A finished run of the first deal of the day, of so many moves and seconds; its id."""
    game = await person.enter()
    server.clock.at += 1000 * seconds
    await play_and_resign(person, game, moves)
    return game


async def test_a_ranked_run_has_its_places_on_the_boards_and_among_friends(running_server: RunningServer) -> None:
    ann, bob, cat, dan = [await named(running_server, name) for name in ("Ann", "Bob", "Cat", "Dan")]
    quick, twin, other_twin, slow = [
        await ranked_run(running_server, person, 1, seconds)
        for person, seconds in ((ann, 10), (bob, 20), (cat, 20), (dan, 30))
    ]
    for follower, friend in ((bob, "Dan"), (dan, "Ann"), (dan, "Bob")):
        assert (await follower.ask("PUT", f"/friends/{friend}"))[0] == 200
    assert (await result(ann, quick))["place"] == {"rank": 1, "total": 4, "behind": 3}
    assert (await result(cat, other_twin))["place"] == {"rank": 2, "total": 4, "behind": 1}
    bobs = await result(bob, twin)
    assert (bobs["place"], bobs["day_place"]) == ({"rank": 2, "total": 4, "behind": 1},) * 2
    assert bobs["friends_place"] == {"rank": 1, "total": 2, "behind": 1}
    assert (await result(dan, slow))["friends_place"] == {"rank": 3, "total": 3, "behind": 0}
    assert "friends_place" not in await result(ann, quick), "Ann follows nobody"
    assert "friends_place" not in await result(ann, twin), "whom Bob follows is nobody else's business"


async def test_the_best_run_is_named_only_to_those_who_may_see_its_cards(running_server: RunningServer) -> None:
    ann, guest = await named(running_server, "Ann"), await running_server.guest()
    best = await ranked_run(running_server, guest, 1, 10)
    anns = await ranked_run(running_server, ann, 1, 20)
    other_guest, late = await running_server.guest(), await named(running_server, "Bob")
    assert (await result(ann, anns))["best_run"] == best
    for stranger in (other_guest, late, running_server.stranger()):
        assert "best_run" not in await result(stranger, anns)
    assert "best_run" not in await result(ann, best), "it is the best one itself"
    streams = f"watched/{DAY}.1/{ann.id}"
    assert await running_server.server.store.read(streams) == [], "to name a run shows none of its cards"
    await close_day(running_server)
    assert (await result(running_server.stranger(), anns))["best_run"] == best


async def test_an_unranked_game_is_compared_with_those_that_ended_before_it(running_server: RunningServer) -> None:
    ann = await running_server.guest()
    games = [await ann.deal("klondike") for _ in range(3)]
    await play_and_resign(ann, await ann.deal("wheel"))
    for game in games:
        running_server.clock.at += 1000
        await play_and_resign(ann, game, 1)
    first, second, third = [await result(running_server.stranger(), game) for game in games]
    assert "past" not in first
    assert not {"points", "place", "day_place", "friends_place", "best_run"} & set(third)
    assert (second["past"]["played"], third["past"]["played"]) == (1, 2)
    scores = [first["score"], second["score"]]
    assert third["past"]["best_score"] == max(scores)
    assert third["past"]["mean_score"] == sum(scores) / 2
    assert (first["maximum"], first["moves"], first["streak"]) == (engine.game("klondike").maximum, 1, 0)


async def test_a_game_that_goes_on_has_no_result(sqlite_server: RunningServer) -> None:
    ann = await sqlite_server.guest()
    status, refusal = await ann.get(f"/games/{await ann.deal()}/result")
    assert (status, refusal["code"]) == (409, "conflict")
    assert (await ann.get("/games/aaaabbbbccccdddd/result"))[0] == 404
