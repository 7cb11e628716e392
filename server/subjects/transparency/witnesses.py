"""Witnesses (C2SP `tlog-witness`): signing the logs of others, and asking others to sign this one.

A witness for other logs (C2SP `tlog-witness`): it signs a checkpoint only if the log has grown append-only.

So of a log with two conflicting histories, the witness signs at most one.

    CheckpointRefused   a checkpoint that the witness does not sign; has the HTTP status and body

Requesting signatures of this server's log from remote witnesses (C2SP `tlog-witness`).

Checkpoints are published at once, without waiting for witnesses; their signatures are added later.
"""

import asyncio
from collections.abc import Collection, Iterable
from contextlib import suppress
from hashlib import sha256
from typing import NamedTuple

import structlog
from aiohttp import ClientError, ClientSession, ClientTimeout
from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.core.clock import Clock
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import witnessed_logs
from cadogan.server.core.untrusted_input import TooLong, read_at_most
from cadogan.server.subjects.transparency.checkpoints import (
    Checkpoint,
    read_checkpoint,
    read_hashes,
    read_number,
    write_hash,
)
from cadogan.server.subjects.transparency.host_key import HostKey
from cadogan.server.subjects.transparency.notes import (
    BadNote,
    Note,
    Signature,
    VerifierKey,
    cosign,
    has_signed,
    read_note,
    read_signatures,
)
from cadogan.server.subjects.transparency.transparency_log import TransparencyLog, overwrite
from cadogan.server.subjects.transparency.tree import EMPTY_ROOT, NotInTree, require_consistency

log = structlog.stdlib.get_logger("cadogan.transparency")
MAX_BODY_BYTES = 64 * 1024


