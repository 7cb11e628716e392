"""The commands of hosts for the coming days and for webhooks: `house schedule`, `house webhooks`."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, get_args

import click
import msgspec

from cadogan.server.cli.house.group import house_group
from cadogan.server.cli.options import report_errors, settings_flags
from cadogan.server.cli.output import Failure, say
from cadogan.server.competitions.daily.schedule import CalendarError, default_calendar, read_calendar
from cadogan.server.config import Settings
from cadogan.server.core import ids
from cadogan.server.core.clock import now
from cadogan.server.core.errors import RefusalError
from cadogan.server.core.words import WORDS
from cadogan.server.database.connections import Database, open_database
from cadogan.server.database.revisions import require_current
from cadogan.server.house.schedule import HouseSchedule, as_deals
from cadogan.server.news.webhooks import Webhooks
from cadogan.wire import webhooks as wire
from cadogan.wire.codec import UnreadableMessage, decode_body
from cadogan.wire.house_schedule import Schedule

TOPICS = get_args(get_args(wire.Topic)[0])
FOR_EVERYBODY = TOPICS[:4]
FORMATS = get_args(get_args(wire.WebhookFormat)[0])


def _run(settings: Settings, work: Callable[[Database], Awaitable[None]]) -> None:
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


@house_group.command("schedule")
@click.option("--games", metavar="FILE", help="A calendar, as for the setting `calendar`, for the days to come.")
@click.option("--grace", type=click.IntRange(0, 43_200), help="Seconds after a day in which its runs may finish.")
@click.option("--reset", is_flag=True, help="Take back what hosts have set: the server's settings hold again.")
@settings_flags("database_url", "calendar", "daily_grace")
def schedule_command(settings: Settings, games: str | None, grace: int | None, reset: bool) -> None:
    """Show which games the days to come have, or change it. Announced days stay as they are."""
    usual = read_calendar(settings.calendar) if settings.calendar else default_calendar()

    async def work(database: Database) -> None:
        schedule = HouseSchedule(database, usual, now)
        chosen = Schedule() if reset else await schedule.chosen()
        if reset or games or grace is not None:
            deals = as_deals(read_calendar(games)) if games else chosen.deals
            await schedule.change(None, Schedule(deals=deals, grace=chosen.grace if grace is None else grace))
        held = await schedule.current()
        for deal in as_deals(held.calendar):
            say(f"{deal.level}: {', '.join(deal.games)}")
        say(f"grace: {settings.daily_grace if held.grace is None else held.grace // 1000} seconds")

    _run(settings, work)


@house_group.command("webhooks")
@settings_flags("database_url", "private_destinations")
def webhooks_command(settings: Settings) -> None:
    """List the webhooks, each with its id and how many deliveries wait."""

    async def work(database: Database) -> None:
        for one in await Webhooks(database, now, "webhooks" in settings.private_destinations).all():
            say(f"{one.id} {one.name}: {one.format}, {one.host}, {' '.join(one.topics)} ({one.waiting} waiting)")

    _run(settings, work)


@house_group.command("webhook")
@click.argument("name")
@click.argument("url")
@click.option("--format", type=click.Choice(FORMATS), default="standard", show_default=True)
@click.option(
    "--topic", "topics", type=click.Choice(TOPICS), multiple=True, help="What is told; days and races by default."
)
@click.option("--language", type=click.Choice([*WORDS]), default="en", show_default=True, help="Of texts for chats.")
@click.option("--token", default="", help="For Matrix: an access token of who writes there.")
@settings_flags("database_url", "private_destinations")
def webhook_command(settings: Settings, topics: tuple[str, ...], **given: Any) -> None:
    """Send news to a URL, and print the secret that signs the requests."""

    async def work(database: Database) -> None:
        wanted = decode_body(wire.NewWebhook, msgspec.json.encode({**given, "topics": topics or FOR_EVERYBODY}))
        made = await Webhooks(database, now, "webhooks" in settings.private_destinations).add(
            None, wanted, ids.new_id()
        )
        say(f"{made.id} {made.secret}".strip())

    _run(settings, work)


@house_group.command("remove-webhook")
@click.argument("id")
@settings_flags("database_url", "private_destinations")
def remove_webhook_command(settings: Settings, id: str) -> None:
    """Send no news any more to the webhook with this ID."""

    async def work(database: Database) -> None:
        await Webhooks(database, now, "webhooks" in settings.private_destinations).remove(None, id)

    _run(settings, work)
