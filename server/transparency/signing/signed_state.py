"""The last checkpoint signed on this machine, in a file next to the host key: detects that the log was set back.

A database can be restored from an older backup, or altered. The file holds the last checkpoint that this machine has
signed, and is part of no database backup. A log that does not extend this checkpoint is not signed: others have seen
more entries, and two histories of one log would look like fraud.

LogSetBack      the log in the database is smaller than the log signed on this machine, or differs from it
"""

import os
from pathlib import Path

from cadogan.server.transparency.checkpoints import Checkpoint, read_checkpoint
from cadogan.server.transparency.signing.host_key import KeyUnusable, describe_file_error, write_privately
from cadogan.server.transparency.signing.notes import BadNote, Note, read_note
from cadogan.server.transparency.transparency_log import TransparencyLog

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
