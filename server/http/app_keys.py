"""Where the parts of an application hang: typed keys of aiohttp's application and requests."""

from aiohttp import web

from clients.wire.values import Player
from server.competitions.daily.challenges import DailyChallenges
from server.config import Settings
from server.core.metrics import Metrics
from server.core.rate_limits import AddressLimit
from server.database.connections import Database
from server.fairness.sealed_deals import SealedDeals
from server.games.game_index import GameIndex
from server.leaderboards.queries import BoardQueries
from server.operations.merkle_roots import MerkleRoots
from server.play.game_commands import Service
from server.players.accounts import Accounts
from server.players.groups import Groups
from server.players.player_cache import PlayerCache
from server.players.profiles import Profiles
from server.players.settings import PlayerSettings
from server.realtime.http_stream import Stream
from server.realtime.hub import Hub

SETTINGS = web.AppKey("settings", Settings)
METRICS = web.AppKey("metrics", Metrics)
DATABASE = web.AppKey("database", Database)
ACCOUNTS = web.AppKey("accounts", Accounts)
PREFERENCES = web.AppKey("preferences", PlayerSettings)
ROSTER = web.AppKey("roster", PlayerCache)
DEALS = web.AppKey("deals", SealedDeals)
DAILIES = web.AppKey("dailies", DailyChallenges)
INDEX = web.AppKey("index", GameIndex)
PROFILES = web.AppKey("profiles", Profiles)
BOARDS = web.AppKey("boards", BoardQueries)
ROOTS = web.AppKey("roots", MerkleRoots)
GROUPS = web.AppKey("groups", Groups)
HUB = web.AppKey("hub", Hub)
SERVICE = web.AppKey("service", Service)
SOCKETS = web.AppKey("sockets", set[web.WebSocketResponse])
"""Every open socket."""
STREAMS = web.AppKey("streams", set[Stream])
"""Every open stream."""
DEAL_LIMIT = web.AppKey("deal_limit", AddressLimit)
"""How often one player may make something that is kept: a deal, a game, a place in a race, a group, a bot; and how
often one address may begin as a guest."""
PASSWORD_LIMIT = web.AppKey("password_limit", AddressLimit)
"""How often one address may have a password computed."""

REQUEST_ID = web.RequestKey("request_id", str)
PLAYER = web.RequestKey("player", Player)
"""Who asks, once that was looked up and there is somebody."""
