"""HTTP handlers: the schedule of the daily challenge, and the days that it produces."""

from aiohttp import web

from cadogan.server.competitions.daily.daily_challenge import DailyChallenge
from cadogan.server.core import dates
from cadogan.server.house.schedule import as_deals
from cadogan.server.http.app_keys import server_of
from cadogan.server.http.requests import json_response, read_body, require_player
from cadogan.wire import house_schedule as wire

DAYS_SHOWN = 21
"""Today and the days after it: a week that is announced, and two that are not."""


async def show_schedule(request: web.Request) -> web.Response:
    """Answer with the current schedule."""
    return json_response(await _shown(request, await server_of(request).schedule.chosen()))


async def change_schedule(request: web.Request) -> web.Response:
    """Change the schedule, or answer with a preview of the change."""
    wanted = await read_body(request, wire.ChangeSchedule)
    schedule = server_of(request).schedule
    schedule.check(wanted)
    shown = await _shown(request, wire.Schedule(deals=wanted.deals, grace=wanted.grace))  # announces due days first
    if not wanted.preview:
        await schedule.change((await require_player(request)).id, wanted)
    return json_response(shown)


async def _shown(request: web.Request, chosen: wire.Schedule) -> wire.ShownSchedule:
    server = server_of(request)
    now, usual = server.now(), server.settings.daily_grace
    schedule = server.schedule.as_schedule(chosen)
    grace = usual if schedule.grace is None else schedule.grace // 1000
    known = {daily.day: daily for daily in await server.challenges.list_days(now)}
    days = []
    for ahead in range(DAYS_SHOWN):
        day = dates.add_days(dates.day_of(now), ahead)
        if day in known:
            days.append(_announced(known[day]))
        else:
            deals = [wire.PlannedDeal(level=slot.level, rules=slot.game) for slot in schedule.calendar.card(day)]
            days.append(wire.PlannedDay(day=day, announced=False, deals=deals, grace=grace))
    return wire.ShownSchedule(chosen=chosen, deals=as_deals(schedule.calendar), grace=grace, days=days)


def _announced(daily: DailyChallenge) -> wire.PlannedDay:
    deals = [wire.PlannedDeal(level=one.level, rules=one.game) for one in daily.announced]
    grace = (daily.span.closes_at - daily.span.ends_at) // 1000
    return wire.PlannedDay(day=daily.day, announced=True, deals=deals, grace=grace)
