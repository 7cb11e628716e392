"""The build step of the wheel: it moves all packages into `cadogan`, so that nothing else is put into site-packages.

setuptools runs it (`tool.setuptools.cmdclass` in `pyproject.toml`). It copies the packages to the build folder, as they
are in the checkout, and bundles the web client there (`deploy/bundle.py`). Then `gather` moves the packages to their
public names, which `cadogan/checkout.py` lists, and changes the import statements: `from cadogan.engine.cards import
card` becomes `from cadogan.engine.cards import card`. Names of modules in docstrings change too, because `help()` shows
them. What cannot be changed with certainty stops the build.

Why it is done so: `docs/decisions/2026-11-22-one-import-name.md`.
"""

import ast
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from runpy import run_path
from typing import NamedTuple

from setuptools.command.build_py import build_py
from setuptools.command.egg_info import egg_info

from cadogan.server.core.version import COMMIT_FILE, checkout_commit
from deploy.bundle import CannotBundle, make_bundle


class BuildUnderOneName(build_py):  # type: ignore[misc]  # setuptools has no types
    """setuptools' `build_py`, followed by the bundle of the web client and `gather`."""

    def run(self) -> None:
        """Fill the build folder. For an editable install nothing is built: it uses the folders of the checkout."""
        if not self.editable_mode:
            shutil.rmtree(self.build_lib, ignore_errors=True)  # files of an earlier build would get into the wheel
        super().run()
        if not self.editable_mode:
            self._bundle()
            gather(Path(self.build_lib))
            self._write_commit()

    def _write_commit(self) -> None:
        commit = os.environ.get("CADOGAN_COMMIT") or checkout_commit(Path.cwd())
        Path(self.build_lib, "cadogan", COMMIT_FILE).write_text(f"{commit}\n", "utf-8")

    def _bundle(self) -> None:
        try:
            make_bundle(Path(self.build_lib) / "clients" / "web")
        except CannotBundle as problem:
            self.warn(f"the web client is not bundled, so that it is served in more requests: {problem}")


class NameOnlyCadogan(egg_info):  # type: ignore[misc]  # setuptools has no types
    """setuptools' `egg_info`, which names `cadogan` as the only package that can be imported."""

    def run(self) -> None:
        """Write the metadata."""
        super().run()
        Path(self.egg_info, "top_level.txt").write_text("cadogan\n", "utf-8")


def gather(folder: Path) -> None:
    """Move the packages in this build folder into its package `cadogan`, and change what they import.

    Raises CannotRename, with the file and the line.
    """
    checkout = folder / "cadogan" / "checkout.py"
    packages: dict[str, str] = run_path(str(checkout))["PACKAGES"]
    checkout.unlink()
    names = PublicNames(packages, folder)
    for file in folder.rglob("*.py"):
        file.write_text(names.rewrite(file.read_text("utf-8"), str(file.relative_to(folder))), "utf-8")
    for name, public_name in packages.items():
        (folder / _path(name)).rename(folder / _path(public_name))
    (folder / "clients" / "__init__.py").unlink()  # nothing imports `clients` itself: `rewrite` would refuse it
    files = [file.relative_to(folder) for file in folder.rglob("*") if file.is_file()]
    left_over = [file for file in files if file.parts[0] != "cadogan"]
    if left_over:
        raise CannotRename(f"{left_over[0]}: this package has no public name in cadogan/checkout.py")
    (folder / "clients").rmdir()


class CannotRename(Exception):
    """A file names a module in a way that the build step does not change."""


class Edit(NamedTuple):
    """One replacement in a source text. Lines count from 1, columns from 0."""

    line: int
    column: int
    old: str
    new: str


