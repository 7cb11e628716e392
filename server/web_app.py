"""The web application of a server: its parts where handlers find them, its routes, and what runs beside them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress

import structlog
from aiohttp import web

from server.app import CLOSE_TIMEOUT_SECONDS, Server, make_server, opened
from server.cluster.bus import Bus
from server.config import Settings
from server.core.clock import Clock, now
from server.core.loop_lag import measure_loop_lag
from server.house.entry import Entry
from server.house.house_log import HouseLog
from server.house.idle_guests import clear_idle_guests
from server.house.moderation import Moderation
from server.house.player_list import PlayerList
from server.house.roles import Roles
from server.http import app_keys
from server.http.guards.limits import add_limits
from server.http.guards.refusal_log import RefusalLog, leave_out_unreadable_requests
from server.http.handlers.stream import end_streams
from server.http.middleware import add_headers, end_turn, observe, refuse
from server.http.requests import MAX_BODY_BYTES
from server.http.routes import ROUTES
from server.http.websocket import close_sockets
from server.leaderboards.game_tallies import GameTallies
from server.operations.merkle_roots import MerkleRoots
from server.play.hints import Hints
from server.play.results import Results
from server.play.unfinished_games import UnfinishedGames
from server.players.groups import Groups
from server.players.settings import PlayerSettings

CLOCK_INTERVAL_SECONDS = 30.0
"""Seconds after which a server looks again whether a day is to be opened or closed, or a session has expired."""

CLEAR_INTERVAL_MILLISECONDS = 3600 * 1000
"""After so long a server looks again for guests who never played."""

log = structlog.stdlib.get_logger("cadogan")


async def _keep_time(server: Server, stopping: asyncio.Event) -> None:
    """Do what is due, should nobody ask for it, until the server is stopping.

    Announce, open and close the days, close the connections of sessions and personal tokens that have expired, and once
    an hour clear guests who never played.
    """
    cleared_at = 0
    while True:
        with suppress(TimeoutError):
            await asyncio.wait_for(stopping.wait(), CLOCK_INTERVAL_SECONDS)
            return
        if not server.sessions.background.busy:  # a check waits for as long as the database does not answer
            server.sessions.check_sessions()
        try:
            await server.challenges.write_what_is_due(server.now())
            if server.now() - cleared_at >= CLEAR_INTERVAL_MILLISECONDS:
                await clear_idle_guests(server.database, server.now())
                cleared_at = server.now()
        except Exception as error:
            log.warning("background_task_retried", task="days", reason=type(error).__name__)


def make_app(settings: Settings, now: Clock = now, bus: Bus | None = None) -> web.Application:
    """Return the web application for these settings: see `make_server` and `make_web_app`."""
    return make_web_app(make_server(settings, now, bus))


def make_web_app(server: Server) -> web.Application:
    """Return the web application of a server; running it opens the server, stopping it closes it."""
    settings = server.settings
    leave_out_unreadable_requests()
    app = web.Application(middlewares=[observe, refuse], client_max_size=MAX_BODY_BYTES)
    app[app_keys.SETTINGS] = settings
    app[app_keys.CLOCK] = server.now
    app[app_keys.METRICS] = server.metrics
    app[app_keys.DATABASE] = server.database
    app[app_keys.DEALS] = server.deals
    app[app_keys.INDEX] = server.index
    app[app_keys.ACCOUNTS] = server.accounts
    app[app_keys.PLAYERS] = server.players
    app[app_keys.PERSONS] = server.persons
    app[app_keys.PROFILES] = server.profiles
    app[app_keys.SESSIONS] = server.sessions
    app[app_keys.GROUPS] = groups = Groups(server.database, server.now)
    app[app_keys.PERSONAL_TOKENS] = server.personal_tokens
    app[app_keys.PLAYER_SETTINGS] = PlayerSettings(server.database)
    app[app_keys.ROLES] = Roles(server.database, server.now)
    app[app_keys.PLAYER_LIST] = PlayerList(server.database, server.now)
    app[app_keys.MODERATION] = Moderation(server.database, server.now)
    app[app_keys.ENTRY] = Entry(server.database, server.now)
    app[app_keys.HOUSE_LOG] = HouseLog(server.database)
    app[app_keys.ROOTS] = MerkleRoots(server.database, server.now)
    app[app_keys.HUB] = server.hub
    app[app_keys.REFRESH] = server.refresh
    app[app_keys.FEED] = server.feed
    app[app_keys.CACHE] = server.cache
    app[app_keys.COMMANDS] = server.commands
    app[app_keys.SPECTATING] = server.spectating
    app[app_keys.GAME_TALLIES] = GameTallies(server.database, server.now)
    app[app_keys.HINTS] = Hints(server.cache)
    app[app_keys.UNFINISHED_GAMES] = UnfinishedGames(
        server.index, server.cache, server.competitions, server.players, server.now
    )
    app[app_keys.HISTORIES] = server.histories
    app[app_keys.ANALYSES] = server.analyses
    app[app_keys.ANALYSIS_JOBS] = server.analysis_jobs
    app[app_keys.WINNABILITY] = server.winnability
    app[app_keys.CONTINUATIONS] = server.continuations
    app[app_keys.RESULTS] = Results(
        server.outlines, server.boards, server.profiles, groups, server.players, server.access, server.now
    )
    app[app_keys.CASUAL_GAMES] = server.casual_games
    app[app_keys.CHALLENGES] = server.challenges
    app[app_keys.ATTEMPTS] = server.attempts
    app[app_keys.PROGRESS] = server.progress
    app[app_keys.RACES] = server.races
    app[app_keys.RACE_COMMANDS] = server.race_commands
    app[app_keys.LIVE_RACES] = server.live_races
    app[app_keys.BOARDS] = server.boards
    app[app_keys.LIVE_BOARDS] = server.live_boards
    app[app_keys.SOCKETS] = set()
    app[app_keys.STREAMS] = set()
    app[app_keys.REFUSAL_LOG] = RefusalLog()
    app[app_keys.OUTLINES] = server.outlines
    app[app_keys.HISTORY_LIMIT] = server.history_limit
    add_limits(app, settings)
    app.add_routes(ROUTES)
    app.on_response_prepare.extend((add_headers, end_turn))
    app.on_shutdown.append(close_sockets)
    app.on_shutdown.append(end_streams)

    async def run(_: web.Application) -> AsyncIterator[None]:
        async with opened(server):
            server.bus.start()
            server.presence.start()
            stopping = asyncio.Event()
            clock = asyncio.create_task(_keep_time(server, stopping))
            measuring = asyncio.create_task(measure_loop_lag(server.metrics.loop_lag_seconds.observe))
            await server.challenges.list_days(server.now())  # announces the coming days, should nobody ask for them
            yield
            measuring.cancel()
            stopping.set()  # cancelled amid a statement, a task can leave a connection of SQLite that is never closed
            await asyncio.wait([clock], timeout=CLOSE_TIMEOUT_SECONDS / 2)
            clock.cancel()

    app.cleanup_ctx.append(run)
    return app
