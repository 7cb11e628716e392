"""Two nodes over one database: any of them plays any game, and the truth is in the log."""

from tests.harness.two_nodes import Town


async def test_who_watches_at_another_node_is_told_of_every_move(town: Town) -> None:
    ann = await town.first.guest()
    game = await ann.deal()
    async with ann.talk() as playing, town.at_second(ann).talk() as watching:
        seen = await watching.ask("subscribe", game=game)
        answer = await playing.play(seen)
        assert await watching.hear() == answer


async def test_a_game_goes_on_at_another_node(town: Town) -> None:
    ann = await town.first.guest()
    game = await ann.deal()
    async with ann.talk() as one, town.at_second(ann).talk() as two:
        seen = await one.play(await one.ask("subscribe", game=game))
        seen = await two.play(seen)
        assert await one.hear() == seen
        assert (await one.play(seen))["version"] == 4


async def test_a_lost_wake_up_costs_no_move_and_the_loser_of_a_race_hears_the_truth(town: Town) -> None:
    ann = await town.first.guest()
    game = await ann.deal()
    async with ann.talk() as one, town.at_second(ann).talk() as two:
        seen = await two.ask("subscribe", game=game)
        town.cut()
        first = await one.play(seen, id="first")
        await two.say("play", id="second", game=game, version=1, move="deal")
        assert await two.hear() == first
        refused = await two.hear()
        assert (refused["code"], refused["version"], refused["id"]) == ("stale_version", 2, "second")
        assert (await two.play(first))["version"] == 3
        assert (await one.play({**first, "version": 3}, move="deal"))["version"] == 4


async def test_a_command_repeated_at_another_node_gets_its_first_answer(town: Town) -> None:
    ann = await town.first.guest()
    game = await ann.deal()
    _, view = await town.at_second(ann).get(f"/games/{game}")
    town.cut()
    async with ann.talk() as one, town.at_second(ann).talk() as two:
        first = await one.play(view, id="one")
        assert await two.play(view, id="one") == first
        assert (await two.play(view, move="foundation.0/tableau.0", id="one"))["code"] == "command_reused"


async def test_a_run_of_the_day_is_one_run_at_both_nodes(town: Town) -> None:
    ann = await town.first.guest()
    assert await ann.enter() == await town.at_second(ann).enter()
    assert (await ann.get("/dailies/today"))[1] == (await town.at_second(ann).get("/dailies/today"))[1]


async def test_progress_of_runs_at_another_node_is_told(town: Town) -> None:
    ann = await town.first.guest()
    async with ann.talk() as playing, town.second.stranger().talk() as watching:
        assert (await watching.ask_for_day("2026-11-20"))["games"] == []
        game = await ann.enter()
        await playing.play(await playing.ask("subscribe", game=game))
        progress = await watching.hear("day_progress")
        assert [(run["game"], run["player"]["id"]) for run in progress["games"]] == [(game, ann.id)]
