"""The command `upgrade-check`: reports obstacles to an upgrade to this version."""

import asyncio
import json
import logging
from pathlib import Path

import click
import structlog

from cadogan.server import config_sources
from cadogan.server.cli.doctor import print_finding
from cadogan.server.cli.options import report_errors, settings_flags
from cadogan.server.cli.output import say
from cadogan.server.config import Settings
from cadogan.server.operations.doctor import Finding, Severity
from cadogan.server.operations.upgrade_probes import check_upgrade

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
