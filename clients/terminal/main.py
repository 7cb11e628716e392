"""Open the terminal client on a server."""

from clients.sdk import connect
from clients.sdk.errors import Unauthorized
from clients.sdk.http import parse_origin
from clients.terminal.app import TerminalApp
from clients.terminal.lobby import Lobby
from clients.terminal.token_store import TokenStore


async def run_client(address: str, tokens: TokenStore, name: str | None = None) -> None:
    """Run the terminal client on the server at this address, until the player leaves.

    The player is the same as last time on this server, or a new guest. `tokens` keeps the tokens, by the server's
    `name`, which by default is its address.

    Raises BadAddress, Unreachable, or OSError if the token cannot be stored.
    """
    name = name or parse_origin(address)
    token = tokens.get(name)
    if token is not None and not await _is_known(address, token):
        token = None
    async with connect(address, token) as client:
        tokens.save(name, client.token)
        await TerminalApp(client, lambda token: tokens.save(name, token), Lobby).run_async()


async def _is_known(address: str, token: str) -> bool:
    """Return whether this token is still valid."""
    async with connect(address, token) as client:
        try:
            return (await client.who_am_i()).player is not None
        except Unauthorized:
            return False
