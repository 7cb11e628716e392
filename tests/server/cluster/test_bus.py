"""What every bus promises: in one process, over PostgreSQL and over NATS."""

from secrets import token_hex

import pytest

from cadogan.server.core.cluster.bus import MAX_PRESENCE_BYTES
from cadogan.server.core.cluster.remote_bus import MAX_WAITING_NAMES
from tests.harness.bus_listeners import BusNodes
from tests.harness.patience import soon

CLUBS = ("/club", "/club", "", "/cadogan")
"""The paths of addresses of a NATS server: two nodes of a club, and two without a prefix, or with the default one."""


async def test_a_wake_up_reaches_the_other_nodes_and_not_its_sender(bus_nodes: BusNodes) -> None:
    nodes = [await bus_nodes.ready() for _ in range(3)]
    for node in nodes:
        await bus_nodes.follow(node, "game")
    nodes[0].wake("game", 7)
    nodes[1].wake("game", 8)
    await nodes[0].wait_for_wake_up("game", 8)
    await nodes[1].wait_for_wake_up("game", 7)
    await nodes[2].wait_until(lambda: {("game", 7), ("game", 8)} <= set(nodes[2].wake_ups))
    assert ("game", 7) not in nodes[0].wake_ups
    assert ("game", 8) not in nodes[1].wake_ups


async def test_of_many_wake_ups_of_a_game_the_last_version_arrives(bus_nodes: BusNodes) -> None:
    one, two = await bus_nodes.ready(), await bus_nodes.ready()
    await bus_nodes.follow(two, "game")
    for version in range(1, 501):
        one.wake("game", version)
    await two.wait_for_wake_up("game", 500)


async def test_wake_ups_of_a_thousand_games_at_once_all_arrive(bus_nodes: BusNodes) -> None:
    one, two = await bus_nodes.ready(), await bus_nodes.ready()
    games = [f"{number:016}" for number in range(1000)]
    await bus_nodes.follow(two, *games)
    for game in games:
        one.wake(game, 1_000_000)
    await two.wait_until(lambda: {(game, 1_000_000) for game in games} <= set(two.wake_ups))


async def test_a_subscriber_of_a_topic_gets_the_wake_ups_of_every_game_in_it(bus_nodes: BusNodes) -> None:
    one, two = await bus_nodes.ready(), await bus_nodes.ready()
    await bus_nodes.follow(two, "day/2026-11-20", "ended")
    one.wake("a", 3, ["day/2026-11-20"])
    one.wake("b", 9, ["ended", "day/2026-11-20"])
    await two.wait_until(lambda: {("a", 3), ("b", 9)} <= set(two.wake_ups))


async def test_a_race_wakes_its_subscribers(bus_nodes: BusNodes) -> None:
    one, two = await bus_nodes.ready(), await bus_nodes.ready()
    await bus_nodes.follow(two, "match/abc")
    one.wake("match/abc", 2)
    await two.wait_for_wake_up("match/abc", 2)


async def test_presence_of_a_game_reaches_the_other_nodes_that_subscribe_to_it(bus_nodes: BusNodes) -> None:
    one, two = await bus_nodes.ready(), await bus_nodes.ready()
    await bus_nodes.follow(two, "game")
    one.say("game", '["one",3,["Zoë = 4"]]')
    await two.wait_until(lambda: two.presence_messages == [("game", '["one",3,["Zoë = 4"]]')])
    assert (one.presence_messages, two.wake_ups) == ([], [])


async def test_of_repeated_presence_messages_the_last_arrives_and_wake_ups_beside_it(bus_nodes: BusNodes) -> None:
    one, two = await bus_nodes.ready(), await bus_nodes.ready()
    await bus_nodes.follow(two, "game")
    for number in range(1, 501):
        one.say("game", "x" * MAX_PRESENCE_BYTES if number < 500 else "the last")
        one.wake("game", number)
    await two.wait_until(lambda: ("game", "the last") in two.presence_messages and ("game", 500) in two.wake_ups)


async def test_a_removed_listener_gets_nothing_more(bus_nodes: BusNodes) -> None:
    one, two, three = [await bus_nodes.ready() for _ in range(3)]
    for node in (two, three):
        await bus_nodes.follow(node, "game")
    two.bus.remove_listener(two)
    one.wake("game", 2)
    await three.wait_for_wake_up("game", 2)
    assert two.wake_ups == []


