"""Locates the streams of the log: all on one machine, or with Citus each on one of several workers."""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from typing import Generic

import structlog
from sqlalchemy import ARRAY, Text, bindparam, select, text

from cadogan.server.core.batching import PAUSE_SECONDS, Batcher, Find, Key, Value
from cadogan.server.database.connections import Database
from cadogan.server.database.tables import events
from cadogan.server.eventlog.database_errors import as_unavailable, is_no_answer
from cadogan.server.storage.citus.extension import is_distributed

MAX_STREAMS = 100_000
"""Maximum number of streams whose worker is cached."""

_WORKERS = text("""
SELECT stream, groupid FROM unnest(:streams) AS asked (stream)
JOIN pg_dist_placement ON shardid = get_shard_id_for_distribution_column('events', stream)
""").bindparams(bindparam("streams", type_=ARRAY(Text)))
_ASK_AGAIN = select(events.c.version).where(events.c.stream == bindparam("stream")).limit(1)
ONLY_WORKER = 0
"""The worker number that stands for a log that is not distributed."""
ASK_AGAIN_SECONDS = 1.0
"""Seconds between two checks of a worker that did not answer in time."""

log = structlog.stdlib.get_logger("cadogan.workers")


class WorkerUnreachable(ConnectionError):
    """A worker did not answer in time and has not answered since."""


