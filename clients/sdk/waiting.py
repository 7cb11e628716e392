"""How a method of the asynchronous SDK becomes one that waits: an event loop that runs in a thread of its own."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import wraps
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

from cadogan.sdk.errors import Unreachable

Part = TypeVar("Part")
PartOfFace = TypeVar("PartOfFace", covariant=True)
Result = TypeVar("Result")
Item = TypeVar("Item")
Parameters = ParamSpec("Parameters")


class Background:
    """An event loop in a thread of its own, and another thread that calls the listeners, one after another.

    So a listener may call methods that wait.
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
            future.cancel()  # if this thread was interrupted; else it does nothing

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
        """Add a listener with `add`, so that it is called in the thread of the listeners. Returns what removes it.

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
        """End both threads. Calls of listeners that have not begun are left out."""
        self._listening.shutdown(wait=False, cancel_futures=True)
        self.run(_cancel_other_tasks())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


class Waiting(Generic[PartOfFace]):
    """The waiting face of a part of the asynchronous SDK."""

    def __init__(self, background: Background, part: PartOfFace) -> None:
        self._background = background
        self._part = part


def waiting(
    method: Callable[Concatenate[Part, Parameters], Coroutine[Any, Any, Result]],
) -> Callable[Concatenate[Waiting[Part], Parameters], Result]:
    """Return the same method for the waiting face: the same name, parameters, result, errors and documentation."""

    @wraps(method)
    def wait(face: Waiting[Part], /, *arguments: Parameters.args, **named: Parameters.kwargs) -> Result:
        return face._background.run(method(face._part, *arguments, **named))

    return wait


async def _cancel_other_tasks() -> None:
    """Cancel what still runs in the loop, so that no thread waits for it for ever."""
    others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)


def void(_: object) -> None:
    """Return nothing."""
