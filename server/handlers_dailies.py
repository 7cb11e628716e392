"""HTTP: the daily challenges, one's own attempt, and the boards."""

from aiohttp import web

from clients.wire import bodies
from clients.wire.endpoints import API, ENDPOINTS
from server import days
from server.dailies import Daily
from server.keys import INDEX, LEADERBOARD, ROSTER, SERVICE
from server.messages import card
from server.refusals import NotFound
from server.requests import answer, asker, number, signed_in

TODAY = "today"
_OFFSET, _LIMIT = next(one for one in ENDPOINTS if one.path == f"{API}/dailies/{{day}}/board").queries


async def list_dailies(request: web.Request) -> web.Response:
    """The days announced, today, and the last month, latest first."""
    service = request.app[SERVICE]
    now = service.now()
    mine = await _mine(request)
    listed = await service.dailies.listed(now)
    return answer(bodies.Dailies(dailies=[_body(daily, now, mine.get(daily.day)) for daily in listed]))


async def show_daily(request: web.Request) -> web.Response:
    """One day's challenge."""
    now = request.app[SERVICE].now()
    daily = await _daily(request, now)
    mine = await _mine(request)
    return answer(_body(daily, now, mine.get(daily.day)))


async def enter_daily(request: web.Request) -> web.Response:
    """The asker's one ranked attempt of the day, begun or found."""
    player = await signed_in(request)
    service = request.app[SERVICE]
    daily = await _daily(request, service.now())
    return answer(bodies.Game(game=card(await service.enter(player.id, daily.day), player)))


async def show_board(request: web.Request) -> web.Response:
    """A stretch of a day's board."""
    daily = await _daily(request, request.app[SERVICE].now())
    offset, limit = number(request, _OFFSET), number(request, _LIMIT)
    total, entries = await request.app[LEADERBOARD].of_day(daily.day, offset, limit)
    players = await request.app[ROSTER].players(entry.player for entry in entries)
    shown = [
        bodies.BoardEntry(
            rank=entry.rank,
            player=players[entry.player],
            game=entry.game,
            score=entry.score,
            moves=entry.moves,
            milliseconds=entry.milliseconds,
            result=entry.result,  # type: ignore[arg-type]
        )
        for entry in entries
    ]
    return answer(bodies.Board(day=daily.day, total=total, entries=shown))


async def _daily(request: web.Request, now: int) -> Daily:
    day = request.match_info["day"]
    daily = await request.app[SERVICE].dailies.get(days.day_of(now) if day == TODAY else day, now)
    if daily is None:
        raise NotFound("There is no challenge on that day.")
    return daily


async def _mine(request: web.Request) -> dict[str, str]:
    """The asker's own game of each day."""
    player = await asker(request)
    return await request.app[INDEX].days_of(player.id) if player else {}


def _body(daily: Daily, now: int, mine: str | None) -> bodies.Daily:
    state = daily.state(now)
    return bodies.Daily(
        day=daily.day,
        rules=daily.deal.game,
        commitment=daily.deal.commitment,
        state=state,  # type: ignore[arg-type]
        opens_at=daily.span.opens_at,
        ends_at=daily.span.ends_at,
        closes_at=daily.span.closes_at,
        secret=daily.deal.secret.hex() if state == "closed" else None,
        your_game=mine,
    )
