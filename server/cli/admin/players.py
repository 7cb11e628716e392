"""The commands of hosts for players: make the first host, change roles, names and access, and erase."""

from datetime import UTC, datetime
from typing import get_args

import click

from cadogan.server.cli.admin.group import admin_group, make_why, run_for_admin, say_link, with_reason_options
from cadogan.server.cli.options import settings_flags
from cadogan.server.cli.output import say
from cadogan.server.config import Settings
from cadogan.server.core.dates import moment_text
from cadogan.server.subjects.admin.administration import Administration
from cadogan.server.subjects.players.own_data import list_line
from cadogan.wire import admin as wire
from cadogan.wire.values import Reason


@click.command("host")
@click.argument("name")
@settings_flags("database_url")
def host_command(settings: Settings, name: str) -> None:
    """Make the player with this NAME, who has an account, a host of the server."""

    async def work(admin: Administration) -> None:
        await admin.roles.change(None, await admin.players.named(name), "host", wire.Why(reason="request"))

    run_for_admin(settings, work)
    say(f"{name} is a host now")


@admin_group.command("find")
@click.argument("name", default="")
@settings_flags("database_url")
def find_command(settings: Settings, name: str) -> None:
    """List the players whose names begin with NAME."""

    async def work(admin: Administration) -> None:
        for one in (await admin.players.find(name, 0, 200)).players:
            until = moment_text(one.suspended_until) if one.suspended_until else ""
            muted = moment_text(one.muted_until) if one.muted_until else ""
            marks = [
                one.role or "",
                "banned" if one.banned else "",
                f"suspended until {until}" if until else "",
                f"muted until {muted}" if muted else "",
            ]
            say(" ".join([one.player.id, one.player.name, *(f"({mark})" for mark in marks if mark)]))

    run_for_admin(settings, work)


@admin_group.command("role")
@click.argument("player")
@click.argument("role", type=click.Choice(["host", "moderator", "player"]))
@with_reason_options
@settings_flags("database_url")
def role_command(settings: Settings, player: str, role: str, reason: Reason, note: str) -> None:
    """Make a PLAYER a host, a moderator, or an ordinary player again."""

    async def work(admin: Administration) -> None:
        wanted = None if role == "player" else role
        await admin.roles.change(None, await admin.players.named(player), wanted, make_why(reason, note))

    run_for_admin(settings, work)


@admin_group.command("rename")
@click.argument("player")
@click.argument("name")
@with_reason_options
@settings_flags("database_url")
def rename_command(settings: Settings, player: str, name: str, reason: Reason, note: str) -> None:
    """Give a PLAYER another NAME."""

    async def work(admin: Administration) -> None:
        await admin.moderation.rename(None, await admin.players.named(player), name, make_why(reason, note))

    run_for_admin(settings, work)


@admin_group.command("mute")
@click.argument("player")
@click.argument("day", type=click.DateTime(["%Y-%m-%d"]), metavar="DAY")
@with_reason_options
@settings_flags("database_url")
def mute_command(settings: Settings, player: str, day: datetime, reason: Reason, note: str) -> None:
    """Let a PLAYER write nothing to others until a DAY begins (UTC)."""

    async def work(admin: Administration) -> None:
        until = _beginning_of(day)
        await admin.moderation.mute(None, await admin.players.named(player), until, make_why(reason, note))

    run_for_admin(settings, work)


@admin_group.command("unmute")
@click.argument("player")
@with_reason_options
@settings_flags("database_url")
def unmute_command(settings: Settings, player: str, reason: Reason, note: str) -> None:
    """Let a PLAYER write to others again."""

    async def work(admin: Administration) -> None:
        await admin.moderation.mute(None, await admin.players.named(player), None, make_why(reason, note))

    run_for_admin(settings, work)


@admin_group.command("suspend")
@click.argument("player")
@click.argument("day", type=click.DateTime(["%Y-%m-%d"]), metavar="DAY")
@with_reason_options
@settings_flags("database_url")
def suspend_command(settings: Settings, player: str, day: datetime, reason: Reason, note: str) -> None:
    """Suspend a PLAYER until a DAY begins (UTC)."""

    async def work(admin: Administration) -> None:
        until = _beginning_of(day)
        await admin.moderation.suspend(None, await admin.players.named(player), until, make_why(reason, note))

    run_for_admin(settings, work)


@admin_group.command("ban")
@click.argument("player")
@with_reason_options
@settings_flags("database_url")
def ban_command(settings: Settings, player: str, reason: Reason, note: str) -> None:
    """Ban a PLAYER for good."""

    async def work(admin: Administration) -> None:
        await admin.moderation.ban(None, await admin.players.named(player), True, make_why(reason, note))

    run_for_admin(settings, work)


@admin_group.command("restore")
@click.argument("player")
@with_reason_options
@settings_flags("database_url")
def restore_command(settings: Settings, player: str, reason: Reason, note: str) -> None:
    """End the ban or the suspension of a PLAYER."""

    async def work(admin: Administration) -> None:
        await admin.moderation.ban(None, await admin.players.named(player), False, make_why(reason, note))

    run_for_admin(settings, work)


@admin_group.command("sign-out")
@click.argument("player")
@with_reason_options
@settings_flags("database_url")
def sign_out_command(settings: Settings, player: str, reason: Reason, note: str) -> None:
    """End every session and personal token of a PLAYER."""

    async def work(admin: Administration) -> None:
        await admin.moderation.sign_out(None, await admin.players.named(player), make_why(reason, note))

    run_for_admin(settings, work)


@admin_group.command("reset")
@click.argument("player")
@with_reason_options
@settings_flags("database_url")
def reset_command(settings: Settings, player: str, reason: Reason, note: str) -> None:
    """Print a link with which a PLAYER sets a new password."""

    async def work(admin: Administration) -> None:
        made = await admin.moderation.reset_access(None, await admin.players.named(player), make_why(reason, note))
        say_link(settings, f"/access/{made.code}", made.expires_at)

    run_for_admin(settings, work)


@admin_group.command("erase")
@click.argument("player")
@click.option("--reason", type=click.Choice(get_args(get_args(Reason)[0])), default="request", show_default=True)
@click.confirmation_option(prompt="Nobody can undo this. Erase the player?")
@settings_flags("database_url")
def erase_command(settings: Settings, player: str, reason: Reason) -> None:
    """Erase a PLAYER: the name and all that is personal goes, the finished runs stay without a name."""

    async def work(admin: Administration) -> None:
        await admin.erasure.erase(None, await admin.players.named(player), reason)

    run_for_admin(settings, work)


@admin_group.command("erased")
@settings_flags("database_url")
def erased_command(settings: Settings) -> None:
    """Print everybody who was erased, by id and time. Keep the list beside backups, for `cadogan restore --erased`."""

    async def work(admin: Administration) -> None:
        for one in await admin.erasure.erased():
            say(list_line(one))

    run_for_admin(settings, work)


def _beginning_of(day: datetime) -> int:
    return round(day.replace(tzinfo=UTC).timestamp() * 1000)
