"""The schedule of a host: it holds for the days that are not announced yet, on every node, and for no other day."""

from typing import Any

import pytest

from cadogan.server.core import dates
from cadogan.server.subjects.admin.stored_settings import StoredSchedule
from cadogan.server.subjects.daily.challenges import DAYS_AHEAD
from tests.harness.hosts import log_of, with_role
from tests.harness.people import Person
from tests.harness.running_server import RunningServer
from tests.harness.two_nodes import TwoNodes

TODAY = "2026-11-20"
FIRST_FREE = dates.add_days(TODAY, DAYS_AHEAD + 1)
DEALS = [{"level": "ours", "games": ["carpet", "maze"], "certified": False}]


async def change(host: Person, **schedule: Any) -> dict[str, Any]:
    """Change the schedule, or look at what would follow."""
    status, answer = await host.ask("PUT", "/house/schedule", schedule)
    assert status == 200, answer
    shown: dict[str, Any] = answer
    return shown


async def day(person: Person, name: str) -> dict[str, Any]:
    """A day as anybody sees it."""
    status, answer = await person.get(f"/dailies/{name}")
    assert status == 200, answer
    found: dict[str, Any] = answer
    return found


async def test_a_preview_shows_the_days_and_changes_nothing(running_server: RunningServer) -> None:
    host = await with_role(running_server, "Ada", "host")
    _, before = await host.get("/house/schedule")
    acts = await log_of(host)
    shown = await change(host, deals=DEALS, grace=60, preview=True)
    assert [one["day"] for one in shown["days"]][:9] == [dates.add_days(TODAY, ahead) for ahead in range(9)]
    for one, old in zip(shown["days"], before["days"], strict=True):
        if one["announced"]:
            assert one == old
        else:
            assert (one["grace"], [deal["level"] for deal in one["deals"]]) == (60, ["ours"])
    assert [one["announced"] for one in shown["days"]].count(True) == DAYS_AHEAD + 1
    assert {deal["rules"] for one in shown["days"][DAYS_AHEAD + 1 :] for deal in one["deals"]} == {"carpet", "maze"}
    assert (await host.get("/house/schedule"))[1] == before
    assert await log_of(host) == acts


async def test_announced_days_stay_and_later_ones_are_what_the_preview_has_shown(running_server: RunningServer) -> None:
    host = await with_role(running_server, "Ada", "host")
    shown = await change(host, deals=DEALS, grace=60)
    before = [await day(host, dates.add_days(TODAY, ahead)) for ahead in range(DAYS_AHEAD + 1)]
    running_server.clock.at += dates.MILLISECONDS_PER_DAY
    new = await day(host, FIRST_FREE)
    assert [(deal["level"], deal["rules"]) for deal in new["deals"]] == [
        (deal["level"], deal["rules"]) for deal in shown["days"][DAYS_AHEAD + 1]["deals"]
    ]
    assert new["closes_at"] - new["ends_at"] == 60_000
    for one in before[1:]:
        now = await day(host, one["day"])
        assert (now["deals"], now["closes_at"]) == (one["deals"], one["closes_at"])
    await change(host)
    assert (await day(host, FIRST_FREE))["closes_at"] == new["closes_at"]
    assert [act["changed"] for act in (await log_of(host))[:2]] == [["calendar", "grace"]] * 2


async def test_a_node_that_starts_later_knows_the_grace_of_an_announced_day(two_nodes: TwoNodes) -> None:
    host = await with_role(two_nodes.first, "Ada", "host")
    await change(host, grace=7200)
    two_nodes.first.clock.at += dates.MILLISECONDS_PER_DAY
    at_first = await day(host, FIRST_FREE)
    await change(host, grace=0)
    at_second = await day(two_nodes.second.stranger(), FIRST_FREE)
    assert at_second["closes_at"] - at_second["ends_at"] == 7_200_000
    assert (at_second["deals"], at_second["closes_at"]) == (at_first["deals"], at_first["closes_at"])


async def test_whichever_node_announces_a_day_announces_what_was_set_on_the_other(two_nodes: TwoNodes) -> None:
    host = await with_role(two_nodes.first, "Ada", "host")
    await two_nodes.second.stranger().get("/dailies")
    await change(host, deals=DEALS)
    two_nodes.first.clock.at += dates.MILLISECONDS_PER_DAY
    announced = await day(two_nodes.second.stranger(), FIRST_FREE)
    assert [deal["level"] for deal in announced["deals"]] == ["ours"]


async def test_a_schedule_that_cannot_be_played_is_refused(sqlite_server: RunningServer) -> None:
    host = await with_role(sqlite_server, "Ada", "host")
    _, before = await host.get("/house/schedule")
    schedules: list[dict[str, Any]] = [
        {"deals": [{"level": "ours", "games": ["no-such-game"]}]},
        {"deals": [{"level": "ours", "games": []}]},
        {"deals": [{"level": " ", "games": ["maze"]}]},
        {"deals": []},
        {"deals": DEALS * 10},
        {"grace": 43_201},
        {"grace": -1},
    ]
    for schedule in schedules:
        for preview in (True, False):
            status, refused = await host.ask("PUT", "/house/schedule", {**schedule, "preview": preview})
            assert (status, refused["code"]) == (400, "bad_message"), schedule
    assert (await host.get("/house/schedule"))[1] == before


async def test_a_game_that_is_gone_from_the_server_is_left_out(
    sqlite_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = await with_role(sqlite_server, "Ada", "host")
    await change(host, deals=[{"level": "ours", "games": ["carpet", "maze"]}, {"level": "other", "games": ["maze"]}])
    monkeypatch.setattr("cadogan.server.subjects.admin.stored_settings.engine.slugs", lambda: ("carpet", "klondike"))
    server = sqlite_server.server
    calendar = (await StoredSchedule(server.database, server.schedule.usual, server.now).current()).calendar
    assert [(level.name, level.games) for level in calendar.levels] == [("ours", ("carpet",))]
