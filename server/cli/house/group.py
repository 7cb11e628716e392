"""The group `cadogan house`, and how a command of it opens the house, says why and reports what is refused."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import get_args

import click

from clients.wire import house as wire
from clients.wire.codec import UnreadableMessage
from clients.wire.values import Reason
from server.cli.options import report_errors
from server.cli.output import Failure
from server.competitions.known_rules import known_rules
from server.config import Settings
from server.core.clock import now
from server.core.errors import RefusalError
from server.database.connections import Database, open_database
from server.database.revisions import require_current
from server.fairness.sealed_deals import SealedDeals
from server.games.game_reader import GameReader
from server.house.house import House
from server.storage.sql_store import SqlStore

Work = Callable[[House], Awaitable[None]]
_why = [
    click.option("--reason", type=click.Choice(get_args(get_args(Reason)[0])), default="other", show_default=True),
    click.option("--note", default="", help="A few words for the other hosts."),
]


def with_why(command: Callable[..., None]) -> Callable[..., None]:
    for option in reversed(_why):
        command = option(command)
    return command


def run_in_house(settings: Settings, work: Work) -> None:
    async def run() -> None:
        async with open_database(settings.database_url) as database:
            await require_current(database)
            await work(_house(database))

    with report_errors(settings):
        try:
            asyncio.run(run())
        except RefusalError as refusal:
            raise Failure(refusal.message) from None
        except UnreadableMessage as error:
            raise Failure(str(error)) from None


def _house(database: Database) -> House:
    store = SqlStore(database)
    reader = GameReader(store, SealedDeals(database), known_rules())
    return House(database, store, reader, lambda _: None, now)  # servers see what was struck when a board is read


@click.group("house")
def house_group() -> None:
    """Do what hosts do: players, roles, entry, and the log of it. A PLAYER is a name or an id."""


def why_of(reason: Reason, note: str) -> wire.Why:
    return wire.Why(reason=reason, note=note[:200])
