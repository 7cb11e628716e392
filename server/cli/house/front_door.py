"""The commands of hosts for registration, the house's profile, and the log of host actions."""

import json
from typing import TextIO, get_args

import click
import msgspec

from cadogan.server.cli.house.group import house_group, run_in_house
from cadogan.server.cli.options import settings_flags
from cadogan.server.cli.output import say
from cadogan.server.config import Settings
from cadogan.server.core.dates import moment_text
from cadogan.server.house.house import House
from cadogan.server.house.house_log import RecordedAct
from cadogan.wire import house as wire
from cadogan.wire.codec import decode_body, encode
from cadogan.wire.house_profile import HouseProfile


@house_group.command("entry")
@click.option("--accounts", type=click.Choice(get_args(get_args(wire.Accounts)[0])), help="Who may create an account.")
@click.option("--guests/--no-guests", default=None, help="Whether one may begin as a guest.")
@settings_flags("database_url")
def entry_command(settings: Settings, accounts: str | None, guests: bool | None) -> None:
    """Show who may come in, or change it."""

    async def work(house: House) -> None:
        stored = await house.entry.settings()
        if accounts is not None or guests is not None:
            stored = wire.Entry(
                accounts=stored.accounts if accounts is None else accounts,  # type: ignore[arg-type]  # click has checked it
                guests=stored.guests if guests is None else guests,
            )
            await house.entry.change(None, stored)
        say(f"accounts: {stored.accounts}; guests: {'yes' if stored.guests else 'no'}")

    run_in_house(settings, work)


@house_group.command("profile")
@click.option("--name", help="The name of the house.")
@click.option("--announcement", help="One line above every page; an empty one takes it away.")
@click.option("--welcome", type=click.File(encoding="utf-8"), help="A file with the text on the first page.")
@click.option("--rules", type=click.File(encoding="utf-8"), help="A file with the rules of the house.")
@settings_flags("database_url")
def profile_command(settings: Settings, **given: str | TextIO | None) -> None:
    """Show what the house says about itself, or change what is given. The texts are Markdown."""
    texts = {name: one if isinstance(one, str) else one.read() for name, one in given.items() if one is not None}

    async def work(house: House) -> None:
        stored = (await house.profile.current()).profile
        if texts:
            changed = decode_body(HouseProfile, encode(msgspec.structs.replace(stored, **texts)))
            await house.profile.change(None, changed)
            stored = (await house.profile.current()).profile
        for name in ("name", "announcement", "welcome", "rules"):
            say(f"{name}: {getattr(stored, name)}")
        await house.profile.close()

    run_in_house(settings, work)


@house_group.command("invite")
@click.option("--uses", type=click.IntRange(1, 500), default=1, show_default=True)
@click.option("--days", type=click.IntRange(1, 365), default=7, show_default=True)
@settings_flags("database_url")
def invite_command(settings: Settings, uses: int, days: int) -> None:
    """Print a link with which some people may create an account."""

    async def work(house: House) -> None:
        made = await house.entry.invite(None, wire.NewInvitation(uses=uses, days=days))
        say(f"/invited/{made.token} on your server, until {moment_text(made.expires_at)}")

    run_in_house(settings, work)


@house_group.command("log")
@settings_flags("database_url")
def log_command(settings: Settings) -> None:
    """Print the whole log of hosts and moderators as lines of JSON, each with the hash that chains it."""

    async def work(house: House) -> None:
        async for recorded in house.log.all():
            say(_line(recorded))

    run_in_house(settings, work)


def _line(recorded: RecordedAct) -> str:
    act = {name: value for name in recorded.act.__struct_fields__ if (value := getattr(recorded.act, name)) is not None}
    shown = {"version": recorded.version, "recorded_at": recorded.at, "data": act, "hash": recorded.hash.hex()}
    return json.dumps(shown | ({"note": recorded.note} if recorded.note else {}), sort_keys=True)
