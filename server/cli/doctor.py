"""The commands that look at a deployment: `config`, `doctor` and `upgrade-check`."""

import asyncio
import json
import logging
from collections.abc import Sequence
from pathlib import Path

import click
import structlog

from cadogan.server import config, config_sources
from cadogan.server.cli.options import found_settings_flags, report_errors, settings_flags
from cadogan.server.cli.output import say
from cadogan.server.config import SettingError, Settings
from cadogan.server.config_sources import GivenValue, make_settings
from cadogan.server.operations.doctor import Finding, Severity
from cadogan.server.operations.doctor_probes import diagnose, probe_settings_file
from cadogan.server.operations.upgrade_probes import check_upgrade


@click.command("config")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@found_settings_flags()
def config_command(found: Sequence[config_sources.GivenValue], as_json: bool) -> None:
    """Print every setting with its value, and where the value comes from; what is secret is masked.

    A flag overrides an environment variable, that a credential of systemd, that the file of settings, and that the
    default. Exits 2 if a value cannot be used.
    """
    try:
        config_sources.make_settings(found)
    except config.SettingError as error:
        raise click.UsageError(str(error)) from None
    unknown = config_sources.unknown_variables()
    if as_json:
        settings = [_describe(each) for each in found]
        say(json.dumps({"settings": settings, "unknown_variables": unknown}, ensure_ascii=False))
        return
    names, values = (max(map(len, column)) for column in zip(*((e.setting.name, e.shown) for e in found), strict=True))
    for each in found:
        where = f" ({each.where})" if each.where else ""
        say(f"{each.setting.name:{names}}  {each.shown:{values}}  {each.source}{where}")
    for name in unknown:
        say(config_sources.describe_unknown(name))


def _describe(each: config_sources.GivenValue) -> dict[str, str | bool | None]:
    return {
        "name": each.setting.name,
        "value": each.shown,
        "source": each.source,
        "where": each.where or None,
        "secret": config.is_secret(each.setting),
        "variable": config.variable(each.setting),
        "default": config.default(each.setting),
        "meaning": config.meaning(each.setting),
    }


_SIGNS = {Severity.OK: "ok", Severity.WARNING: "??", Severity.ERROR: "!!"}


@click.command("doctor")
@click.option("--whole", is_flag=True, help="Look at every event and every row, which takes minutes on a large log.")
@found_settings_flags()
def doctor_command(found: Sequence[GivenValue], whole: bool) -> None:
    """Check a deployment with the settings of its server. Exits 1 if anything is wrong.

    Checks the settings, tables, clock, durability, connections, secrets, the hash chains of a sample of streams, the
    bus, the servers for mails and sign-in, and who may read the files. Says what to do about everything that is not
    well.

    With --whole, checks the hash chain and the times of every stream, that every stream is as the transparency log
    says, and that leaderboards and lists follow from the log. Servers may go on meanwhile.
    """
    try:
        settings = make_settings(found)
    except SettingError as wrong:
        raise click.UsageError(str(wrong)) from None
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    with report_errors(settings):
        severities = asyncio.run(_print(settings, found, whole))
    if Severity.ERROR in severities:
        raise SystemExit(1)


async def _print(settings: Settings, found: Sequence[GivenValue], whole: bool) -> set[Severity]:
    severities = set()
    if (of_file := probe_settings_file(found)) is not None:
        severities.add(of_file.severity)
        print_finding(of_file)
    async for finding in diagnose(settings, whole):
        severities.add(finding.severity)
        print_finding(finding)
    return severities


def print_finding(finding: Finding) -> None:
    """Print a finding in one line, and its advice, if any, in another one."""
    say(f"{_SIGNS[finding.severity]}  {finding.check:<11}  {finding.message}")
    if finding.advice:
        say(f"{'':17}{finding.advice}")


WARNED = 3
"""The exit code if there are warnings, and no errors."""


@click.command("upgrade-check")
@click.option(
    "--backup",
    metavar="FILE|FOLDER",
    type=click.Path(path_type=Path),
    help="The latest backup, or the folder of the backups.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@settings_flags()
def upgrade_check_command(settings: Settings, backup: Path | None, as_json: bool) -> None:
    """Check whether a database, its backup and its settings are ready for this version. Changes nothing.

    Run it with the new version, before `cadogan migrate`. Exits 0 if all is well, 3 if there are warnings, and 1 if
    something has to be done first.
    """
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    with report_errors(settings):
        findings = asyncio.run(_collect(settings, backup))
    if as_json:
        say(json.dumps({"findings": [finding._asdict() for finding in findings]}, ensure_ascii=False))
    else:
        for finding in findings:
            print_finding(finding)
    severities = {finding.severity for finding in findings}
    if severities != {Severity.OK}:
        raise SystemExit(1 if Severity.ERROR in severities else WARNED)


async def _collect(settings: Settings, backup: Path | None) -> list[Finding]:
    return [each async for each in check_upgrade(settings, backup, config_sources.unknown_variables())]