class PublicNames:
    """The names of packages in a checkout, with their public names. `folder` holds the packages as in a checkout."""

    def __init__(self, packages: Mapping[str, str], folder: Path) -> None:
        self._packages = packages
        self._folder = folder
        self._roots = {name.partition(".")[0] for name in packages}
        roots = "|".join(sorted(self._roots))
        self._dotted_name = re.compile(rf"(?<![\w./-])(?:{roots})(?:\.\w+)+")
        self._doctest_import = re.compile(rf"(?<=>>> from )(?:{roots})(?= import )")

    def rewrite(self, source: str, file: str) -> str:
        """Return a module's source text with public names in its import statements and docstrings.

        Raises CannotRename where an import cannot be changed, or where a text other than a docstring names a module.
        """
        lines = source.splitlines(keepends=True)
        for line, column, old, new in sorted(self._edits(ast.parse(source), lines, file), reverse=True):
            before, rest = lines[line - 1][:column], lines[line - 1][column:]
            if not rest.startswith(old):
                raise CannotRename(f"{file}:{line}: write `{old}` on a line of its own")
            lines[line - 1] = before + new + rest.removeprefix(old)
        return "".join(lines)

    def _edits(self, module: ast.Module, lines: list[str], file: str) -> Iterator[Edit]:
        docstrings: set[ast.Constant] = set()
        for node in ast.walk(module):
            match node:
                case ast.Import():
                    yield from self._edit_import(node, f"{file}:{node.lineno}")
                case ast.ImportFrom():
                    yield from self._edit_import_from(node, f"{file}:{node.lineno}")
                case ast.Expr(value=ast.Constant(value=str()) as text):
                    docstrings.add(text)  # a statement is visited before the text in it
                    yield from self._edit_docstring(text, lines)
                case ast.Constant(value=str() as text) if node not in docstrings and self._names_module(text):
                    raise CannotRename(f"{file}:{node.lineno}: {text!r} names a module; take the module's `__name__`")

    def _edit_import(self, node: ast.Import, place: str) -> Iterator[Edit]:
        for name in (alias.name for alias in node.names if alias.name.partition(".")[0] in self._roots):
            if name not in self._packages or "." in name or ast.unparse(node) != f"import {name}":
                raise CannotRename(f"{place}: write `from PACKAGE import MODULE` instead of `{ast.unparse(node)}`")
            parent, _, child = self._packages[name].rpartition(".")
            yield Edit(node.lineno, node.col_offset, f"import {name}", f"from {parent} import {child}")

    def _edit_import_from(self, node: ast.ImportFrom, place: str) -> Iterator[Edit]:
        if node.module is None or node.level:
            raise CannotRename(f"{place}: write the module's whole name instead of `{ast.unparse(node)}`")
        if node.module.partition(".")[0] not in self._roots:
            return
        public_names = {self._public_name(f"{node.module}.{alias.name}") for alias in node.names}
        modules = {name.rpartition(".")[0] for name in public_names if name}
        if None in public_names or len(modules) != 1:
            raise CannotRename(f"{place}: `{ast.unparse(node)}` takes what `cadogan` does not have")
        yield Edit(node.lineno, node.col_offset, f"from {node.module} ", f"from {modules.pop()} ")

    def _edit_docstring(self, text: ast.Constant, lines: list[str]) -> Iterator[Edit]:
        assert text.end_lineno is not None
        for number in range(text.lineno, text.end_lineno + 1):
            line = lines[number - 1]
            found = [match for match in self._dotted_name.finditer(line) if self._names_module(match[0])]
            for match in [*found, *self._doctest_import.finditer(line)]:
                public_name = self._public_name(match[0])
                if public_name is not None:
                    yield Edit(number, match.start(), match[0], public_name)

    def _public_name(self, name: str) -> str | None:
        """Return the public name of a module, or of something in a module; None if it is in no public package."""
        for package, public_name in self._packages.items():
            if name == package or name.startswith(f"{package}."):
                return public_name + name.removeprefix(package)
        return None

    def _names_module(self, text: str) -> bool:
        """Whether a text is a name in a module, as "cadogan.engine.games." or "cadogan.server.app:make_app";
        "server.log" is none."""
        name = text.partition(":")[0].removesuffix(".")
        path = self._folder.joinpath(*name.split(".")[:2])
        return bool(self._dotted_name.fullmatch(name)) and (path.is_dir() or path.with_suffix(".py").is_file())


def _path(name: str) -> Path:
    return Path(*name.split("."))
