"""Makes `cadogan.sdk`, `cadogan.engine` and the others importable in a checkout, where their folders lie elsewhere.

The wheel has these packages inside `cadogan`, and has no module `checkout` (see `deploy/wheel.py`). In a checkout, and
so in an editable install, a finder answers to these names with the modules of the checkout themselves:
`cadogan.sdk.errors` is `cadogan.sdk.errors`, so every class exists only once.
"""

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import InspectLoader, Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, spec_from_loader
from types import CodeType, ModuleType

PACKAGES = {
    "cadogan.bots": "cadogan.bots",
    "cadogan.sdk": "cadogan.sdk",
    "cadogan.terminal": "cadogan.terminal",
    "cadogan.web": "cadogan.web",
    "cadogan.wire": "cadogan.wire",
    "engine": "cadogan.engine",
    "migrations": "cadogan.migrations",
    "server": "cadogan.server",
}
"""Each package's name in a checkout, and the name under which other people import it."""


class PublicNameFinder(MetaPathFinder):
    """Finds the modules of the checkout by their public names."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return how to load the module with this public name, or None if it is not ours or does not exist."""
        for name, public_name in PACKAGES.items():
            if fullname == public_name or fullname.startswith(f"{public_name}."):
                spec = find_spec(name + fullname.removeprefix(public_name))
                if spec is None:
                    return None
                is_package = spec.submodule_search_locations is not None
                return spec_from_loader(fullname, _SameModuleLoader(spec), origin=spec.origin, is_package=is_package)
        return None


class _SameModuleLoader(Loader):
    """Loads a module of the checkout by its own name, and hands it over for its public name."""

    def __init__(self, spec: ModuleSpec) -> None:
        self._spec = spec

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Import the module by its own name and return it."""
        module = import_module(self._spec.name)
        self._spec = module.__spec__ or self._spec
        for name, submodule in list(sys.modules.items()):
            if name.startswith(f"{self._spec.name}."):
                # Python makes each submodule that it imports an attribute of the package. If it had to import this one
                # again, the attribute would replace a function of the same name, as in `from cadogan.engine import
                # game`.
                sys.modules.setdefault(spec.name + name.removeprefix(self._spec.name), submodule)
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Give the module its own spec back: Python has just put the one for the public name in its place."""
        module.__spec__ = self._spec

    def get_code(self, fullname: str) -> CodeType | None:
        """Return the module's code, which `python -m` asks for."""
        assert isinstance(self._spec.loader, InspectLoader)
        return self._spec.loader.get_code(self._spec.name)


def add_public_names() -> None:
    """Let the packages of this checkout be imported by their public names."""
    # It has to come first: the finder of files would load each module a second time.
    sys.meta_path.insert(0, PublicNameFinder())
