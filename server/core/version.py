"""The version of this program."""

from importlib import metadata


def version() -> str:
    """Return the version of the installed package; `unknown` if it is not installed."""
    try:
        return metadata.version("cadogan")
    except metadata.PackageNotFoundError:
        return "unknown"
