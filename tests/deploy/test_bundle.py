"""The bundle of the web client holds all of it, and is left out with a reason where it cannot be made."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cadogan.server.http.site.client_files import BUNDLE, LIBRARY, SCRIPTS, STYLE_SHEET, has_bundle
from deploy import bundle
from tests.harness import databases
from tests.harness.patience import long

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
CURVE = "1a0111ea397fe69a"
"""The first digits of the prime of BLS12-381."""


@pytest.fixture
def client(tmp_path: Path) -> Path:
    """A copy of the web client without a bundle."""
    return Path(shutil.copytree(bundle.CLIENT, tmp_path / "web", ignore=shutil.ignore_patterns(BUNDLE)))


def make_bundle(client: Path) -> None:
    """Make it; the test is skipped without the bundler, or fails where everything must run."""
    if not Path(sys.executable).with_name("deno").exists() and not databases.REQUIRED:
        pytest.skip("needs the bundler: `make test` brings it where a package manager can")
    bundle.make_bundle(client)


def test_one_script_holds_every_page_and_one_style_sheet_every_rule(client: Path) -> None:
    make_bundle(client)
    assert has_bundle(client)
    made = {file.name: file.read_text("utf-8") for file in (client / BUNDLE).iterdir()}
    assert made.keys() == {*SCRIPTS, LIBRARY, STYLE_SHEET, "digest"}
    loaded = {script: len(re.findall(r"import\(\S", made[script])) for script in SCRIPTS}
    assert loaded == dict.fromkeys(SCRIPTS, 0) | {"main.js": 2, "later.js": 1}, "of later.js and the library"
    assert not any("\nimport" in made[script] for script in SCRIPTS)
    for text in ("/theatre/", "/replay/", "idempotency-key"):
        assert text in made["main.js"].lower(), text
    assert "glances" in made["later.js"]
    assert "glances" not in made["main.js"]
    for selector in ("#bar", ".page.settings", ".page.theatre", ".page.rules"):
        assert selector in made[STYLE_SHEET].replace(":is(.replays,.theatre,.compare)", ".theatre"), selector
    assert len(made["main.js"]) < sum(file.stat().st_size for file in (client / "js").rglob("*.js")) / 2


def test_the_library_that_verifies_beacons_is_a_file_of_its_own_and_names_its_licence(client: Path) -> None:
    make_bundle(client)
    library, script = ((client / BUNDLE / part).read_text("utf-8") for part in (LIBRARY, "main.js"))
    assert "The MIT License" in library
    assert CURVE in library
    assert "import" not in library
    assert CURVE not in script


def test_a_library_of_another_digest_is_refused(client: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lock = client / bundle.LIBRARIES / "deno.lock"
    lock.write_text(re.sub(r"sha512-.", "sha512-x", lock.read_text("utf-8")), "utf-8")
    monkeypatch.setenv("DENO_DIR", str(tmp_path / "deno"))  # of what was brought before, nothing is asked
    with pytest.raises(bundle.CannotBundle):
        make_bundle(client)
    assert not has_bundle(client)


def test_what_is_up_to_date_is_not_made_again(client: Path) -> None:
    make_bundle(client)
    before = [file.stat().st_mtime_ns for file in sorted((client / BUNDLE).iterdir())]
    make_bundle(client)
    assert [file.stat().st_mtime_ns for file in sorted((client / BUNDLE).iterdir())] == before


def test_a_module_that_cannot_be_read_is_named(client: Path) -> None:
    (client / "js" / "router.js").write_text("export const = 1;\n")
    with pytest.raises(bundle.CannotBundle, match=r"router\.js"):
        make_bundle(client)
    assert not has_bundle(client)


@pytest.mark.parametrize(("required", "status"), [("", 0), ("1", 1)])
def test_without_a_bundler_the_bundle_is_left_out_with_the_reason(tmp_path: Path, required: str, status: int) -> None:
    for name in ("cadogan", "deploy", "server", "clients/web"):
        shutil.copytree(
            ROOT / name, tmp_path / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__", BUNDLE)
        )
    python = tmp_path / "bin" / "python"
    python.parent.mkdir()
    python.symlink_to(shutil.which(Path(sys.base_prefix, "bin", "python3")) or sys.executable)
    settings = {"PATH": str(python.parent), "PIP_NO_INDEX": "1", "CADOGAN_REQUIRE_SERVICES": required}
    ran = subprocess.run(
        [python, "-m", "deploy.bundle"],
        cwd=tmp_path,
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        timeout=long(),
        check=False,
    )
    assert ran.returncode == status
    assert ran.stderr.splitlines()[-1].startswith("Left out: the bundle of the web client, ")
