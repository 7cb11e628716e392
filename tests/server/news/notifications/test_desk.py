"""What is news for whom: told once, to those who have switched it on, and nothing that anybody may not know."""

from typing import Any

import pytest

from cadogan.server.core import dates
from cadogan.server.subjects.news.notifications.detect import MAX_A_DAY, PAUSE_MILLISECONDS, RACE_MILLISECONDS
from tests.harness.daily_actions import play_and_resign
from tests.harness.hosts import WHY, player, with_role
from tests.harness.people import Person
from tests.harness.push_service import PushService
from tests.harness.race_actions import make_race
from tests.harness.running_server import RunningServer
from tests.harness.two_nodes import TwoNodes
from tests.server.news.notifications.conftest import look_and_send, on_both, switch_on

TODAY, TOMORROW = "2026-11-20", "2026-11-21"
OPENS = dates.day_times(TOMORROW, 0).opens_at
HOUR = 3_600_000


def shown(service: PushService, name: str) -> list[dict[str, Any]]:
    """What a device has shown."""
    return [one.shown for one in service.arrived if one.path == f"/send/{name}"]


async def end_run(running_server: RunningServer, person: Person, seconds: int, slot: int = 1) -> str:
    """End the person's ranked run of a deal of the day after one move and so many seconds; its id. Less is better."""
    game = await person.enter(slot=slot)
    running_server.clock.at += seconds * 1000
    await play_and_resign(person, game, moves=1)
    return game


async def test_a_day_that_opens_is_told_once_to_those_who_want_it_in_their_language(
    server: RunningServer, service: PushService
) -> None:
    ada, bob = await player(server, "Ada"), await player(server, "Bob")
    await switch_on(ada, service.device("ada"), "day_opened", language="hu")
    await switch_on(bob, service.device("bob"), "overtaken", "race_started")
    await look_and_send(server)
    server.clock.at = OPENS - 1
    await look_and_send(server)
    assert service.arrived == []  # today was open before, and tomorrow is not yet
    server.clock.at = OPENS
    await look_and_send(server)
    await look_and_send(server)
    (one,) = service.arrived
    assert one.path == "/send/ada"
    assert one.shown["body"].startswith("Megnyíltak a nap leosztásai: ")
    assert one.shown["url"] == f"/daily/{TOMORROW}"


async def test_who_switches_it_on_when_the_day_is_open_already_is_told_tomorrow(
    server: RunningServer, service: PushService
) -> None:
    ada = await player(server, "Ada")
    server.clock.at = OPENS
    await switch_on(ada, service.device("ada"), "day_opened")
    server.clock.at += 1
    await switch_on(ada, service.device("ada"), "day_opened")
    await look_and_send(server)
    assert service.arrived == []
    server.clock.at += dates.MILLISECONDS_PER_DAY
    await look_and_send(server)
    assert [one["url"] for one in shown(service, "ada")] == ["/daily/2026-11-22"]


async def test_in_quiet_hours_nothing_comes_and_afterwards_what_is_still_news(
    server: RunningServer, service: PushService
) -> None:
    ada, bob = await player(server, "Ada"), await player(server, "Bob")
    night = {"quiet": {"begin": "22:00", "end": "07:30"}, "time_zone": "Europe/Budapest"}
    await switch_on(ada, service.device("ada"), "day_opened", "race_started", **night)
    await switch_on(bob, service.device("bob"), "day_opened", "race_started", **night | {"time_zone": "Asia/Tokyo"})
    server.clock.at = OPENS  # one in the morning in Budapest, nine in Tokyo
    await look_and_send(server)
    await make_race(bob, ada)
    await look_and_send(server)
    assert len(shown(service, "bob")) == 2
    server.clock.at = OPENS + int(6.5 * HOUR) - 1
    await look_and_send(server)
    assert shown(service, "ada") == []
    server.clock.at += 1
    await look_and_send(server)
    assert [one["url"] for one in shown(service, "ada")] == [f"/daily/{TOMORROW}"]  # and nobody waits at the race


async def test_a_race_is_told_to_its_racers_and_to_nobody_else_and_not_late(
    server: RunningServer, service: PushService
) -> None:
    people = {name: await player(server, name) for name in ("Ada", "Bob", "Eve")}
    for name, person in people.items():
        await switch_on(person, service.device(name), "race_started")
    race = await make_race(people["Ada"], people["Bob"])
    await look_and_send(server)
    await look_and_send(server)
    assert [one["url"] for name in people for one in shown(service, name)] == [f"/race/{race['race']}"] * 2
    assert shown(service, "Eve") == []
    assert {one.headers["Urgency"] for one in service.arrived} == {"high"}
    await make_race(people["Ada"], people["Eve"])
    server.clock.at += RACE_MILLISECONDS + 10_000
    await look_and_send(server)
    assert len(service.arrived) == 2


async def test_who_is_overtaken_is_told_and_who_overtakes_is_not(server: RunningServer, service: PushService) -> None:
    ada, bob = await player(server, "Ada"), await player(server, "Bob")
    await end_run(server, ada, seconds=3)
    await switch_on(ada, service.device("ada"), "overtaken")
    await switch_on(bob, service.device("bob"), "overtaken")
    await look_and_send(server)
    await end_run(server, bob, seconds=1)
    _, board = await ada.get(f"/boards/day:{TODAY}")
    assert [row["player"]["name"] for row in board["entries"]] == ["Bob", "Ada"]
    await look_and_send(server)
    await look_and_send(server)
    (one,) = service.arrived
    assert (one.path, one.shown["url"]) == ("/send/ada", f"/board/day:{TODAY}")
    assert "Bob" not in str(one.shown)


