"""The wheel puts one name into site-packages, and works beside folders of other people that are called as ours."""

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path
from tarfile import TarFile
from urllib.request import urlopen

import pytest

from cadogan.server.http.site.client_files import BUNDLE, has_bundle
from tests.harness import databases
from tests.harness.patience import long, soon
from tests.harness.server_process import NO_RATE_LIMIT, ServerProcess

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check")
OUR_FOLDERS = ("clients", "engine", "migrations", "server")


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what the Dockerfile copies before it installs, and of MANIFEST.in."""
    folder = tmp_path_factory.mktemp("sources")
    copied = re.findall(r"^COPY (?!--)(.+) \S+$", (ROOT / "Dockerfile").read_text("utf-8"), re.MULTILINE)
    for name in [*" ".join(copied).split(), "MANIFEST.in"]:
        (folder / name).parent.mkdir(exist_ok=True)
        if (ROOT / name).is_dir():
            shutil.copytree(
                ROOT / name, folder / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__", BUNDLE)
            )
        else:
            shutil.copy(ROOT / name, folder / name)
    return folder


@pytest.fixture(scope="module")
def wheel(sources: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel without the compiled engine, built in a folder where an earlier version has built its own."""
    (sources / "build" / "lib" / "cadogan").mkdir(parents=True)
    (sources / "build" / "lib" / "cadogan" / "old.py").touch()
    folder = tmp_path_factory.mktemp("wheel")
    return build(sources, folder, CADOGAN_COMPILED="false")


