"""Key rotations: how one host key names the next one, and which trees each key may sign.

A rotation is a note, and an entry of the log. Its text has four lines: a title, the number of its entry, the old key
and the new key, both with the same name. Both keys sign it, so a client that trusts one of them can trust the other.
The old key signs trees without this entry, the new key signs trees with it.

>>> from cadogan.server.transparency.signing.keys import draw_key
>>> old, new = draw_key("club.example/log"), draw_key("club.example/log")
>>> rotation = sign_rotation(57, old, new)
>>> read_rotation(rotation.note.as_text()) == rotation
True
>>> [(span.key == key.verifier(), span.after, span.until) for key, span in zip((old, new), spans_of([rotation]))]
[(True, -1, 57), (True, 57, None)]
"""

from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from cadogan.server.transparency.checkpoints import read_number
from cadogan.server.transparency.signing.keys import LOG, BadKey, SigningKey, VerifierKey
from cadogan.server.transparency.signing.notes import BadNote, Note, read_note, sign_note, sign_text

MAX_ROTATIONS = 1000
_FIRST_LINE = "cadogan key rotation 1"
_LINES = 7
"""How many lines a rotation has: four of text, an empty one, and two signatures."""


class Rotation(NamedTuple):
    """A rotation that both keys have signed. `number` is the number of its entry in the log."""

    number: int
    old: VerifierKey
    new: VerifierKey
    note: Note


class KeySpan(NamedTuple):
    """A key and the trees that it may sign: more than `after` and at most `until` entries; None: no upper limit."""

    key: VerifierKey
    after: int = -1
    until: int | None = None

    def may_sign(self, size: int) -> bool:
        """Return whether the key may sign a tree of this size."""
        return self.after < size and (self.until is None or size <= self.until)


def sign_rotation(number: int, old: SigningKey, new: SigningKey) -> Rotation:
    """Return the rotation from one key to another, for the entry with this number."""
    text = f"{_FIRST_LINE}\n{number}\n{old.verifier().text}\n{new.verifier().text}\n"
    note = sign_note(text, old).with_signatures([sign_text(text, new)])
    return Rotation(number, old.verifier(), new.verifier(), note)


def read_rotation(text: str) -> Rotation:
    """Parse a rotation and check its signatures. Raises BadNote."""
    note = read_note(text)
    lines = note.text.split("\n")
    if len(lines) != 5 or lines[0] != _FIRST_LINE or len(note.signatures) != 2:
        raise BadNote("it is not a note in which one key names the next one")
    try:
        old, new = VerifierKey.read(lines[2]), VerifierKey.read(lines[3])
    except BadKey as error:
        raise BadNote(f"a rotation names what is no key: {error}") from None
    if (old.name, old.kind, new.kind) != (new.name, LOG, LOG) or old.id == new.id or [old.text, new.text] != lines[2:4]:
        raise BadNote("a rotation is from one key of a log to another one of the same name")
    for key in (old, new):
        note.require_signature(key)
    return Rotation(read_number(lines[1]), old, new, note)


def read_rotations(texts: Sequence[str]) -> tuple[Rotation, ...]:
    """Parse rotations in order, from the first key of a log. Raises BadNote if one does not continue the one before."""
    if len(texts) > MAX_ROTATIONS:
        raise BadNote(f"there are more than {MAX_ROTATIONS} rotations")
    found = tuple(map(read_rotation, texts))
    for before, after in pairwise(found):
        if before.new != after.old or before.number >= after.number:
            raise BadNote(f"the rotation at entry {after.number + 1} does not follow from the one before it")
    return found


def pack_rotations(rotations: Iterable[Rotation]) -> str:
    """Encode rotations for the `extra` line of a proof: their notes, concatenated, in base64."""
    return b64encode("".join(rotation.note.as_text() for rotation in rotations).encode()).decode()


def unpack_rotations(packed: str) -> tuple[Rotation, ...]:
    """Decode the rotations in the `extra` line of a proof. Raises BadNote."""
    try:
        raw = b64decode(packed, validate=True)
        lines = raw.decode().split("\n")
    except (NotBase64, ValueError):
        raise BadNote("the rotations of a proof are not base64") from None
    if b64encode(raw).decode() != packed or lines.pop() or len(lines) % _LINES:
        raise BadNote("the rotations of a proof are not whole notes")
    return read_rotations(["\n".join([*lines[at : at + _LINES], ""]) for at in range(0, len(lines), _LINES)])


def join_rotations(one: Sequence[Rotation], other: Sequence[Rotation]) -> Sequence[Rotation]:
    """Return the longer of two histories of one log's keys. Raises BadNote if they contradict each other."""
    shorter, longer = sorted((one, other), key=len)
    if [rotation[:3] for rotation in longer[: len(shorter)]] != [rotation[:3] for rotation in shorter]:
        raise BadNote("its keys are not those that the host names: one key has named two others")
    return longer


def spans_of(rotations: Sequence[Rotation]) -> list[KeySpan]:
    """Return every key of these rotations, in order, with the trees that it may sign."""
    if not rotations:
        return []
    keys = [rotations[0].old, *(rotation.new for rotation in rotations)]
    starts = [-1, *(rotation.number for rotation in rotations)]
    ends = [*(rotation.number for rotation in rotations), None]
    return [KeySpan(*span) for span in zip(keys, starts, ends, strict=True)]


def trusted_spans(trusted: Collection[VerifierKey], rotations: Sequence[Rotation]) -> list[KeySpan]:
    """Return the trusted keys, and the keys from and to which these were rotated."""
    chain = spans_of(rotations)
    known = [span.key for span in chain]
    alone = [KeySpan(key) for key in trusted if key not in known]
    return [*chain, *alone] if any(key in known for key in trusted) else alone
