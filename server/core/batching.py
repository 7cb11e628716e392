"""Questions put together: what is asked while the database answers is asked of it next, all in one question.

One question alone waits for nobody. When thousands come back at once, each with a token of their own, the database is
asked some dozens of times and not thousands.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Hashable, Mapping
from typing import Generic, TypeVar

MOST = 500
"""How many are put into one question."""

Key = TypeVar("Key", bound=Hashable)
Answer = TypeVar("Answer")


class Batcher(Generic[Key, Answer]):
    """Asks for keys by `find`, which gives what it finds by key. No answer is older than the asking."""

    def __init__(self, find: Callable[[Collection[Key]], Awaitable[Mapping[Key, Answer]]]) -> None:
        self._find = find
        self._waiting: dict[Key, asyncio.Future[Answer | None]] = {}
        self._asking: asyncio.Task[None] | None = None

    async def ask(self, key: Key) -> Answer | None:
        """What there is under a key; None where there is nothing. Raises what `find` raises."""
        answer = self._waiting.get(key)
        if answer is None:
            answer = self._waiting[key] = asyncio.get_running_loop().create_future()
            if self._asking is None:
                self._asking = asyncio.ensure_future(self._run())
        return await asyncio.shield(answer)

    async def _run(self) -> None:
        try:
            while self._waiting:
                asked = {key: self._waiting.pop(key) for key in list(self._waiting)[:MOST]}
                try:
                    found = await self._find(asked.keys())
                except Exception as error:
                    for answer in asked.values():
                        answer.set_exception(error)
                        answer.exception()  # whoever asked may be gone: then nobody is there to be told
                else:
                    for key, answer in asked.items():
                        answer.set_result(found.get(key))
        finally:
            self._asking = None