async def test_waiting_messages_are_sent_before_closing(bus_nodes: BusNodes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cadogan.server.core.cluster.remote_bus.CLOSE_TIMEOUT_SECONDS", soon())
    one, two = await bus_nodes.ready(), await bus_nodes.ready()
    await bus_nodes.follow(two, "game")
    one.wake("game", 2)
    await one.bus.close()
    await two.wait_for_wake_up("game", 2)


async def test_after_an_outage_waiting_messages_are_sent_and_a_gap_is_reported(remote_bus_nodes: BusNodes) -> None:
    proxy = await remote_bus_nodes.proxy()
    one, two = await remote_bus_nodes.ready(proxy), await remote_bus_nodes.ready()
    await remote_bus_nodes.follow(one, "mine")
    await remote_bus_nodes.follow(two, "game")
    await proxy.cut()
    one.gaps.clear()
    one.wake("game", 2)
    two.wake("mine", 2)
    one.wake("game", 3)
    await proxy.mend()
    await two.wait_for_wake_up("game", 3)
    await one.wait_until(lambda: None in one.gaps)
    two.wake("mine", 3)
    await one.wait_for_wake_up("mine", 3)
    assert remote_bus_nodes.metrics[one].registry.get_sample_value("cadogan_bus_reconnects_total") == 1


async def test_a_bus_that_is_down_at_the_start_is_connected_later(remote_bus_nodes: BusNodes) -> None:
    proxy = await remote_bus_nodes.proxy()
    await proxy.cut()
    one, two = remote_bus_nodes.node(proxy), await remote_bus_nodes.ready()
    one.bus.subscribe("mine")
    await remote_bus_nodes.follow(two, "game")
    one.wake("game", 2)
    await proxy.mend()
    await two.wait_for_wake_up("game", 2)
    await one.wait_until(lambda: None in one.gaps)
    two.wake("mine", 5)
    await one.wait_for_wake_up("mine", 5)


async def test_too_many_wake_ups_during_an_outage_are_replaced_by_a_gap(remote_bus_nodes: BusNodes) -> None:
    proxy = await remote_bus_nodes.proxy()
    one, two = await remote_bus_nodes.ready(proxy), await remote_bus_nodes.ready()
    await proxy.cut()
    two.gaps.clear()
    for number in range(MAX_WAITING_NAMES + 2):
        one.wake(str(number), 1)
    await proxy.mend()
    await two.wait_until(lambda: None in two.gaps)
    assert two.wake_ups == []


async def test_presence_messages_kept_during_an_outage_are_limited_and_the_last_one_is_sent(
    remote_bus_nodes: BusNodes,
) -> None:
    proxy = await remote_bus_nodes.proxy()
    one, two = await remote_bus_nodes.ready(proxy), await remote_bus_nodes.ready()
    await remote_bus_nodes.follow(two, "0", str(MAX_WAITING_NAMES))
    await proxy.cut()
    for number in range(MAX_WAITING_NAMES + 1):
        one.say(str(number), "first")
    one.say("0", "last")
    one.wake("0", 2)
    await proxy.mend()
    await two.wait_until(lambda: ("0", 2) in two.wake_ups and ("0", "last") in two.presence_messages)
    assert [said for said in two.presence_messages if said[0] in ("0", str(MAX_WAITING_NAMES))] == [("0", "last")]


async def test_an_unreachable_bus_is_closed_at_once(remote_bus_nodes: BusNodes) -> None:
    proxy = await remote_bus_nodes.proxy()
    await proxy.cut()
    one = remote_bus_nodes.node(proxy)
    one.wake("game", 2)
    await one.bus.close()


async def test_subscribed_topics_are_reported_as_gaps_regularly(remote_bus_nodes: BusNodes) -> None:
    one = await remote_bus_nodes.ready(health_check_seconds=0.01)
    await remote_bus_nodes.follow(one, "game")
    one.gaps.clear()
    await one.wait_until(lambda: len([topics for topics in one.gaps if topics and "game" in topics]) > 1)


async def test_wake_ups_are_counted(remote_bus_nodes: BusNodes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cadogan.server.core.cluster.remote_bus.CLOSE_TIMEOUT_SECONDS", soon())
    one, two = await remote_bus_nodes.ready(), await remote_bus_nodes.ready()
    await remote_bus_nodes.follow(two, "a", "b")
    one.wake("a", 1)
    one.wake("b", 1)
    await two.wait_until(lambda: len(two.wake_ups) == 2)
    await one.bus.close()
    assert remote_bus_nodes.metrics[one].registry.get_sample_value("cadogan_bus_sent_total") == 2
    assert remote_bus_nodes.metrics[two].registry.get_sample_value("cadogan_bus_heard_total") == 2


async def test_two_deployments_on_one_nats_server_do_not_hear_each_other(nats_url: str) -> None:
    game, server = token_hex(8), nats_url.rpartition("/")[0]
    club, same_club, default, named = (BusNodes("nats", f"{server}{path}") for path in CLUBS)
    one, two, three, four = [await nodes.ready() for nodes in (club, same_club, default, named)]
    await same_club.follow(two, game)
    await named.follow(four, game)
    one.wake(game, 1)
    await two.wait_for_wake_up(game, 1)
    three.wake(game, 2)
    await four.wait_for_wake_up(game, 2)
    assert (two.wake_ups, four.wake_ups) == ([(game, 1)], [(game, 2)])
    for nodes in (club, same_club, default, named):
        await nodes.close()
