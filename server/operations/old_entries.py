"""Looking again: a sample of old entries of a monitored log is in its tree, and their records are still the same."""

import json
from collections.abc import AsyncIterator, Collection
from random import SystemRandom

from cadogan.server.core.eventlog.streams import DAYS, GAMES, id_of
from cadogan.server.core.untrusted_input import UnreadableJson
from cadogan.server.operations.watched_evenings import is_in_log
from cadogan.server.operations.watched_server import NotPublic, RecordWithheld, WatchedServer
from cadogan.server.subjects.audit import game_audit
from cadogan.server.subjects.daily.day_record import DayBroken, verify_day
from cadogan.server.subjects.evenings.evening_record import EveningBroken, stream_of, verify_evening
from cadogan.server.subjects.transparency.checkpoints import Checkpoint
from cadogan.server.subjects.transparency.leaves import Ended, NoEntry, read_entry
from cadogan.server.subjects.transparency.tree import (
    ENTRIES,
    WIDTH,
    NotInTree,
    inclusion_parts,
    leaf_hash,
    part_hash,
    read_bundle,
    require_inclusion,
    tiles_under,
    width_of,
)

SAMPLE = 10
"""The number of old entries that are read at each look."""


class OldEntries:
    """The entries of a log that were read before; `checkpoint` is the latest one."""

    def __init__(self, server: WatchedServer, checkpoint: Checkpoint) -> None:
        self._server = server
        self._checkpoint = checkpoint

    async def check(self, waiting: Collection[int], read: int) -> AsyncIterator[str]:
        """Yield what is wrong with a sample of the first `read` entries; those `waiting` are not checked.

        Raises Unreachable.
        """
        known = [number for number in range(read) if number not in waiting]
        for number in sorted(SystemRandom().sample(known, min(SAMPLE, len(known)))):
            if (wrong := await self._check_entry(number)) is not None:
                yield f"entry {number + 1}, looked at again: {wrong}"

    async def _check_entry(self, number: int) -> str | None:
        size = self._checkpoint.size
        width = width_of(ENTRIES, number // WIDTH, size)
        try:
            entry = read_bundle(await self._server.tile(ENTRIES, number // WIDTH, width))[number % WIDTH]
            parts = inclusion_parts(number, size)
            tiles = {tile: await self._server.tile(*tile, width_of(*tile, size)) for tile in tiles_under(parts)}
            proof = [part_hash(part, tiles.__getitem__) for part in parts]
            require_inclusion(leaf_hash(entry), number, size, self._checkpoint.root, proof)
            ended = read_entry(entry)
        except (NotInTree, NoEntry, IndexError, ValueError) as error:
            return f"it is not in the log that the host has signed: {error}"
        return await self._check_record(ended) if isinstance(ended, Ended) else None

    async def _check_record(self, ended: Ended) -> str | None:
        name = ended.stream
        try:
            if name.startswith(GAMES):
                text = await self._server.game_record(id_of(name))
                return None if text is None else _compare_game(ended, text)
            if name.startswith(stream_of("")):
                return _compare_evening(ended, await self._server.evening_record(id_of(name)))
            return _compare_day(ended, await self._server.day_record(id_of(name))) if name.startswith(DAYS) else None
        except NotPublic:
            return f"the record of {name} was public, and is not now"
        except RecordWithheld as withheld:
            return f"the server does not show {name} any more: {withheld}"


def _compare_game(ended: Ended, text: bytes) -> str | None:
    verdict = game_audit.verify(text)
    if not verdict.consistent:
        return f"the record of {ended.stream} is broken: {verdict.reason}"
    record = game_audit.read_record(text)
    head = bytes.fromhex(verdict.hashes[ended.version - 1]) if ended.version <= len(verdict.hashes) else b""
    ours = Ended.of(record.stream, ended.version, bytes.fromhex(record.secret), head)
    is_same = (ours.stream, ours.digest) == (ended.stream, ended.digest)
    return None if is_same else f"the record of {ended.stream} is not the one that is in the log"


def _compare_evening(ended: Ended, text: bytes) -> str | None:
    try:
        events = verify_evening(text, id_of(ended.stream)).record.events
    except EveningBroken as error:
        return f"the record of {ended.stream} is broken: {error}"
    return None if is_in_log(ended, events) else f"the record of {ended.stream} is not the one that is in the log"


def _compare_day(ended: Ended, text: bytes) -> str | None:
    try:
        verify_day(text, id_of(ended.stream))
        events = json.loads(text)["events"]
    except (DayBroken, UnreadableJson) as error:
        return f"the record of {ended.stream} is broken: {error}"
    head = bytes.fromhex(events[ended.version - 1]["hash"]) if ended.version <= len(events) else b""
    is_same = Ended.of(ended.stream, ended.version, b"", head).digest == ended.digest
    return None if is_same else f"the record of {ended.stream} is not the one that is in the log"