class CheckpointRefused(Exception):
    """A checkpoint that is not signed. `status` is the HTTP status; with 409 the text is the size known here."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status


class Witness:
    """The witness of one server, for the logs whose keys its host trusts.

    After a key rotation, a log has several keys with one name.
    """

    def __init__(self, database: Database, key: HostKey, logs: Collection[VerifierKey], now: Clock) -> None:
        self._database = database
        self._key = key
        self._logs = {name: [log for log in logs if log.name == name] for name in (log.name for log in logs)}
        self._now = now

    async def add_checkpoint(self, body: str) -> str:
        """Check a checkpoint and its consistency proof, and return the lines with the witness's signature.

        Raises CheckpointRefused and KeyUnusable.
        """
        old, proof, note = _read(body)
        try:
            checkpoint = read_checkpoint(note.text)
        except BadNote as error:
            raise CheckpointRefused(400, str(error)) from None
        keys = self._logs.get(checkpoint.origin)
        if keys is None:
            raise CheckpointRefused(404, f"this witness does not know the log {checkpoint.origin}")
        try:
            signed = [signature for key in keys if note.is_signed_by(key) for signature in note.signatures_by(key)]
        except BadNote as error:
            raise CheckpointRefused(403, str(error)) from None
        if not signed:
            known = ", ".join(f"{key.name}+{key.id.hex()}" for key in keys)
            raise CheckpointRefused(403, f"it is not signed by a key that this witness knows: {known}")
        if old > checkpoint.size:
            raise CheckpointRefused(400, "the old size is larger than the checkpoint's")
        own = self._key.get().witness()
        async with self._database.writing() as connection:
            await _lock(connection)
            before = await _latest(connection, checkpoint.origin)
            if old != before.size:
                raise CheckpointRefused(409, str(before.size))
            try:
                require_consistency(before.size, before.root, checkpoint.size, checkpoint.root, proof)
            except NotInTree as error:
                raise CheckpointRefused(422, str(error)) from None
            if checkpoint.size == 0 and checkpoint.root != EMPTY_ROOT:
                raise CheckpointRefused(422, "an empty log has another root")
            signature = cosign(note.text, own, self._now() // 1000)
            stored = Note(note.text, tuple(signed)).with_signatures([signature])
            row = {"origin": checkpoint.origin, "size": checkpoint.size, "note": stored.as_text()}
            await connection.execute(overwrite(connection, witnessed_logs), row)
        return f"{signature.line()}\n"

    async def latest(self, origin_hash: str) -> Note | None:
        """Return the last signed checkpoint of the log whose origin has this SHA-256 in hex, or None."""
        origins = [name for name in self._logs if sha256(name.encode()).hexdigest() == origin_hash]
        chosen = select(witnessed_logs.c.note).where(witnessed_logs.c.origin.in_(origins))
        note = await self._database.fetch_value(chosen)
        return None if note is None else read_note(note)


def _read(body: str) -> tuple[int, list[bytes], Note]:
    head, separator, note = body.partition("\n\n")
    first, *lines = head.split("\n")
    try:
        if not separator or not first.startswith("old "):
            raise BadNote("the request does not begin with the old size")
        return read_number(first.removeprefix("old ")), read_hashes(lines), read_note(note)
    except BadNote as error:
        raise CheckpointRefused(400, str(error)) from None


async def _latest(connection: AsyncConnection, origin: str) -> Checkpoint:
    note = await connection.scalar(select(witnessed_logs.c.note).where(witnessed_logs.c.origin == origin))
    return Checkpoint(origin, 0, EMPTY_ROOT) if note is None else read_checkpoint(read_note(note).text)


async def _lock(connection: AsyncConnection) -> None:
    if connection.dialect.name == "postgresql":
        await connection.execute(text("LOCK TABLE witnessed_logs IN SHARE ROW EXCLUSIVE MODE"))


INTERVAL_SECONDS = 5.0
"""Seconds between two polls for a new checkpoint."""
RETRY_SECONDS = 60.0
TIMEOUT = ClientTimeout(total=10)
MAX_ANSWER_BYTES = 64 * 1024
_MAX_ATTEMPTS = 3


class RemoteWitness(NamedTuple):
    """A witness: its public key, and the URL of its submission prefix."""

    key: VerifierKey
    url: str

    @classmethod
    def read(cls, text: str) -> "RemoteWitness":
        """Parse a witness setting of the form `URL#KEY`."""
        url, _, key = text.partition("#")
        return cls(VerifierKey.read(key), url)


class Witnesses:
    """The witnesses that this server's host has named."""

    def __init__(self, transparency: TransparencyLog, witnesses: Iterable[RemoteWitness]) -> None:
        self._transparency = transparency
        self._witnesses = tuple(witnesses)
        self._sizes = dict.fromkeys(self._witnesses, 0)
        """The log size that each witness signed last, as far as this node knows."""

    async def ask(self) -> int:
        """Request signatures of the latest checkpoint; store them, and return their number."""
        note = await self._transparency.head()
        if note is None or not self._witnesses:
            return 0
        async with ClientSession(timeout=TIMEOUT, trust_env=True) as session:
            asked = [self._ask(session, witness, note) for witness in self._witnesses]
            signatures = [signature for signature in await asyncio.gather(*asked) if signature is not None]
        if signatures:
            await self._transparency.store_witnessed(note, signatures)
        return len(signatures)

    async def run(self, stopping: asyncio.Event) -> None:
        """Get every new checkpoint signed until the server is stopping; retry failed witnesses after a minute."""
        if not self._witnesses:
            return
        tried, signed, asked_at = "", "", 0.0
        clock = asyncio.get_running_loop().time
        while not stopping.is_set():
            try:
                note = await self._transparency.head()
                text = "" if note is None else note.text
                if text != tried or (text != signed and clock() - asked_at >= RETRY_SECONDS):
                    tried, asked_at = text, clock()
                    signed = text if await self.ask() == len(self._witnesses) else signed
            except Exception as error:
                log.warning("background_task_retried", task="witnesses", reason=type(error).__name__)
            with suppress(TimeoutError):
                await asyncio.wait_for(stopping.wait(), INTERVAL_SECONDS)

    async def _ask(self, session: ClientSession, witness: RemoteWitness, note: Note) -> Signature | None:
        try:
            return await self._submit(session, witness, note)
        except (ClientError, TimeoutError, OSError, BadNote, UnicodeError, TooLong) as error:
            log.warning("witness_did_not_sign", witness=witness.key.name, reason=str(error) or type(error).__name__)
            return None

    async def _submit(self, session: ClientSession, witness: RemoteWitness, note: Note) -> Signature:
        """Submit the checkpoint; on a size conflict, retry once from the witness's size. Raises BadNote."""
        size = read_checkpoint(note.text).size
        for _ in range(_MAX_ATTEMPTS):
            old = self._sizes[witness]
            if old > size:
                raise BadNote(f"it has seen {old} entries of this log, which has {size}: is this an older backup?")
            proof = await self._transparency.prove_consistency(old, size)
            body = "\n".join([f"old {old}", *map(write_hash, proof), "", note.as_text()])
            async with session.post(f"{witness.url.rstrip('/')}/add-checkpoint", data=body.encode()) as response:
                answer = (await read_at_most(response.content, MAX_ANSWER_BYTES)).decode()
                if response.status == 409:
                    self._sizes[witness] = read_number(answer.strip())
                    continue
                if response.status != 200:
                    raise BadNote(f"it answers {response.status}: {answer.strip()[:200]}")
            for signature in read_signatures(answer):
                is_its = (signature.name, signature.id) == (witness.key.name, witness.key.id)
                if is_its and has_signed(witness.key, signature, note.text):
                    self._sizes[witness] = size
                    return signature
            raise BadNote("its answer has no signature by its key")
        raise BadNote("it names another size each time")
