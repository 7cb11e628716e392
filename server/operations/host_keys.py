"""The host's key of a deployment: where its file is, what the log is called, and how the key is rotated.

A rotation has three steps, each of which can be the last one before a power cut: the next key is written to a file of
its own; the log gets the entry that names it, and a checkpoint that it has signed, in one transaction; and the files
change places. Servers sign with whichever of the two keys the log goes on with, so they may run meanwhile. To rotate
again finishes a rotation that was cut short.
"""

import ipaddress
import os
import secrets
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import platformdirs

from cadogan.server.config import Settings
from cadogan.server.database.connections import Database, database_url
from cadogan.server.transparency.checkpoints import read_checkpoint
from cadogan.server.transparency.sequencer import Sequencer
from cadogan.server.transparency.signing.host_key import HostKey, KeyUnusable
from cadogan.server.transparency.signing.keys import VerifierKey
from cadogan.server.transparency.signing.signed_state import SignedState
from cadogan.server.transparency.transparency_log import TransparencyLog

_SUFFIX = ".key"
_NO_ADDRESS = "cadogan.invalid"


class NewKey(NamedTuple):
    """The key that signs the log from now on, how many entries the log has, and the file of the key before it."""

    key: VerifierKey
    size: int
    aside: Path | None


def host_key_of(settings: Settings) -> HostKey:
    """Return the host's key of a server with these settings. Its file need not be there."""
    return HostKey(key_file(settings), log_name(settings))


def key_file(settings: Settings) -> Path:
    """Return the file of the host's key.

    By default it lies beside an SQLite file, with its name. With PostgreSQL it has the name of the database, in the
    folder that systemd keeps for the server, or else in that for the data of a user's programs.
    """
    if settings.key_file:
        return Path(settings.key_file)
    url = database_url(settings.database_url)
    if url.get_backend_name() == "sqlite":
        return Path(url.database or "cadogan.db").with_suffix(_SUFFIX)
    state_directory, _, _ = os.environ.get("STATE_DIRECTORY", "").partition(":")
    folder = Path(state_directory) if state_directory else platformdirs.user_data_path("cadogan")
    return folder / f"{url.database or 'cadogan'}{_SUFFIX}"


def log_name(settings: Settings) -> str:
    """Return the name that a new log gets, from the first public address of the server; empty if there is none.

    >>> log_name(Settings(origin=("http://192.168.1.5:8000", "https://patience.example")))
    'patience.example/log'
    """
    for address in map(urlsplit, settings.origin):
        name = address.hostname or ""
        if "." in name and "+" not in address.netloc and not _is_address(name) and not name.endswith(".localhost"):
            return f"{address.netloc}/log"
    return ""


async def rotate_key(database: Database, key: HostKey) -> NewKey:
    """Let the host's key name another one, which signs the log from then on; or finish what was begun.

    Raises KeyUnusable, LogSetBack and OtherKey.
    """
    log = TransparencyLog(database)
    old = await Sequencer(log, key).find_key()
    following = key.find_next()
    if following is None or old != following:
        following = key.make_next(old.name)
        await log.rotate(old, following)
    return await _finish(log, key)


async def restart_log(database: Database, key: HostKey, name: str) -> NewKey:
    """Begin the log again under another name, with a key of its own and the same entries; or finish what was begun.

    For a host whose key is lost, or whose database was restored from an older backup than the log that others have
    seen. Whoever trusts the key of the old log does not trust this one by it. Raises KeyUnusable.
    """
    log = TransparencyLog(database)
    head, following = await log.head(), key.find_next()
    if head is None or following is None or not head.signatures_by(following.verifier()):
        await log.restart(key.make_next(f"{name or _NO_ADDRESS}/{secrets.token_hex(4)}"))
    return await _finish(log, key)


async def _finish(log: TransparencyLog, key: HostKey) -> NewKey:
    aside = key.take_next()
    head = await log.head()
    if head is None:
        raise KeyUnusable(f"{key.file}: somebody emptied the log meanwhile")
    SignedState(key.file).keep(head)
    return NewKey(key.of(head).verifier(), read_checkpoint(head.text).size, aside)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
