"""Open the terminal client on a server."""

from pathlib import Path

from cadogan.sdk import Client, connect
from cadogan.sdk.errors import RefusalError, Unauthorized
from cadogan.sdk.http import parse_origin
from cadogan.terminal.app import TerminalApp
from cadogan.terminal.lobby.lobby import Lobby
from cadogan.terminal.token_store import TokenStore
from cadogan.terminal.words import environment_languages, pick_language

FIRST_ANSWER_SECONDS = 10.0
"""Seconds to wait for the server's first answer, while the terminal is still empty."""


async def run_client(
    address: str,
    tokens: TokenStore,
    name: str | None = None,
    language: str | None = None,
    receipts: Path | None = None,
    deal: str | None = None,
) -> None:
    """Run the terminal client on the server at this address, until the player leaves.

    The player is the same as last time on this server, or a new guest. `tokens` keeps the tokens, by the server's
    `name`, which by default is its address. The language is `language`, else the one of the account's settings, else
    the one of the environment. `receipts` is the folder for the receipts of finished games; None to keep none. With a
    `deal` the client begins a casual game with its cards, and opens it.

    Raises BadAddress, Unreachable, RefusalError for a deal that cannot be played, or OSError if the token cannot be
    stored.
    """
    name = name or parse_origin(address)
    token = tokens.get(name)
    if not await _is_known(address, token):
        token = None
    async with connect(address, token) as client:
        tokens.save(name, client.token)
        chosen = pick_language([language, await _account_language(client), *environment_languages()])
        opens = None if deal is None else (await client.play_deal(deal)).game.id

        def save(token: str | None) -> None:
            tokens.save(name, token)

        app = TerminalApp(client, save, lambda: Lobby(opens), language=chosen, receipts=receipts)
        await app.run_async()


async def _account_language(client: Client) -> str | None:
    """Return the language of the account's settings, if one was chosen there. Raises Unreachable."""
    try:
        settings = (await client.show_settings()).settings
    except RefusalError:
        return None
    return settings.language if settings is not None else None


async def _is_known(address: str, token: str | None) -> bool:
    """Return whether this token is valid. Raises Unreachable after `FIRST_ANSWER_SECONDS` without an answer."""
    async with connect(address, token, guest=False, timeout_seconds=FIRST_ANSWER_SECONDS) as client:
        try:
            return (await client.who_am_i()).player is not None
        except Unauthorized:
            return False
