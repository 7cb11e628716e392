"""How often somebody may try to sign in with a name: strangers seldom, and those who have done so before on their own.

Somebody else's guesses lock nobody out: who has signed in with this name before, in the same browser or from the same
network, does not share the limit of strangers; and when that is used up, each further network has one try. A browser
shows that it is known by a *device mark*, which it keeps in a cookie when one signs out. A mark follows from the hash
of the player's password, so a new password makes all marks void.
"""

from collections import OrderedDict
from collections.abc import Collection, Sequence
from hashlib import sha256
from hmac import compare_digest, digest
from typing import NamedTuple

from server.core.errors import RateLimited
from server.core.rate_limits import AddressLimit, network_of

STRANGERS_AT_ONCE = 20
STRANGERS_PER_SECOND = 1 / 30
"""How often strangers, all together, may try one name."""
FIRST_TRIES_AT_ONCE = 50
FIRST_TRIES_PER_SECOND = 1 / 60
"""How many networks may try one name once more after that: its owner may be in a new place."""
SECONDS_BETWEEN_FIRST_TRIES = 600
"""After so long a try from the same network counts as its first one again."""
KNOWN_AT_ONCE = 10
KNOWN_PER_SECOND = 1 / 6
"""How often one browser or network that has signed in with a name before may try it again."""
MAX_REMEMBERED_NETWORKS = 10_000
MAX_MARKS = 5
"""Of so many players one browser keeps the device marks."""
_MARK_LENGTH = 32


class Origin(NamedTuple):
    """From where somebody signs in: the network address, the browser's device marks, and who is signed in there."""

    address: str = ""
    marks: Collection[str] = ()
    player: str | None = None


NOWHERE = Origin()


class SignInLimits:
    """The limits of one process. The networks from which people have signed in are remembered until it stops.

    Of what strangers may try, each of `processes` that serve together has an equal part: who reaches all of them may
    try no more than if there were one.
    """

    def __init__(self, processes: int = 1) -> None:
        self._strangers = AddressLimit(STRANGERS_PER_SECOND / processes, max(1, STRANGERS_AT_ONCE // processes))
        self._networks_first = AddressLimit(1 / SECONDS_BETWEEN_FIRST_TRIES, 1)
        self._first_tries = AddressLimit(FIRST_TRIES_PER_SECOND / processes, max(1, FIRST_TRIES_AT_ONCE // processes))
        self._known = AddressLimit(KNOWN_PER_SECOND, KNOWN_AT_ONCE)
        self._networks: OrderedDict[tuple[str, str], None] = OrderedDict()

    def take(self, key: str, origin: Origin, player: str = "", password_hash: str = "") -> bool:
        """Take an attempt at the name with this key, and return whether it comes from where somebody is known.

        `player` and `password_hash` are those of the player who has the name, if they have been looked up. Raises
        RateLimited.
        """
        mark = device_mark(player, password_hash)
        network = network_of(origin.address)
        if any([compare_digest(mark.encode(), each.encode(errors="replace")) for each in origin.marks]):
            known = f"mark {mark}"
        elif origin.player == player:
            known = f"player {player}"
        elif (key, network) in self._networks:
            known = f"name {key} from {network}"
        else:
            self._take_as_stranger(f"name {key}", network)
            return False
        _take(self._known, known)
        return True

    def remember(self, key: str, origin: Origin) -> None:
        """Note that somebody has signed in with the name of this key from there."""
        network = network_of(origin.address)
        if not network:
            return
        self._networks.pop((key, network), None)
        self._networks[key, network] = None
        if len(self._networks) > MAX_REMEMBERED_NETWORKS:
            self._networks.popitem(last=False)

    def _take_as_stranger(self, name: str, network: str) -> None:
        try:
            self._strangers.take(name)
        except RateLimited:
            _take(self._networks_first, f"{name} from {network}")
            _take(self._first_tries, name)


def _take(limit: AddressLimit, key: str) -> None:
    try:
        limit.take(key)
    except RateLimited as limited:
        raise RateLimited(
            "Too many attempts with this name: wait, or sign in where you have done so before.",
            retry_after=limited.retry_after,
        ) from None


def device_mark(player: str, password_hash: str) -> str:
    """Return the mark that a browser keeps in which this player has signed in."""
    return digest(password_hash.encode(), b"device " + player.encode(), sha256).hex()[:_MARK_LENGTH]


def read_marks(cookie: str | None) -> Sequence[str]:
    """Return the device marks in a cookie."""
    return [mark for mark in (cookie or "").split(".") if mark][:MAX_MARKS]


def add_mark(cookie: str | None, mark: str) -> str:
    """Return the cookie with one more mark, the newest first."""
    others = [each for each in read_marks(cookie) if each != mark]
    return ".".join([mark, *others][:MAX_MARKS])
