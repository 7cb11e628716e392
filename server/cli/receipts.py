"""The check of a receipt by `cadogan verify`: against the log of a running server, or a copy of it in a folder."""

import asyncio
import json
from pathlib import Path

import click
from aiohttp import ClientSession

from cadogan.server.cli.output import say
from cadogan.server.core.clock import now
from cadogan.server.operations.receipt_check import Finding, ReceiptCheck, read_signed_receipt
from cadogan.server.operations.watched_server import NotPublic, Unreachable, WatchedServer
from cadogan.server.subjects.audit.attestation import Trust, join_trust, parse_host
from cadogan.server.subjects.transparency.notes import BadKey, BadNote, read_note
from cadogan.server.subjects.transparency.receipts import Receipt, read_receipt
from cadogan.server.subjects.transparency.tree import tile_path

EXIT_CODES = {True: 0, False: 1, None: 2}
"""The exit code for a promise that was kept, one that was broken, and one of which nothing can be said."""


class CopiedLog:
    """A copy of a server's log in a folder, under the paths at which the server shows it: `log/checkpoint`, and so on.

    It may have `.well-known/cadogan.json` too. It has no records.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def trust(self) -> Trust:
        """Return the keys in the copy; none if it has none. Raises Unreachable."""
        file = self._folder / ".well-known/cadogan.json"
        try:
            return parse_host(file.read_bytes()) if file.exists() else Trust()
        except (BadKey, OSError) as error:
            raise Unreachable(f"{file}: {error}") from None

    async def checkpoint(self) -> str:
        """Return the checkpoint, unparsed. Raises Unreachable."""
        return self._read("checkpoint").decode(errors="replace")

    async def tile(self, level: int, number: int, width: int) -> bytes:
        """Return a tile, or a bundle of entries. Raises Unreachable."""
        return self._read(tile_path(level, number, width))

    async def game_record(self, game: str) -> bytes | None:
        """Raise NotPublic: a copy of a log has no records."""
        raise NotPublic(game)

    def _read(self, path: str) -> bytes:
        try:
            return (self._folder / "log" / path).read_bytes()
        except OSError as error:
            raise Unreachable(f"log/{path}: {error.strerror}") from None


def verify_receipt(text: bytes, against: str, given: Trust, as_json: bool) -> None:
    """Say whether the promise in a receipt was kept, and exit with the code of `EXIT_CODES`."""
    is_url = against.startswith(("http://", "https://"))
    if not is_url and not Path(against).is_dir():
        raise click.BadParameter("it is the address of a server, or a folder", param_hint="--against")
    checking = _check_server(text, against, given) if is_url else _check(CopiedLog(Path(against)), text, given)
    receipt, finding = asyncio.run(checking)
    entry = None if receipt is None else receipt.entry
    shown = {
        "kept": finding.kept,
        "reason": finding.reason,
        "stream": entry and entry.stream,
        "version": entry and entry.version,
        "checkpoint": finding.checkpoint or None,
    }
    say(json.dumps(shown) if as_json else finding.reason)
    raise SystemExit(EXIT_CODES[finding.kept])


async def _check_server(text: bytes, url: str, given: Trust) -> tuple[Receipt | None, Finding]:
    async with ClientSession() as session:
        return await _check(WatchedServer(session, url), text, given)


async def _check(log: WatchedServer | CopiedLog, text: bytes, given: Trust) -> tuple[Receipt | None, Finding]:
    try:
        receipt = read_receipt(read_note(text.decode()).text)
    except (BadNote, UnicodeDecodeError) as error:
        return None, Finding(None, f"it is no receipt: {error}")
    try:
        trust = join_trust(given, await log.trust())
        read_signed_receipt(text.decode(), trust)
    except (BadNote, BadKey) as error:
        return receipt, Finding(None, f"the receipt cannot be trusted: {error}")
    except Unreachable as error:
        return receipt, Finding(None, str(error))
    clock = now if isinstance(log, WatchedServer) else None
    finding = await ReceiptCheck(log, receipt, trust, clock).check()
    if any(key.name == receipt.origin for key in given.hosts):
        return receipt, finding
    return receipt, finding._replace(reason=f"{finding.reason} (by the keys that the server names itself: see --key)")
