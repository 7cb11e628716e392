"""How much one network address, or one player, may ask of this server."""

from aiohttp import web

from cadogan.server.config import Settings
from cadogan.server.core.rate_limits import AddressLimit, AtOnceLimit, OpenLimit
from cadogan.server.core.turns import Turns
from cadogan.server.http import app_keys
from cadogan.server.http.guards.listener import CONNECTIONS_PER_SOCKET

ACCOUNTS_AT_ONCE = 30
ACCOUNTS_PER_SECOND = 1 / 6
"""How often one address may ask for an account."""
SIGN_INS_AT_ONCE = 300
SIGN_INS_PER_SECOND = 2
"""How often one address may begin to sign in by a passkey, by the provider or by mail: nobody can guess anything there,
and each beginning is stored."""
HISTORIES_AT_ONCE = 32
"""Replays, paces and records that are sent to one player with a name, or one address, at the same time."""
CONNECTIONS_OF_AN_ADDRESS = 25
"""One address may send as many messages and requests as so many connections may."""
PUSHES_OF_AN_ADDRESS = 100
"""The spectators of one address may be sent as much as so many connections may ask for."""
MILLISECONDS_OF_AN_ADDRESS = 12.5
"""One address may use the event loop for so long a second, for each message that one connection may send a second."""
MILLISECONDS_AT_ONCE = 50
"""One address may use the event loop for so long at once, for each message that one connection may send at once."""
LEAST_MILLISECONDS_AT_ONCE = 1000
"""And for at least so long, however few messages may be sent."""
FILES_AT_ONCE = 100
"""One address may ask for so many times `burst` pages and files at once. A page with all its files needs about a
hundred."""
COMMANDS_PER_TURN = 2
"""So many times fewer requests and messages of one address are carried out at the same time than it may send a second
over one connection."""
COMMANDS_PER_OPENING = 400
"""Guests that may come from one address, and races that may be opened there, are so many times fewer than commands."""


def add_limits(app: web.Application, settings: Settings) -> None:
    """Give the application its limits; `app_keys` says what each one counts."""
    rate, burst = settings.rate, settings.burst
    app[app_keys.ADDRESS_LIMIT] = AddressLimit(rate * CONNECTIONS_OF_AN_ADDRESS, burst * CONNECTIONS_OF_AN_ADDRESS)
    at_once = max(burst * MILLISECONDS_AT_ONCE, LEAST_MILLISECONDS_AT_ONCE)
    app[app_keys.TIME_LIMIT] = AddressLimit(rate * MILLISECONDS_OF_AN_ADDRESS, at_once)
    app[app_keys.PUSH_LIMIT] = AddressLimit(rate * PUSHES_OF_AN_ADDRESS, burst * PUSHES_OF_AN_ADDRESS)
    app[app_keys.FILE_LIMIT] = AddressLimit(rate * CONNECTIONS_OF_AN_ADDRESS, burst * FILES_AT_ONCE)
    app[app_keys.TURNS] = Turns(max(1, rate // COMMANDS_PER_TURN), settings.sockets * CONNECTIONS_PER_SOCKET)
    app[app_keys.OPEN_LIMIT] = OpenLimit(settings.sockets)
    app[app_keys.DEAL_LIMIT] = AddressLimit(rate, burst)
    app[app_keys.HISTORIES_AT_ONCE] = AtOnceLimit(HISTORIES_AT_ONCE)
    app[app_keys.GUEST_LIMIT] = AddressLimit(rate / COMMANDS_PER_OPENING, burst)
    app[app_keys.RACE_LIMIT] = AddressLimit(rate / COMMANDS_PER_OPENING, burst)
    app[app_keys.ACCOUNT_LIMIT] = AddressLimit(ACCOUNTS_PER_SECOND, ACCOUNTS_AT_ONCE)
    app[app_keys.SIGN_IN_LIMIT] = AddressLimit(SIGN_INS_PER_SECOND, SIGN_INS_AT_ONCE)
