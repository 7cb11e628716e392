"""An evening that begins soon, or a series that stops: told once to those whom it concerns, and to nobody else."""

from typing import Any

from cadogan.wire.admin import Why
from tests.harness.evening_actions import MINUTE
from tests.harness.hosts import player, roles, with_role
from tests.harness.people import Person
from tests.harness.push_service import PushService
from tests.harness.running_server import RunningServer
from tests.server.news.notifications.conftest import look_and_send, switch_on
from tests.server.news.notifications.test_desk import shown


async def announce(server: RunningServer, leader: Person, **wanted: Any) -> str:
    """Let somebody make an evening that begins in half an hour; return its id."""
    new = {"title": "Thursday", "starts_at": server.clock.at + 30 * MINUTE, "rounds": 2, "games": ["klondike"] * 2}
    status, made = await leader.post("/evenings", new | wanted)
    assert status == 200, made
    return str(made["id"])


async def test_who_has_entered_is_told_ten_minutes_before_and_once(server: RunningServer, service: PushService) -> None:
    host = await with_role(server, "Rosamund", "host")
    people = {name: await player(server, name) for name in ("Ada", "Bob", "Eve")}
    for name, person in people.items():
        await switch_on(person, service.device(name), "evening_begins")
    evening = await announce(server, host)
    for name in ("Ada", "Bob"):
        assert (await people[name].ask("PUT", f"/evenings/{evening}/entrants/me", {}))[0] == 200
    assert (await people["Bob"].ask("DELETE", f"/evenings/{evening}/entrants/me"))[0] == 200
    server.clock.at += 20 * MINUTE - 1
    await look_and_send(server)
    assert service.arrived == []
    server.clock.at += 1
    await look_and_send(server)
    await look_and_send(server)
    (one,) = service.arrived
    assert (one.path, one.shown["url"]) == ("/send/Ada", f"/evenings/{evening}")
    assert one.shown["body"] == "An evening of yours begins soon: Canfield or Klondike."
    assert one.headers["Urgency"] == "high"


async def test_the_members_of_a_group_are_told_of_its_evening_and_not_of_one_that_is_void(
    server: RunningServer, service: PushService
) -> None:
    ada, bob, eve = [await player(server, name) for name in ("Ada", "Bob", "Eve")]
    for name, person in (("Ada", ada), ("Bob", bob), ("Eve", eve)):
        await switch_on(person, service.device(name), "evening_begins")
    _, group = await ada.post("/groups", {"name": "Tuesdays"})
    assert (await bob.post("/groups/join", {"token": group["token"]}))[0] == 200
    evening = await announce(server, ada, entry="group", group=group["id"])
    void = await announce(server, ada, entry="group", group=group["id"])
    assert (await ada.post(f"/evenings/{void}/rulings", {"kind": "void", "reason": "Twice."}))[0] == 200
    server.clock.at += 25 * MINUTE
    await look_and_send(server)
    told = [one["url"] for name in ("Ada", "Bob") for one in shown(service, name)]
    assert told == [f"/evenings/{evening}"] * 2
    assert shown(service, "Eve") == []


async def test_the_leader_of_a_series_is_told_that_it_has_ended_unless_they_have_ended_it(
    server: RunningServer, service: PushService
) -> None:
    host, other = [await with_role(server, name, "host") for name in ("Rosamund", "Edith")]
    for name, person in (("Rosamund", host), ("Edith", other)):
        await switch_on(person, service.device(name), "series_stopped")
    stopped = await announce(server, host, weekly="Europe/Budapest")
    ended = await announce(server, other, weekly="Europe/Budapest")
    assert (await other.post(f"/evenings/{ended}/rulings", {"kind": "end_series"}))[0] == 200
    await roles(server).change(None, host.id, None, Why(reason="request"))
    server.clock.at += 30 * MINUTE
    for evening in (stopped, ended):
        assert (await other.get(f"/evenings/{evening}"))[1]["state"] == "round"
    await look_and_send(server)
    await look_and_send(server)
    assert [one["url"] for one in shown(service, "Rosamund")] == [f"/evenings/{stopped}"]
    assert shown(service, "Edith") == []