def build(sources: Path, folder: Path, **settings: str) -> Path:
    """Build the wheel in a folder, and return it."""
    made = (*PIP, "wheel", "--quiet", "--no-build-isolation", "--no-deps", "--no-index", "--wheel-dir", folder, sources)
    run(*made, cwd=folder, **settings)
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def programs(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of a fresh environment that has the wheel, and this environment's third-party packages."""
    environment = tmp_path_factory.mktemp("environment")
    venv.create(environment, symlinks=True)
    python = environment / "bin" / "python"
    run(*PIP, "--python", python, "install", "--quiet", "--no-deps", "--no-index", wheel)
    packages = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    # Python does not read the .pth files of a folder that a .pth file names: our own editable install stays unseen.
    (packages / "third_party.pth").write_text(sysconfig.get_path("purelib"), "utf-8")
    return environment / "bin"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder where somebody has packages called as our folders are, which cannot be imported."""
    for name in OUR_FOLDERS:
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise ImportError('somebody else has a package of this name')")
    return tmp_path


def run(*command: str | Path, cwd: Path | None = None, **settings: str) -> str:
    """Run a command and return what it prints. Its errors are part of the failure."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("CADOGAN_", "PYTHON"))}
    ran = subprocess.run(
        command, cwd=cwd, env={**environment, **settings}, capture_output=True, text=True, timeout=long()
    )
    assert ran.returncode == 0, f"{command}\n{ran.stdout}\n{ran.stderr}"
    return ran.stdout


def read(address: str) -> str:
    """Return what a server answers under this address."""
    with urlopen(address, timeout=soon()) as answer:
        return str(answer.read(), "utf-8")


def test_the_only_name_in_the_wheel_is_cadogan(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        tops = {name.partition("/")[0] for name in archive.namelist()}
        (top_level,) = (name for name in archive.namelist() if name.endswith("/top_level.txt"))
        assert archive.read(top_level) == b"cadogan\n"
    assert {re.sub(r"-.*\.", "-*.", top) for top in tops} == {"cadogan", "cadogan-*.dist-info"}


def test_the_wheel_holds_every_file_that_is_not_python(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if not name.endswith(".py")}
    files = {path for path in (ROOT / "clients/web").rglob("*") if path.is_file() and path.suffix != ".pyc"}
    web = {path for path in files if path.parent.name != BUNDLE}
    pages = set((ROOT / "engine/games").rglob("*.md"))
    expected = {f"cadogan/{path.relative_to(ROOT / 'clients')}" for path in web}
    expected |= {f"cadogan/{path.relative_to(ROOT)}" for path in pages}
    expected |= {f"cadogan/{path.relative_to(ROOT)}" for path in (ROOT / "server/core/languages").iterdir()}
    expected |= {"cadogan/py.typed", "cadogan/migrations/script.py.mako"}
    expected |= {f"cadogan/wire/{name}" for name in ("asyncapi.json", "openapi.json", "wire.d.ts")}
    assert expected <= held


def test_the_source_archive_holds_the_build_step(sources: Path, tmp_path: Path) -> None:
    program = "import sys; from setuptools.build_meta import build_sdist; build_sdist(sys.argv[1])"
    run(sys.executable, "-c", program, tmp_path, cwd=sources)
    (archive,) = tmp_path.glob("*.tar.gz")
    with TarFile.open(archive) as files:
        names = {name.partition("/")[2] for name in files.getnames()}
    assert {
        "deploy/wheel.py",
        "deploy/bundle.py",
        "deploy/build_backend.py",
        "cadogan/engine/games/klondike.md",
        "cadogan/web/index.html",
    } <= names


def test_every_module_can_be_imported_beside_folders_of_the_same_names(programs: Path, folder: Path) -> None:
    (folder / "script.py").write_text("""
import cadogan, sys
from importlib import import_module
from pkgutil import walk_packages

for module in walk_packages(cadogan.__path__, "cadogan."):
    if not module.name.endswith(".__main__") and not module.name.startswith("cadogan.migrations."):
        import_module(module.name)
print(cadogan.__file__)
print(*sorted({name.partition(".")[0] for name in sys.modules} & {"clients", "engine", "migrations", "server"}))
""")
    file, imported = run(programs / "python", "script.py", cwd=folder).split("\n", 1)
    assert Path(file).is_relative_to(programs.parent)
    assert imported.strip() == ""


def test_the_wheel_holds_the_web_client_bundled(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    if not (tmp_path / "cadogan" / "web" / BUNDLE).exists() and not databases.REQUIRED:
        pytest.skip("needs the bundler: `make test` brings it where a package manager can")
    assert has_bundle(tmp_path / "cadogan" / "web")


async def test_the_ten_lines_play_at_a_server_from_the_same_wheel(programs: Path, folder: Path) -> None:
    url = f"sqlite:///{folder / 'club.db'}"
    run(programs / "cadogan", "migrate", cwd=folder, CADOGAN_DATABASE_URL=url)
    (lines,) = re.findall(r"```python ten-lines\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    assert "from cadogan.sdk.blocking import connect\n" in lines
    async with ServerProcess(url, folder / "server.log", NO_RATE_LIMIT, [str(programs / "cadogan"), "serve"]) as server:
        (folder / "script.py").write_text(lines.replace("http://127.0.0.1:8000", server.url), "utf-8")
        printed = await asyncio.to_thread(run, programs / "python", "script.py", cwd=folder)
        icon = await asyncio.to_thread(read, f"{server.url}/icon.svg")
        rules = await asyncio.to_thread(read, f"{server.url}/api/v1/rules/klondike?language=de")
    assert printed.splitlines()[0].endswith((", resigned", ", lost", ", won"))
    assert icon == (ROOT / "clients/web/icon.svg").read_text("utf-8")
    assert json.loads(rules)["language"] == "de"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("verify", str(ROOT / "tests/web/records/casual.json")), "consistent with its rules and its seal: "),
        (("games",), "klondike"),
        (("solo", "--help"), "Usage: cadogan solo "),
    ],
)
def test_a_command_works_without_a_server(
    programs: Path, folder: Path, arguments: tuple[str, ...], expected: str
) -> None:
    assert expected in run(programs / "cadogan", *arguments, cwd=folder)


def test_the_bots_run_as_a_program(programs: Path, folder: Path) -> None:
    printed = run(programs / "python", "-m", "cadogan.bots", "--help", cwd=folder)
    assert printed.startswith("Usage: python -m cadogan.bots ")