class StreamWorkers:
    """Locates each stream: returns the number of its worker.

    Whether the log is distributed is queried once. The worker of a stream is queried once, and again after `forget`.

    A worker that did not answer in time (for example after a network failure) is polled by one task. Until it answers,
    all other calls to it fail at once.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._distributed = False if database.is_sqlite else None
        self._known: dict[str, int] = {}
        self._unknown = Batcher(self._ask, pause_seconds=0)
        self._silent: dict[int, asyncio.Task[None]] = {}

    @property
    def distributed(self) -> bool | None:
        """Whether the log is distributed; None if not queried yet."""
        return self._distributed

    def known(self, stream: str) -> int | None:
        """Return the cached worker of a stream; None if it must be looked up."""
        return ONLY_WORKER if self._distributed is False else self._known.get(stream)

    async def worker_of(self, stream: str) -> int:
        """Return the worker of a stream, from the cache or a lookup. Raises what the driver raises."""
        if (worker := self.known(stream)) is not None:
            return worker
        await self.look_up((stream,))
        return self.known(stream) or ONLY_WORKER

    async def look_up(self, streams: Collection[str]) -> None:
        """Look up and cache the workers of these streams. Raises what the driver raises."""
        await self._unknown.get_many(streams)

    def forget(self, stream: str) -> None:
        """Remove a stream from the cache, because it may have moved to another worker."""
        self._known.pop(stream, None)

    @contextmanager
    def read_from_worker(self, worker: int, stream: str) -> Iterator[None]:
        """Return a context for queries to a worker about one of its streams.

        Raises WorkerSilent at once if the worker is marked as silent. If the context ends with a timeout, the worker is
        marked as silent.
        """
        if worker in self._silent:
            raise WorkerUnreachable(f"the worker that has {stream} does not answer")
        try:
            yield
        except Exception as error:
            if self._distributed and is_no_answer(error) and worker not in self._silent:
                self._silent[worker] = asyncio.create_task(self._wait_for(worker, stream))
            raise

    async def close(self) -> None:
        """Stop polling silent workers."""
        for task in self._silent.values():
            task.cancel()
        await asyncio.gather(*self._silent.values(), return_exceptions=True)

    def is_away(self, error: BaseException) -> bool:
        """Return whether an error only means that one of several workers is unavailable."""
        return self._distributed is True and as_unavailable(error) is not None

    async def _wait_for(self, worker: int, stream: str) -> None:
        log.warning("worker_silent", worker=worker)
        answers = False
        while not answers:
            await asyncio.sleep(ASK_AGAIN_SECONDS)
            with suppress(Exception):
                await self._database.fetch(_ASK_AGAIN, {"stream": stream})
                answers = True
        del self._silent[worker]
        log.info("worker_answers", worker=worker)

    async def _ask(self, streams: Collection[str]) -> Mapping[str, int]:
        async with self._database.reading() as connection:
            if self._distributed is None:
                self._distributed = await is_distributed(connection)
            if not self._distributed:
                return dict.fromkeys(streams, ONLY_WORKER)
            rows = await connection.execute(_WORKERS, {"streams": list(streams)})
            found = dict.fromkeys(streams, ONLY_WORKER) | {row.stream: row.groupid for row in rows}
        if len(self._known) + len(found) > MAX_STREAMS:
            self._known.clear()
        self._known.update(found)
        return found


class WorkerBatcher(Generic[Key, Value]):
    """Looks up values of streams like a `Batcher`, but with a separate query to each worker.

    An unavailable or slow worker therefore delays only calls for its own streams. `stream_of` returns the stream of a
    key.
    """

    def __init__(
        self,
        workers: StreamWorkers,
        stream_of: Callable[[Key], str],
        find: Find[Key, Value],
        pause_seconds: float = PAUSE_SECONDS,
    ) -> None:
        self._workers = workers
        self._stream_of = stream_of
        self._find = find
        self._pause_seconds = pause_seconds
        self._batchers: dict[int, Batcher[Key, Value]] = {}

    async def get(self, key: Key) -> Value | None:
        """Return the value of a key, or None if `find` returns none for it. Raises what `find` raises."""
        if self._workers.distributed is False:
            return await self._batcher(ONLY_WORKER).get(key)
        return (await self.get_many((key,))).get(key)

    async def get_many(self, keys: Iterable[Key], *, partly: bool = False) -> dict[Key, Value]:
        """Return the values of those of these keys for which `find` returns one. Raises what `find` raises.

        With `partly=True` the keys of an unavailable worker are left out.
        """
        if self._workers.distributed is False:
            return await self._batcher(ONLY_WORKER).get_many(keys)
        found, failures = await self._ask(keys)
        for failure in failures:
            if not (partly and self._workers.is_away(failure)):
                raise failure
        return found

    async def each(self, keys: Iterable[Key]) -> AsyncIterator[tuple[Key, Value]]:
        """Iterate over the keys for which `find` returns a value; at the end raise what `find` raised."""
        found, failures = await self._ask(keys)
        for key, value in found.items():
            yield key, value
        for failure in failures:
            raise failure

    async def _ask(self, keys: Iterable[Key]) -> tuple[dict[Key, Value], list[BaseException]]:
        """Return the results of the workers that answer, and the errors of the others."""
        found, failures = dict[Key, Value](), list[BaseException]()
        by_worker = await self._by_worker(keys)
        asked = (self._batcher(worker).get_many(some) for worker, some in by_worker.items())
        for some, told in zip(by_worker.values(), await asyncio.gather(*asked, return_exceptions=True), strict=True):
            if isinstance(told, BaseException):
                failures.append(told)
                for key in some:
                    self._workers.forget(self._stream_of(key))
            else:
                found |= told
        return found, failures

    async def _by_worker(self, keys: Iterable[Key]) -> dict[int, list[Key]]:
        grouped: dict[int, list[Key]] = {}
        streams = {key: self._stream_of(key) for key in keys}
        if unknown := [stream for stream in streams.values() if self._workers.known(stream) is None]:
            await self._workers.look_up(unknown)
        for key, stream in streams.items():
            grouped.setdefault(self._workers.known(stream) or ONLY_WORKER, []).append(key)
        return grouped

    def _batcher(self, worker: int) -> Batcher[Key, Value]:
        if worker not in self._batchers:
            find = self._find if worker == ONLY_WORKER else partial(self._find_at, worker)
            self._batchers[worker] = Batcher(find, self._pause_seconds)
        return self._batchers[worker]

    async def _find_at(self, worker: int, keys: Collection[Key]) -> Mapping[Key, Value]:
        with self._workers.read_from_worker(worker, self._stream_of(next(iter(keys)))):
            return await self._find(keys)