async def test_nobody_is_overtaken_by_their_own_runs_nor_by_whom_they_never_were_before(
    server: RunningServer, service: PushService
) -> None:
    ada, bob = await player(server, "Ada"), await player(server, "Bob")
    await switch_on(ada, service.device("ada"), "overtaken")
    await end_run(server, bob, seconds=1)
    await look_and_send(server)
    await end_run(server, ada, seconds=2)
    await look_and_send(server)
    await end_run(server, ada, seconds=2, slot=2)
    await look_and_send(server)
    assert service.arrived == []


async def test_somebody_is_told_of_it_a_few_times_a_day_only(server: RunningServer, service: PushService) -> None:
    ada = await player(server, "Ada")
    await switch_on(ada, service.device("ada"), "overtaken")
    await end_run(server, ada, seconds=9)
    await look_and_send(server)
    for number in range(1, MAX_A_DAY + 3):
        await end_run(server, await server.guest(), 9 - number)
        await look_and_send(server)
        assert len(service.arrived) == min(number, MAX_A_DAY)
        server.clock.at += PAUSE_MILLISECONDS


async def test_what_happens_soon_after_the_last_is_told_after_a_pause_and_together(
    server: RunningServer, service: PushService
) -> None:
    ada = await player(server, "Ada")
    await switch_on(ada, service.device("ada"), "overtaken")
    await end_run(server, ada, seconds=9)
    await look_and_send(server)
    await end_run(server, await server.guest(), seconds=8)
    await look_and_send(server)
    notified_at = server.clock.at
    for seconds in (7, 6):
        await end_run(server, await server.guest(), seconds)
        await look_and_send(server)
    server.clock.at = notified_at + PAUSE_MILLISECONDS - 1
    await look_and_send(server)
    assert len(service.arrived) == 1
    server.clock.at += 1
    await look_and_send(server)
    await look_and_send(server)
    assert len(service.arrived) == 2


async def test_who_falls_back_because_an_own_run_counts_differently_was_not_overtaken(
    server: RunningServer, service: PushService
) -> None:
    host, ada, bob = (
        await with_role(server, "Hosting", "host"),
        await player(server, "Ada"),
        await player(server, "Bob"),
    )
    await switch_on(ada, service.device("ada"), "overtaken")
    await end_run(server, ada, seconds=3)
    game = await end_run(server, ada, seconds=3, slot=2)
    await end_run(server, bob, seconds=1)
    first = []
    for struck in (False, True, False):
        assert (await host.ask("PUT", f"/house/runs/{game}/strike", {"struck": struck, **WHY}))[0] == 200
        server.server.news.notifier.on_device_change()
        await look_and_send(server)
        _, board = await ada.get(f"/boards/day:{TODAY}")
        first.append(board["entries"][0]["player"]["name"])
    assert first == ["Ada", "Bob", "Ada"]
    assert service.arrived == []


@pytest.mark.both_databases
async def test_two_nodes_tell_everything_once(nodes: TwoNodes, service: PushService) -> None:
    ada, bob = await player(nodes.first, "Ada"), await player(nodes.first, "Bob")
    await switch_on(ada, service.device("ada"), "day_opened", "overtaken", "race_started")
    await end_run(nodes.first, ada, seconds=3)
    await on_both(nodes)
    await end_run(nodes.first, bob, seconds=1)
    await make_race(nodes.at_second(bob), nodes.at_second(ada))
    for node in (nodes.first, nodes.second):
        node.server.news.notifier.on_device_change()
    await on_both(nodes)
    nodes.first.clock.at = OPENS
    await on_both(nodes)
    kinds = sorted(one["tag"].partition("/")[0] for one in shown(service, "ada"))
    assert kinds == ["day_opened", "overtaken", "race_started"]


@pytest.mark.both_databases
async def test_a_node_that_fails_before_it_has_compared_the_ranks_leaves_that_to_another(
    nodes: TwoNodes, service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, bob = await player(nodes.first, "Ada"), await player(nodes.first, "Bob")
    await switch_on(ada, service.device("ada"), "overtaken")
    await end_run(nodes.first, ada, seconds=3)
    await on_both(nodes)
    await end_run(nodes.first, bob, seconds=1)

    async def fail(*_: object) -> None:
        raise ConnectionError

    monkeypatch.setattr(nodes.first.server.boards, "ranked", fail)
    with pytest.raises(ConnectionError):
        await look_and_send(nodes.first)
    await look_and_send(nodes.second)
    assert len(shown(service, "ada")) == 1


async def test_a_day_is_told_to_every_device_that_wants_it(server: RunningServer, service: PushService) -> None:
    people = [await server.guest() for _ in range(30)]
    for number, person in enumerate(people):
        await switch_on(person, service.device(f"{number}"), "day_opened")
    server.clock.at = OPENS
    await look_and_send(server)
    assert sorted(one.path for one in service.arrived) == sorted(f"/send/{number}" for number in range(30))
