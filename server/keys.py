"""Where the parts of an application hang: typed keys of aiohttp's application and requests."""

from aiohttp import web

from clients.wire.values import Player
from server.accounts import Accounts
from server.config import Settings
from server.db import Database
from server.hub import Hub
from server.limits import AddressLimit
from server.metrics import Metrics
from server.store import Store

SETTINGS = web.AppKey("settings", Settings)
METRICS = web.AppKey("metrics", Metrics)
DATABASE = web.AppKey("database", Database)
STORE = web.AppKey("store", Store)
ACCOUNTS = web.AppKey("accounts", Accounts)
HUB = web.AppKey("hub", Hub)
PASSWORD_LIMIT = web.AppKey("password_limit", AddressLimit)
"""How often one address may have a password computed."""

REQUEST_ID = web.RequestKey("request_id", str)
PLAYER = web.RequestKey("player", Player)
"""Who asks, once that was looked up and there is somebody."""
