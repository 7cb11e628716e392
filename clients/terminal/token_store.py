"""The player's token for each server, in a file that only this user may read."""

import json
import os
from pathlib import Path

from platformdirs import user_config_path, user_data_path

FILE_NAME = "tokens.json"
EMBEDDED = "embedded"
"""The name under which the token for the embedded server is stored."""


def config_folder() -> Path:
    """Return the folder of this user's settings for Cadogan."""
    return user_config_path("cadogan", appauthor=False)


def data_folder() -> Path:
    """Return the folder of this user's data for Cadogan: the games of the embedded server."""
    return user_data_path("cadogan", appauthor=False)


class TokenStore:
    """The tokens in a file of this folder. A file that cannot be read counts as empty."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / FILE_NAME

    def get(self, server: str) -> str | None:
        """Return the token for a server, or None."""
        return self._read().get(server)

    def save(self, server: str, token: str | None) -> None:
        """Store the token for a server; None removes it. Raises OSError."""
        tokens = self._read()
        if token is None:
            tokens.pop(server, None)
        else:
            tokens[server] = token
        self._file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        new_file = self._file.with_suffix(".new")
        new_file.unlink(missing_ok=True)
        with os.fdopen(os.open(new_file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as opened:
            json.dump(tokens, opened)
        new_file.replace(self._file)

    def _read(self) -> dict[str, str]:
        try:
            read = json.loads(self._file.read_text())
        except (OSError, ValueError):
            return {}
        if not isinstance(read, dict):
            return {}
        return {server: token for server, token in read.items() if isinstance(token, str)}
