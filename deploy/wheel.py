"""What the build of the wheel adds to the package `cadogan`: the bundle of the web client, and the commit.

<<<<<<< 939cf538acc072d6b0c5af546d1fd64f105413a7
setuptools runs it (`tool.setuptools.cmdclass` in `pyproject.toml`). It copies the packages to the build folder, as they
are in the checkout, bundles the web client there (`deploy/bundle.py`), and writes the documents and the types of the
wire contract (`python -m clients.wire`). Then `gather` moves the packages to their public names, which
`cadogan/checkout.py` lists, and changes the import statements: `from cadogan.engine.cards import card` becomes
`from cadogan.engine.cards import card`. Names of modules in docstrings change too, because `help()` shows them.
What cannot be changed with certainty stops the build.

Why it is done so: `docs/decisions/2026-11-22-one-import-name.md`.
=======
setuptools runs it (`tool.setuptools.cmdclass` in `pyproject.toml`).
>>>>>>> 63cddab785a6467afad59a3560f65f208b2c9afd
"""

import os
import shutil
from pathlib import Path

from setuptools.command.build_py import build_py

from cadogan.server.core.version import COMMIT_FILE, checkout_commit
from deploy.bundle import CannotBundle, make_bundle


class BuildWheel(build_py):  # type: ignore[misc]  # setuptools has no types
    """setuptools' `build_py`, followed by the bundle of the web client and the file with the commit."""

    def run(self) -> None:
        """Fill the build folder. For an editable install nothing is built: it uses the checkout."""
        if self.editable_mode:
            super().run()
            return
        shutil.rmtree(self.build_lib, ignore_errors=True)  # files of an earlier build would get into the wheel
        super().run()
<<<<<<< 939cf538acc072d6b0c5af546d1fd64f105413a7
        if not self.editable_mode:
            self._bundle()
            self._write_contract()
            gather(Path(self.build_lib))
            self._write_commit()

    def _write_commit(self) -> None:
        commit = os.environ.get("CADOGAN_COMMIT") or checkout_commit(Path.cwd())
        Path(self.build_lib, "cadogan", COMMIT_FILE).write_text(f"{commit}\n", "utf-8")

    def _write_contract(self) -> None:
        from cadogan.wire.__main__ import write_contract  # needs msgspec, which only the build of a wheel asks for

        write_contract(Path(self.build_lib) / "clients" / "wire")

    def _bundle(self) -> None:
=======
        package = Path(self.build_lib, "cadogan")
>>>>>>> 63cddab785a6467afad59a3560f65f208b2c9afd
        try:
            make_bundle(package / "web")
        except CannotBundle as problem:
            self.warn(f"the web client is not bundled, so that it is served in more requests: {problem}")
        commit = os.environ.get("CADOGAN_COMMIT") or checkout_commit(Path.cwd())
        (package / COMMIT_FILE).write_text(f"{commit}\n", "utf-8")
