"""Sending what waits for many destinations: each has its own worker, so a slow one holds up only what waits for it.

A destination is proven once something has arrived there, as long as it answers. Anybody may name others, so these share
a few workers, of which one person has at most `UNPROVEN_OF_A_PERSON`, and each request to them has little time. A
destination that does not answer rests, longer each time.
"""

import asyncio
import random
import ssl
from collections import Counter, OrderedDict
from collections.abc import Callable, Collection, Sequence
from typing import Generic, NamedTuple, Protocol, TypeVar

import aiohttp
import structlog

from cadogan.server.news import requests
from cadogan.server.news.requests import Answer, Outgoing, open_session, send_until

AT_ONCE = 32
"""Destinations to which one node sends at the same time, of those that are proven."""
UNPROVEN_AT_ONCE = 8
"""Destinations to which one node sends at the same time, of the others."""
UNPROVEN_OF_A_PERSON = 2
BATCH = 4
"""How much is sent at the same time to one destination that is proven; to others one thing after the other."""
FIRST_TIMEOUT_SECONDS = 5.0
"""A destination that is not proven has to answer within this time."""
REST_MILLISECONDS = 60_000
"""So long nothing is sent to a destination that has not answered: twice as long each further time, up to a quarter more
by chance."""
MAX_REST_MILLISECONDS = 3_600_000
MAX_REMEMBERED = 10_000
"""Destinations of which it is remembered how often they have not answered."""

MAX_DOUBTFUL = 500
"""So many of those that did not answer the last time count as not proven, the latest."""

log = structlog.stdlib.get_logger("cadogan.news")
Item = TypeVar("Item")


class Destination(NamedTuple):
    """Something is due to be sent there. `person` has named it, where it is not proven."""

    name: str
    is_proven: bool = True
    person: str = ""


class Queue(Protocol[Item]):
    """What waits to be sent, in the database."""

    async def due(
        self, busy: Collection[str], doubtful: Collection[str], proven: bool, most: int
    ) -> Sequence[Destination]:
        """Return up to so many destinations that something is due for, without those that are busy.

        They are proven and not among the `doubtful` ones, or else any of the others.
        """
        ...

    async def claim(self, destination: str, most: int) -> Sequence[Item]:
        """Take up to so much of what is due for a destination; no other node gets it until the claim ends."""
        ...

    async def request(self, item: Item) -> Outgoing:
        """Return the request that sends this."""
        ...

    async def record(self, answered: Sequence[tuple[Item, Answer]]) -> None:
        """Store what became of what was claimed."""
        ...

    async def rest(self, destination: str, milliseconds: int) -> None:
        """Let everything that waits for a destination wait for so long."""
        ...


class Outbox(Generic[Item]):
    """The outbox of one node. `on_free` is called whenever a worker has ended, so that others can begin.

    `may_go_inside` lets destinations be at addresses that are not public.
    """

    def __init__(self, queue: Queue[Item], may_go_inside: bool, on_free: Callable[[], None] = lambda: None) -> None:
        self._queue = queue
        self._may_go_inside = may_go_inside
        self._on_free = on_free
        self._workers: dict[str, asyncio.Task[None]] = {}
        self._persons = Counter[str]()
        self._unanswered: OrderedDict[str, int] = OrderedDict()
        self._sessions: dict[bool, aiohttp.ClientSession] = {}
        self._tls: ssl.SSLContext | None = None
        self._sent = 0
        self._starting, self._sending = asyncio.Lock(), asyncio.Lock()

    async def start_due(self, stopping: asyncio.Event | None = None) -> None:
        """Begin to send what is due, as far as there are places; workers go on afterwards, until there is no more.

        `stopping` ends them between two requests.
        """
        async with self._starting:
            await self._start(stopping)

    async def _start(self, stopping: asyncio.Event | None) -> None:
        for is_proven, places in ((True, AT_ONCE), (False, UNPROVEN_AT_ONCE)):
            free = places - sum(one.get_name() == str(is_proven) for one in self._workers.values())
            if free <= 0 or (stopping and stopping.is_set()):
                continue
            # Of the others more than there are places for: one person may have named all of the first ones.
            doubtful = [*self._unanswered][-MAX_DOUBTFUL:]
            found = await self._queue.due([*self._workers], doubtful, is_proven, free if is_proven else 1000)
            for one in found:
                if free and one.name not in self._workers and self._has_place(one):
                    await self._open_sessions()
                    free -= 1
                    self._persons[one.person] += not is_proven
                    work = self._work(one, stopping)
                    self._workers[one.name] = asyncio.create_task(work, name=str(is_proven))

    async def send_due(self, stopping: asyncio.Event | None = None) -> int:
        """Send everything that is due, wait until it is sent, and return how much was."""
        async with self._sending:
            before = self._sent
            try:
                await self.start_due(stopping)
                while self._workers:
                    await asyncio.wait([*self._workers.values()], return_when=asyncio.FIRST_COMPLETED)
                    await self.start_due(stopping)
            except asyncio.CancelledError:
                for task in self._workers.values():
                    task.cancel()
                raise
            finally:
                await self.close()
            return self._sent - before

    async def close(self) -> None:
        """Wait for the workers, which `stopping` has to have ended, and close all connections."""
        await asyncio.gather(*self._workers.values(), return_exceptions=True)
        while self._sessions:
            await self._sessions.popitem()[1].close()

    def _has_place(self, one: Destination) -> bool:
        return one.is_proven or self._persons[one.person] < UNPROVEN_OF_A_PERSON

    async def _open_sessions(self) -> None:
        if not self._sessions:
            self._tls = self._tls or await asyncio.to_thread(ssl.create_default_context)
            self._sessions |= {proven: open_session(self._may_go_inside, self._tls) for proven in (True, False)}

    async def _work(self, destination: Destination, stopping: asyncio.Event | None) -> None:
        try:
            while not (stopping and stopping.is_set()):
                claimed = await self._queue.claim(destination.name, BATCH if destination.is_proven else 1)
                if not claimed or not await self._send(destination, claimed, stopping) or not destination.is_proven:
                    break
        except Exception as error:
            log.warning("background_task_retried", task="sending", reason=type(error).__name__)
        else:
            self._on_free()
        finally:
            del self._workers[destination.name]
            self._persons[destination.person] -= not destination.is_proven
            self._persons = +self._persons

    async def _send(self, destination: Destination, claimed: Sequence[Item], stopping: asyncio.Event | None) -> bool:
        """Send what was claimed, and return whether the destination has answered."""
        seconds = requests.TIMEOUT_SECONDS if destination.is_proven else FIRST_TIMEOUT_SECONDS
        made = [await self._queue.request(one) for one in claimed]
        session = self._sessions[destination.is_proven]
        answers = await asyncio.gather(*(send_until(session, one, stopping, seconds) for one in made))
        answered = [(one, answer) for one, answer in zip(claimed, answers, strict=True) if answer is not None]
        await self._queue.record(answered)
        self._sent += len(answered)
        if not answered or any(answer.problem not in ("too_slow", "unreachable") for _, answer in answered):
            self._unanswered.pop(destination.name, None)
            return True
        times = self._unanswered.pop(destination.name, 0)
        self._unanswered[destination.name] = times + 1
        if len(self._unanswered) > MAX_REMEMBERED:
            self._unanswered.popitem(last=False)
        rest = min(REST_MILLISECONDS << min(times, 10), MAX_REST_MILLISECONDS)
        await self._queue.rest(destination.name, rest + random.randrange(rest // 4))
        return False
