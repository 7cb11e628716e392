"""The commands of hosts: `host` makes the first one, `house` does all that hosts do in the browser.

What is done here is in the log of hosts and moderators without a name: whoever can run it owns the database.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import NamedTuple, get_args

import click

from clients.wire import house as wire
from server.cli.options import report_errors, settings_flags
from server.cli.output import Failure, say
from server.config import Settings
from server.core.clock import now
from server.core.dates import moment_text
from server.core.errors import RefusalError
from server.database.connections import Database, open_database
from server.database.revisions import require_current
from server.house.entry import Entry
from server.house.house_log import HouseLog, RecordedAct
from server.house.moderation import Moderation
from server.house.player_list import PlayerList
from server.house.roles import Roles


class _House(NamedTuple):
    roles: Roles
    moderation: Moderation
    entry: Entry
    players: PlayerList
    log: HouseLog


Work = Callable[[_House], Awaitable[None]]
_why = [
    click.option("--reason", type=click.Choice(get_args(get_args(wire.Reason)[0])), default="other", show_default=True),
    click.option("--note", default="", help="A few words for the other hosts."),
]


def _with_why(command: Callable[..., None]) -> Callable[..., None]:
    for option in reversed(_why):
        command = option(command)
    return command


def _run(settings: Settings, work: Work) -> None:
    async def run() -> None:
        async with open_database(settings.database_url) as database:
            await require_current(database)
            await work(_house(database))

    with report_errors(settings):
        try:
            asyncio.run(run())
        except RefusalError as refusal:
            raise Failure(refusal.message) from None


def _house(database: Database) -> _House:
    return _House(
        Roles(database, now),
        Moderation(database, now),
        Entry(database, now),
        PlayerList(database, now),
        HouseLog(database),
    )


@click.command("host")
@click.argument("name")
@settings_flags("database_url")
def host_command(settings: Settings, name: str) -> None:
    """Make the player with this NAME, who has an account, a host of the server."""

    async def work(house: _House) -> None:
        await house.roles.change(None, await house.players.named(name), "host", wire.Why(reason="request"))

    _run(settings, work)
    say(f"{name} is a host now")


@click.group("house")
def house_group() -> None:
    """Do what hosts do: players, roles, entry, and the log of it. A PLAYER is a name or an id."""


@house_group.command("find")
@click.argument("name", default="")
@settings_flags("database_url")
def find_command(settings: Settings, name: str) -> None:
    """List the players whose names begin with NAME."""

    async def work(house: _House) -> None:
        for one in (await house.players.find(name, 0, 200)).players:
            until = moment_text(one.suspended_until) if one.suspended_until else ""
            marks = [one.role or "", "banned" if one.banned else "", f"suspended until {until}" if until else ""]
            say(" ".join([one.player.id, one.player.name, *(f"({mark})" for mark in marks if mark)]))

    _run(settings, work)


@house_group.command("role")
@click.argument("player")
@click.argument("role", type=click.Choice(["host", "moderator", "player"]))
@_with_why
@settings_flags("database_url")
def role_command(settings: Settings, player: str, role: str, reason: wire.Reason, note: str) -> None:
    """Make a PLAYER a host, a moderator, or an ordinary player again."""

    async def work(house: _House) -> None:
        wanted = None if role == "player" else role
        await house.roles.change(None, await house.players.named(player), wanted, _why_of(reason, note))

    _run(settings, work)


@house_group.command("rename")
@click.argument("player")
@click.argument("name")
@_with_why
@settings_flags("database_url")
def rename_command(settings: Settings, player: str, name: str, reason: wire.Reason, note: str) -> None:
    """Give a PLAYER another NAME."""

    async def work(house: _House) -> None:
        await house.moderation.rename(None, await house.players.named(player), name, _why_of(reason, note))

    _run(settings, work)


@house_group.command("suspend")
@click.argument("player")
@click.argument("day", type=click.DateTime(["%Y-%m-%d"]))
@_with_why
@settings_flags("database_url")
def suspend_command(settings: Settings, player: str, day: datetime, reason: wire.Reason, note: str) -> None:
    """Suspend a PLAYER until a DAY begins (UTC)."""

    async def work(house: _House) -> None:
        until = round(day.replace(tzinfo=UTC).timestamp() * 1000)
        await house.moderation.suspend(None, await house.players.named(player), until, _why_of(reason, note))

    _run(settings, work)


@house_group.command("ban")
@click.argument("player")
@_with_why
@settings_flags("database_url")
def ban_command(settings: Settings, player: str, reason: wire.Reason, note: str) -> None:
    """Ban a PLAYER for good."""

    async def work(house: _House) -> None:
        await house.moderation.ban(None, await house.players.named(player), True, _why_of(reason, note))

    _run(settings, work)


@house_group.command("restore")
@click.argument("player")
@_with_why
@settings_flags("database_url")
def restore_command(settings: Settings, player: str, reason: wire.Reason, note: str) -> None:
    """End the ban or the suspension of a PLAYER."""

    async def work(house: _House) -> None:
        await house.moderation.ban(None, await house.players.named(player), False, _why_of(reason, note))

    _run(settings, work)


@house_group.command("sign-out")
@click.argument("player")
@_with_why
@settings_flags("database_url")
def sign_out_command(settings: Settings, player: str, reason: wire.Reason, note: str) -> None:
    """End every session and personal token of a PLAYER."""

    async def work(house: _House) -> None:
        await house.moderation.sign_out(None, await house.players.named(player), _why_of(reason, note))

    _run(settings, work)


@house_group.command("reset")
@click.argument("player")
@_with_why
@settings_flags("database_url")
def reset_command(settings: Settings, player: str, reason: wire.Reason, note: str) -> None:
    """Print a link with which a PLAYER sets a new password."""

    async def work(house: _House) -> None:
        made = await house.moderation.reset_access(None, await house.players.named(player), _why_of(reason, note))
        say(f"/access/{made.code} on your server, until {moment_text(made.expires_at)}")

    _run(settings, work)


@house_group.command("entry")
@click.option("--accounts", type=click.Choice(get_args(get_args(wire.Accounts)[0])), help="Who may create an account.")
@click.option("--guests/--no-guests", default=None, help="Whether one may begin as a guest.")
@settings_flags("database_url")
def entry_command(settings: Settings, accounts: str | None, guests: bool | None) -> None:
    """Show who may come in, or change it."""

    async def work(house: _House) -> None:
        kept = await house.entry.settings()
        if accounts is not None or guests is not None:
            kept = wire.Entry(
                accounts=kept.accounts if accounts is None else accounts,  # type: ignore[arg-type]  # click has checked it
                guests=kept.guests if guests is None else guests,
            )
            await house.entry.change(None, kept)
        say(f"accounts: {kept.accounts}; guests: {'yes' if kept.guests else 'no'}")

    _run(settings, work)


@house_group.command("invite")
@click.option("--uses", type=click.IntRange(1, 500), default=1, show_default=True)
@click.option("--days", type=click.IntRange(1, 365), default=7, show_default=True)
@settings_flags("database_url")
def invite_command(settings: Settings, uses: int, days: int) -> None:
    """Print a link with which some people may create an account."""

    async def work(house: _House) -> None:
        made = await house.entry.invite(None, wire.NewInvitation(uses=uses, days=days))
        say(f"/invited/{made.token} on your server, until {moment_text(made.expires_at)}")

    _run(settings, work)


@house_group.command("log")
@settings_flags("database_url")
def log_command(settings: Settings) -> None:
    """Print the whole log of hosts and moderators as lines of JSON, each with the hash that chains it."""

    async def work(house: _House) -> None:
        async for recorded in house.log.all():
            say(_line(recorded))

    _run(settings, work)


def _line(recorded: RecordedAct) -> str:
    act = {name: value for name in recorded.act.__struct_fields__ if (value := getattr(recorded.act, name)) is not None}
    shown = {"version": recorded.version, "recorded_at": recorded.at, "data": act, "hash": recorded.hash.hex()}
    return json.dumps(shown | ({"note": recorded.note} if recorded.note else {}), sort_keys=True)


def _why_of(reason: wire.Reason, note: str) -> wire.Why:
    return wire.Why(reason=reason, note=note[:200])
