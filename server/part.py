"""The interface of the parts of a server: every method of `Part` is a hook, and a part implements those it needs.

A part inherits from nothing. `cadogan.server.app` hands it to `Parts.add`, and from then on its hooks are called. Hooks
that are not async must not block.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable
from difflib import get_close_matches
from functools import cache
from typing import Concatenate, ParamSpec, Protocol, TypeVar

from aiohttp import web

from cadogan.server.core.cluster.bus import WakeUpHandlers
from cadogan.server.core.games.game_cache import Committed
from cadogan.server.core.games.own_streams import StreamCommitted
from cadogan.server.core.live.connection import Viewer
from cadogan.server.subjects.daily.days import DayCommitted
from cadogan.server.subjects.races.repository import RaceCommitted

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
Added = TypeVar("Added")


class Part(Protocol):
    """The hooks. Those of one kind are called in the order in which the parts were added."""

    def routes(self) -> Iterable[web.RouteDef]:
        """Return further routes of the web application, besides those of `cadogan.server.http.routes`."""

    def on_commit(self, committed: Committed) -> None:
        """React to stored steps of any game."""

    def on_end(self, committed: Committed) -> None:
        """React to the end of a run (`Committed.is_end`)."""

    def on_race_change(self, committed: RaceCommitted) -> None:
        """React to stored changes of a race."""

    def on_day_change(self, committed: DayCommitted) -> None:
        """React to a day that was announced, opened or closed."""

    def on_stream_change(self, committed: StreamCommitted) -> None:
        """React to a stream of a competition (`StreamedCompetition`) that has changed."""

    def wake_up_handlers(self) -> WakeUpHandlers:
        """Return the handlers of wake-ups from other nodes, by prefix of their names."""

    async def refresh(self, viewer: Viewer) -> None:
        """Send a viewer that fell behind full views of its subscriptions to this part."""

    async def resync(self, topics: Collection[str] | None) -> None:
        """Catch up with the log: wake-ups of these topics may have been lost, or of any topic if None."""

    async def run_due(self) -> float | None:
        """Do scheduled work. Return the seconds until the next call, or None for the default interval."""

    async def clear_old(self) -> None:
        """Delete expired data; called once an hour."""

    async def run(self, stopping: asyncio.Event) -> None:
        """Run in the background while the web application serves, until `stopping` is set."""

    async def wait_until_idle(self) -> None:
        """Wait until no background work is left."""

    async def close(self) -> None:
        """Wait for running work to end, and start no more."""


class Parts:
    """The parts of one server."""

    def __init__(self) -> None:
        self._parts: list[object] = []

    def add(self, part: Added) -> Added:
        """Register a part: its hooks are called after those of the parts before it. Return the part.

        Raises TypeError if its class has a method whose name is almost that of a hook, which would never be called.
        """
        kind: type = type(part)
        _check_names(kind)
        self._parts.append(part)
        return part

    def hooks(self, hook: Callable[Concatenate[Part, Arguments], Result]) -> list[Callable[Arguments, Result]]:
        """Return this hook of all parts that implement it."""
        name = hook.__name__
        return [getattr(part, name) for part in self._parts if hasattr(part, name)]

    async def call(
        self,
        hook: Callable[Concatenate[Part, Arguments], Awaitable[None]],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> None:
        """Call one async hook of all parts that implement it, one after another."""
        for each in self.hooks(hook):
            await each(*args, **kwargs)


_HOOKS = [name for name in vars(Part) if not name.startswith("_")]
_MIN_SIMILARITY = 0.85
"""The least `SequenceMatcher.ratio` of a name with a hook's at which it counts as misspelt."""


@cache
def _check_names(kind: type) -> None:
    for name in {*dir(kind)}.difference(_HOOKS):
        close = [] if name.startswith("_") else get_close_matches(name, _HOOKS, n=1, cutoff=_MIN_SIMILARITY)
        if close and callable(getattr(kind, name)):
            raise TypeError(f"{kind.__name__}.{name} is no hook of a part: is it to be {close[0]}?")
