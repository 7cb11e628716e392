"""Appending to the log and signing it with the host's key; detecting a log that was set back; publishing its state.

The last checkpoint signed on this machine, in a file next to the host key: detects that the log was set back.

A database can be restored from an older backup, or altered. The file holds the last checkpoint that this machine has
signed, and is part of no database backup. A log that does not extend this checkpoint is not signed: others have seen
more entries, and two histories of one log would look like fraud.

LogSetBack      the log in the database is smaller than the log signed on this machine, or differs from it
"""

import asyncio
import os
from collections.abc import Collection, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import structlog
from sqlalchemy import func, select

from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import log_heads, log_queue
from cadogan.server.subjects.transparency.checkpoints import Checkpoint, Rotation, read_checkpoint
from cadogan.server.subjects.transparency.host_key import HostKey, KeyUnusable, describe_file_error, write_privately
from cadogan.server.subjects.transparency.notes import WITNESS, BadNote, Note, SigningKey, VerifierKey, read_note
from cadogan.server.subjects.transparency.transparency_log import (
    LATEST,
    MAX_APPENDED,
    WITNESSED,
    OtherKey,
    TransparencyLog,
)

log = structlog.stdlib.get_logger("cadogan.transparency")
INTERVAL_SECONDS = 5.0
"""Seconds between two polls for streams that another node has queued."""
BATCH_SECONDS = 0.5
"""Seconds for which ended streams are collected, so that many ends at once need few signatures."""


class Sequencer:
    """Appends ended streams to the log, soon after their end.

    `problem` says why nothing can be signed now; it is empty if nothing is wrong.
    """

    def __init__(self, transparency: TransparencyLog, key: HostKey) -> None:
        self._transparency = transparency
        self._key = key
        self._signed = SignedState(key.file)
        self._ended = asyncio.Event()
        self.problem = ""

    def wake(self) -> None:
        """Append what is queued, after `BATCH_SECONDS`."""
        self._ended.set()

    def on_end(self, _: object) -> None:
        """Append what is queued soon, after a commit that ends a run."""
        self.wake()

    async def append_all(self) -> int:
        """Append everything that is queued, and return the number of entries.

        Raises KeyUnusable and LogSetBack: nothing is signed then. Raises OtherKey if the key was rotated meanwhile.
        """
        count = 0
        key = await self.find_key()
        while await self._transparency.is_waiting():
            added = await self._transparency.append_waiting(key)
            count += added
            if added and (head := await self._transparency.head()) is not None:
                await asyncio.to_thread(self._signed.keep, head)
            if added < MAX_APPENDED:
                break
        return count

    async def find_key(self) -> SigningKey:
        """Return the key that the log requires; create one if the log is empty.

        Raises KeyUnusable, and LogSetBack if the log does not extend what was signed on this machine.
        """
        head = await self._signed.require_growth(self._transparency)
        return await asyncio.to_thread(self._key.make if head is None else partial(self._key.of, head))

    async def run(self, stopping: asyncio.Event) -> None:
        """Append ended streams until the server is stopping."""
        stopped = asyncio.ensure_future(stopping.wait())
        try:
            while not stopping.is_set():
                self._ended.clear()
                try:
                    await self.append_all()
                    self._report("")
                except KeyUnusable as error:
                    self._report(str(error), "host_key_unusable")
                except LogSetBack as error:
                    self._report(str(error), "log_set_back")
                except OtherKey:
                    self.wake()  # the key was rotated at this moment
                except Exception as error:
                    log.warning("background_task_retried", task="transparency", reason=type(error).__name__)
                woken = asyncio.ensure_future(self._ended.wait())
                await asyncio.wait([stopped, woken], timeout=INTERVAL_SECONDS, return_when=asyncio.FIRST_COMPLETED)
                woken.cancel()
                if not stopping.is_set():
                    await asyncio.wait([stopped], timeout=BATCH_SECONDS)
        finally:
            stopped.cancel()
            with suppress(asyncio.CancelledError):
                await stopped

    def _report(self, problem: str, event: str = "") -> None:
        """Log a problem once, until it changes."""
        if problem and problem != self.problem:
            log.error(event, reason=problem)
        self.problem = problem


ADVICE = (
    "restore the newest backup; if what it lacks is lost for good, run `cadogan key restart`, which begins the log "
    "under another name"
)


class LogSetBack(Exception):
    """The log does not extend the signed one. The message says what was found, and what to do."""


