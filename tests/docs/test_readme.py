"""What the README and the page for hosts say is true, and the image contains what it must."""

import re
import subprocess
import tomllib
from pathlib import Path

import click
import pytest

from cadogan.cli import main
from cadogan.server import config

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
HOSTING = (ROOT / "docs" / "hosting.md").read_text("utf-8")


def test_the_page_for_hosts_holds_the_table_of_settings_as_it_is() -> None:
    table = HOSTING.partition("<!-- settings -->\n")[2].partition("<!-- /settings -->")[0]
    assert table.strip() == config.settings_table()


@pytest.mark.parametrize("name", main.list_commands(click.Context(main)))
def test_the_page_for_hosts_names_every_command(name: str) -> None:
    assert f"`cadogan {name}" in HOSTING


def test_the_map_names_every_folder() -> None:
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    folders = {path.partition("/")[0] for path in tracked.splitlines() if "/" in path and not path.startswith(".")}
    assert [folder for folder in sorted(folders) if f"| `{folder}/" not in README] == []


def test_the_image_holds_every_package_that_is_installed() -> None:
    included = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]["find"]["include"]
    copied = [line for line in (ROOT / "Dockerfile").read_text().splitlines() if line.startswith("COPY")]
    for package in (pattern.rstrip("*") for pattern in included):
        assert f"COPY {package} {package}" in copied


def test_everything_that_the_image_copies_is_sent_to_docker() -> None:
    copied = re.findall(r"^COPY (?!--)(.+) \S+$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    let_through = (ROOT / ".dockerignore").read_text().splitlines()
    assert [name for name in " ".join(copied).split() if f"!{name}" not in let_through] == []
