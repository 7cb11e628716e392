"""The command `cadogan`: what `cadogan.server.cli.main` has, and `play`, which joins the terminal client with a
server."""

import asyncio
from pathlib import Path

import click

from cadogan.server.cli.main import main
from cadogan.server.cli.output import Failure, say

__all__ = ["main"]


@main.command("play")
@click.argument("server", required=False, envvar="CADOGAN_SERVER")
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder with the games of your own server, by default in the user's data.",
)
@click.option("--language", help="The tag of a language, like de. By default that of your account or your terminal.")
@click.option("--deal", help="Play the cards of this deal, which was played before: the last part of its link.")
def play_command(server: str | None, data: Path | None, language: str | None, deal: str | None) -> None:
    """Play in the terminal at SERVER, an address like https://patience.example [CADOGAN_SERVER].

    Without SERVER, play on a server of your own. It ends with the game, and keeps everything for the next time.
    """
    from cadogan.server.cli.options import report_errors
    from cadogan.terminal.words import list_languages

    if language is not None and language not in list_languages():
        raise click.BadParameter(f"{language} is not one of {', '.join(list_languages())}.", param_hint="--language")
    with report_errors():
        asyncio.run(_play(server, data, language, deal))


async def _play(server: str | None, data: Path | None, language: str | None, deal: str | None) -> None:
    from cadogan.embedded import embedded_server
    from cadogan.sdk.errors import ClientError
    from cadogan.terminal.main import run_client
    from cadogan.terminal.token_store import EMBEDDED, TokenStore, config_folder, data_folder

    tokens = TokenStore(config_folder())
    try:
        if server is not None:
            receipts = data_folder() / "receipts"
            await run_client(server, tokens, language=language, receipts=receipts, deal=deal)
            return
        folder = data or data_folder()
        async with embedded_server(folder) as address:
            name = f"{EMBEDDED} {folder.resolve()}"
            await run_client(address, tokens, name=name, language=language, deal=deal)
        say(f"Your games are kept in {folder}.")
    except ClientError as error:
        raise Failure(str(error)) from None
