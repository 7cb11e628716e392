"""What the published run of the solver says of every game, as everybody may ask for it."""

from cadogan.engine.difficulty.published import level_of, winnability
from tests.harness.running_server import RunningServer


async def test_everybody_can_ask_how_often_each_game_can_be_won(sqlite_server: RunningServer) -> None:
    status, answer = await sqlite_server.stranger().get("/winnability")
    assert status == 200
    assert [game["slug"] for game in answer["games"]] == sorted(winnability())
    for game in answer["games"]:
        summary = winnability()[game["slug"]]
        counts = {verdict: game[verdict]["deals"] for verdict in ("won", "lost", "unknown")}
        assert counts == {"won": summary.won, "lost": summary.lost, "unknown": summary.unknown}
        assert sum(counts.values()) == game["deals"]
        for verdict, count in counts.items():
            assert game[verdict]["low"] <= count / game["deals"] + 1e-4
            assert game[verdict]["high"] >= count / game["deals"] - 1e-4
        assert game["can_be_won"]["low"] == game["won"]["low"]
        assert game["can_be_won"]["high"] >= game["won"]["high"]
        assert game["level"] == level_of(game["slug"])
        assert ("moves" in game) == (summary.won > 0)
    assert max(winnability()[game["slug"]].solver for game in answer["games"]) == answer["solver"]


async def test_the_games_have_the_names_of_the_language_asked_for(sqlite_server: RunningServer) -> None:
    stranger = sqlite_server.stranger()
    _, shelf = await stranger.get("/shelf?language=de")
    _, answer = await stranger.get("/winnability?language=de")
    assert [game["name"] for game in answer["games"]] == [game["name"] for game in shelf["games"]]
    _, english = await stranger.get("/winnability?language=xx")
    assert english == (await stranger.get("/winnability"))[1]
