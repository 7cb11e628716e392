"""What the command does for a host who is in doubt: looks at everything, and says what to do."""

import asyncio
import logging

import click
import structlog

from server.cli.options import report_errors, settings_flags
from server.config import Settings
from server.operations.doctor import State
from server.operations.doctor_probes import examine

_SIGNS = {State.FINE: "ok", State.DOUBTFUL: "??", State.WRONG: "!!"}


@click.command("doctor")
@settings_flags()
def doctor_command(settings: Settings) -> None:
    """Check a deployment, with the settings of its server, and say what to do. Exits 1 if anything is wrong.

    Looks at settings, tables, clock, durability, connections, secrets, the chains of a sample of streams, and the bus.
    """
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    with report_errors():
        states = asyncio.run(_print(settings))
    if State.WRONG in states:
        raise SystemExit(1)


async def _print(settings: Settings) -> set[State]:
    states = set()
    async for finding in examine(settings):
        states.add(finding.state)
        click.echo(f"{_SIGNS[finding.state]}  {finding.check:<11}  {finding.says}")
        if finding.advice:
            click.echo(f"{'':17}{finding.advice}")
    return states
