"""The commands of hosts for fair play, entry and profile, the schedule, webhooks, and the log of hosts."""

import json
from typing import Any, TextIO, get_args

import click
import msgspec

from cadogan.server.cli.admin.group import (
    admin_group,
    make_why,
    run_for_admin,
    run_in_database,
    say_link,
    with_reason_options,
)
from cadogan.server.cli.options import settings_flags
from cadogan.server.cli.output import say
from cadogan.server.config import Settings
from cadogan.server.core import ids
from cadogan.server.core.clock import now
from cadogan.server.core.database.connections import Database
from cadogan.server.core.words import WORDS
from cadogan.server.subjects.admin.admin_log import RecordedAct
from cadogan.server.subjects.admin.administration import Administration
from cadogan.server.subjects.admin.stored_settings import StoredSchedule, as_deals
from cadogan.server.subjects.daily.rules import default_calendar, read_calendar
from cadogan.server.subjects.news.webhooks import Webhooks
from cadogan.wire import admin as wire
from cadogan.wire import webhooks
from cadogan.wire.branding import SiteProfile
from cadogan.wire.codec import decode_body, encode
from cadogan.wire.reports import Outcome, Settle
from cadogan.wire.schedule import Schedule
from cadogan.wire.values import Reason


@admin_group.command("strike")
@click.argument("game")
@with_reason_options
@settings_flags("database_url")
def strike_command(settings: Settings, game: str, reason: Reason, note: str) -> None:
    """Take a GAME that is over, by its id, off the boards and out of all figures. Its record stays."""

    async def work(admin: Administration) -> None:
        await admin.strikes.strike(None, game, True, make_why(reason, note))

    run_for_admin(settings, work)


@admin_group.command("return")
@click.argument("game")
@with_reason_options
@settings_flags("database_url")
def return_command(settings: Settings, game: str, reason: Reason, note: str) -> None:
    """Put a GAME that was struck back on the boards."""

    async def work(admin: Administration) -> None:
        await admin.strikes.strike(None, game, False, make_why(reason, note))

    run_for_admin(settings, work)


@admin_group.command("analysts")
@settings_flags("database_url")
def analysts_command(settings: Settings) -> None:
    """Print who has analysed games for the server, and whether the verdicts were right, as lines of JSON."""

    async def work(admin: Administration) -> None:
        for one in await admin.analysts.contributors():
            say(json.dumps(one._asdict()))

    run_for_admin(settings, work)


@admin_group.command("restore-analyst")
@click.argument("player")
@settings_flags("database_url")
def restore_analyst_command(settings: Settings, player: str) -> None:
    """Let a PLAYER analyse games again, one of whose verdicts was wrong."""

    async def work(admin: Administration) -> None:
        await admin.analysts.restore(await admin.players.named(player))

    run_for_admin(settings, work)


@admin_group.command("reports")
@settings_flags("database_url")
def reports_command(settings: Settings) -> None:
    """Print the reports of players that wait, the earliest first, as lines of JSON."""

    async def work(admin: Administration) -> None:
        offset = 0
        while page := await admin.reports.waiting(offset, 200):
            for one in page:
                say(json.dumps({key: value for key, value in one._asdict().items() if value not in (None, "")}))
            offset += len(page)

    run_for_admin(settings, work)


@admin_group.command("settle")
@click.argument("report")
@click.argument("outcome", type=click.Choice(get_args(get_args(Outcome)[0])))
@click.option("--note", default="", help="A few words for the other hosts.")
@settings_flags("database_url")
def settle_command(settings: Settings, report: str, outcome: Outcome, note: str) -> None:
    """Settle a REPORT, by its id; who reported is told the OUTCOME."""

    async def work(admin: Administration) -> None:
        await admin.reports.settle(None, report, Settle(outcome=outcome, note=note[:200]))

    run_for_admin(settings, work)


@admin_group.command("findings")
@click.argument("day")
@settings_flags("database_url")
def findings_command(settings: Settings, day: str) -> None:
    """Print which runs of a closed DAY follow others, or were played like a machine, as lines of JSON."""

    async def work(admin: Administration) -> None:
        found = await admin.findings.of_day(day)
        for finding in (*found.copies, *found.paces):
            say(json.dumps(_as_objects(finding)))

    run_for_admin(settings, work)


def _as_objects(value: Any) -> Any:
    """Convert named tuples, at any depth, to JSON objects."""
    if hasattr(value, "_asdict"):
        return {key: _as_objects(one) for key, one in value._asdict().items()}
    return [_as_objects(one) for one in value] if isinstance(value, tuple | list) else value


@admin_group.command("entry")
@click.option("--accounts", type=click.Choice(get_args(get_args(wire.Accounts)[0])), help="Who may create an account.")
@click.option("--guests/--no-guests", default=None, help="Whether one may begin as a guest.")
@settings_flags("database_url")
def entry_command(settings: Settings, accounts: str | None, guests: bool | None) -> None:
    """Show who may come in, or change it."""

    async def work(admin: Administration) -> None:
        stored = await admin.entry.settings()
        if accounts is not None or guests is not None:
            stored = wire.Entry(
                accounts=stored.accounts if accounts is None else accounts,  # type: ignore[arg-type]  # click has checked it
                guests=stored.guests if guests is None else guests,
            )
            await admin.entry.change(None, stored)
        say(f"accounts: {stored.accounts}; guests: {'yes' if stored.guests else 'no'}")

    run_for_admin(settings, work)


