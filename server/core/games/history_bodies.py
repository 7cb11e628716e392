"""The long parts of replays, paces and records: encoded once, in time slices, and cached (least recently used).

A game at one version never changes, so its bytes do not either. The number of bodies encoded at the same time is
limited, concurrent requests for one body share the work, and each request is charged for the events that must be read.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from hashlib import sha256
from typing import Literal, NamedTuple

from msgspec import Struct, json

from cadogan.server.core.errors import TooMany
from cadogan.server.core.games import game_messages, game_record
from cadogan.server.core.games.competition_rules import GameOutline
from cadogan.server.core.games.game_reader import GameReader
from cadogan.server.core.games.game_record import PaceRecorder
from cadogan.server.core.games.game_state import GameState, Step
from cadogan.wire.codec import encode

MAX_AT_ONCE = 2
"""Bodies that are encoded at the same time; others wait."""
MAX_WAITING = 64
"""Bodies that are being encoded or wait for it; further requests are refused."""
MAX_CACHED_BYTES = 32 * 1024 * 1024
"""Maximum size of the cache in bytes; least recently used bodies are evicted."""
MIN_COST = 20
"""Minimum cost of a request in events, even if nothing must be read."""
CHUNK_BYTES = 64 * 1024
RETRY_AFTER_SECONDS = 1.0
TAIL = b"]}"

Kind = Literal["replay", "pace", "record"]
Charge = Callable[[int], None]
"""Charges the client for this many events. Raises RateLimited."""


def no_charge(events: int) -> None:
    """Charge nobody: used when the server's own commands read."""


class HistoryBody(NamedTuple):
    """The items of a JSON array, with commas between them, in chunks of bytes."""

    chunks: tuple[bytes, ...]
    size: int
    digest: bytes
    """The SHA-256 of the bytes."""
    dealt: GameState | None
    """The game as it was dealt; None in a record."""


class History(NamedTuple):
    """A replay, pace or record as JSON: the beginning, the long part, and the end."""

    head: bytes
    body: HistoryBody
    is_for_all: bool
    """Whether everybody may have it, so that proxies may keep it."""
    etag: str
    """A weak tag: the same for histories that say and prove the same, even if the log has grown in the meantime."""

    @classmethod
    def of(
        cls, empty: Struct, body: HistoryBody, *, tagged: Struct | None = None, is_for_all: bool = False
    ) -> "History":
        """Return `empty`, whose last value is an empty list, with the body in that list.

        The tag is made of `tagged` instead of `empty` if it is given.
        """
        etag = sha256(encode(tagged or empty) + body.digest).hexdigest()[:32]
        return cls(encode(empty).removesuffix(TAIL), body, is_for_all, etag)

    @property
    def chunks(self) -> tuple[bytes, ...]:
        """The bytes, in order."""
        return (self.head, *self.body.chunks, TAIL)

    @property
    def size(self) -> int:
        """How many bytes there are."""
        return len(self.head) + self.body.size + len(TAIL)


class HistoryBodies:
    """Encodes and caches the bodies of one node."""

    def __init__(self, reader: GameReader) -> None:
        self._reader = reader
        self._cached: OrderedDict[tuple[str, int, Kind], HistoryBody] = OrderedDict()
        self._cached_bytes = 0
        self._unmade: dict[tuple[str, int, Kind], asyncio.Task[HistoryBody]] = {}
        self._room = asyncio.Semaphore(MAX_AT_ONCE)

    async def get(self, kind: Kind, game: GameOutline, charge: Charge) -> HistoryBody:
        """Return the body for a game at its version. Raises TooMany, or what `charge` raises."""
        key = game.id, game.version, kind
        cached, unmade = self._cached.get(key), self._unmade.get(key)
        charge(MIN_COST if cached or unmade else max(MIN_COST, game.version))
        if cached is not None:
            self._cached.move_to_end(key)
            return cached
        if unmade is None:
            if len(self._unmade) >= MAX_WAITING:
                raise TooMany(
                    "Too many long games are requested right now: try again in a moment.",
                    retry_after=RETRY_AFTER_SECONDS,
                )
            unmade = self._unmade[key] = asyncio.ensure_future(self._make(kind, game))
            unmade.add_done_callback(lambda _: self._unmade.pop(key))
        return await asyncio.shield(unmade)

    async def close(self) -> None:
        """Stop encoding bodies."""
        tasks = tuple(self._unmade.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _make(self, kind: Kind, game: GameOutline) -> HistoryBody:
        writer = _BodyWriter()
        async with self._room:
            if kind == "record":
                await self._reader.read_events(
                    game.id, lambda event: writer.add(encode(game_record.recorded_event(event))), game.version
                )
            else:
                use = _replay_items(writer) if kind == "replay" else _pace_items(writer)
                await self._reader.read_steps(game.id, use, game.version)
        body = writer.finish()
        self._cached[game.id, game.version, kind] = body
        self._cached_bytes += body.size
        while self._cached_bytes > MAX_CACHED_BYTES:
            _, dropped = self._cached.popitem(last=False)
            self._cached_bytes -= dropped.size
        return body


class _BodyWriter:
    """Joins encoded items into chunks."""

    def __init__(self) -> None:
        self.dealt: GameState | None = None
        self._chunks: list[bytes] = []
        self._chunk = bytearray()
        self._digest = sha256()
        self._is_empty = True

    def add(self, *items: bytes) -> None:
        for item in items:
            if not self._is_empty:
                self._chunk += b","
            self._chunk += item
            self._is_empty = False
        if len(self._chunk) >= CHUNK_BYTES:
            self._end_chunk()

    def finish(self) -> HistoryBody:
        self._end_chunk()
        size = sum(map(len, self._chunks))
        return HistoryBody(tuple(self._chunks), size, self._digest.digest(), self.dealt)

    def _end_chunk(self) -> None:
        if self._chunk:
            self._digest.update(self._chunk)
            self._chunks.append(bytes(self._chunk))
            self._chunk.clear()


def _replay_items(writer: _BodyWriter) -> Callable[[Step], None]:
    def use(step: Step) -> None:
        if step.before is None:
            writer.dealt = step.after
        else:
            writer.add(encode(game_messages.step_message(step)))

    return use


def _pace_items(writer: _BodyWriter) -> Callable[[Step], None]:
    recorder = PaceRecorder()

    def use(step: Step) -> None:
        writer.add(*map(json.encode, recorder.add(step)))

    return use
