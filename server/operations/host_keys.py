"""The host key of a deployment: where its file is, the name of the log, and key rotation.

A rotation has three steps, and may be interrupted after each. The next key is written to its own file. One transaction
appends the rotation entry to the log and a checkpoint signed with the next key. The two files are swapped. Servers sign
with whichever of the two keys the log currently requires, so they may keep running. Running the rotation again
completes an interrupted one.
"""

import ipaddress
import os
import secrets
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import platformdirs

from cadogan.server.config import Settings
from cadogan.server.core.database.connections import Database, database_url
from cadogan.server.subjects.transparency.checkpoints import read_checkpoint
from cadogan.server.subjects.transparency.host_key import HostKey, KeyUnusable
from cadogan.server.subjects.transparency.notes import VerifierKey
from cadogan.server.subjects.transparency.sequencer import Sequencer, SignedState
from cadogan.server.subjects.transparency.transparency_log import TransparencyLog

_SUFFIX = ".key"
_NO_ADDRESS = "cadogan.invalid"


class NewKey(NamedTuple):
    """The key that signs the log from now on, the number of entries in the log, and the file of the previous key."""

    key: VerifierKey
    size: int
    aside: Path | None


def host_key_of(settings: Settings) -> HostKey:
    """Return the host key for these settings. Its file need not exist."""
    return HostKey(key_file(settings), log_name(settings))


def key_file(settings: Settings) -> Path:
    """Return the file of the host key.

    By default it is next to the SQLite file and named after it. With PostgreSQL it is named after the database, in the
    state folder that systemd provides, or else in the user's data folder.
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
    """Rotate the host key: the next key signs the log from then on. Completes an interrupted rotation.

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
    """Restart the log under a new name, with a new key and the same entries. Completes an interrupted restart.

    Use it if the host key is lost, or if the database was restored from a backup older than the log that others have
    seen. Clients that trust the old log's key do not thereby trust the new one. Raises KeyUnusable.
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
