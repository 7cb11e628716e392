"""The command of hosts for the seasons: `cadogan house seasons`."""

from typing import Any

import click
import msgspec

from cadogan.server.cli.admin.group import admin_group, run_in_database
from cadogan.server.cli.options import settings_flags
from cadogan.server.cli.output import say
from cadogan.server.config import Settings
from cadogan.server.core.clock import now
from cadogan.server.core.database.connections import Database
from cadogan.server.subjects.seasons.stored_seasons import StoredSeasons


@admin_group.command("seasons")
@click.option("--on/--off", default=None, help="Whether a season follows another.")
@click.option("--weeks", type=click.IntRange(1, 26), help="How many weeks a season has.")
@click.option("--size", type=click.IntRange(8, 20), help="How many members a division is to have.")
@click.option("--best-of-week", type=click.IntRange(1, 20), help="How many sessions of a week count, the best.")
@click.option("--least-sessions", type=click.IntRange(0, 200), help="Who has fewer neither rises nor falls.")
@click.option("--demotion/--no-demotion", default=None, help="Whether the last of a division fall.")
@settings_flags("database_url")
def seasons_command(settings: Settings, **given: Any) -> None:
    """Show how the seasons to come are, or change it. The season that runs stays as it is; a server opens the next."""
    changes = {name: value for name, value in given.items() if value is not None}

    async def work(database: Database) -> None:
        seasons = StoredSeasons(database, now)
        if changes:
            await seasons.change(None, msgspec.structs.replace((await seasons.chosen()).settings, **changes))
        for name, value in msgspec.structs.asdict((await seasons.chosen()).settings).items():
            say(f"{name.replace('_', '-')}: {value if not isinstance(value, bool) else 'yes' if value else 'no'}")
        for id in (await seasons.ids())[-1:]:
            say(f"season {id}: {'over' if (await seasons.get(id)).closed else 'goes on'}")

    run_in_database(settings, work)
