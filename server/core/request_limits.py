"""How much one network address, or one player, may ask of this server."""

from cadogan.server.core.rate_limits import AddressLimit, AtOnceLimit, OpenLimit
from cadogan.server.core.turns import Turns

ACCOUNTS_AT_ONCE = 30
ACCOUNTS_PER_SECOND = 1 / 6
"""How often one address may ask for an account."""
SIGN_INS_AT_ONCE = 300
SIGN_INS_PER_SECOND = 2
"""How often one address may begin to sign in by a passkey, by the provider or by mail: nobody can guess anything there,
and each beginning is stored."""
HISTORY_EVENTS_RATE = 100
HISTORY_EVENTS_BURST = 500
"""How many events of histories may be read by one player, or one address, for each command that the settings allow."""
HISTORIES_AT_ONCE = 32
"""Replays, paces and records that are sent to one player with a name, or one address, at the same time."""
CONNECTIONS_PER_SOCKET = 2
"""One address may have so many times more connections open than sockets and streams."""
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


class RequestLimits:
    """The limits of one server, for settings that allow one connection `rate` messages a second and `burst` at once.

    One address may have `sockets` sockets and streams.
    """

    def __init__(self, rate: int, burst: int, sockets: int) -> None:
        self.address = AddressLimit(rate * CONNECTIONS_OF_AN_ADDRESS, burst * CONNECTIONS_OF_AN_ADDRESS)
        """How many messages and requests may come from one address."""
        at_once = max(burst * MILLISECONDS_AT_ONCE, LEAST_MILLISECONDS_AT_ONCE)
        self.time = AddressLimit(rate * MILLISECONDS_OF_AN_ADDRESS, at_once)
        """How many milliseconds of the event loop the requests and messages of one address may take."""
        self.push = AddressLimit(rate * PUSHES_OF_AN_ADDRESS, burst * PUSHES_OF_AN_ADDRESS)
        """How much may be pushed to the spectators of one address; past it they get fresh views."""
        self.file = AddressLimit(rate * CONNECTIONS_OF_AN_ADDRESS, burst * FILES_AT_ONCE)
        """How many pages and files one address may ask for; who asks for more waits for them."""
        self.turns = Turns(max(1, rate // COMMANDS_PER_TURN), sockets * CONNECTIONS_PER_SOCKET)
        """The turns of each address to have a request or a message carried out."""
        self.open = OpenLimit(sockets)
        """How many sockets and streams one address may have."""
        self.deal = AddressLimit(rate, burst)
        """How often one person (`cadogan.server.http.requests.asker`) may make something that is kept: a deal, a game,
        a place in a race, a group, a bot; and how often one address may have deals made."""
        self.history = AddressLimit(rate * HISTORY_EVENTS_RATE, burst * HISTORY_EVENTS_BURST)
        """How many events one player with a name, or one address, may have the server read for replays, paces and
        records."""
        self.histories_at_once = AtOnceLimit(HISTORIES_AT_ONCE)
        """How many replays, paces and records the same one may be sent at the same time."""
        self.guest = AddressLimit(rate / COMMANDS_PER_OPENING, burst)
        """How often one address may begin as a guest."""
        self.race = AddressLimit(rate / COMMANDS_PER_OPENING, burst)
        """How often one address may open a race."""
        self.account = AddressLimit(ACCOUNTS_PER_SECOND, ACCOUNTS_AT_ONCE)
        """How often one address may ask for an account."""
        self.sign_in = AddressLimit(SIGN_INS_PER_SECOND, SIGN_INS_AT_ONCE)
        """How often one address may begin to sign in without a password, or use a code; failures with passwords are
        counted by `cadogan.server.players.sign_in.sign_in_limits`."""
