"""What the build of the wheel adds to the package `cadogan`: the bundle of the web client, the documents and types of
the wire contract, and the commit.

setuptools runs it (`tool.setuptools.cmdclass` in `pyproject.toml`).
"""

import os
import shutil
from pathlib import Path

from setuptools.command.build_py import build_py

from cadogan.server.core.version import COMMIT_FILE, checkout_commit
from deploy.bundle import CannotBundle, make_bundle


class BuildWheel(build_py):  # type: ignore[misc]  # setuptools has no types
    """setuptools' `build_py`, followed by the bundle, the contract and the commit."""

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
        commit = os.environ.get("CADOGAN_COMMIT") or checkout_commit(Path.cwd())
        (package / COMMIT_FILE).write_text(f"{commit}\n", "utf-8")
