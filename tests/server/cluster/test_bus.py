"""What every bus promises: in one process, over PostgreSQL and over NATS."""

import pytest

from server.cluster.bus import MAX_PRESENCE_BYTES
from server.cluster.remote_bus import MAX_WAITING_NAMES
from tests.harness.bus_listeners import PATIENCE, Street


async def test_a_wake_up_reaches_the_other_nodes_and_not_its_sender(street: Street) -> None:
    nodes = [await street.ready() for _ in range(3)]
    for node in nodes:
        await street.follow(node, "game")
    nodes[0].wake("game", 7)
    nodes[1].wake("game", 8)
    await nodes[0].hears("game", 8)
    await nodes[1].hears("game", 7)
    await nodes[2].until(lambda: {("game", 7), ("game", 8)} <= set(nodes[2].heard))
    assert ("game", 7) not in nodes[0].heard
    assert ("game", 8) not in nodes[1].heard


async def test_of_many_wake_ups_of_a_game_the_last_version_arrives(street: Street) -> None:
    one, two = await street.ready(), await street.ready()
    await street.follow(two, "game")
    for version in range(1, 501):
        one.wake("game", version)
    await two.hears("game", 500)


async def test_wake_ups_of_a_thousand_games_at_once_all_arrive(street: Street) -> None:
    one, two = await street.ready(), await street.ready()
    games = [f"{number:016}" for number in range(1000)]
    await street.follow(two, *games)
    for game in games:
        one.wake(game, 1_000_000)
    await two.until(lambda: {(game, 1_000_000) for game in games} <= set(two.heard))


async def test_who_follows_a_topic_hears_of_every_game_in_it(street: Street) -> None:
    one, two = await street.ready(), await street.ready()
    await street.follow(two, "day/2026-11-20", "ended")
    one.wake("a", 3, ["day/2026-11-20"])
    one.wake("b", 9, ["ended", "day/2026-11-20"])
    await two.until(lambda: {("a", 3), ("b", 9)} <= set(two.heard))


async def test_a_race_wakes_who_follows_it(street: Street) -> None:
    one, two = await street.ready(), await street.ready()
    await street.follow(two, "match/abc")
    one.wake("match/abc", 2)
    await two.hears("match/abc", 2)


async def test_what_a_node_says_of_a_game_reaches_the_others_that_follow_it(street: Street) -> None:
    one, two = await street.ready(), await street.ready()
    await street.follow(two, "game")
    one.say("game", '["one",3,["Zoë = 4"]]')
    await two.until(lambda: two.said == [("game", '["one",3,["Zoë = 4"]]')])
    assert (one.said, two.heard) == ([], [])


async def test_of_what_is_said_again_and_again_the_last_arrives_and_wake_ups_beside_it(street: Street) -> None:
    one, two = await street.ready(), await street.ready()
    await street.follow(two, "game")
    for number in range(1, 501):
        one.say("game", "x" * MAX_PRESENCE_BYTES if number < 500 else "the last")
        one.wake("game", number)
    await two.until(lambda: ("game", "the last") in two.said and ("game", 500) in two.heard)


async def test_who_has_left_hears_nothing_more(street: Street) -> None:
    one, two, three = [await street.ready() for _ in range(3)]
    for node in (two, three):
        await street.follow(node, "game")
    two.bus.remove_listener(two)
    one.wake("game", 2)
    await three.hears("game", 2)
    assert two.heard == []


async def test_what_waits_is_sent_before_the_end(street: Street, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.cluster.remote_bus.CLOSE_TIMEOUT_SECONDS", PATIENCE)
    one, two = await street.ready(), await street.ready()
    await street.follow(two, "game")
    one.wake("game", 2)
    await one.bus.close()
    await two.hears("game", 2)


async def test_after_an_outage_what_waited_is_sent_and_everything_counts_as_missed(long_street: Street) -> None:
    wire = await long_street.wire()
    one, two = await long_street.ready(wire), await long_street.ready()
    await long_street.follow(one, "mine")
    await long_street.follow(two, "game")
    await wire.cut()
    one.deaf.clear()
    one.wake("game", 2)
    two.wake("mine", 2)
    one.wake("game", 3)
    await wire.mend()
    await two.hears("game", 3)
    await one.until(lambda: None in one.deaf)
    two.wake("mine", 3)
    await one.hears("mine", 3)
    assert long_street.metrics[one].registry.get_sample_value("cadogan_bus_reconnects_total") == 1


async def test_a_bus_that_is_away_at_the_start_is_found_later(long_street: Street) -> None:
    wire = await long_street.wire()
    await wire.cut()
    one, two = long_street.node(wire), await long_street.ready()
    one.bus.subscribe("mine")
    await long_street.follow(two, "game")
    one.wake("game", 2)
    await wire.mend()
    await two.hears("game", 2)
    await one.until(lambda: None in one.deaf)
    two.wake("mine", 5)
    await one.hears("mine", 5)


async def test_who_had_too_much_to_say_during_an_outage_says_that_it_was_much(long_street: Street) -> None:
    wire = await long_street.wire()
    one, two = await long_street.ready(wire), await long_street.ready()
    await wire.cut()
    two.deaf.clear()
    for number in range(MAX_WAITING_NAMES + 2):
        one.wake(str(number), 1)
    await wire.mend()
    await two.until(lambda: None in two.deaf)
    assert two.heard == []


async def test_what_was_to_be_said_during_an_outage_is_bounded_and_the_last_of_it_is_said(long_street: Street) -> None:
    wire = await long_street.wire()
    one, two = await long_street.ready(wire), await long_street.ready()
    await long_street.follow(two, "0", str(MAX_WAITING_NAMES))
    await wire.cut()
    for number in range(MAX_WAITING_NAMES + 1):
        one.say(str(number), "first")
    one.say("0", "last")
    one.wake("0", 2)
    await wire.mend()
    await two.until(lambda: ("0", 2) in two.heard and ("0", "last") in two.said)
    assert [said for said in two.said if said[0] in ("0", str(MAX_WAITING_NAMES))] == [("0", "last")]


async def test_a_bus_that_nobody_can_reach_is_closed_at_once(long_street: Street) -> None:
    wire = await long_street.wire()
    await wire.cut()
    one = long_street.node(wire)
    one.wake("game", 2)
    await one.bus.close()


async def test_what_is_followed_counts_as_missed_again_and_again(long_street: Street) -> None:
    one = await long_street.ready(health_check_seconds=0.01)
    await long_street.follow(one, "game")
    one.deaf.clear()
    await one.until(lambda: len([topics for topics in one.deaf if topics and "game" in topics]) > 1)


async def test_wake_ups_are_counted(long_street: Street, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.cluster.remote_bus.CLOSE_TIMEOUT_SECONDS", PATIENCE)
    one, two = await long_street.ready(), await long_street.ready()
    await long_street.follow(two, "a", "b")
    one.wake("a", 1)
    one.wake("b", 1)
    await two.until(lambda: len(two.heard) == 2)
    await one.bus.close()
    assert long_street.metrics[one].registry.get_sample_value("cadogan_bus_sent_total") == 2
    assert long_street.metrics[two].registry.get_sample_value("cadogan_bus_heard_total") == 2
