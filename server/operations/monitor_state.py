"""The state that a monitor stores between two runs, in one small file.

StateUnusable   a file that is not a monitor's state
"""

import os
import tempfile
from pathlib import Path

import msgspec

from cadogan.server.operations.announced_days import AnnouncedDays
from cadogan.server.operations.checked_boards import CheckedBoards
from cadogan.server.operations.watched_evenings import SeenEvenings
from cadogan.server.subjects.transparency.leaves import Strike


class StateUnusable(Exception):
    """A file that is not a monitor's state. The message says which and why."""


class Waiting(msgspec.Struct, frozen=True):
    """An entry of the log whose record was not public yet.

    `seen_at` is when a trusted witness first signed a checkpoint with it, in seconds since 1970; None if none did when
    it was read. `asked_at` is when its record was asked for first, in milliseconds since 1970; None if it was not.
    """

    number: int
    stream: str
    version: int
    digest: str
    seen_at: int | None = None
    asked_at: int | None = None


class MonitorState(msgspec.Struct):
    """The part of the log that has been read.

    `keys` are the host's keys as first seen or given, and `rotations` the notes in the log that lead from or to them.
    `edge` has the tiles at the right edge of the tree, in hex by level and number, and `runs` the ids of the games of
    each unchecked day. `strikes` are the disqualified and reinstated runs, in log order, and `days` the days checked
    last. `logged` has the latest version in the log of each stream whose entry was checked last.
    `archived` is the number of games whose records the server says it has archived: they were not verified.
    `announced` has the days that were announced, and `boards` what follows from the records for the boards. `grew_at`
    is when the log was seen to grow last, in milliseconds since 1970. `evenings` has what was announced of evenings.
    """

    url: str
    keys: list[str]
    size: int = 0
    edge: dict[str, str] = msgspec.field(default_factory=dict)
    waiting: list[Waiting] = msgspec.field(default_factory=list)
    runs: dict[str, list[str]] = msgspec.field(default_factory=dict)
    verified: int = 0
    findings: int = 0
    rotations: list[str] = msgspec.field(default_factory=list)
    strikes: list[Strike] = msgspec.field(default_factory=list)
    days: list[str] = msgspec.field(default_factory=list)
    logged: dict[str, int] = msgspec.field(default_factory=dict)
    archived: int = 0
    evenings: SeenEvenings = msgspec.field(default_factory=SeenEvenings)
    announced: AnnouncedDays = msgspec.field(default_factory=AnnouncedDays)
    boards: CheckedBoards = msgspec.field(default_factory=CheckedBoards)
    grew_at: int | None = None


_decode = msgspec.json.Decoder(MonitorState).decode


def read_state(file: Path) -> MonitorState | None:
    """Read the state from a file; None if there is no file. Raises StateUnusable."""
    try:
        return _decode(file.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, msgspec.DecodeError, UnicodeError) as error:
        raise StateUnusable(f"{file} holds no state of a monitor: {error}") from None


def write_state(file: Path, state: MonitorState) -> None:
    """Write the state atomically: the file is never incomplete."""
    try:
        with tempfile.NamedTemporaryFile(dir=file.parent, delete=False) as written:
            written.write(msgspec.json.encode(state))
            written.flush()
            os.fsync(written.fileno())
        Path(written.name).replace(file)
    except OSError as error:
        raise StateUnusable(f"{file} cannot be written: {error.strerror}") from None
