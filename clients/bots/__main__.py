"""A bot that plays a day's card: `python -m cadogan.bots SERVER`."""

import asyncio
import random

import click

from clients.bots.runner import BOTS, play_card
from clients.sdk import connect
from clients.sdk.errors import ClientError


@click.command()
@click.argument("server")
@click.option("--token", envvar="CADOGAN_TOKEN", required=True, help="The bot's token [CADOGAN_TOKEN].")
@click.option("--bot", type=click.Choice(sorted(BOTS)), default="thought", show_default=True, help="How it plays.")
@click.option("--day", default="today", show_default=True, help="Whose deals it plays.")
def main(server: str, token: str, bot: str, day: str) -> None:
    """Play a day's card at SERVER, an address like https://patience.example, and say how it went."""
    try:
        asyncio.run(_play(server, token, bot, day))
    except ClientError as error:
        raise click.ClickException(str(error)) from None


async def _play(server: str, token: str, bot: str, day: str) -> None:
    async with connect(server, token) as client:
        for session in await play_card(client, bot, random.Random(), day):
            assert session.game is not None
            click.echo(f"{session.game.rules}: {session.status}, score {session.score}, {session.played} moves")


if __name__ == "__main__":
    main()
