"""Checking a receipt against a log: whether the promise was kept, was broken, or cannot be decided.

A promise is kept if the log has its entry, or a later one of the same game whose record contains the promised end. It
is broken if the whole log was read, does not have it, and is later than the time at which it was due.
"""

from typing import NamedTuple, Protocol

from cadogan.server.core import dates
from cadogan.server.core.clock import Clock
from cadogan.server.core.eventlog.streams import GAMES, id_of
from cadogan.server.core.untrusted_input import UnreadableJson
from cadogan.server.operations.watched_server import NotPublic, RecordWithheld, Unreachable
from cadogan.server.subjects.audit import game_audit
from cadogan.server.subjects.audit.attestation import NotAttested, Trust, find_signers, find_spans
from cadogan.server.subjects.transparency.checkpoints import Checkpoint, read_checkpoint
from cadogan.server.subjects.transparency.leaves import Announcement, DayEvent, Ended, NoEntry, Strike, read_entry
from cadogan.server.subjects.transparency.notes import BadNote, Note, read_note
from cadogan.server.subjects.transparency.receipts import Receipt, read_receipt, receipt_key, write_due
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
    tree_hash,
    width_of,
)

STANDSTILL_MILLISECONDS = 36 * 60 * 60 * 1000
"""So long after the due time a log must have an entry that is later; one that has none stands still."""


class Log(Protocol):
    """Where the files of a log are read. Every method raises Unreachable."""

    async def checkpoint(self) -> str:
        """Return the latest checkpoint, unparsed."""

    async def tile(self, level: int, number: int, width: int) -> bytes:
        """Return a tile, or a bundle of entries."""

    async def game_record(self, game: str) -> bytes | None:
        """Return the record of a game; None if it was archived. Raises NotPublic and RecordWithheld too."""


class Finding(NamedTuple):
    """Whether a promise was kept; None if that cannot be decided. `reason` says why, and `checkpoint` is the note."""

    kept: bool | None
    reason: str
    checkpoint: str = ""


class _Undecided(Exception):
    """Nothing can be said of the promise. The message says why."""


def read_signed_receipt(text: str, trust: Trust) -> Receipt:
    """Parse a receipt, and check that a trusted key of its log has signed it. Raises BadNote."""
    note = read_note(text)
    receipt = read_receipt(note.text)
    keys = [receipt_key(span.key) for span in find_spans(receipt.origin, trust)]
    if not any([note.is_signed_by(key) for key in keys]):
        raise BadNote(f"it is not signed by the key of {receipt.origin}")
    return receipt


