"""The page for hosts names every metric and every check of the doctor, and only commands and settings that exist."""

import re
from pathlib import Path

import click

from cadogan.server import config
from cadogan.server.cli.main import main
from cadogan.server.core.metrics import Metrics
from cadogan.server.core.version import known_revisions
from cadogan.server.operations import doctor, outside_checks, soundness

PAGE = (Path(__file__).parents[2] / "docs" / "operations.md").read_text("utf-8")
CODE = "".join(Path(str(module.__file__)).read_text("utf-8") for module in (doctor, outside_checks, soundness))


def column(first: str) -> list[str]:
    """What stands first in the rows of the table with this heading."""
    table = PAGE.partition(f"| {first} |")[2].partition("\n\n")[0]
    return re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)


def test_every_metric_is_explained() -> None:
    assert sorted(column("metric")) == sorted(family.name for family in Metrics().registry.collect())


def test_every_check_of_the_doctor_is_explained() -> None:
    assert set(column("check")) == set(re.findall(r'ok\("(\w+)"', CODE))


def test_what_the_doctor_says_is_quoted_as_it_says_it() -> None:
    revision = re.findall(r"those of this version, (\w+)", PAGE)[0]
    assert revision in known_revisions()
    full = {"fsync": "on", "full_page_writes": "on", "synchronous_commit": "on"}
    for found in (
        doctor.check_proxy(config.Settings()),
        doctor.check_processes(config.Settings(), 2),
        doctor.check_postgresql_durability(full),
        doctor.check_connections(30, 0, 0),
        doctor.check_tables(revision, revision),
    ):
        mark = "ok" if found.severity is doctor.Severity.OK else "??"
        assert f"    {mark}  {found.check:11}  {found.message}\n" in PAGE
        assert found.advice in PAGE


def test_every_command_and_setting_it_names_exists() -> None:
    assert set(re.findall(r"`cadogan ([\w-]+)", PAGE)) <= set(main.list_commands(click.Context(main)))
    assert set(re.findall(r"CADOGAN_\w+", PAGE)) <= {config.variable(setting) for setting in config.all_settings()}
