"""setuptools as the build backend, which also requires msgspec, to write the documents of the wire contract,
and the bundler of the web client where it is available.

Listed as a requirement in `pyproject.toml`, the bundler would make the package impossible to install on machines for
which it has no wheel.
"""

from collections.abc import Mapping
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import (
    build_editable,
    build_sdist,
    build_wheel,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

from deploy.bundle import bundler_requirements

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]


def get_requires_for_build_wheel(settings: Mapping[str, Any] | None = None) -> list[str]:
    """Return what the build of a wheel needs."""
    return [*build_meta.get_requires_for_build_wheel(settings), "msgspec", *bundler_requirements()]
