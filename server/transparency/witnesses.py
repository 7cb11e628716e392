"""Requesting signatures of this server's log from remote witnesses (C2SP `tlog-witness`).

Checkpoints are published at once, without waiting for witnesses; their signatures are added later.
"""

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from typing import NamedTuple

import structlog
from aiohttp import ClientError, ClientSession, ClientTimeout

from cadogan.server.core.limited_reading import TooLong, read_at_most
from cadogan.server.transparency.checkpoints import read_checkpoint, read_number, write_hash
from cadogan.server.transparency.signing.keys import VerifierKey
from cadogan.server.transparency.signing.notes import BadNote, Note, Signature, has_signed, read_signatures
from cadogan.server.transparency.transparency_log import TransparencyLog

INTERVAL_SECONDS = 5.0
"""Seconds between two polls for a new checkpoint."""
RETRY_SECONDS = 60.0
TIMEOUT = ClientTimeout(total=10)
MAX_ANSWER_BYTES = 64 * 1024
_MAX_ATTEMPTS = 3

log = structlog.stdlib.get_logger("cadogan.transparency")


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
