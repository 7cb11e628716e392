"""The application: the only place that builds real things and puts them together."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

import structlog
from aiohttp import web

from server.cluster.bus import Bus
from server.cluster.choose_bus import make_bus
from server.competitions.daily.challenges import DailyChallenges
from server.competitions.daily.schedule import default, read_calendar
from server.config import Settings
from server.core.clock import Clock, now
from server.core.metrics import Metrics
from server.core.rate_limits import AddressLimit
from server.database.connections import Database
from server.database.migrations import require_current
from server.fairness.sealed_deals import SealedDeals
from server.games.game_index import GameIndex
from server.http import app_keys
from server.http.handlers.stream import end_streams
from server.http.middleware import add_headers, observe, refuse
from server.http.requests import LARGEST_BODY
from server.http.routes import ROUTES
from server.http.websocket import close_sockets
from server.leaderboards.queries import BoardQueries
from server.operations.merkle_roots import MerkleRoots
from server.play.game_commands import Service
from server.players.accounts import Accounts
from server.players.groups import Groups
from server.players.player_cache import PlayerCache
from server.players.profiles import Profiles
from server.players.session_connections import SessionConnections
from server.players.settings import PlayerSettings
from server.realtime.hub import Hub
from server.storage.sql_store import SqlStore

log = structlog.stdlib.get_logger("cadogan")

PASSWORDS_AT_ONCE = 10
PASSWORDS_A_SECOND = 1 / 6
FAREWELL = 2.0
"""Seconds that what is under way gets to end when the server stops; it may wait for a database that is silent."""


@dataclass(frozen=True)
class Node:
    """Everything that one server is made of, but for HTTP."""

    database: Database
    store: SqlStore
    metrics: Metrics
    accounts: Accounts
    roster: PlayerCache
    deals: SealedDeals
    dailies: DailyChallenges
    index: GameIndex
    profiles: Profiles
    boards: BoardQueries
    hub: Hub
    service: Service
    bus: Bus


def make_node(settings: Settings, now: Clock = now, bus: Bus | None = None) -> Node:
    """The parts of a server, not yet at work. Nothing is read or written before they are asked for something."""
    database = Database(settings.database_url, serving=True)
    store = SqlStore(database)
    metrics = Metrics()
    accounts = Accounts(database, now)
    roster = PlayerCache(accounts.players)
    deals = SealedDeals(database)
    boards = BoardQueries(database)
    calendar = read_calendar(settings.calendar) if settings.calendar else default()
    dailies = DailyChallenges(store, deals, calendar, settings.daily_grace * 1000, boards.digests)
    index = GameIndex(database)
    profiles = Profiles(database)
    hub = Hub(now)
    bus = bus or make_bus(settings.bus, settings.database_url, metrics)
    service = Service(
        store=store,
        deals=deals,
        dailies=dailies,
        index=index,
        boards=boards,
        hub=hub,
        roster=roster,
        bus=bus,
        metrics=metrics,
        since=profiles.created_at,
        fresh=settings.fresh * 1000,
        now=now,
        sessions=SessionConnections(accounts.valid_sessions),
    )
    metrics.watchers.set_function(lambda: hub.subscriptions)
    metrics.sittings.set_function(lambda: len(service.sittings))
    return Node(database, store, metrics, accounts, roster, deals, dailies, index, profiles, boards, hub, service, bus)


@asynccontextmanager
async def at_work(node: Node) -> AsyncIterator[Node]:
    """The node while its database is open and has the right tables; at the end what waits is written.

    Raises DatabaseNotCurrent, or what the driver raises when the database does not answer.
    """
    try:
        await require_current(node.database)
        yield node
        with suppress(TimeoutError):
            async with asyncio.timeout(FAREWELL):
                await node.service.close()
        node.hub.close()
    finally:
        closing = asyncio.gather(node.bus.close(), node.store.close())
        await asyncio.wait([closing], timeout=FAREWELL + 1)
        await node.database.close()
        await closing


def make_app(settings: Settings, now: Clock = now, bus: Bus | None = None) -> web.Application:
    """The application for these settings; running it opens the database, stopping it closes it.

    `now` gives the time in milliseconds since 1970; nodes of one process that share a `bus` wake each other.
    """
    node = make_node(settings, now, bus)
    app = web.Application(middlewares=[observe, refuse], client_max_size=LARGEST_BODY)
    app[app_keys.SETTINGS] = settings
    app[app_keys.METRICS] = node.metrics
    app[app_keys.DATABASE] = node.database
    app[app_keys.ACCOUNTS] = node.accounts
    app[app_keys.ROSTER] = node.roster
    app[app_keys.DEALS] = node.deals
    app[app_keys.DAILIES] = node.dailies
    app[app_keys.INDEX] = node.index
    app[app_keys.PROFILES] = node.profiles
    app[app_keys.BOARDS] = node.boards
    app[app_keys.GROUPS] = Groups(node.database, now)
    app[app_keys.PREFERENCES] = PlayerSettings(node.database)
    app[app_keys.ROOTS] = MerkleRoots(node.database, now)
    app[app_keys.HUB] = node.hub
    app[app_keys.SERVICE] = node.service
    app[app_keys.SOCKETS] = set()
    app[app_keys.STREAMS] = set()
    app[app_keys.DEAL_LIMIT] = AddressLimit(settings.rate, settings.burst)
    app[app_keys.PASSWORD_LIMIT] = AddressLimit(PASSWORDS_A_SECOND, PASSWORDS_AT_ONCE)
    app.add_routes(ROUTES)
    app.on_response_prepare.append(add_headers)
    app.on_shutdown.append(close_sockets)
    app.on_shutdown.append(end_streams)

    async def run(_: web.Application) -> AsyncIterator[None]:
        async with at_work(node):
            node.bus.start()
            node.hub.start()
            await node.dailies.listed(now())  # announces the coming days, should nobody ask for them
            yield

    app.cleanup_ctx.append(run)
    return app
