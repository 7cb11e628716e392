"""The command `python -m cadogan.bots SERVER`: a bot plays the deals of a day."""

import asyncio
import random

import click

from cadogan.bots.runner import BOTS, play_day
from cadogan.sdk import connect
from cadogan.sdk.errors import ClientError
from cadogan.sdk.retries import REQUEST_TIMEOUT_SECONDS
from cadogan.wire.printable import printable


@click.command()
@click.argument("server")
@click.option("--token", envvar="CADOGAN_TOKEN", required=True, help="The bot's token [CADOGAN_TOKEN].")
@click.option("--bot", type=click.Choice(sorted(BOTS)), default="thought", show_default=True, help="Which bot plays.")
@click.option("--day", default="today", show_default=True, help="The day whose deals are played, like 2026-11-20.")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0),
    default=REQUEST_TIMEOUT_SECONDS,
    show_default=True,
    help="Seconds for which an answer of the server is waited for.",
)
def main(server: str, token: str, bot: str, day: str, timeout: float) -> None:
    """Play the deals of a day at SERVER, an address like https://patience.example, and print how each game ended."""
    try:
        asyncio.run(_play(server, token, bot, day, timeout))
    except ClientError as error:
        raise click.ClickException(printable(str(error))) from None


async def _play(server: str, token: str, bot: str, day: str, timeout_seconds: float) -> None:
    async with connect(server, token, timeout_seconds=timeout_seconds) as client:
        for session in await play_day(client, bot, random.Random(), day):
            assert session.game is not None
            line = f"{session.game.rules}: {session.status}, score {session.score}, {session.played} moves"
            click.echo(printable(line))


if __name__ == "__main__":
    main()
