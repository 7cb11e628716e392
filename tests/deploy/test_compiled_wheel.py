"""A wheel that was built where a C++ compiler is has the compiled engine, and searches with it."""

import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

from cadogan.engine.compiled.building import find_compiler
from tests.deploy.test_installed_wheel import PIP, build, run, sources, wheel

pytestmark = pytest.mark.heavy

__all__ = ["sources", "wheel"]

LIBRARY = "cadogan/engine/compiled/build/rules.so"
PROGRAM = """
from cadogan import engine
from cadogan.engine import solver
from cadogan.engine.compiled import building, choice

library, reason = choice.find_library()
assert library is not None, reason
for slug in engine.slugs()[::8]:
    game = engine.game(slug)
    state = game.deal(bytes(32))
    assert library.has(game), slug
    found = [search(game, state, bytes(32), 200) for search in (solver.solve, choice.solve)]
    assert found[0] == found[1], (slug, found)
print(building.LIBRARY)
"""


def test_a_wheel_from_a_machine_with_a_compiler_is_for_its_platform_and_searches_with_the_library(
    sources: Path, wheel: Path, tmp_path: Path
) -> None:
    if find_compiler() is None:
        pytest.skip("needs a C++ compiler")
    made = build(sources, tmp_path)
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    assert made.name.endswith(f"-py3-none-{platform}.whl")
    assert wheel.name.endswith("-py3-none-any.whl")
    held = []
    for one in (made, wheel):
        with zipfile.ZipFile(one) as archive:
            held.append(LIBRARY in archive.namelist())
    assert held == [True, False]
    venv.create(tmp_path / "environment", symlinks=True)
    python = tmp_path / "environment" / "bin" / "python"
    run(*PIP, "--python", python, "install", "--quiet", "--no-deps", "--no-index", made)
    packages = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('platlib'))").strip())
    (packages / "third_party.pth").write_text(sysconfig.get_path("purelib"), "utf-8")
    assert run(python, "-c", PROGRAM, cwd=tmp_path).strip() == str(packages / LIBRARY)
