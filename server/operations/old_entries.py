"""Looking again: a sample of old entries of a monitored log is in its tree, and their records are still the same."""

from collections.abc import AsyncIterator, Collection
from random import SystemRandom

from cadogan.server.core.eventlog.streams import DAYS, GAMES, id_of
from cadogan.server.operations.logged_records import RecordDiffers, compare_day, compare_evening, compare_game
from cadogan.server.operations.watched_server import NotPublic, RecordWithheld, WatchedServer
from cadogan.server.subjects.evenings.evening_rules import evening_stream
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
            if name.startswith(GAMES) and (text := await self._server.game_record(id_of(name))) is not None:
                compare_game(text, ended)
            elif name.startswith(DAYS):
                compare_day(await self._server.day_record(id_of(name)), ended)
            elif name.startswith(evening_stream("")):
                compare_evening(await self._server.evening_record(id_of(name)), ended)
        except RecordDiffers as wrong:
            return f"{name}: {wrong}"
        except NotPublic:
            return f"the record of {name} was public, and is not now"
        except RecordWithheld as withheld:
            return f"the server does not show {name} any more: {withheld}"
        return None
