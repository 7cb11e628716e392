"""Two nodes over one database: any of them plays any game, and the truth is in the log."""

import pytest

from tests.harness.two_nodes import TwoNodes

pytestmark = pytest.mark.slow


async def test_a_spectator_at_another_node_gets_every_move(two_nodes: TwoNodes) -> None:
    ann = await two_nodes.first.guest()
    game = await ann.deal()
    async with ann.connect() as playing, two_nodes.at_second(ann).connect() as watching:
        seen = await watching.request("subscribe", game=game)
        answer = await playing.play(seen)
        assert await watching.receive() == answer


async def test_a_game_goes_on_at_another_node(two_nodes: TwoNodes) -> None:
    ann = await two_nodes.first.guest()
    game = await ann.deal()
    async with ann.connect() as one, two_nodes.at_second(ann).connect() as two:
        seen = await one.play(await one.request("subscribe", game=game))
        seen = await two.play(seen)
        assert await one.receive() == seen
        assert (await one.play(seen))["version"] == 4


async def test_after_a_lost_wake_up_no_move_is_lost_and_the_later_command_gets_the_true_state(
    two_nodes: TwoNodes,
) -> None:
    ann = await two_nodes.first.guest()
    game = await ann.deal()
    async with ann.connect() as one, two_nodes.at_second(ann).connect() as two:
        seen = await two.request("subscribe", game=game)
        two_nodes.cut()
        first = await one.play(seen, id="first")
        await two.send("play", id="second", game=game, version=1, move="deal")
        assert await two.receive() == first
        refused = await two.receive()
        assert (refused["code"], refused["version"], refused["id"]) == ("stale_version", 2, "second")
        assert (await two.play(first))["version"] == 3
        assert (await one.play({**first, "version": 3}, move="deal"))["version"] == 4


async def test_a_command_repeated_at_another_node_gets_its_first_answer(two_nodes: TwoNodes) -> None:
    ann = await two_nodes.first.guest()
    game = await ann.deal()
    _, view = await two_nodes.at_second(ann).get(f"/games/{game}")
    two_nodes.cut()
    async with ann.connect() as one, two_nodes.at_second(ann).connect() as two:
        first = await one.play(view, id="one")
        assert await two.play(view, id="one") == first
        assert (await two.play(view, move="foundation.0/tableau.0", id="one"))["code"] == "command_reused"


@pytest.mark.both_databases
async def test_a_run_of_the_day_is_one_run_at_both_nodes(two_nodes: TwoNodes) -> None:
    ann = await two_nodes.first.guest()
    assert await ann.enter() == await two_nodes.at_second(ann).enter()
    assert (await ann.get("/dailies/today"))[1] == (await two_nodes.at_second(ann).get("/dailies/today"))[1]


async def test_progress_of_runs_at_another_node_is_sent(two_nodes: TwoNodes) -> None:
    ann = await two_nodes.first.guest()
    async with ann.connect() as playing, two_nodes.second.stranger().connect() as watching:
        assert (await watching.watch_day("2026-11-20"))["games"] == []
        game = await ann.enter()
        await playing.play(await playing.request("subscribe", game=game))
        progress = await watching.receive("day_progress")
        assert [(run["game"], run["player"]["id"]) for run in progress["games"]] == [(game, ann.id)]
