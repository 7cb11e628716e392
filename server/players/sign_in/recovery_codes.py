"""Recovery codes: ten single-use codes of a player, each of which can set a new password.

A code is 80 random bits, of which only the SHA-256 is stored, so it cannot be guessed or read again.
"""

import secrets
from base64 import b32encode
from collections.abc import Callable
from hashlib import sha256
from typing import NamedTuple

from sqlalchemy import delete, func, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.core.errors import Conflict
from cadogan.server.database.connections import Database
from cadogan.server.database.tables import recovery_codes
from cadogan.wire.values import Player

CODES = 10
_BYTES = 10
_GROUP = 4
_MISREAD = str.maketrans("018", "olb")
"""Digits that are in no code, and the letters that look like them."""


class CodesLeft(NamedTuple):
    """The number of a player's unused codes, and their creation time in milliseconds since 1970; None without codes."""

    unused: int
    made_at: int | None


class RecoveryCodes:
    """The recovery codes in a database. `now` returns the time in milliseconds since 1970."""

    def __init__(self, database: Database, now: Callable[[], int]) -> None:
        self._database = database
        self._now = now

    async def left(self, player: str) -> CodesLeft:
        """Return the number of the player's unused codes."""
        own = recovery_codes.c.player == player
        wanted = select(func.count(), func.max(recovery_codes.c.created_at)).where(own)
        async with self._database.reading() as connection:
            count, made_at = (await connection.execute(wanted)).one()
        return CodesLeft(count, made_at)

    async def renew(self, player: Player) -> tuple[str, ...]:
        """Create new codes in place of the player's existing ones. Raises Conflict for a guest and for a bot."""
        if player.guest or player.bot:
            raise Conflict("You have no password: create an account first.")
        async with self._database.writing() as connection:
            return await make_recovery_codes(connection, player.id, self._now())


async def make_recovery_codes(connection: AsyncConnection, player: str, now: int) -> tuple[str, ...]:
    """Create codes in place of a player's existing ones, and return them."""
    codes = tuple(_draw_code() for _ in range(CODES))
    rows = [{"hash": _hash(player, code), "player": player, "created_at": now} for code in codes]
    await connection.execute(delete(recovery_codes).where(recovery_codes.c.player == player))
    await connection.execute(insert(recovery_codes), rows)
    return codes


async def use_recovery_code(connection: AsyncConnection, player: str, code: str) -> bool:
    """Use a code of a player, in any spelling, and return whether it was valid."""
    chosen = delete(recovery_codes).where(recovery_codes.c.hash == _hash(player, code))
    return (await connection.execute(chosen)).rowcount > 0


def _draw_code() -> str:
    letters = b32encode(secrets.token_bytes(_BYTES)).decode().lower()
    return "-".join(letters[start : start + _GROUP] for start in range(0, len(letters), _GROUP))


def _hash(player: str, code: str) -> str:
    letters = "".join(filter(str.isalnum, code.lower())).translate(_MISREAD)
    return sha256(f"{player} {letters}".encode(errors="surrogatepass")).hexdigest()