@admin_group.command("profile")
@click.option("--name", help="The name shown on the pages, instead of Cadogan.")
@click.option("--announcement", help="One line above every page; an empty one takes it away.")
@click.option("--welcome", type=click.File(encoding="utf-8"), help="A file with the text on the first page.")
@click.option("--rules", type=click.File(encoding="utf-8"), help="A file with the rules of the server.")
@settings_flags("database_url")
def profile_command(settings: Settings, **given: str | TextIO | None) -> None:
    """Show the branding, or change the given parts. The texts are Markdown."""
    texts = {name: one if isinstance(one, str) else one.read() for name, one in given.items() if one is not None}

    async def work(admin: Administration) -> None:
        stored = (await admin.profile.current()).profile
        if texts:
            changed = decode_body(SiteProfile, encode(msgspec.structs.replace(stored, **texts)))
            await admin.profile.change(None, changed)
            stored = (await admin.profile.current()).profile
        for name in ("name", "announcement", "welcome", "rules"):
            say(f"{name}: {getattr(stored, name)}")
        await admin.profile.close()

    run_for_admin(settings, work)


@admin_group.command("invite")
@click.option("--uses", type=click.IntRange(1, 500), default=1, show_default=True)
@click.option("--days", type=click.IntRange(1, 365), default=7, show_default=True)
@settings_flags("database_url")
def invite_command(settings: Settings, uses: int, days: int) -> None:
    """Print a link with which some people may create an account."""

    async def work(admin: Administration) -> None:
        made = await admin.entry.invite(None, wire.NewInvitation(uses=uses, days=days))
        say_link(settings, f"/invited/{made.token}", made.expires_at)

    run_for_admin(settings, work)


@admin_group.command("log")
@settings_flags("database_url")
def log_command(settings: Settings) -> None:
    """Print the whole log of hosts and moderators as lines of JSON, each with the hash that chains it."""

    async def work(admin: Administration) -> None:
        async for recorded in admin.log.all():
            say(_line(recorded))

    run_for_admin(settings, work)


def _line(recorded: RecordedAct) -> str:
    act = {name: value for name in recorded.act.__struct_fields__ if (value := getattr(recorded.act, name)) is not None}
    shown = {"version": recorded.version, "recorded_at": recorded.at, "data": act, "hash": recorded.hash.hex()}
    return json.dumps(shown | ({"note": recorded.note} if recorded.note else {}), sort_keys=True)


TOPICS = get_args(get_args(webhooks.Topic)[0])
FOR_EVERYBODY = TOPICS[:-2]
FORMATS = get_args(get_args(webhooks.WebhookFormat)[0])


@admin_group.command("schedule")
@click.option("--games", metavar="FILE", help="A calendar, as for the setting `calendar`, for the days to come.")
@click.option("--grace", type=click.IntRange(0, 43_200), help="Seconds after a day in which its runs may finish.")
@click.option("--reset", is_flag=True, help="Take back what hosts have set: the server's settings hold again.")
@settings_flags("database_url", "calendar", "daily_grace")
def schedule_command(settings: Settings, games: str | None, grace: int | None, reset: bool) -> None:
    """Show which games the days to come have, or change it. Announced days stay as they are."""
    usual = read_calendar(settings.calendar) if settings.calendar else default_calendar()

    async def work(database: Database) -> None:
        schedule = StoredSchedule(database, usual, now)
        chosen = Schedule() if reset else await schedule.chosen()
        if reset or games or grace is not None:
            deals = as_deals(read_calendar(games)) if games else chosen.deals
            await schedule.change(None, Schedule(deals=deals, grace=chosen.grace if grace is None else grace))
        held = await schedule.current()
        for deal in as_deals(held.calendar):
            say(f"{deal.level}: {', '.join(deal.games)}")
        say(f"grace: {settings.daily_grace if held.grace is None else held.grace // 1000} seconds")

    run_in_database(settings, work)


@admin_group.command("webhooks")
@settings_flags("database_url", "private_destinations")
def webhooks_command(settings: Settings) -> None:
    """List the webhooks, each with its id and how many deliveries wait."""

    async def work(database: Database) -> None:
        for one in await Webhooks(database, now, "webhooks" in settings.private_destinations).all():
            say(f"{one.id} {one.name}: {one.format}, {one.host}, {' '.join(one.topics)} ({one.waiting} waiting)")

    run_in_database(settings, work)


@admin_group.command("webhook")
@click.argument("name")
@click.argument("url")
@click.option("--format", type=click.Choice(FORMATS), default="standard", show_default=True)
@click.option(
    "--topic",
    "topics",
    type=click.Choice(TOPICS),
    multiple=True,
    help="What is told; all that is for everybody by default.",
)
@click.option("--language", type=click.Choice([*WORDS]), default="en", show_default=True, help="Of texts for chats.")
@click.option("--token", default="", help="For Matrix: an access token of who writes there.")
@settings_flags("database_url", "private_destinations")
def webhook_command(settings: Settings, topics: tuple[str, ...], **given: Any) -> None:
    """Send news to a URL, and print the secret that signs the requests."""

    async def work(database: Database) -> None:
        wanted = decode_body(webhooks.NewWebhook, msgspec.json.encode({**given, "topics": topics or FOR_EVERYBODY}))
        made = await Webhooks(database, now, "webhooks" in settings.private_destinations).add(
            None, wanted, ids.new_id()
        )
        say(f"{made.id} {made.secret}".strip())

    run_in_database(settings, work)


@admin_group.command("remove-webhook")
@click.argument("id")
@settings_flags("database_url", "private_destinations")
def remove_webhook_command(settings: Settings, id: str) -> None:
    """Remove the webhook with this ID."""

    async def work(database: Database) -> None:
        await Webhooks(database, now, "webhooks" in settings.private_destinations).remove(None, id)

    run_in_database(settings, work)
