"""`cadogan config`, and `--config` of the other commands."""

import json
from pathlib import Path

import click
import pytest

from cadogan.server import config
from cadogan.server.cli.main import LazyGroup, main
from tests.harness.command_line import run


def commands(group: click.Group, *names: str) -> list[tuple[tuple[str, ...], click.Command]]:
    """Every command of the group and of its groups, with the names to call it by."""
    context = click.Context(group)
    found: list[tuple[tuple[str, ...], click.Command]] = []
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        inner = isinstance(command, click.Group)
        found += (
            commands(command, *names, name)
            if isinstance(command, click.Group) and inner
            else [((*names, name), command)]
        )
    return found


def test_every_command_that_takes_a_setting_takes_a_file_of_settings() -> None:
    assert isinstance(main, LazyGroup)
    flags = {config.flag(setting) for setting in config.all_settings()}
    taking = 0
    for name, command in commands(main):
        options = {option for parameter in command.params for option in parameter.opts}
        if options & flags:
            taking += 1
            assert "--config" in options, name
    assert taking > 10


def test_it_prints_every_setting_and_where_it_comes_from(tmp_path: Path) -> None:
    file = tmp_path / "cadogan.toml"
    file.write_text('# the club\nport = 9000\nmetrics_token = "hunter2hunter2hunter2"\n')
    printed = run("config", "--config", str(file), "--rate", "5", CADOGAN_BURST="6", CADOGAN_PROT="7")
    assert printed.exit_code == 0
    rows = {line.split()[0]: line.split(maxsplit=1)[1] for line in printed.output.splitlines()}
    assert set(rows) == {each.name for each in config.all_settings()} | {"CADOGAN_PROT"}
    assert rows["port"].split(maxsplit=1) == ["9000", f"file ({file}, line 2: port)"]
    assert rows["rate"].split(maxsplit=1) == ["5", "option (--rate)"]
    assert rows["burst"].split(maxsplit=1) == ["6", "variable (CADOGAN_BURST)"]
    assert rows["metrics_token"].split(maxsplit=1)[0] == "***"
    assert rows["log_level"].split(maxsplit=1) == ["info", "default"]
    assert rows["CADOGAN_PROT"] == "is set, and is no setting of this version: did you mean CADOGAN_PORT?"
    assert "hunter2" not in printed.output


def test_it_prints_one_json_object(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/cadogan.db"
    printed = json.loads(run("config", "--json", CADOGAN_DATABASE_URL=url).output)
    assert printed["unknown_variables"] == []
    assert [each["name"] for each in printed["settings"]] == [each.name for each in config.all_settings()]
    row = next(each for each in printed["settings"] if each["name"] == "database_url")
    assert (row["value"], row["source"], row["where"], row["secret"]) == (url, "variable", "CADOGAN_DATABASE_URL", True)


@pytest.mark.parametrize("command", [("config",), ("serve",), ("migrate",), ("host", "somebody"), ("house", "log")])
def test_a_file_that_cannot_be_used_is_refused_by_every_command(tmp_path: Path, command: tuple[str, ...]) -> None:
    file = tmp_path / "cadogan.toml"
    file.write_text("port = 8000\nprot = 8000\n")
    for refused in (run(*command, "--config", str(file)), run(*command, CADOGAN_CONFIG=str(file))):
        assert refused.exit_code == 2
        assert "line 2: 'prot' is not a setting: did you mean 'port'?" in " ".join(refused.output.split())


def test_settings_that_do_not_fit_each_other_are_refused() -> None:
    refused = run("config", CADOGAN_BUS="postgresql")
    assert (refused.exit_code, "needs a PostgreSQL database" in refused.output) == (2, True)


def test_a_command_uses_the_database_of_its_file(tmp_path: Path) -> None:
    file = tmp_path / "cadogan.toml"
    file.write_text(f'database_url = "sqlite:///{tmp_path}/club.db"\n')
    assert run("migrate", "--config", str(file)).exit_code == 0
    assert (tmp_path / "club.db").exists()
