"""The commands that monitor another server, and compare what it has signed."""

import asyncio
from collections.abc import Collection
from pathlib import Path
from urllib.parse import urlsplit

import click
from aiohttp import ClientSession

from cadogan.server.cli.output import Failure, say
from cadogan.server.core import dates
from cadogan.server.core.clock import now
from cadogan.server.operations.monitor import Monitor
from cadogan.server.operations.monitor_state import MonitorState, StateUnusable, read_state, write_state
from cadogan.server.operations.watched_server import Unreachable, WatchedServer
from cadogan.server.subjects.audit.attestation import Trust, read_trust
from cadogan.server.subjects.transparency.checkpoints import (
    Checkpoint,
    Contradiction,
    Undecided,
    compare_checkpoints,
    read_checkpoint,
    read_rotations,
    trusted_spans,
)
from cadogan.server.subjects.transparency.notes import BadKey, BadNote, VerifierKey, read_note
from cadogan.server.subjects.transparency.tree import width_of

UNREACHABLE_EXIT_CODE = 2


@click.command("monitor")
@click.argument("url")
@click.option(
    "--state",
    "file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file that remembers what was seen; by default one in this folder, named after the server.",
)
@click.option("--key", "keys", multiple=True, help="The host's public key, or that of a witness who must have signed.")
@click.option("--every", type=click.IntRange(1), help="Look again after so many seconds, until something is wrong.")
def monitor_command(url: str, file: Path | None, keys: tuple[str, ...], every: int | None) -> None:
    """Watch the server at URL: that its log only grows, and that its records and boards are what the log says.

    The first look takes over the keys that the server names, unless --key says which it must have. Exits 0 if nothing
    is wrong, 1 with a line for all that is, and 2 if the server does not answer.
    """
    address = urlsplit(url)
    if address.scheme not in ("http", "https") or not address.hostname:
        raise click.UsageError("URL is the address of a server, like https://patience.example")
    try:
        trust = read_trust(keys)
    except BadKey as error:
        raise click.UsageError(f"a key cannot be used: {error}") from None
    for key in trust.witnesses:
        if not key.is_checkable:
            say(f"not checked: signatures of {key.name}: the installed library cryptography does not know ML-DSA-44")
    file = file or Path(f"{address.hostname}.monitor.json")
    raise SystemExit(asyncio.run(_watch(url, file, trust, every)))


async def _watch(url: str, file: Path, trust: Trust, every: int | None) -> int:
    try:
        state = read_state(file) or MonitorState(url, [])
        known = trusted_spans(read_trust(state.keys).hosts, read_rotations(state.rotations))
        if state.keys and not {*trust.hosts} <= {span.key for span in known}:
            raise Failure(f"{file} is about a server with other keys: name another file, or remove it")
        state.keys = [key.text for key in trust.hosts] or state.keys
        async with ClientSession() as session:
            monitor = Monitor(WatchedServer(session, url), state, trust)
            while True:
                code = await _check_once(monitor, file)
                if every is None or code == 1:
                    return code
                await asyncio.sleep(every)
    except (BadKey, BadNote) as error:
        raise Failure(f"{file} holds no state of a monitor: {error}") from None
    except StateUnusable as error:
        raise Failure(str(error)) from None


async def _check_once(monitor: Monitor, file: Path) -> int:
    moment = dates.moment_text(now())
    wrong = 0
    try:
        async for finding in monitor.check():
            wrong += 1
            say(f"{moment} WRONG {finding}")
    except Unreachable as error:
        say(f"{moment} not reached: {error}")
        return UNREACHABLE_EXIT_CODE if not wrong else 1
    finally:
        write_state(file, monitor.state)
    state = monitor.state
    counts = f"{state.size} entries, {state.verified} records verified, {len(state.waiting)} not shown yet"
    counts += f", {state.archived} archived" if state.archived else ""
    say(f"{moment} {monitor.state.url}: {counts}" + (f", {wrong} wrong" if wrong else ""))
    return 1 if wrong else 0


@click.command("checkpoints")
@click.argument("files", nargs=2, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--key", "keys", multiple=True, help="The host's public key, which must have signed both.")
@click.option("--server", "url", help="The server with the tiles of the log; it is needed for two different sizes.")
def checkpoints_command(files: tuple[Path, Path], keys: tuple[str, ...], url: str | None) -> None:
    """Compare two checkpoints of one log: FILES, as /log/checkpoint has shown them at two times, or to two people.

    Exits 0 if they agree, 1 if they contradict each other, and 2 if that cannot be decided. Two contradicting
    checkpoints that the host's key has signed prove that this host has shown two histories.
    """
    try:
        hosts = read_trust(keys).hosts
    except BadKey as error:
        raise click.UsageError(f"a key cannot be used: {error}") from None
    try:
        one, other = (_read_signed(file, hosts) for file in files)
        say(asyncio.run(_compare(one, other, url)))
    except (Undecided, Unreachable, BadNote) as error:
        say(f"not decided: {error}")
        raise SystemExit(UNREACHABLE_EXIT_CODE) from None
    except Contradiction as error:
        say(f"CONTRADICTION: {error}" + ("" if hosts else " (without --key nobody knows who has signed them)"))
        raise SystemExit(1) from None


def _read_signed(file: Path, hosts: Collection[VerifierKey]) -> Checkpoint:
    try:
        note = read_note(file.read_text("utf-8"))
        checkpoint = read_checkpoint(note.text)
        own = [key for key in hosts if key.name == checkpoint.origin]
        if hosts and not any(note.is_signed_by(key) for key in own):
            raise BadNote("the host's key has not signed it")
    except (BadNote, UnicodeError, OSError) as error:
        raise BadNote(f"{file}: {error}") from None
    return checkpoint


async def _compare(one: Checkpoint, other: Checkpoint, url: str | None) -> str:
    if url is None:
        return await compare_checkpoints(one, other, None)
    async with ClientSession() as session:
        server = WatchedServer(session, url)
        return await compare_checkpoints(one, other, lambda tile, size: server.tile(*tile, width_of(*tile, size)))
