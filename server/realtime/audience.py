"""An audience: everybody who follows one game on this node, by what they may see, and how many of them watch."""

from itertools import islice

from server.games.visibility import Sight
from server.realtime.connection import Channel
from server.realtime.remote_presence import Present

MOST_NAMED = 20
"""So many of those who watch a game are told by name."""


class Audience:
    """Everybody who follows one game on this node, by what they may see."""

    __slots__ = ("by_sight", "said", "told")

    def __init__(self) -> None:
        self.by_sight = {sight: Channel() for sight in Sight}
        self.told: tuple[int, list[str]] = (0, [])
        """How many watch and who, on all nodes, as last told to them."""
        self.said: Present | None = None
        """How many watch here and who, as last said to the other nodes."""

    @property
    def watchers(self) -> int:
        """How many sockets watch; the player's own are not counted."""
        return len(self.by_sight[Sight.BOARD].viewers) + len(self.by_sight[Sight.METER].viewers)

    @property
    def names(self) -> list[str]:
        """The first of those who watch and have a name, each once."""
        watching = (viewer for sight in (Sight.BOARD, Sight.METER) for viewer in self.by_sight[sight].viewers)
        return list(islice(dict.fromkeys(viewer.name for viewer in watching if viewer.name), MOST_NAMED))

    @property
    def empty(self) -> bool:
        """Whether nobody follows."""
        return not any(channel.viewers for channel in self.by_sight.values())

    def send(self, framed: bytes) -> None:
        """The same to everyone, whatever they may see."""
        for channel in self.by_sight.values():
            channel.send(framed)
