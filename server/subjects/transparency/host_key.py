"""The host key in its file: created when it is first needed, and never stored in the database.

    cadogan.key             the key
    cadogan.key.next        the next key, while a rotation is under way
    cadogan.key.1f2e3d4c    an earlier key, by its id: it no longer signs

KeyUnusable     the file is missing, cannot be read or created, or does not hold the required key
"""

import errno
import os
import secrets
from contextlib import suppress
from pathlib import Path

from cadogan.server.subjects.transparency.notes import BadKey, Note, SigningKey, draw_key

_ID_BYTES = 8
_USER = "make it a file that the server's user may read and write, or name another one (CADOGAN_KEY_FILE)"
_ADVICE = {
    errno.EMFILE: "raise the limit of open files (ulimit -n, LimitNOFILE), and look what holds so many",
    errno.ENFILE: "raise the system's limit of open files (fs.file-max), and look what holds so many",
    errno.ENOSPC: "make room on the disk",
    errno.EDQUOT: "make room on the disk, or raise the user's quota",
    errno.EIO: "look at the disk, and at the system's log",
    errno.EROFS: "mount the disk so that it can be written, or name another file (CADOGAN_KEY_FILE)",
    errno.EACCES: _USER,
    errno.EPERM: _USER,
}


class KeyUnusable(Exception):
    """The file of the host key cannot be used. The message says which file, why, and what to do."""


class HostKey:
    """The key in a file. `origin` is the name for a new key; if empty, the name is random.

    The name of the key is the origin of the log, so it never changes.
    """

    def __init__(self, file: Path, origin: str = "") -> None:
        self.file = file
        self.next_file = file.with_name(f"{file.name}.next")
        self._origin = origin

    def get(self) -> SigningKey:
        """Return the key. Raises KeyUnusable, also if it does not exist."""
        key = self.find()
        if key is None:
            raise KeyUnusable(f"{self.file}: there is no such file: put the host's key back from a copy of it")
        return key

    def find(self) -> SigningKey | None:
        """Return the key, or None if it does not exist yet. Raises KeyUnusable."""
        return _read(self.file)

    def make(self) -> SigningKey:
        """Return the key; create its file if it does not exist. Raises KeyUnusable."""
        return self.find() or _write(self.file, draw_key(self._origin or draw_name()))

    def of(self, note: Note) -> SigningKey:
        """Return the key that signed this checkpoint, so that the log continues with the same key.

        That is the current key or, during a rotation, the next one. Raises KeyUnusable.
        """
        found = [key for key in (self.find(), self.find_next()) if key is not None]
        for key in found:
            if note.signatures_by(key.verifier()):
                return key
        why = "it holds another key than the one that signs the log" if found else "there is no such file"
        wanted = ", ".join(f"{one.name}+{one.id.hex()}" for one in note.signatures[:1])
        raise KeyUnusable(
            f"{self.file}: {why}, {wanted}: put that key there from a copy; if it is lost for good, run "
            "`cadogan key restart`"
        )

    def find_next(self) -> SigningKey | None:
        """Return the next key of a rotation under way, or None. Raises KeyUnusable."""
        return _read(self.next_file)

    def make_next(self, name: str) -> SigningKey:
        """Return the next key, which has this name; create its file if it does not exist. Raises KeyUnusable."""
        found = self.find_next()
        if found is not None and found.name != name:
            self.next_file.unlink()  # left by a rotation to another log that was never completed
            found = None
        return found or _write(self.next_file, draw_key(name))

    def take_next(self) -> Path | None:
        """Replace the key with the next one, and keep the old key in a file with its id; return that file.

        If this is interrupted, nothing is lost and it can be repeated. Raises KeyUnusable.
        """
        old = self.find()
        aside = None if old is None else self.file.with_name(f"{self.file.name}.{old.verifier().id.hex()}")
        try:
            if aside is not None:
                with suppress(FileExistsError):
                    os.link(self.file, aside)
            self.next_file.replace(self.file)
            _sync_folder(self.file.parent)
        except OSError as error:
            raise KeyUnusable(
                f"{self.file}: {describe_file_error(error)}; the next key is still in {self.next_file}"
            ) from None
        return aside


def draw_name() -> str:
    """Return a random name for a log whose server has no known address."""
    return f"cadogan.invalid/{secrets.token_hex(_ID_BYTES)}"


def write_privately(file: Path, text: str) -> Path:
    """Write a new file next to this one that only its owner may read, and return it. Raises OSError."""
    new = file.with_name(f"{file.name}.{secrets.token_hex(_ID_BYTES)}")
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(descriptor, "w", encoding="utf-8") as written:
        written.write(text)
        written.flush()
        os.fsync(written.fileno())
    return new


def _read(file: Path) -> SigningKey | None:
    try:
        return SigningKey.read(file.read_text(encoding="utf-8").strip())
    except FileNotFoundError:
        return None
    except OSError as error:
        raise KeyUnusable(f"{file}: {describe_file_error(error)}") from None
    except (UnicodeError, BadKey) as error:
        raise KeyUnusable(f"{file}: {error}: put the host's key back from a copy of it") from None


def _write(file: Path, key: SigningKey) -> SigningKey:
    """Write a key to a temporary file and rename it, so that the file is never incomplete.

    Return the key, or the key that another process has written meanwhile.
    """
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        new = write_privately(file, key.text + "\n")
        try:
            os.link(new, file)  # fails if another process has created the key meanwhile
        finally:
            new.unlink()
        _sync_folder(file.parent)
    except FileExistsError:
        found = _read(file)
        assert found is not None
        return found
    except OSError as error:
        raise KeyUnusable(f"{file}: {describe_file_error(error)}") from None
    return key


def _sync_folder(folder: Path) -> None:
    """Sync the names in a folder to disk, where the system supports it."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def describe_file_error(error: OSError) -> str:
    """Return what is wrong with a file and what to do about it, for errors not caused by its content."""
    advice = _ADVICE.get(error.errno or 0, _USER)
    return f"{error.strerror or 'cannot be used'}: {advice}"
