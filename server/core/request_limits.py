"""The rate limits of network addresses and players."""

from cadogan.server.core.rate_limits import AddressLimit, AtOnceLimit, OpenLimit
from cadogan.server.core.turns import Turns

ACCOUNTS_AT_ONCE = 30
ACCOUNTS_PER_SECOND = 1 / 6
"""The rate and burst of accounts that one address may create."""
SIGN_INS_AT_ONCE = 300
SIGN_INS_PER_SECOND = 2
"""The rate and burst of sign-ins that one address may start with a passkey, the provider or mail: nothing can be
guessed there, and each attempt is stored."""
HISTORY_EVENTS_RATE = 100
HISTORY_EVENTS_BURST = 500
"""The rate and burst of history events read for one player or address, per command that the settings allow."""
HISTORIES_AT_ONCE = 32
"""Replays, paces and records that are sent concurrently to one named player or one address."""
CONNECTIONS_PER_SOCKET = 2
"""Open connections of one address per allowed socket or stream."""
CONNECTIONS_OF_AN_ADDRESS = 25
"""The message and request limit of one address, as a multiple of that of one connection."""
PUSHES_OF_AN_ADDRESS = 100
"""The push limit for spectators of one address, as a multiple of the limit of one connection."""
MILLISECONDS_OF_AN_ADDRESS = 12.5
"""Event-loop milliseconds per second of one address, per message a second that one connection may send."""
MILLISECONDS_AT_ONCE = 50
"""Burst of event-loop milliseconds of one address, per message in the burst of one connection."""
LEAST_MILLISECONDS_AT_ONCE = 1000
"""Minimum burst of event-loop milliseconds of one address."""
FILES_AT_ONCE = 100
"""Burst of pages and files for one address, as a multiple of `burst`. A page with all its files needs about a
hundred."""
COMMANDS_PER_TURN = 2
"""Divisor: concurrent requests and messages of one address are the rate of one connection divided by this."""
COMMANDS_PER_OPENING = 400
"""Divisor: the rate of new guests and races of one address is the rate of commands divided by this."""


class RequestLimits:
    """The limits of one server. The settings allow one connection `rate` messages a second, with bursts of `burst`.

    One address may have `sockets` sockets and streams.
    """

    def __init__(self, rate: int, burst: int, sockets: int) -> None:
        self.address = AddressLimit(rate * CONNECTIONS_OF_AN_ADDRESS, burst * CONNECTIONS_OF_AN_ADDRESS)
        """Limits messages and requests of one address."""
        at_once = max(burst * MILLISECONDS_AT_ONCE, LEAST_MILLISECONDS_AT_ONCE)
        self.time = AddressLimit(rate * MILLISECONDS_OF_AN_ADDRESS, at_once)
        """Limits the event-loop milliseconds that requests and messages of one address use."""
        self.push = AddressLimit(rate * PUSHES_OF_AN_ADDRESS, burst * PUSHES_OF_AN_ADDRESS)
        """Limits pushes to the spectators of one address; beyond it they get full views later."""
        self.file = AddressLimit(rate * CONNECTIONS_OF_AN_ADDRESS, burst * FILES_AT_ONCE)
        """Limits pages and files of one address; further requests are delayed."""
        self.turns = Turns(max(1, rate // COMMANDS_PER_TURN), sockets * CONNECTIONS_PER_SOCKET)
        """Limits concurrent requests and messages of one address."""
        self.open = OpenLimit(sockets)
        """Limits open sockets and streams of one address."""
        self.deal = AddressLimit(rate, burst)
        """Limits how often one person (`cadogan.server.http.requests.asker`) creates stored things: a deal, a game, a
        place in a race, a group, a bot; and how often one address creates deals."""
        self.history = AddressLimit(rate * HISTORY_EVENTS_RATE, burst * HISTORY_EVENTS_BURST)
        """Limits events read for replays, paces and records of one named player or one address."""
        self.histories_at_once = AtOnceLimit(HISTORIES_AT_ONCE)
        """Limits replays, paces and records that are sent concurrently to one named player or one address."""
        self.guest = AddressLimit(rate / COMMANDS_PER_OPENING, burst)
        """Limits new guests of one address."""
        self.race = AddressLimit(rate / COMMANDS_PER_OPENING, burst)
        """Limits races opened from one address."""
        self.account = AddressLimit(ACCOUNTS_PER_SECOND, ACCOUNTS_AT_ONCE)
        """Limits accounts created from one address."""
        self.sign_in = AddressLimit(SIGN_INS_PER_SECOND, SIGN_INS_AT_ONCE)
        """Limits sign-ins without a password and uses of codes from one address; wrong passwords are counted by
        `cadogan.server.players.sign_in.sign_in_limits`."""
