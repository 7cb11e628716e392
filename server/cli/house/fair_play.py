"""The commands of hosts for fair play: disqualifications, reports and findings of copies."""

import json
from typing import Any, get_args

import click

from cadogan.server.cli.house.group import house_group, make_why, run_in_house, with_reason_options
from cadogan.server.cli.options import settings_flags
from cadogan.server.cli.output import say
from cadogan.server.config import Settings
from cadogan.server.house.house import House
from cadogan.wire.reports import Outcome, Settle
from cadogan.wire.values import Reason


@house_group.command("strike")
@click.argument("game")
@with_reason_options
@settings_flags("database_url")
def strike_command(settings: Settings, game: str, reason: Reason, note: str) -> None:
    """Take a GAME that is over, by its id, off the boards and out of all figures. Its record stays."""

    async def work(house: House) -> None:
        await house.strikes.strike(None, game, True, make_why(reason, note))

    run_in_house(settings, work)


@house_group.command("return")
@click.argument("game")
@with_reason_options
@settings_flags("database_url")
def return_command(settings: Settings, game: str, reason: Reason, note: str) -> None:
    """Put a GAME that was struck back on the boards."""

    async def work(house: House) -> None:
        await house.strikes.strike(None, game, False, make_why(reason, note))

    run_in_house(settings, work)


@house_group.command("reports")
@settings_flags("database_url")
def reports_command(settings: Settings) -> None:
    """Print the reports of players that wait, the earliest first, as lines of JSON."""

    async def work(house: House) -> None:
        offset = 0
        while page := await house.reports.waiting(offset, 200):
            for one in page:
                say(json.dumps({key: value for key, value in one._asdict().items() if value not in (None, "")}))
            offset += len(page)

    run_in_house(settings, work)


@house_group.command("settle")
@click.argument("report")
@click.argument("outcome", type=click.Choice(get_args(get_args(Outcome)[0])))
@click.option("--note", default="", help="A few words for the other hosts.")
@settings_flags("database_url")
def settle_command(settings: Settings, report: str, outcome: Outcome, note: str) -> None:
    """Settle a REPORT, by its id; who reported is told the OUTCOME."""

    async def work(house: House) -> None:
        await house.reports.settle(None, report, Settle(outcome=outcome, note=note[:200]))

    run_in_house(settings, work)


@house_group.command("findings")
@click.argument("day")
@settings_flags("database_url")
def findings_command(settings: Settings, day: str) -> None:
    """Print which runs of a closed DAY follow others, or were played like a machine, as lines of JSON."""

    async def work(house: House) -> None:
        found = await house.findings.of_day(day)
        for finding in (*found.copies, *found.paces):
            say(json.dumps(_as_objects(finding)))

    run_in_house(settings, work)


def _as_objects(value: Any) -> Any:
    """Convert named tuples, at any depth, to JSON objects."""
    if hasattr(value, "_asdict"):
        return {key: _as_objects(one) for key, one in value._asdict().items()}
    return [_as_objects(one) for one in value] if isinstance(value, tuple | list) else value
