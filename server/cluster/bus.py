"""The bus: how nodes wake each other when a game or a race has moved on.

A wake-up says *this has come to this version*, never what happened: who wants to know reads the log. So it may be lost,
doubled or late, and costs freshness for a moment, never a move. A bus that may have lost some says so (`missed`), and
what is followed here is then held against the log (`server.play.resync`).

Beside the wake-ups a node may say something that holds for a moment, as how many watch a game there (`say`). That may
be lost as well, and is said again; of what still waits to be said of a name only the last counts.

A wake-up belongs to topics: the name of what moved, the day of a run, and `ENDED` when a game is over or a player may
see more than before; that is a wake-up of the player's. A bus may tell a node of everything or only of the topics that
it follows. What is said of a name belongs to that name alone.
"""

from collections.abc import Collection
from typing import Protocol

ENDED = "ended"
"""The topic of games that are over, and of players whose own are."""
DAY = "day/"
PLAYER = "player/"
SESSION = "session/"
SESSIONS = "sessions"
"""The topic of sessions that have ended."""
LONGEST_SAID = 4_000
"""Bytes in the longest text that a node may say."""


def day_topic(day: str) -> str:
    """The topic of the runs of a day.

    >>> day_topic("2026-11-20")
    'day/2026-11-20'
    """
    return DAY + day


class Node(Protocol):
    """One who listens. No call may block or raise."""

    def woken(self, name: str, version: int) -> None:
        """Another node has brought a game (by its id) or a race (by its stream) here, or a player or a session on."""

    def told(self, name: str, text: str) -> None:
        """Another node says this of that name."""

    def missed(self, topics: Collection[str] | None) -> None:
        """Wake-ups of these topics, or of any if None, may have been lost."""


class Bus(Protocol):
    """What a node needs of a bus."""

    def wake(self, name: str, version: int, topics: Collection[str] = (), *, sender: object) -> None:
        """Tell the other nodes, after the commit; `topics` are those besides the name. Never blocks, never raises."""

    def say(self, name: str, text: str, *, sender: object) -> None:
        """Tell the other nodes one line of at most `LONGEST_SAID` bytes about a name. Never blocks, never raises."""

    def follow(self, topic: str) -> None:
        """Hear of a topic from now on; what was missed until then is said to be missed."""

    def forget(self, topic: str) -> None:
        """Need not hear of a topic any more."""

    def listen(self, node: Node) -> None:
        """Call the node for the wake-ups of every node but itself."""

    def leave(self, node: object) -> None:
        """Call it no longer."""

    def start(self) -> None:
        """Begin to work, in the running loop. Waits for nothing: a bus that is away costs no start."""

    async def close(self) -> None:
        """Send what waits, if that is possible at once, and end."""


class LocalBus:
    """The bus of nodes within one process; with a single node there is nobody to wake, and it does nothing."""

    def __init__(self) -> None:
        self._nodes: dict[object, Node] = {}

    def wake(self, name: str, version: int, topics: Collection[str] = (), *, sender: object) -> None:
        for node in self._nodes.values():
            if node is not sender:
                node.woken(name, version)

    def say(self, name: str, text: str, *, sender: object) -> None:
        for node in self._nodes.values():
            if node is not sender:
                node.told(name, text)

    def follow(self, topic: str) -> None:
        """Every node hears of everything."""

    def forget(self, topic: str) -> None:
        """Every node hears of everything."""

    def listen(self, node: Node) -> None:
        self._nodes[node] = node

    def leave(self, node: object) -> None:
        self._nodes.pop(node, None)

    def start(self) -> None:
        """There is nothing to begin."""

    async def close(self) -> None:
        """Nothing waits."""
