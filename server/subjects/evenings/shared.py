"""Views of an evening that are equal for all readers: made once for each change on a node, not for each reader.

What is shared must not depend on who asks. A change is a new event of the evening, or a run of it that was dealt, has
ended, or was struck: here, or on another node, whose wake-ups say so. Nothing that is shared is older than
`MAX_AGE_SECONDS` at the request, should a wake-up be lost; of an evening that is over, nothing was begun before it.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from typing import Generic, NamedTuple, TypeVar

from cadogan.server.core.cluster.bus import DISQUALIFICATION_PREFIX
from cadogan.server.core.eventlog.streams import GAMES
from cadogan.server.core.games.game_cache import Committed
from cadogan.server.subjects.evenings.evening_state import EveningState

MAX_AGE_SECONDS = 3.0
"""Seconds after which something shared is made again, even if nothing is known to have changed."""
MAX_PAUSE_SECONDS = 0.5
"""The next making waits as long as the last one took, but no longer than this: one evening takes half of a core."""
MAX_GAMES = 500_000
"""Ids of games that are kept, with the evening of each."""
MAX_SHARED = 1_000
"""Evenings of which something is kept."""
Made = TypeVar("Made")


class Stamp(NamedTuple):
    """A cache key: the version of an evening's stream, and the number of changes of its runs."""

    version: int
    changes: int

    def covers(self, other: "Stamp") -> bool:
        """Return whether everything in another stamp is in this one."""
        return self.version >= other.version and self.changes >= other.changes


class RunChanges:
    """Counts the changes of the runs of each evening, as far as this node hears of them. It has hooks of a part."""

    def __init__(self) -> None:
        self._evenings: dict[str, str] = {}
        self._changes: dict[str, int] = {}
        self._resyncs = 0

    def note_games(self, evening: str, games: Iterable[str]) -> None:
        """Store the ids of the runs of an evening, including those that have not begun."""
        if len(self._evenings) > MAX_GAMES:
            self._evenings.clear()
            self._resyncs += 1  # changes of the runs that are forgotten are not counted: make everything again
        self._evenings |= dict.fromkeys(games, evening)

    def stamp(self, state: EveningState) -> Stamp:
        """Return the stamp of an evening now."""
        return Stamp(state.version, self._changes.get(state.id, 0) + self._resyncs)

    def on_commit(self, committed: Committed) -> None:
        """Count a run that was dealt or has ended."""
        if committed.is_end or committed.steps[0].after.version == 1:
            self._count(committed.state.id)

    def wake_up_handlers(self) -> Mapping[str, Callable[[str, int], object]]:
        """Return the handlers of wake-ups for runs that other nodes wrote, and for those that were struck."""
        return {GAMES: self._count, DISQUALIFICATION_PREFIX: self._count}

    async def resync(self, topics: Collection[str] | None) -> None:
        """Count a change of every evening: wake-ups may have been lost."""
        self._resyncs += 1

    def _count(self, game: str, _: int = 0) -> None:
        if (evening := self._evenings.get(game)) is not None:
            self._changes[evening] = self._changes.get(evening, 0) + 1


class _Entry(Generic[Made]):
    """A cached value of one evening: its stamp, when its creation began, and the seconds it took."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.stamp = Stamp(-1, -1)
        self.began_at = self.ended_at = 0.0
        self.made: Made | None = None


class Shared(Generic[Made]):
    """Something that is made of an evening, for all its readers."""

    def __init__(
        self,
        changes: RunChanges,
        get_state: Callable[[str], Awaitable[EveningState]],
        make: Callable[[EveningState], Awaitable[Made]],
    ) -> None:
        """`get_state` returns the latest state of an evening, and `make` makes what is shared of it."""
        self._changes = changes
        self._get_state = get_state
        self._make = make
        self._entries: dict[str, _Entry[Made]] = {}

    async def get(self, state: EveningState) -> Made:
        """Return the value for an evening, made from this state or a later one, and from all runs known now.

        Whoever finds it outdated waits until it is made again; requests that arrive meanwhile share the next one.
        Raises what `make` raises.
        """
        entry = self._entry(state.id)
        wanted = self._changes.stamp(state)
        since = _seconds() - (0 if state.is_over else MAX_AGE_SECONDS)
        if (made := _made_since(entry, wanted, since)) is not None:
            return made
        async with entry.lock:
            if (made := _made_since(entry, wanted, since)) is not None:
                return made
            pause = min(entry.ended_at - entry.began_at, MAX_PAUSE_SECONDS)
            await asyncio.sleep(entry.ended_at + pause - _seconds())
            began_at = _seconds()
            latest = await self._get_state(state.id)
            stamp = self._changes.stamp(latest)
            made = await self._make(latest)
            entry.made, entry.stamp, entry.began_at, entry.ended_at = made, stamp, began_at, _seconds()
            return made

    def _entry(self, id: str) -> _Entry[Made]:
        entry = self._entries.pop(id, None) or _Entry()
        self._entries[id] = entry  # the last one used is the last one here
        if len(self._entries) > MAX_SHARED:
            del self._entries[next(iter(self._entries))]
        return entry


def _made_since(entry: _Entry[Made], wanted: Stamp, since: float) -> Made | None:
    """Return the cached value, if it covers the changes of `wanted` and its creation began at `since` or later."""
    return entry.made if entry.began_at >= since and entry.stamp.covers(wanted) else None


def _seconds() -> float:
    return time.monotonic()  # the clock of the event loop stands still during one of its turns
