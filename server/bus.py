"""The bus: how nodes wake each other when a game has moved on.

A wake-up says *this game has come to this version*, never what happened: who wants to know reads the log. So it may be
lost, doubled or late, and costs freshness for a moment, never a move.
"""

from collections.abc import Callable
from typing import Protocol

Listener = Callable[[str, int], None]
"""Called with a game's id and its version; must not block."""


class Bus(Protocol):
    """What a node needs of a bus."""

    def wake(self, game: str, version: int, *, sender: object) -> None:
        """Tell the other nodes, after the commit. Never blocks and never raises."""

    def listen(self, node: object, listener: Listener) -> None:
        """Have the listener called for the wake-ups of every node but this one."""

    def leave(self, node: object) -> None:
        """Listen no longer."""


class LocalBus:
    """The bus of nodes within one process; with a single node there is nobody to wake, and it does nothing."""

    def __init__(self) -> None:
        self._listeners: dict[object, Listener] = {}

    def wake(self, game: str, version: int, *, sender: object) -> None:
        for node, listener in self._listeners.items():
            if node is not sender:
                listener(game, version)

    def listen(self, node: object, listener: Listener) -> None:
        self._listeners[node] = listener

    def leave(self, node: object) -> None:
        self._listeners.pop(node, None)
