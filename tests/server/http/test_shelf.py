"""The shelf of all games, and what the first page and the rules say to somebody who is new."""

from typing import Any

from cadogan import engine
from cadogan.engine.difficulty.published import level_of
from cadogan.engine.registry import all_games
from cadogan.server.subjects.catalog import MAX_AGE_MILLISECONDS, MIN_MOVES, MIN_TIMED_GAMES
from tests.harness.people import Person
from tests.harness.running_server import RunningServer


async def on_shelf(person: Person, slug: str) -> dict[str, Any]:
    """A game as it stands on the shelf."""
    _, shelf = await person.get("/shelf")
    (found,) = (game for game in shelf["games"] if game["slug"] == slug)
    return dict(found)


async def play_and_resign(person: Person, slug: str, moves: int) -> None:
    """Plays the first legal move so many times, or to the end, and gives up."""
    game = await person.deal(slug)
    async with person.connect() as socket:
        seen = await socket.request("subscribe", game=game)
        for _ in range(moves):
            seen = await socket.play(seen)
        if seen["status"] == "playing":
            await socket.request("resign", game=game, version=seen["version"])


async def test_every_game_stands_on_the_shelf_with_its_picture_and_other_names(sqlite_server: RunningServer) -> None:
    _, shelf = await sqlite_server.stranger().get("/shelf?language=de")
    assert [game["slug"] for game in shelf["games"]] == list(engine.slugs())
    for game in shelf["games"]:
        declaration = all_games()[game["slug"]].declaration
        assert (game["level"], tuple(game["also_known_as"])) == (level_of(game["slug"]), declaration.also_known_as)
        assert game["picture"]["drawn"]
        assert game["minutes"] >= 1
    assert "Klondike" in (await on_shelf(sqlite_server.stranger(), "klondike"))["also_known_as"]


async def test_games_that_were_played_here_are_counted_after_a_while(sqlite_server: RunningServer) -> None:
    ann = await sqlite_server.guest()
    before = await on_shelf(ann, "klondike")
    assert (before["played"], before["won"], before["measured"]) == (0, 0, False)
    await play_and_resign(ann, "klondike", MIN_MOVES)
    await play_and_resign(ann, "klondike", MIN_MOVES - 1)
    assert await on_shelf(ann, "klondike") == before
    sqlite_server.clock.at += MAX_AGE_MILLISECONDS
    assert (await on_shelf(ann, "klondike"))["played"] == 1
    assert MIN_TIMED_GAMES > 1


async def test_the_rules_say_the_aim_and_the_rules_in_brief(sqlite_server: RunningServer) -> None:
    ann = sqlite_server.stranger()
    _, page = await ann.get("/rules/klondike")
    assert page["aim"] == "<p>Build four foundations, one of each suit, from ace to king.</p>\n"
    assert page["brief"][1] == {
        "groups": ["tableau"],
        "sentences": [
            {"text": "Build down in alternating colours."},
            {"text": "The face-up cards of a column go to another column all together."},
            {"text": "Only a king goes on an empty place."},
        ],
    }
    for slug in engine.slugs():
        for language in ("en", "de", "hu", "tr"):
            _, page = await ann.get(f"/rules/{slug}?language={language}")
            assert page["aim"].startswith("<p>")
            assert "<h" not in page["aim"]


async def test_the_first_page_has_a_table_for_a_stranger_and_unfinished_games_for_a_player(
    sqlite_server: RunningServer,
) -> None:
    ann, stranger = await sqlite_server.guest(), sqlite_server.stranger()
    _, home = await stranger.get("/home")
    assert home["sample"]["rules"] == "klondike-draw-one"
    assert home["sample"]["piles"]["tableau.6"][0] == 6
    assert "unfinished" not in home
    game = await ann.enter()
    _, home = await ann.get("/home")
    assert "sample" not in home
    assert [one["game"] for one in home["unfinished"]] == [game]
