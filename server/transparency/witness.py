"""A witness for other logs (C2SP `tlog-witness`): it signs a checkpoint only if the log has grown append-only.

So of a log with two conflicting histories, the witness signs at most one.

    CheckpointRefused   a checkpoint that the witness does not sign; has the HTTP status and body
"""

from collections.abc import Collection
from hashlib import sha256

from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.core.clock import Clock
from cadogan.server.database.connections import Database
from cadogan.server.database.tables import witnessed_logs
from cadogan.server.transparency.checkpoints import Checkpoint, read_checkpoint, read_hashes, read_number
from cadogan.server.transparency.rows import overwrite
from cadogan.server.transparency.signing.host_key import HostKey
from cadogan.server.transparency.signing.keys import VerifierKey
from cadogan.server.transparency.signing.notes import BadNote, Note, cosign, read_note
from cadogan.server.transparency.tree.merkle import EMPTY_ROOT, NotInTree, require_consistency

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
