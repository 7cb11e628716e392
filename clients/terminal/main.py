"""Opening the terminal client on a server."""

from clients.sdk import connect
from clients.sdk.errors import Unauthorized
from clients.sdk.http import parse_origin
from clients.terminal.app import TerminalApp
from clients.terminal.lobby import Lobby
from clients.terminal.token_store import Tokens


async def play(address: str, tokens: Tokens, name: str | None = None) -> None:
    """Play at the server at this address until one leaves, as whoever one was there last, else as a new guest.

    Tokens are kept under the server's `name`, by default its address.

    Raises BadAddress, Unreachable, or OSError if the token cannot be kept.
    """
    name = name or parse_origin(address)
    token = tokens.get(name)
    if token is not None and not await _is_known(address, token):
        token = None
    async with connect(address, token) as client:
        tokens.keep(name, client.token)
        await TerminalApp(client, lambda token: tokens.keep(name, token), Lobby).run_async()


async def _is_known(address: str, token: str) -> bool:
    """Whether the server still knows whose token this is."""
    async with connect(address, token) as client:
        try:
            return (await client.who_am_i()).player is not None
        except Unauthorized:
            return False
