"""Receipts in files: for each server a folder, with a file for each game and one with the keys of the server's log.

    patience.example/k3v7q2m5x4c6z2ab.receipt
    patience.example/keys.txt

`cadogan verify FILE --against URL --key KEY` checks one. KEY is the first line of `keys.txt`: the later keys follow
from it.
"""

import re
from pathlib import Path
from urllib.parse import urlsplit

from cadogan.wire.results import GameReceipt

SUFFIX = ".receipt"
KEYS_FILE = "keys.txt"
_UNSAFE = re.compile(r"[^A-Za-z0-9.-]")
"""Characters that a name of a file may not have; names come from servers."""


def write_receipt(folder: Path, address: str, given: GameReceipt) -> Path:
    """Write a receipt of the server at this address, and return its file. A file that is there is replaced.

    Raises OSError.
    """
    place = folder / _make_safe(urlsplit(address).netloc)
    place.mkdir(parents=True, exist_ok=True)
    known = list_keys(place)
    if given.key not in known:
        _write(place / KEYS_FILE, "".join(f"{key}\n" for key in [*known, given.key]))
    return _write(place / f"{_make_safe(given.game)}{SUFFIX}", given.receipt)


def list_keys(folder: Path) -> list[str]:
    """Return the keys of the log of one server, the earliest first. Raises OSError."""
    try:
        return (folder / KEYS_FILE).read_text("utf-8").splitlines()
    except FileNotFoundError:
        return []


def _make_safe(name: str) -> str:
    return _UNSAFE.sub("_", name).lstrip(".") or "_"


def _write(file: Path, text: str) -> Path:
    new_file = file.with_name(f"{file.name}.new")
    new_file.write_text(text, "utf-8")
    return new_file.replace(file)
