"""The group `cadogan house`: the database, the reasons and the refusals of its commands."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import get_args

import click

from cadogan.server.cli.options import report_errors
from cadogan.server.cli.output import Failure, say
from cadogan.server.config import Settings
from cadogan.server.core.clock import now
from cadogan.server.core.database.connections import Database, open_database
from cadogan.server.core.database.revisions import require_current
from cadogan.server.core.dates import moment_text
from cadogan.server.core.errors import RefusalError
from cadogan.server.core.fairness.sealed_deals import SealedDeals
from cadogan.server.core.games.game_reader import GameReader
from cadogan.server.core.storage.sql_store import SqlStore
from cadogan.server.subjects.admin.administration import Administration
from cadogan.server.subjects.daily.rules import CalendarError
from cadogan.server.subjects.known_rules import known_rules
from cadogan.wire import admin as wire
from cadogan.wire.codec import UnreadableMessage
from cadogan.wire.values import Reason

Work = Callable[[Administration], Awaitable[None]]
_why = [
    click.option("--reason", type=click.Choice(get_args(get_args(Reason)[0])), default="other", show_default=True),
    click.option("--note", default="", help="A few words for the other hosts."),
]


def with_reason_options(command: Callable[..., None]) -> Callable[..., None]:
    for option in reversed(_why):
        command = option(command)
    return command


def run_for_admin(settings: Settings, work: Work) -> None:
    """Run a command with the administration services, and report a refusal."""
    run_in_database(settings, lambda database: work(_open_administration(database)))


def say_link(settings: Settings, path: str, expires_at: int) -> None:
    """Print the link to a page, or its path if the address of the server is not set, and until when it is valid."""
    link = f"{settings.origin[0]}{path}" if settings.origin else f"{path} on your server"
    say(f"{link}, until {moment_text(expires_at)}")


def run_in_database(settings: Settings, work: Callable[[Database], Awaitable[None]]) -> None:
    """Run a command with the database, and report a refusal."""

    async def run() -> None:
        async with open_database(settings.database_url) as database:
            await require_current(database)
            await work(database)

    with report_errors(settings):
        try:
            asyncio.run(run())
        except RefusalError as refusal:
            raise Failure(refusal.message) from None
        except (CalendarError, UnreadableMessage) as error:
            raise Failure(str(error)) from None


def _open_administration(database: Database) -> Administration:
    store = SqlStore(database)
    reader = GameReader(store, SealedDeals(database), known_rules())
    return Administration(database, store, reader, lambda _: None, now)  # a server reads them with each board


@click.group("house")
def admin_group() -> None:
    """Do what hosts do: players, roles, entry, and the log of it. A PLAYER is a name or an id."""


def make_why(reason: Reason, note: str) -> wire.Why:
    return wire.Why(reason=reason, note=note[:200])
