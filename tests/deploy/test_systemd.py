"""The units of systemd: they are well-formed, hardened, and run commands and settings that exist."""

import os
import re
import shlex
import shutil
import subprocess
from configparser import ConfigParser
from pathlib import Path

import click
import pytest

from cadogan.cli import main
from cadogan.server.config_sources import find_settings
from cadogan.server.http.websocket import SHUTDOWN_SECONDS

FOLDER = Path(__file__).parents[2] / "deploy" / "systemd"
SERVICES = sorted(FOLDER.glob("*.service"))
UNITS = [*SERVICES, *sorted(FOLDER.glob("*.timer"))]
README = (FOLDER / "README.md").read_text("utf-8")
MAX_EXPOSURE = 15
"""The most that `systemd-analyze security` may give a service, from 0 (hardened) to 100 (as root, with all rights)."""


def read_unit(file: Path) -> ConfigParser:
    """A unit as sections; of a key that stands twice, the last one counts."""
    parser = ConfigParser(strict=False, interpolation=None, delimiters=("=",), comment_prefixes=("#",))
    parser.optionxform = str  # type: ignore[assignment,method-assign]  # keys of units are not in small letters
    parser.read_string(file.read_text("utf-8"))
    return parser


@pytest.fixture(scope="module")
def analyze() -> str:
    """The program `systemd-analyze`; the test is skipped without it."""
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("needs systemd-analyze")
    return program


@pytest.mark.parametrize("unit", UNITS, ids=lambda file: file.name)
def test_systemd_finds_nothing_wrong_with_a_unit(unit: Path, analyze: str, tmp_path: Path) -> None:
    program = tmp_path / "cadogan"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    for file in UNITS:
        text = file.read_text("utf-8").replace("/usr/lib/cadogan/bin/cadogan", str(program))
        (tmp_path / file.name).write_text(text)
    output = subprocess.run([analyze, "verify", "--man=no", tmp_path / unit.name], capture_output=True, text=True)
    assert [line for line in output.stderr.splitlines() if "cadogan" in line] == []
    assert output.returncode == 0, output.stderr


@pytest.mark.parametrize("unit", SERVICES, ids=lambda file: file.name)
def test_a_service_gives_away_little(unit: Path, analyze: str) -> None:
    output = subprocess.run(
        [analyze, "security", "--offline=yes", f"--threshold={MAX_EXPOSURE}", "--no-pager", unit],
        capture_output=True,
        text=True,
        env={**os.environ, "COLUMNS": "120"},
    )
    assert output.returncode == 0, output.stdout[-300:]


def test_every_command_of_a_service_and_of_the_readme_exists() -> None:
    texts = [read_unit(unit)["Service"]["ExecStart"] for unit in SERVICES]
    commands = re.findall(r"bin/cadogan (\w+)", "\n".join(texts))
    assert sorted(commands) == ["analyst", "backup", "serve"]
    commands += re.findall(r"cadogan-run ([\w-]+)", README)
    context = click.Context(main)
    assert [name for name in commands if main.get_command(context, name) is None] == []


@pytest.mark.parametrize("unit", SERVICES, ids=lambda file: file.name)
def test_every_option_of_a_service_exists(unit: Path) -> None:
    words = shlex.split(read_unit(unit)["Service"]["ExecStart"])
    words = shlex.split(words[2].replace("$(date +%%F)", "2026-11-20")) if words[0] == "/bin/sh" else words
    name, *arguments = words[words.index("/usr/lib/cadogan/bin/cadogan") + 1 :]
    command = main.get_command(click.Context(main), name)
    assert command is not None
    parsed = command.make_context(name, arguments).params
    assert str(parsed["config_file"]) == "/etc/cadogan/cadogan.toml"


def test_a_secret_in_a_file_of_the_readme_is_the_setting(tmp_path: Path) -> None:
    """systemd names a credential of a folder by the id, `_` and the file's name."""
    prefix = read_unit(FOLDER / "cadogan.service")["Service"]["LoadCredential"].partition(":")[0]
    file, url = re.findall(r"echo '(\S+)' > /etc/cadogan/credentials/(\w+)", README)[0][::-1]
    (tmp_path / f"{prefix}_{file}").write_text(url + "\n")
    found = find_settings({"CREDENTIALS_DIRECTORY": str(tmp_path)})
    assert {each.setting.name: each.value for each in found if each.source == "credential"} == {"database_url": url}


def test_every_unit_has_the_same_account_folder_and_hardening() -> None:
    same = ("User", "Group", "WorkingDirectory", "LoadCredential", "UMask", "ProtectSystem", "SystemCallFilter")
    services = [read_unit(unit)["Service"] for unit in SERVICES]
    for key in same:
        assert len({service[key] for service in services}) == 1, key
    assert services[0]["WorkingDirectory"] == "/var/lib/cadogan"


def test_the_readme_installs_every_file_and_names_every_path() -> None:
    for file in FOLDER.iterdir():
        assert f"deploy/systemd/{file.name}" in README or f"*{file.suffix}" in README or file.name == "README.md"
    for path in (
        "/etc/cadogan/cadogan.toml",
        "/etc/cadogan/credentials/",
        "/var/lib/cadogan/backups/",
        "/usr/lib/cadogan/",
    ):
        assert f"| `{path}` |" in README


def test_a_node_has_longer_to_stop_than_its_connections() -> None:
    seconds = int(read_unit(FOLDER / "cadogan.service")["Service"]["TimeoutStopSec"])
    assert seconds >= 2 * SHUTDOWN_SECONDS
