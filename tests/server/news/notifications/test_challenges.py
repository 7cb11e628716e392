"""A challenge to a match: told once to who is challenged, and not once it is accepted or declined."""

from tests.harness.hosts import player
from tests.harness.push_service import PushService
from tests.harness.running_server import RunningServer
from tests.server.news.notifications.conftest import look_and_send, switch_on


async def test_who_is_challenged_is_told_once_and_nobody_of_a_challenge_that_was_declined(
    server: RunningServer, service: PushService
) -> None:
    ada, bob, eve = [await player(server, name) for name in ("Ada", "Bob", "Eve")]
    for name, person in (("Ada", ada), ("Bob", bob), ("Eve", eve)):
        await switch_on(person, service.device(name), "challenged")
    _, match = await ada.post("/matches", {"against": "player", "opponent": "Bob", "deals": 1})
    _, declined = await ada.post("/matches", {"against": "player", "opponent": "Eve", "deals": 1})
    assert (await eve.ask("DELETE", f"/evenings/{declined['id']}/entrants/me"))[0] == 200
    assert (await ada.post("/matches", {"against": "link"}))[0] == 200
    await look_and_send(server)
    await look_and_send(server)
    (one,) = service.arrived
    assert (one.path, one.shown["url"]) == ("/send/Bob", f"/evenings/{match['id']}")
    assert one.shown["body"].startswith("You are challenged to a match: ")
    assert one.headers["Urgency"] == "high"