class ReceiptCheck:
    """The check of one receipt, whose signature is valid. `now` is None for a log that may be an old copy."""

    def __init__(self, log: Log, receipt: Receipt, trust: Trust, now: Clock | None) -> None:
        self._log = log
        self._receipt = receipt
        self._trust = trust
        self._now = now
        self._leaves: dict[int, list[bytes]] = {}
        """The hashes of the leaves that were read, by bundle."""
        self._latest_at = 0
        """The latest time that an entry which was read has, in milliseconds since 1970."""

    async def check(self) -> Finding:
        """Read the log, from its end back, until the promised entry is found, or all of it."""
        text = ""
        try:
            text = await self._log.checkpoint()
            note, checkpoint = self._read_checkpoint(text)
            kept, reason = await self._find(note, checkpoint)
        except (BadNote, NotAttested) as error:
            return Finding(None, f"the checkpoint of the log cannot be trusted: {error}", text)
        except (_Undecided, Unreachable) as error:
            return Finding(None, str(error), text)
        return Finding(kept, reason, text)

    def _read_checkpoint(self, text: str) -> tuple[Note, Checkpoint]:
        note = read_note(text)
        checkpoint = read_checkpoint(note.text)
        if not find_signers(note, checkpoint, self._trust):
            raise BadNote(f"no key of {checkpoint.origin} is trusted")
        return note, checkpoint

    async def _find(self, note: Note, checkpoint: Checkpoint) -> tuple[bool, str]:
        """Return whether the promise was kept, and why. Raises _Undecided and Unreachable."""
        promised = self._receipt.entry
        others: list[tuple[int, Ended]] = []
        for bundle in reversed(range(-(-checkpoint.size // WIDTH))):
            for number, entry in await self._read_bundle(bundle, checkpoint.size):
                if entry == promised:
                    await self._require_in_tree(number, entry, checkpoint)
                    return True, f"kept: it is entry {number + 1} of {checkpoint.size} in the log {checkpoint.origin}"
                if entry.stream == promised.stream:
                    others.append((number, entry))
        leaves = [leaf for bundle in sorted(self._leaves) for leaf in self._leaves[bundle]]
        if tree_hash(leaves) != checkpoint.root:
            raise _Undecided("the entries of the log do not lead to the root that its host has signed")
        later = [(number, entry) for number, entry in others if entry.version > promised.version]
        for number, entry in later:
            if await self._is_continued_by(entry):
                await self._require_in_tree(number, entry, checkpoint)
                return True, f"kept: entry {number + 1} of {checkpoint.size} is a later end of the same game"
        return False, self._describe_broken(note, checkpoint, others)

    async def _read_bundle(self, bundle: int, size: int) -> list[tuple[int, Ended]]:
        """Read a bundle of entries; return those about ends of streams, with their numbers."""
        width, first = width_of(ENTRIES, bundle, size), bundle * WIDTH
        try:
            entries = read_bundle(await self._log.tile(ENTRIES, bundle, width))
        except ValueError as error:
            raise _Undecided(f"the log cannot be read: {error}") from None
        if len(entries) != width:
            raise _Undecided(f"the log cannot be read: {len(entries)} entries are shown where it has {width}")
        self._leaves[bundle] = [leaf_hash(entry) for entry in entries]
        found = []
        for number, entry in enumerate(entries, first):
            try:
                read = read_entry(entry)
            except NoEntry:
                continue  # of a kind that a later version of the server has
            if isinstance(read, Ended):
                found.append((number, read))
            elif isinstance(read, DayEvent | Announcement | Strike):
                self._latest_at = max(self._latest_at, read.at)
        return found

    async def _require_in_tree(self, number: int, entry: Ended, checkpoint: Checkpoint) -> None:
        """Check with the tiles of the log that an entry is in its tree."""
        parts = inclusion_parts(number, checkpoint.size)
        tiles = {tile: await self._log.tile(*tile, width_of(*tile, checkpoint.size)) for tile in tiles_under(parts)}
        try:
            proof = [part_hash(part, tiles.__getitem__) for part in parts]
            require_inclusion(leaf_hash(entry.as_bytes()), number, checkpoint.size, checkpoint.root, proof)
        except (NotInTree, AssertionError, IndexError) as error:
            raise _Undecided(f"entry {number + 1} is shown, and is not proven to be in the log: {error}") from None

    async def _is_continued_by(self, entry: Ended) -> bool:
        """Return whether a later entry of the same stream covers the promised end: its record has both."""
        promised = self._receipt.entry
        try:
            text = await self._log.game_record(id_of(entry.stream)) if entry.stream.startswith(GAMES) else None
            if text is None:
                raise _Undecided("the log has a later end, and its record is needed, which is in an archive")
            verdict, record = game_audit.verify(text), game_audit.read_record(text)
        except (NotPublic, RecordWithheld) as error:
            raise _Undecided(
                f"the log has a later end, and its record is needed, which is not shown: {error}"
            ) from None
        except UnreadableJson as error:
            raise _Undecided(f"the log has a later end, and its record cannot be read: {error}") from None
        if not verdict.consistent or len(verdict.hashes) < entry.version:
            raise _Undecided(f"the log has a later end, and its record is broken: {verdict.reason}")
        secret = bytes.fromhex(record.secret)
        heads = {version: bytes.fromhex(head) for version, head in enumerate(verdict.hashes, 1)}
        ends = {Ended.of(record.stream, one.version, secret, heads[one.version]) for one in (promised, entry)}
        if entry not in ends:
            raise _Undecided("the log has a later end, and the record that is shown is not the one in the log")
        return promised in ends

    def _describe_broken(self, note: Note, checkpoint: Checkpoint, others: list[tuple[int, Ended]]) -> str:
        """Return in what way the promise was broken. Raises _Undecided if the log may still get the entry."""
        receipt = self._receipt
        lacks = f"the log of {checkpoint.size} entries does not have this end of {receipt.entry.stream}"
        if others:
            _, entry = others[0]
            lacks += f" at version {receipt.entry.version}, and has another one at version {entry.version}"
        if checkpoint.origin != receipt.origin:
            raise _Undecided(f"{lacks}; it is the log {checkpoint.origin}, and the promise was of {receipt.origin}")
        due = write_due(receipt.due_at)
        dated = self._date(note)
        if dated is None:
            raise _Undecided(f"not decided: {lacks}; it is due at {due}, and nothing in the log is later than that")
        return f"broken: {lacks}; it was due at {due}, and {dated}"

    def _date(self, note: Note) -> str | None:
        """Return the evidence that the tree is later than the due time, or None."""
        due_at = self._receipt.due_at
        seen = [
            (1000 * at, key.name)
            for key in self._trust.witnesses
            if key.is_checkable and note.is_signed_by(key)
            for at in note.times_by(key)
        ]
        if late := [one for one in seen if one[0] > due_at]:
            at, name = min(late)
            return f"the witness {name} saw this log at {dates.moment_text(min(at, dates.LAST_MOMENT))}"
        if self._latest_at > due_at:
            return f"the log has an entry of {dates.moment_text(min(self._latest_at, dates.LAST_MOMENT))}"
        if self._now is not None and self._now() > due_at + STANDSTILL_MILLISECONDS:
            return "the server shows no later log: it stands still"
        return None
