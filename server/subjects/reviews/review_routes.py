"""Handlers: the review of a closed day, and the best line of one of its deals."""

from aiohttp import web

from cadogan.server.core import dates
from cadogan.server.core.errors import NotFound
from cadogan.server.core.web.long_answers import charge_of
from cadogan.server.core.web.requests import json_response, server_of


async def show_review(request: web.Request) -> web.Response:
    """Answer with how the deals of a closed day were won and lost."""
    return json_response(await server_of(request).reviews.get(_day(request), await charge_of(request)))


async def show_best_line(request: web.Request) -> web.Response:
    """Answer with the shortest line that is known to win a deal of a closed day."""
    day, slot = _day(request), request.match_info["slot"]
    if not (slot.isascii() and slot.isdigit() and len(slot) == 1):
        raise NotFound("There is no such deal.")
    return json_response(await server_of(request).reviews.best_line(day, int(slot), await charge_of(request)))


def _day(request: web.Request) -> str:
    day = request.match_info["day"]
    return dates.day_of(server_of(request).now()) if day == "today" else day
