"""Where the parts of an application hang: typed keys of aiohttp's application and requests."""

from aiohttp import web

from clients.wire.values import Player
from server.accounts import Accounts
from server.boards import Boards
from server.config import Settings
from server.dailies import Dailies
from server.db import Database
from server.deals import Deals
from server.groups import Groups
from server.hub import Hub
from server.index import Index
from server.limits import AddressLimit
from server.metrics import Metrics
from server.preferences import Preferences
from server.profiles import Profiles
from server.roots import Roots
from server.roster import Roster
from server.service import Service
from server.stream import Stream

SETTINGS = web.AppKey("settings", Settings)
METRICS = web.AppKey("metrics", Metrics)
DATABASE = web.AppKey("database", Database)
ACCOUNTS = web.AppKey("accounts", Accounts)
PREFERENCES = web.AppKey("preferences", Preferences)
ROSTER = web.AppKey("roster", Roster)
DEALS = web.AppKey("deals", Deals)
DAILIES = web.AppKey("dailies", Dailies)
INDEX = web.AppKey("index", Index)
PROFILES = web.AppKey("profiles", Profiles)
BOARDS = web.AppKey("boards", Boards)
ROOTS = web.AppKey("roots", Roots)
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
