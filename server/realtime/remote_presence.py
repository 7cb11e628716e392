"""Presence on the other nodes: how many watch there, and who, of the games that are followed here.

A node says it of each of its games when it changes, at most once a second, and every `BEAT` seconds besides. What was
said holds for `LAPSE` seconds: a node that has ended, or is cut off, counts no longer than that. All of it is only ever
shown: nothing is decided by it, so that it may be lost.
"""

from collections.abc import Iterable

from msgspec import DecodeError, Struct, json

BEAT = 3.0
"""Seconds between two tellings of what has not changed."""
LAPSE = 8.0
"""Seconds after which what another node has said holds no longer."""


class Present(Struct, array_like=True, frozen=True):
    """Who watches a game on one node: `["b6ab81", 2, ["Ann"]]`. Only the first of those with a name are named."""

    node: str
    watchers: int
    names: tuple[str, ...] = ()


_encode = json.Encoder().encode
_decode = json.Decoder(Present).decode


def text_of(present: Present) -> str:
    """What is said to the other nodes, in one line.

    >>> text_of(Present("b6ab81", 2, ("Ann",)))
    '["b6ab81",2,["Ann"]]'
    """
    return _encode(present).decode()


class Elsewhere:
    """What other nodes have said of games, by game and node, until when each of it holds."""

    def __init__(self, lapse: float = LAPSE) -> None:
        self._lapse = lapse
        self._games: dict[str, dict[str, tuple[Present, float]]] = {}

    def hear(self, game: str, text: str, at: float) -> tuple[bool, bool]:
        """Take what a node says at that moment, if it can be read: whether it is news, and that node's first watcher.

        >>> elsewhere = Elsewhere()
        >>> [elsewhere.hear("game", '["b6ab81",2,[]]', at=0.0) for _ in range(2)], elsewhere.watchers("game")
        ([(True, True), (False, False)], 2)
        """
        try:
            present = _decode(text)
        except DecodeError:
            return False, False
        nodes = self._games.setdefault(game, {})
        before, _ = nodes.get(present.node, (None, 0.0))
        nodes[present.node] = present, at + self._lapse
        return before != present, before is None or not before.watchers

    def watchers(self, game: str) -> int:
        """How many watch a game on the other nodes."""
        return sum(present.watchers for present, _ in self._games.get(game, {}).values())

    def names(self, game: str) -> Iterable[str]:
        """Who of them has a name, some of them perhaps twice."""
        return (name for present, _ in self._games.get(game, {}).values() for name in present.names)

    def forget(self, game: str) -> None:
        """Nobody here follows the game any more."""
        self._games.pop(game, None)

    def lapse(self, at: float) -> list[str]:
        """Drop what holds no longer at that moment; the games of which something was dropped."""
        changed = []
        for game, nodes in tuple(self._games.items()):
            left = {node: (present, until) for node, (present, until) in nodes.items() if until > at}
            if len(left) < len(nodes):
                self._games[game] = left
                changed.append(game)
        return changed
