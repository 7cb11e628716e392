"""Evenings that are played once, logged and exported: each test changes a copy of their files."""

import asyncio
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec import json

from cadogan.server.cli.records import export
from cadogan.server.config import Settings
from cadogan.server.core.eventlog import hash_chain
from cadogan.server.core.eventlog.events import canonical_json
from cadogan.server.subjects.audit.attestation import Trust
from cadogan.server.subjects.audit.recompute_evening import RecomputedEvening, recompute_evening
from cadogan.server.subjects.evenings.evening_record import file_name
from cadogan.server.subjects.transparency.notes import cosign
from tests.harness.evening_actions import Room, open_room
from tests.harness.logging_ends import log_ends
from tests.harness.proven import FRIEND, TRUST
from tests.harness.running_server import TEST_SETTINGS

Record = dict[str, Any]


class Exported:
    """An exported evening, its files, and the key of its log."""

    def __init__(self, evening: str, folder: Path, trust: Trust) -> None:
        self.evening = evening
        self.folder = folder
        self.trust = trust

    @property
    def file(self) -> Path:
        """The record of the evening."""
        return self.folder / file_name(self.evening)

    @property
    def games(self) -> list[Path]:
        """The records of its runs, by name."""
        return [file for file in sorted(self.folder.glob("*.json")) if file not in (self.file, self.host)]

    @property
    def host(self) -> Path:
        """The file with the host's public keys."""
        return self.folder / "host.json"

    def recompute(self) -> RecomputedEvening:
        """Return the result of recomputing the exported files."""
        return recompute_evening(self.evening, self.folder, self.trust)

    def change(self, change: Callable[[Record], None], *, sealed: bool = True) -> None:
        """Change the record of the evening; unless `sealed`, its hashes are computed again."""
        record = json.decode(self.file.read_bytes())
        change(record)
        before = hash_chain.START_HASH
        for version, one in enumerate([] if sealed else record["events"], 1):
            data = canonical_json(one["data"])
            stream = f"evening/{self.evening}"
            before = hash_chain.event_hash(
                before, stream, version, one["type"], one["schema"], data, one["recorded_at"]
            )
            one |= {"version": version, "hash": before.hex()}
        self.file.write_bytes(json.encode(record))

    def forge(self, change: Callable[[Record], None]) -> None:
        """Change the record of the evening, compute its hashes again, and leave out its proofs."""
        self.change(change, sealed=False)
        self.change(lambda record: record.update(proof=None, announcement=None))

    def game_of(self, kind: str) -> Path:
        """The record of a run that ended like this."""
        return next(file for file in self.games if f'"result":"{kind}"'.encode() in file.read_bytes())

    def copy_to(self, folder: Path) -> "Exported":
        """Copy the files into a new folder, where a test can change them."""
        shutil.copytree(self.folder, folder)
        return Exported(self.evening, folder, self.trust)


def event_of(record: Record, kind: str) -> Record:
    """The first event of this kind."""
    found: Record = next(one for one in record["events"] if one["type"] == f"evening_{kind}")
    return found


async def export_room(room: Room, folder: Path) -> Exported:
    """Append ended streams to the log of a room, let a witness sign it, and export everything."""
    log, key = room.first.server.transparency, await log_ends(room.first.server)
    head = await log.head()
    assert head is not None
    await log.store_witnessed(head, [cosign(head.text, FRIEND, room.clock.at // 1000)])
    await export(room.first.server.settings, folder, room.clock)
    return Exported(room.evening, folder, Trust((key,), TRUST.witnesses))


async def play_and_export(
    play: Callable[[Room], Awaitable[None]], url: str, folder: Path, settings: Settings = TEST_SETTINGS
) -> Exported:
    """Play an evening with these settings on a new database, and export it."""
    async with open_room(url, 1, settings) as room:
        await play(room)
        exported = await export_room(room, folder)
    found = exported.recompute()
    assert found.agrees, found
    return exported


def export_once(
    factory: pytest.TempPathFactory, template: Path, make: Callable[[str, Path], Awaitable[Exported]]
) -> Exported:
    """Let `make` export an evening from a copy of the template; it gets the URL of the copy and a new folder."""
    folder = factory.mktemp("evening")
    database = folder / "evening.db"
    shutil.copyfile(template, database)

    async def exported() -> Exported:
        return await make(f"sqlite:///{database}", folder / "records")

    return asyncio.run(exported())
