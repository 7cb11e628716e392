"""The SDK without `async`, called the way the other face is, so that one test can try both."""

import asyncio
import inspect
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

from cadogan import sdk
from cadogan.sdk import blocking

ITERATORS = ("changes", "export_games", "follow_analysis", "follow_evening")
"""The methods whose results are iterators that wait."""
KINDS: dict[type, type] = {blocking.Client: sdk.Client, blocking.Game: sdk.Game}


class Awaited:
    """A client or game of the waiting face whose methods are awaited, each in a thread of its own."""

    def __init__(self, face: blocking.Client | blocking.Game) -> None:
        self._face = face

    def __getattr__(self, name: str) -> Any:
        part = getattr(self._face, name)
        if name in ITERATORS:
            return lambda *arguments, **named: _in_threads(part(*arguments, **named))
        if not callable(part):
            return part
        if inspect.iscoroutinefunction(getattr(KINDS[type(self._face)], name)):
            return lambda *arguments, **named: self._wait(lambda: part(*arguments, **named))
        return lambda *arguments: part(*map(_in_this_loop, arguments))

    def __str__(self) -> str:
        return str(self._face)

    async def _wait(self, call: Callable[[], Any]) -> Any:
        result = await asyncio.to_thread(call)
        if result is self._face:
            return self
        return Awaited(result) if isinstance(result, blocking.Game) else result


async def _in_threads(items: Iterator[Any]) -> AsyncIterator[Any]:
    """Yield what an iterator yields that waits for each item."""
    while (item := await asyncio.to_thread(next, items, None)) is not None:
        yield item


def _in_this_loop(argument: object) -> object:
    """Return a listener that is called in the loop of the test; any other argument as it is."""
    if not callable(argument):
        return argument
    loop = asyncio.get_running_loop()
    return lambda item: loop.call_soon_threadsafe(argument, item)
