"""The script that builds the image says what it leaves out, and fails for nothing that is not its fault."""

import re
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "deploy" / "build_image.sh"


def run_with(folder: Path, **programs: str) -> subprocess.CompletedProcess[str]:
    """Run the script with nothing but the standard tools and these programs, given as shell scripts."""
    for tool in ("bash", "dirname", "env", "id", "mktemp", "rm", "tail", "timeout"):
        if tool not in programs:
            (folder / tool).symlink_to(shutil.which(tool) or tool)
    for name, body in programs.items():
        (folder / name).write_text(f"#!/usr/bin/env bash\n{body}\n")
        (folder / name).chmod(0o755)
    return subprocess.run([SCRIPT], env={"PATH": str(folder)}, capture_output=True, text=True, check=False)


def test_without_a_builder_the_image_is_left_out(tmp_path: Path) -> None:
    ran = run_with(tmp_path)
    assert (ran.returncode, ran.stdout) == (3, "Left out: the image. buildah is not installed.\n")


def test_without_a_registry_the_image_is_left_out_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    ran = run_with(tmp_path / "bin", buildah="echo 'no such host' >&2; exit 125", id="echo 0")
    assert ran.returncode == 3
    base = re.search("^ARG PYTHON=(.*)$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    assert base
    assert ran.stdout == f"Left out: the image. docker.io/library/{base[1]} cannot be pulled: no such host\n"


def test_every_image_that_is_pulled_is_named_by_version_and_digest() -> None:
    pulled = re.findall("^ARG PYTHON=(.*)$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    pulled += re.findall("^ *image: (?!cadogan$)(.*)$", (ROOT / "docker-compose.yml").read_text(), re.MULTILINE)
    assert len(pulled) == 4
    assert [one for one in pulled if not re.fullmatch(r"[a-z]+:\d+\.\d+[\w.-]*@sha256:[0-9a-f]{64}", one)] == []


def test_an_image_that_cannot_be_built_is_a_failure(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    ran = run_with(tmp_path / "bin", buildah='case "$*" in *pull*) exit 0;; *) exit 1;; esac', id="echo 0")
    assert ran.returncode == 1
