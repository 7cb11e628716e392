"""The adapter from the asynchronous to the blocking SDK: an event loop in a thread of its own."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import wraps
from inspect import signature
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, cast

from cadogan.sdk.errors import Unreachable

Part = TypeVar("Part")
PartOfFace = TypeVar("PartOfFace", covariant=True)
Result = TypeVar("Result")
Item = TypeVar("Item")
Parameters = ParamSpec("Parameters")


class Background:
    """An event loop in a thread of its own, and another thread that calls the listeners, one after another.

    So a listener may call blocking methods.
    """

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="cadogan", daemon=True)
        self._thread.start()
        self._listening = ThreadPoolExecutor(max_workers=1, thread_name_prefix="cadogan-listeners")

    def run(self, call: Coroutine[Any, Any, Result]) -> Result:
        """Run a coroutine in the loop, wait for its result and return it. Raises what it raises.

        After `close` it raises Unreachable.
        """
        try:
            future = asyncio.run_coroutine_threadsafe(call, self._loop)
        except RuntimeError:
            call.close()
            raise Unreachable("the connection was closed") from None
        try:
            return future.result()
        finally:
            future.cancel()  # effective only if this thread was interrupted

    def call(self, function: Callable[[], Result]) -> Result:
        """Call a function in the loop's thread, and return its result."""

        async def call() -> Result:
            return function()

        return self.run(call())

    def iterate(self, items: AsyncIterator[Item]) -> Iterator[Item]:
        """Yield what an asynchronous iterator yields. Raises what it raises."""

        async def next_item() -> tuple[Item] | None:
            try:
                return (await anext(items),)
            except StopAsyncIteration:
                return None

        while (item := self.run(next_item())) is not None:
            yield item[0]

    def add_listener(
        self, add: Callable[[Callable[[Item], None]], Callable[[], None]], listener: Callable[[Item], None]
    ) -> Callable[[], None]:
        """Add a listener with `add`, to be called in the thread of the listeners. Returns a function that removes it.

        An exception in a listener goes to `threading.excepthook`.
        """

        def listen(item: Item) -> None:
            try:
                listener(item)
            except Exception as error:
                details = (type(error), error, error.__traceback__, threading.current_thread())
                threading.excepthook(threading.ExceptHookArgs(details))

        remove = self.call(lambda: add(lambda item: void(self._listening.submit(listen, item))))
        return lambda: self.call(remove)

    def close(self) -> None:
        """End both threads. Queued calls of listeners are dropped."""
        self._listening.shutdown(wait=False, cancel_futures=True)
        self.run(_cancel_other_tasks())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


class Waiting(Generic[PartOfFace]):
    """The blocking form of a part of the asynchronous SDK."""

    def __init__(self, background: Background, part: PartOfFace) -> None:
        self._background = background
        self._part = part


def waiting(
    method: Callable[Concatenate[Part, Parameters], Coroutine[Any, Any, Result]],
) -> Callable[Concatenate[Waiting[Part], Parameters], Result]:
    """Return the blocking form of a method, with the same name, parameters, result, errors and documentation."""

    @wraps(method)
    def wait(face: Waiting[Part], /, *arguments: Parameters.args, **named: Parameters.kwargs) -> Result:
        return face._background.run(method(face._part, *arguments, **named))

    return wait


def iterating(
    method: Callable[Concatenate[Part, Parameters], AsyncIterator[Item]],
) -> Callable[Concatenate[Waiting[Part], Parameters], Iterator[Item]]:
    """Return the blocking form of a method; its iterator blocks for each item."""

    @wraps(method)
    def iterate(face: Waiting[Part], /, *arguments: Parameters.args, **named: Parameters.kwargs) -> Iterator[Item]:
        return face._background.iterate(method(face._part, *arguments, **named))

    return iterate


def listening(
    method: Callable[Concatenate[Part, Parameters], Callable[[], None]],
) -> Callable[Concatenate[Waiting[Part], Parameters], Callable[[], None]]:
    """Return the blocking form of a method, whose `listener` is called in the thread of the listeners."""
    parameters = signature(method)

    @wraps(method)
    def listen(face: Waiting[Part], /, *arguments: Parameters.args, **named: Parameters.kwargs) -> Callable[[], None]:
        given = parameters.bind(face._part, *arguments, **named).arguments

        def add(listener: Callable[[Any], None]) -> Callable[[], None]:
            return cast(Callable[..., Callable[[], None]], method)(*(given | {"listener": listener}).values())

        return face._background.add_listener(add, given["listener"])

    return listen


async def _cancel_other_tasks() -> None:
    """Cancel all other tasks of the loop, so that no thread waits for them for ever."""
    others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)


def void(_: object) -> None:
    """Return nothing."""
