"""The version of this program: its release, the commit that it was built from, and the revision of its tables."""

import re
import subprocess
from functools import cache
from importlib import metadata
from pathlib import Path

PACKAGE = Path(__file__).parents[2]
"""The folder of the package `cadogan`."""
MIGRATIONS = PACKAGE / "migrations"
"""The folder with the migrations."""
COMMIT_FILE = "COMMIT"
"""The file in the package `cadogan` with the commit that a wheel was built from."""
GIT_TIMEOUT_SECONDS = 5
_REVISION_FILE = re.compile(r"(\d+)_\w+\.py")


@cache
def version() -> str:
    """Return the version of the installed package; `unknown` if it is not installed."""
    try:
        return metadata.version("cadogan")
    except metadata.PackageNotFoundError:
        return "unknown"


def commit() -> str:
    """Return the commit from which this program was built, or that of the checkout; else `unknown`."""
    file = PACKAGE / COMMIT_FILE
    if file.is_file():
        return file.read_text("utf-8").strip()
    return checkout_commit(PACKAGE.parent)


def checkout_commit(folder: Path) -> str:
    """Return the commit of the checkout at this folder; `unknown` if it is not a checkout, or git is missing."""
    if not (folder / ".git").exists():
        return "unknown"
    command = ("git", "-C", str(folder), "rev-parse", "--short=12", "HEAD")
    try:
        ran = subprocess.run(command, capture_output=True, text=True, check=True, timeout=GIT_TIMEOUT_SECONDS)
    except (OSError, subprocess.SubprocessError):
        return "unknown"
    return ran.stdout.strip()


@cache
def known_revisions() -> tuple[str, ...]:
    """Return every revision of the tables that this version of the server knows, the oldest first.

    They are numbered, and each is the prefix of its file's name.
    """
    names = (_REVISION_FILE.fullmatch(file.name) for file in (MIGRATIONS / "versions").iterdir())
    return tuple(sorted(name[1] for name in names if name))


def describe_version() -> str:
    """Return one line with the version, the commit and the newest revision of the tables."""
    return f"cadogan {version()} (commit {commit()}, tables at revision {known_revisions()[-1]})"
