"""The ledger of flaky tests, `tests/flaky.toml`: its entries must be fixed soon.

python -m tests.gate.ledger [ENTRY ...]  # add what the last runs in this checkout found, or entries printed elsewhere
python -m tests.gate.ledger --check      # fail if there are too many entries, or if one is too old
"""

import sys
from collections.abc import Iterable
from datetime import UTC, date, datetime
from json import dumps
from pathlib import Path
from shlex import quote

import msgspec

LEDGER = Path("tests/flaky.toml")
REMEMBERED = Path(".pytest_cache/failure-then-success.jsonl")
"""The flaky tests found in this checkout since the ledger was last written."""
TOO_MANY = 10
OLDEST_DAYS = 14


class Entry(msgspec.Struct, frozen=True):
    """A test that failed and then passed: the UTC day it was first seen, and the commit, seed and load then."""

    id: str
    day: date
    commit: str
    seed: int
    load: float


def read() -> tuple[Entry, ...]:
    """Return the entries of the ledger."""
    if not LEDGER.exists():
        return ()
    return msgspec.toml.decode(LEDGER.read_bytes(), type=dict[str, tuple[Entry, ...]]).get("flaky", ())


def complain(entries: Iterable[Entry], today: date) -> str:
    """Return what is wrong with the ledger, and what to do; empty if nothing is."""
    entries = tuple(entries)
    old = [entry.id for entry in entries if (today - entry.day).days > OLDEST_DAYS]
    if len(entries) < TOO_MANY and not old:
        return ""
    found = (
        f"{len(entries)} tests" if len(entries) >= TOO_MANY else f"for more than {OLDEST_DAYS} days {', '.join(old)}"
    )
    return f"{LEDGER} lists {found}. Mend these tests at their cause, and take their entries out in the same commit."


def remember(entries: Iterable[Entry]) -> None:
    """Store entries for the command that writes the ledger, and print the command that adds them elsewhere."""
    REMEMBERED.parent.mkdir(exist_ok=True)
    with REMEMBERED.open("ab") as file:
        for entry in entries:
            line = msgspec.json.encode(entry)
            file.write(line + b"\n")
            print(f"`make flaky` writes it down; elsewhere: python -m tests.gate.ledger {quote(line.decode())}")


def write(new: Iterable[Entry]) -> None:
    """Add entries to the ledger. A test that already has an entry keeps its day."""
    entries = {entry.id: entry for entry in (*new, *read())}
    lines = [
        "# Tests that failed once and passed when they were run again; `make flaky` writes them: tests/README.md\n"
    ]
    for entry in sorted(entries.values(), key=lambda entry: (entry.day, entry.id)):
        lines.append(f"\n[[flaky]]\nid = {dumps(entry.id)}\nday = {entry.day}\ncommit = {dumps(entry.commit)}\n")
        lines.append(f"seed = {entry.seed}\nload = {entry.load:.1f}\n")
    LEDGER.write_text("".join(lines))


def main(arguments: list[str]) -> str:
    """Execute the command; return what is wrong, if anything."""
    if arguments == ["--check"]:
        return complain(read(), datetime.now(UTC).date())
    lines = arguments or (REMEMBERED.read_text().splitlines() if REMEMBERED.exists() else [])
    write(
        msgspec.json.decode(line, type=Entry) for line in reversed(lines)
    )  # reversed: the first entry of a test is assigned last, and stays
    if not arguments:
        REMEMBERED.unlink(missing_ok=True)
    return ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) or None)
