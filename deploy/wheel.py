"""What the build of the wheel adds to the package `cadogan`: the bundle of the web client, the documents and types of
the wire contract, the compiled engine where a C++ compiler is found, and the commit.

A wheel with the compiled engine is for one system and processor. `CADOGAN_COMPILED=false` leaves that out.
setuptools runs all this (`tool.setuptools.cmdclass` in `pyproject.toml`).
"""

import os
import shutil
from pathlib import Path

from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

from cadogan.engine.compiled import building
from cadogan.server.core.version import COMMIT_FILE, checkout_commit
from deploy.bundle import CannotBundle, make_bundle


class BuildWheel(build_py):  # type: ignore[misc]  # setuptools has no types
    """setuptools' `build_py`, followed by the bundle, the contract, the compiled engine and the commit."""

    def run(self) -> None:
        """Fill the build folder. For an editable install nothing is built: it uses the checkout."""
        if self.editable_mode:
            super().run()
            return
        shutil.rmtree(self.build_lib, ignore_errors=True)  # files of an earlier build would be included in the wheel
        super().run()
        from cadogan.wire.__main__ import write_contract  # needs msgspec, a requirement only of the wheel's build

        package = Path(self.build_lib, "cadogan")
        write_contract(package / "wire")
        try:
            make_bundle(package / "web")
        except CannotBundle as problem:
            self.warn(f"the web client is not bundled, so that it is served in more requests: {problem}")
        if is_compiled():
            try:
                building.build_all(package / building.LIBRARY.relative_to(building.FOLDER.parents[1]))
            except building.NoCompiler as problem:
                self.warn(f"the engine is not compiled, so that its solver is slower: {problem}")
        commit = os.environ.get("CADOGAN_COMMIT") or checkout_commit(Path.cwd())
        (package / COMMIT_FILE).write_text(f"{commit}\n", "utf-8")


class PlatformWheel(bdist_wheel):  # type: ignore[misc]
    """setuptools' `bdist_wheel`, for this system and processor if the engine is compiled, and for every Python."""

    def finalize_options(self) -> None:
        """Let setuptools build for one platform, as if the engine were an extension module."""
        self.distribution.has_ext_modules = is_compiled
        super().finalize_options()

    def get_tag(self) -> tuple[str, str, str]:
        """Return the tag of the wheel: the library is the same for every version of Python."""
        python, abi, platform = super().get_tag()
        return (python, abi, platform) if self.root_is_pure else ("py3", "none", platform)


def is_compiled() -> bool:
    """Return whether the wheel is to have the compiled engine."""
    return os.environ.get("CADOGAN_COMPILED") != "false" and building.find_compiler() is not None