class SignedState:
    """The file next to a key with the last checkpoint that the key signed."""

    def __init__(self, key_file: Path) -> None:
        self.file = key_file.with_name(f"{key_file.name}.signed")

    def read(self) -> Checkpoint | None:
        """Return the last checkpoint signed on this machine, or None. Raises KeyUnusable."""
        try:
            return read_checkpoint(read_note(self.file.read_text(encoding="utf-8")).text)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise KeyUnusable(f"{self.file}: {describe_file_error(error)}") from None
        except (UnicodeError, BadNote) as error:
            raise KeyUnusable(f"{self.file}: {error}: remove it, if you know that the database is the latest") from None

    def signed_at(self) -> float | None:
        """Return the time of the last signature on this machine, in seconds since 1970; None if there is none."""
        try:
            return self.file.stat().st_mtime
        except OSError:
            return None

    def keep(self, note: Note) -> None:
        """Store a signed checkpoint, unless a larger one is stored. Raises KeyUnusable."""
        known, checkpoint = self.read(), read_checkpoint(note.text)
        if known is not None and known.origin == checkpoint.origin and known.size > checkpoint.size:
            return
        try:
            os.replace(write_privately(self.file, note.as_text()), self.file)
        except OSError as error:
            raise KeyUnusable(f"{self.file}: {describe_file_error(error)}; until then nothing is signed") from None

    async def require_growth(self, log: TransparencyLog) -> Note | None:
        """Check that the log extends the tree signed last on this machine; return the log's checkpoint.

        A log with another name, started by `cadogan key restart`, is accepted. Raises LogSetBack and KeyUnusable.
        """
        signed = self.read()  # before the checkpoint: another process may sign in between, and the log only grows
        head = await log.head()
        found = None if head is None else read_checkpoint(head.text)
        if signed is None or (found is not None and found.origin != signed.origin):
            return head
        size = 0 if found is None else found.size
        if size < signed.size:
            raise LogSetBack(f"the log has {size} entries, and {signed.size} were signed here: {ADVICE}")
        try:
            roots = await log.root_at(size), await log.root_at(signed.size)
        except (KeyError, AssertionError):
            raise LogSetBack(f"a part of the log's hashes is missing: {ADVICE}") from None
        if found is not None and roots != (found.root, signed.root):
            raise LogSetBack(f"the log has other entries than the {signed.size} that were signed here: {ADVICE}")
        return head


async def publish_keys(log: TransparencyLog, own: HostKey, witnesses: Collection[str]) -> dict[str, Any] | None:
    """Return the content of `/.well-known/cadogan.json`; None if the server has no key.

    A rotated key is read from the log, also on a node that does not have the new file yet. `witnesses` are the public
    keys of the witnesses that are requested to sign the log. Raises KeyUnusable.
    """
    head, found = await log.head(), own.find()
    rotations = () if head is None else await log.rotations(read_checkpoint(head.text).origin)
    if not rotations and found is None:
        return None
    key = rotations[-1].new if rotations or found is None else found.verifier()
    as_witness = None if found is None else found.witness().verifier(WITNESS)
    return describe_host(key, rotations, as_witness, witnesses)


def describe_host(
    key: VerifierKey,
    rotations: Sequence[Rotation] = (),
    witness: VerifierKey | None = None,
    witnesses: Collection[str] = (),
) -> dict[str, Any]:
    """Return the published form of a host's keys.

    `key` is the current key, to which the rotations lead. `witness` is the key with which the host signs as a witness
    for other logs, if it has one; `witnesses` are the public keys of the witnesses of its own log.
    """
    host: dict[str, Any] = {
        "origin": key.name,
        "log": "/log/",
        "keys": [key.text, *(rotation.old.text for rotation in reversed(rotations))],
        "rotations": [rotation.note.as_text() for rotation in rotations],
        "witnesses": [*witnesses],
    }
    return host if witness is None else {**host, "witness": {"url": "/witness", "key": witness.text}}


class LogFigures(NamedTuple):
    """The state of a log.

    `size` is that of the last checkpoint. `waiting` is the number of ended streams that are not in the log yet, and
    `oldest_waiting_seconds` the age of the oldest. `away` are the witnesses that have not signed the last checkpoint.
    """

    size: int
    waiting: int
    oldest_waiting_seconds: float
    away: tuple[str, ...]


async def count_log(database: Database, witnesses: Collection[VerifierKey], now: int) -> LogFigures:
    """Return the figures of the log in a database. `now` is in milliseconds since 1970."""
    chosen = select(func.count(), func.min(log_queue.c.recorded_at)).select_from(log_queue)
    chosen_heads = select(log_heads).where(log_heads.c.kind.in_((LATEST, WITNESSED)))
    async with database.reading() as connection:
        waiting, oldest = (await connection.execute(chosen)).one()
        heads = {row.kind: read_note(row.note) for row in await connection.execute(chosen_heads)}
    latest, witnessed = heads.get(LATEST), heads.get(WITNESSED)
    if latest is None:
        return LogFigures(0, waiting, _age(oldest, now), ())
    is_same = witnessed is not None and witnessed.text == latest.text
    signed = [key for key in witnesses if is_same and witnessed is not None and witnessed.signatures_by(key)]
    away = tuple(key.name for key in witnesses if key not in signed)
    return LogFigures(read_checkpoint(latest.text).size, waiting, _age(oldest, now), away)


def _age(oldest: int | None, now: int) -> float:
    return 0.0 if oldest is None else max(0, now - oldest) / 1000
