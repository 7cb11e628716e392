"""Who one is at each server, kept in a file that nobody else may read."""

import json
import os
from pathlib import Path

from platformdirs import user_config_path, user_data_path

FILE = "tokens.json"
EMBEDDED = "embedded"
"""The name under which the token for the server of one's own is kept."""


def config_folder() -> Path:
    """Where this user's settings for this program lie."""
    return user_config_path("cadogan", appauthor=False)


def data_folder() -> Path:
    """Where this user's data for this program lie: the games of the embedded server."""
    return user_data_path("cadogan", appauthor=False)


class Tokens:
    """The tokens in a file of a folder. A file that cannot be read is as good as none."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / FILE

    def get(self, server: str) -> str | None:
        """The token for a server, if there is one."""
        return self._read().get(server)

    def keep(self, server: str, token: str | None) -> None:
        """Keep the token for a server; None forgets it. Raises OSError."""
        tokens = self._read()
        if token is None:
            tokens.pop(server, None)
        else:
            tokens[server] = token
        self._file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        fresh = self._file.with_suffix(".new")
        fresh.unlink(missing_ok=True)
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as opened:
            json.dump(tokens, opened)
        fresh.replace(self._file)

    def _read(self) -> dict[str, str]:
        try:
            read = json.loads(self._file.read_text())
        except (OSError, ValueError):
            return {}
        if not isinstance(read, dict):
            return {}
        return {server: token for server, token in read.items() if isinstance(token, str)}
